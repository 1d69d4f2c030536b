// The readers of tables, one line a job: Slurm accounting, openb, PAI and SWF, every quirk on a small text
// made by hand.
#include <array>
#include <gtest/gtest.h>
#include <string>

#include "trace/openb.hpp"
#include "trace/pai.hpp"
#include "trace/pai_usage.hpp"
#include "trace/sacct.hpp"
#include "trace/swf.hpp"
#include "trace_loads.hpp"

namespace muster {
namespace {

// --- Slurm accounting

TEST(Sacct, OneWrongLimitCostsOneRow) {  // C130
  const std::string head = "JobID|Submit|Start|End|Timelimit|State|ReqTRES|User\n";
  std::string text = head;
  const std::array<const char*, 6> limits{"UNLIMITED", "Partition_Limit", "Unknown", "INVALID",
                                          "1-12",      "00:00:00.5"};
  for (std::size_t i = 0; i < limits.size(); ++i) {
    text += std::to_string(i) + "|2024-01-01T00:00:00|2024-01-01T00:00:10|2024-01-01T01:00:10|" + limits[i] +
            "|CANCELLED by 7|cpu=16,mem=64G,node=2,gres/gpu=8,gres/gpu:a100=8,billing=3|ann\n";
  }
  text += "0.batch|2024-01-01T00:00:00|2024-01-01T00:00:10|2024-01-01T01:00:10||COMPLETED||\n";
  const Workload load = must(read_sacct(text, "log"));
  ASSERT_EQ(load.jobs.size(), 5u);
  EXPECT_EQ(load.report.rows, 7);
  EXPECT_EQ(load.report.drops_of("Timelimit cannot be read"), 1);
  EXPECT_EQ(load.report.drops_of("step of a job that has its own row"), 1);
  EXPECT_EQ(load.report.flags_of("Timelimit not stated: taken as none"), 2);
  EXPECT_FALSE(load.jobs[0].limit);
  EXPECT_EQ(load.jobs[3].limit, seconds(129600));
  EXPECT_EQ(load.jobs[4].limit, Duration{500});
  const TraceJob& job = load.jobs[0];
  EXPECT_EQ(job.workers, 2);
  EXPECT_EQ(job.each.gpus, 4);
  EXPECT_EQ(job.each.cpu, 8000);
  EXPECT_EQ(job.each.mem, std::int64_t{32} << 30);
  EXPECT_EQ(job.select.at(0).values.at(0), "a100");
  EXPECT_EQ(job.run, seconds(3600));
  EXPECT_EQ(job.wait_seen, seconds(10));
  EXPECT_EQ(job.outcome_seen, JobState::Cancelled);
  const auto strict = read_sacct(text, "log", kStrict);
  ASSERT_FALSE(strict);
  EXPECT_EQ(strict.error().where.line, 5);
  EXPECT_EQ(strict.error().field, "Timelimit");
  EXPECT_NE(to_string(strict.error()).find("INVALID"), std::string::npos);
}

// --- openb ---------------------------------------------------------------------------------------------

const std::string kPods =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,"
    "scheduled_time\n";

TEST(Openb, SharesTypesAndClasses) {
  const std::string text = kPods +
                           "a,12000,1024,1,460,,LS,Running,100,400,110\n"
                           "b,1000,1,8,1000,T4|P100|T4,Guaranteed,Succeeded,90,400,90\n"
                           "c,500,0,0,0,,BE,Pending,120,500,\n";
  const Workload load = must(read_openb_pods(text, "pods", {.importance = TraceRanks::Read}));
  ASSERT_EQ(load.jobs.size(), 3u);
  const TraceJob& b = load.jobs[0];  // sorted by submit time
  EXPECT_EQ(b.name, "b");
  EXPECT_EQ(b.submit, at_seconds(0));
  EXPECT_EQ(b.each.gpus, 8);
  EXPECT_EQ(b.select.at(0), (Selector{.key = "gpu_type", .values = {"P100", "T4"}}));
  EXPECT_EQ(b.class_rank, 3);
  const TraceJob& a = load.jobs[1];
  EXPECT_EQ(a.submit, at_seconds(10));
  EXPECT_EQ(a.each.share, 460);
  EXPECT_EQ(a.each.gpus, 0);
  EXPECT_EQ(a.each.cpu, 12000);
  EXPECT_EQ(a.each.mem, std::int64_t{1} << 30);
  EXPECT_EQ(a.wait_seen, seconds(10));
  EXPECT_EQ(a.run, seconds(290));
  EXPECT_EQ(a.line, 2);
  const TraceJob& c = load.jobs[2];
  EXPECT_FALSE(c.run);  // never scheduled: unknown, not 0
  EXPECT_FALSE(c.wait_seen);
  EXPECT_EQ(c.outcome_seen, JobState::Pending);
  EXPECT_EQ(load.report.flags_of("run time unknown"), 1);
  EXPECT_EQ(must(read_openb_pods(text, "pods")).jobs[0].class_rank, 0);
  const Workload fewer = must(read_openb_pods(text, "pods", {.unknown_run = UnknownRun::Drop}));
  EXPECT_EQ(fewer.jobs.size(), 2u);
  EXPECT_EQ(fewer.report.drops_of("run time unknown"), 1);
}

TEST(Openb, BlanksAreNeverZero) {  // C126
  const std::string text = kPods +
                           ",12000,1024,1,1000,,LS,Running,100,400,110\n"
                           "b,,1024,1,1000,,LS,Running,100,400,110\n"
                           "c,1000,1024,1,1000,,LS,Running,100,400,110\n"
                           "d,1000,,1,1000,,LS,Running,100,400,110\n"
                           "e,,1024,1,1000,,LS,Running,100,400,110\n"
                           "f,1000,1,1\n"
                           "g,1000,1024,2,500,,LS,Running,100,400,110\n"
                           "h,1000,1024,1,1000,,LS,Exploded,100,400,110\n"
                           "i,1000,1024,-1,1000,,LS,Running,100,400,110\n"
                           "\"j\n";
  const Workload load = must(read_openb_pods(text, "pods"));
  ASSERT_EQ(load.jobs.size(), 1u);
  EXPECT_EQ(load.jobs[0].name, "c");
  EXPECT_EQ(load.report.rows, 10);
  EXPECT_EQ(load.report.drops_of("blank name"), 1);
  EXPECT_EQ(load.report.drops_of("blank cpu_milli"), 2);
  EXPECT_EQ(load.report.drops_of("blank memory_mib"), 1);
  EXPECT_EQ(load.report.drops_of("too few fields"), 1);
  EXPECT_EQ(load.report.drops_of("num_gpu and gpu_milli do not agree"), 1);
  EXPECT_EQ(load.report.drops_of("unknown pod_phase"), 1);
  EXPECT_EQ(load.report.drops_of("num_gpu is no whole number in range"), 1);
  EXPECT_EQ(load.report.drops_of("quote is never closed"), 1);
  const auto& blank = load.report.drops.at(1);
  EXPECT_EQ(blank.first_line, 3);
  EXPECT_EQ(blank.first_column, 3);
  EXPECT_NE(to_string(load.report).find("10 rows: 1 kept, 9 dropped"), std::string::npos);
  EXPECT_NE(to_string(load.report).find("2 x blank cpu_milli, first at 3:3"), std::string::npos);
  const auto strict = read_openb_pods(text, "pods", kStrict);
  ASSERT_FALSE(strict);
  EXPECT_EQ(strict.error().where.file, "pods");
  EXPECT_EQ(strict.error().where.line, 2);
  EXPECT_EQ(strict.error().field, "name");
}

TEST(Openb, ClockQuirks) {  // C127
  const std::string text = kPods +
                           "first,1,1,0,0,,LS,Succeeded,39600,39700.0,39610\n"
                           "before,1,1,0,0,,LS,Running,0,40000,0\n"
                           "blank_end,1,1,0,0,,LS,Running,39650,,39660\n"
                           "zero_end,1,1,0,0,,LS,Running,39650,0.0,39660\n"
                           "floats,1,1,0,0,,LS,Succeeded,494319.0,494320.5,494319.0\n"
                           "gone,1,1,0,0,,LS,Succeeded,0,39000,0\n"
                           "backwards,1,1,0,0,,LS,Succeeded,39700,39690,39700\n"
                           "too_early,1,1,0,0,,LS,Succeeded,39700,39900,39690\n";
  const Workload load = must(read_openb_pods(text, "pods"));
  ASSERT_EQ(load.jobs.size(), 5u);
  std::map<std::string, TraceJob> by_name;
  for (const TraceJob& job : load.jobs) by_name[job.name] = job;
  EXPECT_EQ(by_name["first"].submit, at_seconds(0));  // not 11 idle hours
  EXPECT_EQ(by_name["before"].submit, at_seconds(0));
  EXPECT_EQ(by_name["before"].run, seconds(400));
  EXPECT_FALSE(by_name["before"].wait_seen);
  EXPECT_EQ(by_name["blank_end"].run, Duration{494'320'500 - 39'660'000});
  EXPECT_TRUE(by_name["blank_end"].censored);
  EXPECT_EQ(by_name["zero_end"].run, by_name["blank_end"].run);
  EXPECT_EQ(by_name["floats"].submit, at_seconds(494319 - 39600));
  EXPECT_EQ(by_name["floats"].run, Duration{1500});
  EXPECT_FALSE(by_name["floats"].censored);
  EXPECT_EQ(load.report.flags_of("submitted before the window: placed at its beginning"), 1);
  EXPECT_EQ(load.report.flags_of("still running at the last time stamp: run is a lower bound"), 2);
  EXPECT_EQ(load.report.drops_of("ended before the window begins"), 1);
  EXPECT_EQ(load.report.drops_of("ends before it starts"), 1);
  EXPECT_EQ(load.report.drops_of("scheduled before it was created"), 1);
  EXPECT_FALSE(read_openb_pods(text, "pods", kStrict));

  const Workload kept = must(read_openb_pods(text, "pods", kKeepTimes));
  EXPECT_EQ(kept.jobs.front().submit, at_seconds(0));  // the one from before the window
  EXPECT_EQ(kept.jobs.back().submit, at_seconds(494319));
  const Workload shifted =
      must(read_openb_pods(text, "pods", {.origin = Origin::Keep, .shift = seconds(3600)}));
  EXPECT_EQ(shifted.jobs.back().submit, at_seconds(494319 + 3600));
}

TEST(Openb, ShortListsAndNodes) {
  const Workload pods =
      must(read_openb_pods("name,cpu_milli,memory_mib,num_gpu,gpu_milli\r\np,1,1,4,1000\r\n", "multi"));
  ASSERT_EQ(pods.jobs.size(), 1u);
  EXPECT_EQ(pods.jobs[0].each.gpus, 4);
  EXPECT_FALSE(pods.jobs[0].run);
  EXPECT_EQ(pods.report.flags_of("no submit time in the file: placed at 0"), 1);
  const Workload nodes = must(read_openb_nodes(
      "sn,cpu_milli,memory_mib,gpu,model\nn0,32000,1024,0,\nn1,64000,1024,2,P100\nn2,1,1,2,\n", "nodes"));
  ASSERT_EQ(nodes.nodes.size(), 2u);
  EXPECT_EQ(nodes.nodes[1].devices.size(), 2u);
  EXPECT_EQ(nodes.nodes[1].gpu_type, "P100");
  EXPECT_EQ(nodes.nodes[0].mem, std::int64_t{1} << 30);
  EXPECT_EQ(nodes.report.drops_of("GPUs without a model"), 1);
}

TEST(Openb, UnknownLayoutIsAnErrorWithAHint) {
  const auto missing = read_openb_pods("name,cpu_mili,memory_mib,num_gpu,gpu_milli\n", "pods");
  ASSERT_FALSE(missing);
  EXPECT_EQ(to_string(missing.error()),
            "pods:1:1: cpu_milli: column is missing (there is a column 'cpu_mili')");
  EXPECT_FALSE(read_openb_pods("", "pods"));
  EXPECT_FALSE(read_openb_pods("name,name,cpu_milli,memory_mib,num_gpu,gpu_milli\n", "pods"));
}

// --- PAI -----------------------------------------------------------------------------------------------

TEST(Pai, PercentBecomesGpus) {  // C131
  const std::string text =
      "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\n"
      "j1,worker,1,Terminated,494319.0,494419.0,600,29.296875,25,T4\n"
      "j2,worker,4,Failed,494320.0,494420.0,600,1,50,MISC\n"
      "j3,worker,1.0,Terminated,494321.0,494421.0,600,1,100.0,V100\n"
      "j4,worker,1,Running,494322.0,,600,1,200,\n"
      "j5,ps,1,Terminated,494323.0,494423.0,600,1,,CPU\n"
      "j6,worker,1,Terminated,494324.0,494424.0,600,1,150,T4\n"
      "j7,worker,1,Terminated,494324.0,494424.0,600,1,20000,T4\n"
      "j8,worker,1,Waiting,,,600,1,100,T4\n"
      "j9,worker,1,Terminated,494324.0,494424.0,,1,100,T4\n"
      "ja,worker,1,Terminated,494324.0,494424.0,600,,100,T4\n"
      ",worker,1,Terminated,494324.0,494424.0,600,1,100,T4\n"
      "jc,,1,Terminated,494324.0,494424.0,600,1,100,T4\n"
      "jd,worker,1,Terminated,0,494350,600,1,100,T4\n";
  const Workload load = must(read_pai_tasks(text, "tasks"));
  ASSERT_EQ(load.jobs.size(), 6u);
  std::map<std::string, TraceJob> by_name;
  for (const TraceJob& job : load.jobs) by_name[job.name] = job;
  EXPECT_EQ(by_name["j1/worker"].each.share, 250);
  EXPECT_EQ(by_name["j1/worker"].each.cpu, 6000);
  EXPECT_EQ(by_name["j1/worker"].each.mem, 29'296'875'000);
  EXPECT_EQ(by_name["j1/worker"].submit, at_seconds(0));
  EXPECT_EQ(by_name["j2/worker"].each.share, 500);
  EXPECT_EQ(by_name["j2/worker"].workers, 4);
  EXPECT_EQ(by_name["j2/worker"].gpu_milli(), 2000);
  EXPECT_EQ(by_name["j3/worker"].each.gpus, 1);
  EXPECT_EQ(by_name["j3/worker"].select.at(0).values.at(0), "V100");
  EXPECT_EQ(by_name["j4/worker"].each.gpus, 2);  // not 200
  EXPECT_TRUE(by_name["j4/worker"].select.empty());
  EXPECT_EQ(by_name["j4/worker"].run, seconds(494423 - 494322));
  EXPECT_TRUE(by_name["j4/worker"].censored);
  EXPECT_FALSE(by_name["j5/ps"].each.uses_device());
  EXPECT_TRUE(by_name["j5/ps"].select.empty());
  EXPECT_EQ(by_name["jd/worker"].run, seconds(494350 - 494319));
  for (const char* cause :
       {"neither a share of one GPU nor whole GPUs", "more GPUs than a machine can have", "blank start_time",
        "blank plan_cpu", "blank plan_mem", "blank job_name", "blank task_name"}) {
    EXPECT_EQ(load.report.drops_of(cause), 1) << cause << "\n" << to_string(load.report);
  }
  // The published tables have no header row.
  const Workload bare = must(read_pai_tasks(text.substr(text.find('\n') + 1), "tasks"));
  EXPECT_EQ(bare.jobs.size(), 6u);
}

TEST(Pai, UseIsNotDemand) {  // C131, C126
  const PaiTables tables{
      .instances =
          "j,t,i1,w1,id1,Terminated,100,200,m1\n"
          "j,t,i2,w2,id2,Terminated,150,250,m1\n"  // overlaps w1 on m1: in order
          "j,t,i3,w3,id3,Running,150,,m1\n"
          ",t,i4,w4,id4,Terminated,1,2,m1\n",
      .sensors =
          "job_name,task_name,worker_name,inst_id,machine,gpu_name,cpu_usage,gpu_wrk_util\n"
          "j,t,w1,id1,m1,/dev/nvidia0,10,640.25\n"
          "j,t,w2,id2,m1,/dev/nvidia0,10,\n"
          "j,t,w3,id3,m1,/dev/nvidia1,10,800\n"
          "j,t,w1,id1,m1,,10,0\n"
          "j,t,w9,id9,m1,/dev/nvidia0,10,5\n"
          "j,t,w4,id4,m1,/dev/nvidia0,10,5\n"
          "j,t,w1,id1,m1,/dev/nvidia0,10,800.5\n",
      .machines = "machine,gpu_type,cap_cpu,cap_mem,cap_gpu\nm1,V100,96,512,8\n"};
  const auto usage = read_pai_usage(tables);
  ASSERT_TRUE(usage) << to_string(usage.error());
  expect_adds_up(usage->report);
  expect_adds_up(usage->instances);
  ASSERT_EQ(usage->seats.size(), 4u);
  EXPECT_EQ(usage->seats[0].use_milli, 640'250);
  EXPECT_FALSE(usage->seats[1].use_milli);
  EXPECT_EQ(usage->report.drops_of("no instance row for this worker"), 2);
  EXPECT_EQ(usage->report.drops_of("busier than all cards of the machine"), 1);
  EXPECT_EQ(usage->instances.drops_of("blank job_name"), 1);
  EXPECT_TRUE(share_device(usage->seats[0], usage->seats[1]));
  EXPECT_FALSE(share_device(usage->seats[0], usage->seats[2]));  // another device
  EXPECT_FALSE(share_device(usage->seats[3], usage->seats[3]));  // unknown device
  EXPECT_FALSE(read_pai_usage(tables, kStrict));
}

// --- SWF -----------------------------------------------------------------------------------------------

TEST(Swf, StandardFieldsAndUnknowns) {
  const std::string text =
      "; Version: 2.2\n;   UnixStartTime: 1000\n; free text: not a key\n;\n\n"
      "  1 50 10 100 4 -1 -1 8 600 2048 1 7 3 1 2 1 -1 -1\r\n"
      "  2 60 -1 -1 4 552.21 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
      "  3 60 0 5 -1 -1 -1 -1 10 -1 0 1 1 1 1 1 -1 -1\n"
      "  4 60 0 -7 2 -1 -1 2 10 -1 5 1 1 1 1 1 -1 -1\n"
      "  5 60 0 5 2 -1 -1 2 0 -1 5 1 1 1 1 1 -1 -1\n"
      "  5 60 0 5 2 -1 -1 2 10 -1 2 1 1 1 1 1 -1 -1\n"
      "  6 60 0 5 2\n";
  const Workload load = must(read_swf(text, "log", {.cpus_per_node = 4}));
  ASSERT_EQ(load.jobs.size(), 3u);
  EXPECT_EQ(load.header.at(1), (std::pair<std::string, std::string>{"UnixStartTime", "1000"}));
  EXPECT_EQ(load.header.size(), 2u);
  const TraceJob& job = load.jobs[0];
  EXPECT_EQ(job.submit, at_seconds(0));
  EXPECT_EQ(job.wait_seen, seconds(10));
  EXPECT_EQ(job.run, seconds(100));
  EXPECT_EQ(job.limit, seconds(600));
  EXPECT_EQ(job.workers, 2);  // 8 asked, 4 used: what was asked counts
  EXPECT_EQ(job.each.cpu, 4000);
  EXPECT_EQ(job.each.mem, 4 * 2048 * 1024);
  EXPECT_EQ(job.user, "7");
  EXPECT_EQ(job.group, "3");
  EXPECT_EQ(job.queue, "2");
  EXPECT_EQ(job.outcome_seen, JobState::Done);
  const TraceJob& unknown = load.jobs[1];
  EXPECT_FALSE(unknown.run);
  EXPECT_FALSE(unknown.limit);
  EXPECT_FALSE(unknown.wait_seen);
  EXPECT_FALSE(unknown.outcome_seen);
  EXPECT_EQ(unknown.each.mem, 0);
  EXPECT_EQ(unknown.user, "");
  EXPECT_EQ(load.jobs[2].outcome_seen, JobState::Cancelled);
  EXPECT_FALSE(load.jobs[2].limit);
  EXPECT_EQ(load.report.rows, 7);
  EXPECT_EQ(load.report.drops_of("number of processors unknown"), 1);
  EXPECT_EQ(load.report.drops_of("field 4 is no time in seconds"), 1);
  EXPECT_EQ(load.report.drops_of("part of a job that has its own line"), 1);
  EXPECT_EQ(load.report.drops_of("not 18 (or 21) fields"), 1);
  const auto strict = read_swf(text, "log", kStrict);
  ASSERT_FALSE(strict);
  EXPECT_EQ(strict.error().where.line, 8);
  EXPECT_EQ(strict.error().where.column, 12);
}

TEST(Swf, MetaCentrumVariant) {
  const std::string text =
      "0 1356996147 0 56011" +
      std::string(
          " 24 1 1024 24 86400 68719476736 1 62 1 1 -1 1 1 1 {7,7} q_1d 3:ppn=8:x86_64:cl_zewura#excl\n") +
      "1 1356996148 0 56011" +
      std::string(" 24 1 1024 24 86400 68719476736 1 62 1 1 -1 1 1 1 {7,7} q_2h 1:ppn=4+2:ppn=10\n");
  const Workload load = must(read_swf(text, "wagap"));
  ASSERT_EQ(load.jobs.size(), 2u);
  EXPECT_EQ(load.jobs[0].workers, 3);
  EXPECT_EQ(load.jobs[0].each.cpu, 8000);
  EXPECT_EQ(load.jobs[0].each.mem, 0);
  EXPECT_EQ(load.jobs[0].queue, "q_1d");
  EXPECT_EQ(load.jobs[1].workers, 24);
  EXPECT_EQ(load.jobs[1].submit, at_seconds(1));
  const Workload memory = must(read_swf(text, "wagap", {}, SwfMemory::BytesPerJob));
  EXPECT_EQ(memory.jobs[0].each.mem, (68719476736 + 2) / 3);
}

}  // namespace
}  // namespace muster
