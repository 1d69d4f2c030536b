// The trace readers: every quirk on small texts made by hand, then the real files with the counts that their
// descriptions state.
#include <algorithm>
#include <array>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <numeric>
#include <zlib.h>

#include "base/text.hpp"
#include "trace/csv.hpp"
#include "trace/json_pull.hpp"
#include "trace/number.hpp"
#include "trace/openb.hpp"
#include "trace/pai.hpp"
#include "trace/pai_usage.hpp"
#include "trace/philly.hpp"
#include "trace/philly_json.hpp"
#include "trace/sacct.hpp"
#include "trace/swf.hpp"

namespace muster {
namespace {

constexpr ReadOptions kStrict{.strictness = Strictness::Strict};
constexpr ReadOptions kKeepTimes{.origin = Origin::Keep};

void expect_adds_up(const Report& report) {
  EXPECT_EQ(report.rows, report.kept + report.dropped()) << to_string(report);
}

/// The workload, or a failed test with the error's text.
Workload must(Result<Workload> result) {
  if (!result) {
    ADD_FAILURE() << to_string(result.error());
    return {};
  }
  expect_adds_up(result->report);
  return std::move(*result);
}

// --- CSV -----------------------------------------------------------------------------------------------

std::vector<CsvRow> rows_of(std::string_view text) {
  CsvReader reader(text);
  std::vector<CsvRow> rows;
  for (CsvRow row; reader.next(row);) rows.push_back(row);
  return rows;
}

TEST(Csv, KnowsThePlaceOfEachField) {
  const auto rows = rows_of(
      "\xEF\xBB\xBF"
      "a,bc,\r\n\"x,\"\"y\"\"\",\"two\nlines\",z\n");
  ASSERT_EQ(rows.size(), 2u);
  ASSERT_EQ(rows[0].fields.size(), 3u);
  EXPECT_EQ(rows[0].fields[0].text, "a");
  EXPECT_EQ(rows[0].fields[1].column, 3);
  EXPECT_EQ(rows[0].fields[2].text, "");
  EXPECT_EQ(rows[0].fields[2].column, 6);
  ASSERT_EQ(rows[1].fields.size(), 3u);
  EXPECT_EQ(rows[1].line, 2);
  EXPECT_EQ(rows[1].fields[0].value(), "x,\"y\"");
  EXPECT_EQ(rows[1].fields[1].value(), "two\nlines");
  EXPECT_EQ(rows[1].fields[2].line, 3);
  EXPECT_EQ(rows[1].fields[2].column, 8);
}

TEST(Csv, RaggedBlankAndUnfinishedRows) {
  const auto rows = rows_of("a\n\na,b,c\r\r\"\"\nend");
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[0].fields.size(), 1u);
  EXPECT_TRUE(rows[1].blank());
  EXPECT_EQ(rows[2].fields.size(), 3u);
  EXPECT_TRUE(rows[3].blank());
  EXPECT_FALSE(rows[4].blank());  // a quoted nothing is a field
  EXPECT_EQ(rows[5].fields[0].text, "end");
  EXPECT_EQ(rows[5].line, 6);
  EXPECT_TRUE(rows_of("").empty());
}

TEST(Csv, QuotingFlawsAreMarked) {
  auto rows = rows_of("a,\"b\"c,d\ne");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].flaw, CsvFlaw::TextAfterQuote);
  EXPECT_EQ(rows[0].flaw_column, 6);
  EXPECT_EQ(rows[0].fields.size(), 3u);
  EXPECT_EQ(rows[1].flaw, CsvFlaw::None);
  rows = rows_of("a,\"b\nc");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].flaw, CsvFlaw::OpenQuote);
  EXPECT_EQ(rows[0].flaw_column, 3);
}

// --- numbers -------------------------------------------------------------------------------------------

TEST(Numbers, SecondsRoundToMilliseconds) {
  EXPECT_EQ(parse_seconds("494319.0"), seconds(494319));
  EXPECT_EQ(parse_seconds("552.2155"), Duration{552'216});
  EXPECT_EQ(parse_seconds("-0.5"), Duration{-500});
  for (const char* bad :
       {"", "-", "1e3", "nan", ".5", "5.", "+1", " 1", "1 ", "0x10", "99999999999", "9999999999999999999"}) {
    EXPECT_FALSE(parse_seconds(bad)) << bad;
  }
}

TEST(Numbers, CivilTimesHaveNoZone) {
  EXPECT_EQ(parse_civil("1970-01-02 00:00:01"), at_seconds(86401));
  EXPECT_EQ(parse_civil("2017-10-09 07:01:55"), at_seconds(1507532515));
  EXPECT_EQ(parse_civil("2016-02-29T23:59:60.25"), Instant{Duration{1456790400250}});
  for (const char* bad :
       {"2017-02-29 00:00:00", "2017-13-01 00:00:00", "2017-10-09 24:00:00", "2017-10-09", "None",
        "2017-10-09 07:01:5", "2017-10-09 07:01:-1", "9999-01-01 00:00:00", "2017-10-09 07:01:99"}) {
    EXPECT_FALSE(parse_civil(bad)) << bad;
  }
}

TEST(TimeLimits, AllFormsOfTheAccounting) {  // C130
  const std::map<std::string, std::int64_t> stated{{"365-00:00:00", 31'536'000'000},
                                                   {"1-12", 129'600'000},
                                                   {"13:00", 780'000},
                                                   {"01:02:03", 3'723'000},
                                                   {"30", 1'800'000},
                                                   {"00:00:00.5", 500},
                                                   {"2-01:30", 178'200'000},
                                                   {"0", 0}};
  for (const auto& [text, expected] : stated) {
    const auto limit = parse_time_limit(text);
    ASSERT_TRUE(limit) << text;
    EXPECT_EQ(limit->value, Duration{expected}) << text;
    EXPECT_FALSE(limit->assumed) << text;
  }
  ASSERT_TRUE(parse_time_limit("UNLIMITED"));
  EXPECT_FALSE(parse_time_limit("UNLIMITED")->value);
  EXPECT_FALSE(parse_time_limit("UNLIMITED")->assumed);
  for (const char* text : {"Partition_Limit", "Unknown", ""}) {
    ASSERT_TRUE(parse_time_limit(text)) << text;
    EXPECT_FALSE(parse_time_limit(text)->value) << text;
    EXPECT_TRUE(parse_time_limit(text)->assumed) << text;
  }
  for (const char* text :
       {"INVALID", "1:2:3:4", "-5", "1-", "-1-2", "1.5-00", "1:2.5:3", "::", "99999999999999-0", "30.5"}) {
    EXPECT_FALSE(parse_time_limit(text)) << text;
  }
}

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

// --- Philly and Muri, CSV ------------------------------------------------------------------------------

TEST(Philly, CsvCopies) {
  const Workload load =
      must(read_philly_csv("timestamp,duration,num_gpus,gpu_time,cluster\n"
                           "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n"
                           "2017-10-09 07:00:55,10.0,12,120.0,6214e9\n"
                           "2017-10-09 07:02:55,10.0,16,100.0,6214e9\n"
                           "2017-10-09 07:02:55,,16,100.0,6214e9\n"
                           "2017-10-09 07:02:55,10,0,0,6214e9\n"
                           "soon,10,1,10,6214e9\n\n",
                           "philly"));
  ASSERT_EQ(load.jobs.size(), 3u);
  EXPECT_EQ(load.jobs[0].name, "philly-2");
  EXPECT_EQ(load.jobs[0].workers, 2);
  EXPECT_EQ(load.jobs[0].each.gpus, 6);
  EXPECT_EQ(load.jobs[0].queue, "6214e9");
  EXPECT_EQ(load.jobs[1].submit, at_seconds(60));
  EXPECT_EQ(load.jobs[1].run, seconds(66));
  EXPECT_EQ(load.jobs[2].workers, 2);
  EXPECT_EQ(load.report.flags_of("gpu_time is not duration x num_gpus"), 1);
  EXPECT_EQ(load.report.drops_of("blank duration"), 1);
  EXPECT_EQ(load.report.drops_of("num_gpus is no whole number in range"), 1);
  EXPECT_EQ(load.report.drops_of("timestamp is no time"), 1);

  const std::string muri =
      "job_id,num_gpu,submit_time,model_name,duration,priority\n7,4,1456000,bert,926133000,1\n";
  const Workload one =
      must(read_muri_csv(muri, "muri", {.origin = Origin::Keep, .importance = TraceRanks::Read}));
  EXPECT_EQ(one.jobs.at(0).submit, at_seconds(1456));
  EXPECT_EQ(one.jobs.at(0).run, seconds(926133));
  EXPECT_EQ(one.jobs.at(0).model, "bert");
  EXPECT_EQ(one.jobs.at(0).priority, 1);
}

// --- JSON ----------------------------------------------------------------------------------------------

std::string kinds_of(std::string_view text) {
  constexpr std::string_view letters = "{}[]ksntf0.!";
  JsonPull json(text, "t");
  std::string out;
  while (true) {
    const JsonToken token = json.next();
    out += letters[static_cast<std::size_t>(token.kind)];
    if (token.kind == JsonKind::End || token.kind == JsonKind::Error) return out;
  }
}

TEST(Json, StrictSyntax) {
  EXPECT_EQ(kinds_of(R"({"a":[1,-2.5e+3,"x",true,false,null,{}],"b":[]})"), "{k[nnstf0{}]k[]}.");
  EXPECT_EQ(kinds_of(" 0 "), "n.");
  for (const char* bad : {"",
                          "[",
                          "[1,]",
                          "{\"a\":1,}",
                          "[1 2]",
                          "{a:1}",
                          "{\"a\" 1}",
                          "[01]",
                          "[1.]",
                          "[.5]",
                          "[1e]",
                          "[+1]",
                          "[NaN]",
                          "[nul]",
                          "[\"a]",
                          "[\"\t\"]",
                          "[\"\\x\"]",
                          "[\"\\u12\"]",
                          "[\"\\ud800\"]",
                          "[\"\\udc00\"]",
                          "[1}",
                          "{\"a\":1]",
                          "[] []",
                          "//",
                          "[,1]",
                          "{,}",
                          "]",
                          ","}) {
    EXPECT_EQ(kinds_of(bad).back(), '!') << bad;
  }
  EXPECT_EQ(kinds_of(std::string(64, '[') + std::string(64, ']')).back(), '.');
  EXPECT_EQ(kinds_of(std::string(65, '[') + std::string(65, ']')).back(), '!');
  JsonPull json("[\n  \"a\\n\\u00e9\\ud83d\\ude00\",\n x]", "file");
  json.next();
  const JsonToken text = json.next();
  EXPECT_EQ(text.value(), "a\n\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(text.line, 2);
  EXPECT_EQ(text.column, 3);
  EXPECT_EQ(json.next().kind, JsonKind::Error);
  EXPECT_EQ(to_string(json.error()), "file:3:2: not JSON: expected a value");
}

std::string philly_job(std::string_view id, std::string_view attempts,
                       std::string_view submitted = "\"2017-10-09 07:00:00\"") {
  return R"({"status":"Pass","vc":"v","jobid":")" + std::string(id) + R"(","user":"u","submitted_time":)" +
         std::string(submitted) + R"(,"attempts":)" + std::string(attempts) + "}";
}

std::string attempt(std::string_view start, std::string_view end, std::string_view detail) {
  const auto time = [](std::string_view t) {
    return t.empty() ? std::string("null") : "\"2017-10-09 " + std::string(t) + "\"";
  };
  return R"({"start_time":)" + time(start) + R"(,"end_time":)" + time(end) + R"(,"detail":[)" +
         std::string(detail) + "]}";
}

std::string seat(std::string_view ip, int gpus) {
  std::string text = R"({"ip":")" + std::string(ip) + R"(","gpus":[)";
  for (int i = 0; i < gpus; ++i) text += (i ? ",\"gpu" : "\"gpu") + std::to_string(i) + "\"";
  return text + "]}";
}

TEST(PhillyJson, AttemptsWaitsAndDemand) {
  const std::string text =
      "[" +
      philly_job("two", "[" + attempt("07:00:10", "07:01:10", seat("m1", 8) + "," + seat("m2", 8)) + "," +
                            attempt("07:05:00", "07:05:30", seat("m3", 8) + "," + seat("m2", 8)) + "]") +
      ",\n" + philly_job("uneven", "[" + attempt("07:00:10", "", seat("m1", 8) + "," + seat("m2", 4)) + "]") +
      ",\n" + philly_job("none", "[]") + ",\n" + philly_job("bare", "[" + attempt("", "07:05:00", "") + "]") +
      ",\n" +
      philly_job("unsubmitted", "[" + attempt("07:00:10", "07:01:10", seat("m1", 1)) + "]", "\"None\"") +
      ",\n" + philly_job("backwards", "[" + attempt("07:00:10", "07:00:00", seat("m1", 1)) + "]") + ",\n" +
      philly_job("badtime", "[" + attempt("07:00:1x", "07:00:00", seat("m1", 1)) + "]") + ",\n 17,\n" +
      R"({"jobid":"twice","jobid":"twice"})" + ",\n" + R"({"jobid":5,"extra":{"a":[1,{}]}})" + "]\n";
  const Workload load = must(read_philly_json(text, "log"));
  ASSERT_EQ(load.jobs.size(), 2u);
  EXPECT_EQ(load.report.rows, 10);
  const TraceJob& two = load.jobs[0];
  EXPECT_EQ(two.run, seconds(90));
  EXPECT_EQ(two.wait_seen, seconds(10));
  EXPECT_EQ(two.attempts_seen, 2);
  EXPECT_EQ(two.workers, 2);
  EXPECT_EQ(two.each.gpus, 8);
  EXPECT_EQ(two.queue, "v");
  EXPECT_EQ(two.user, "u");
  EXPECT_EQ(two.outcome_seen, JobState::Done);
  const TraceJob& uneven = load.jobs[1];
  EXPECT_EQ(uneven.workers, 3);
  EXPECT_EQ(uneven.each.gpus, 4);
  EXPECT_TRUE(uneven.censored);
  EXPECT_EQ(uneven.run, seconds(5 * 60 + 30 - 10));
  EXPECT_EQ(uneven.line, 2);
  for (const char* cause : {"no attempts: demand unknown", "no attempt lists devices: demand unknown",
                            "blank submitted_time", "attempt ends before it starts", "start_time is no time",
                            "not an object", "key stands twice", "jobid is no text"}) {
    EXPECT_EQ(load.report.drops_of(cause), 1) << cause << "\n" << to_string(load.report);
  }
  EXPECT_EQ(load.report.flags_of("uneven placement: cut into equal workers"), 1);
  ASSERT_EQ(load.nodes.size(), 3u);
  EXPECT_EQ(load.nodes[2].devices.size(), 8u);
  const auto strict = read_philly_json(text, "log", kStrict);
  ASSERT_FALSE(strict);
  EXPECT_EQ(strict.error().where.line, 3);
  const auto torn = read_philly_json(text.substr(0, text.size() - 3), "log");
  ASSERT_FALSE(torn);
  EXPECT_FALSE(read_philly_json("{}", "log"));
  EXPECT_FALSE(read_philly_json("", "log"));
  EXPECT_FALSE(read_philly_json("[] 1", "log"));
  EXPECT_TRUE(read_philly_json("[]", "log"));
}

TEST(PhillyJson, MachineListAgainstLog) {  // C128
  const std::string text =
      "[" + philly_job("big", "[" + attempt("07:00:10", "07:01:10", seat("m51", 8)) + "]") + "," +
      philly_job("small", "[" + attempt("07:00:10", "07:01:10", seat("m52", 1)) + "]") + "]";
  const auto machines =
      read_philly_machines("machineId,number of GPUs,single GPU mem\nm51,2,12GB\nm53,2,12GB\n", "machines");
  ASSERT_TRUE(machines) << to_string(machines.error());
  const std::string conflict = "machine m51 has fewer GPUs in the machine list than a job used there";

  const Workload table =
      must(read_philly_json(text, "log", {}, {.machines = *machines, .from = ClusterFrom::Table}));
  EXPECT_EQ(table.jobs.at(0).each.gpus, 8);
  EXPECT_EQ(table.report.flags_of(conflict), 1);
  EXPECT_EQ(table.report.flags_of("machine is not in the machine list"), 1);
  EXPECT_EQ(table.report.flags_of("never fits on the machines of the list"), 1);
  ASSERT_EQ(table.nodes.size(), 2u);
  EXPECT_EQ(table.nodes[0].devices.size(), 2u);
  EXPECT_NE(to_string(table.report).find("'8 of 2'"), std::string::npos);

  const Workload inferred =
      must(read_philly_json(text, "log", {}, {.machines = *machines, .from = ClusterFrom::Jobs}));
  EXPECT_EQ(inferred.jobs.at(0).each.gpus, 8);
  EXPECT_EQ(inferred.report.flags_of(conflict), 1);
  EXPECT_EQ(inferred.report.flags_of("never fits on the machines of the list"), 0);
  ASSERT_EQ(inferred.nodes.size(), 2u);
  EXPECT_EQ(inferred.nodes[0].name, "m51");
  EXPECT_EQ(inferred.nodes[0].devices.size(), 8u);
  EXPECT_FALSE(read_philly_machines("m1,many,12GB\n", "machines"));
}

// --- the real files ------------------------------------------------------------------------------------

std::optional<std::string> read_shared(const std::string& name) {
  const std::string path = std::string(MUSTER_SOURCE_DIR) + "/../shared/data/traces/" + name;
  if (!name.ends_with(".gz")) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return std::nullopt;
  std::string out;
  std::array<char, 1 << 16> chunk{};
  for (int got = 0; (got = gzread(file, chunk.data(), chunk.size())) > 0;)
    out.append(chunk.data(), static_cast<std::size_t>(got));
  gzclose(file);
  return out;
}

#define SHARED_OR_SKIP(variable, name)     \
  const auto variable = read_shared(name); \
  if (!variable) GTEST_SKIP() << "trace file shared/data/traces/" name " is absent"

int count_jobs(const Workload& load, auto predicate) {
  return static_cast<int>(std::count_if(load.jobs.begin(), load.jobs.end(), predicate));
}

TEST(RealTraces, OpenbDefault) {
  SHARED_OR_SKIP(bytes, "alibaba-openb-2023/openb_pod_list_default.csv.gz");
  const Workload load = must(read_openb_pods(*bytes, "default", kStrict));
  EXPECT_EQ(load.jobs.size(), 8152u);
  EXPECT_EQ(count_jobs(load, [](const TraceJob& j) { return j.outcome_seen == JobState::Pending; }), 897);
  EXPECT_EQ(count_jobs(load, [](const TraceJob& j) { return j.outcome_seen == JobState::Running; }), 5193);
  EXPECT_EQ(count_jobs(load, [](const TraceJob& j) { return j.outcome_seen == JobState::Failed; }), 1870);
  EXPECT_EQ(count_jobs(load, [](const TraceJob& j) { return j.outcome_seen == JobState::Done; }), 192);
  EXPECT_EQ(count_jobs(load, [](const TraceJob& j) { return !j.each.uses_device(); }), 1088);
  EXPECT_EQ(count_jobs(load, [](const TraceJob& j) { return j.each.share > 0; }), 3078);
  EXPECT_EQ(count_jobs(load, [](const TraceJob& j) { return j.each.gpus == 1; }), 3911);
  EXPECT_EQ(count_jobs(load, [](const TraceJob& j) { return j.each.gpus == 8; }), 44);
  EXPECT_EQ(load.report.flags_of("run time unknown"), 897);
  const auto add = [](std::int64_t sum, const TraceJob& j) { return sum + j.gpu_milli(); };
  EXPECT_EQ(std::accumulate(load.jobs.begin(), load.jobs.end(), std::int64_t{0}, add) / 100,
            60868);  // 6,086.8 GPUs
}

TEST(RealTraces, OpenbOthers) {
  SHARED_OR_SKIP(constrained, "alibaba-openb-2023/openb_pod_list_gpuspec33.csv.gz");
  SHARED_OR_SKIP(multi, "alibaba-openb-2023/openb_pod_list_multigpu50.csv.gz");
  SHARED_OR_SKIP(all, "alibaba-openb-2023/openb_node_list_all_node.csv.gz");
  SHARED_OR_SKIP(some, "alibaba-openb-2023/openb_node_list_gpu_node.csv.gz");
  const Workload typed = must(read_openb_pods(*constrained, "gpuspec33", kStrict));
  EXPECT_EQ(typed.jobs.size(), 8152u);
  EXPECT_EQ(count_jobs(typed, [](const TraceJob& j) { return !j.select.empty(); }), 2388);
  EXPECT_EQ(must(read_openb_pods(*multi, "multigpu50", kStrict)).jobs.size(), 9061u);
  const Workload nodes = must(read_openb_nodes(*all, "nodes", kStrict));
  EXPECT_EQ(nodes.nodes.size(), 1523u);
  std::size_t devices = 0;
  for (const NodeSpec& node : nodes.nodes) devices += node.devices.size();
  EXPECT_EQ(devices, 6212u);
  EXPECT_EQ(must(read_openb_nodes(*some, "nodes", kStrict)).nodes.size(), 1213u);
}

TEST(RealTraces, Philly) {
  SHARED_OR_SKIP(bytes, "philly/philly_jobs.csv.gz");
  const Workload load = must(read_philly_csv(*bytes, "philly_jobs", kStrict));
  EXPECT_EQ(load.jobs.size(), 82'247u);
  EXPECT_EQ(load.report.flags_of("gpu_time is not duration x num_gpus"), 0);
  EXPECT_EQ(count_jobs(load, [](const TraceJob& j) { return j.gpu_milli() == 1000; }), 76'627);
  EXPECT_EQ(count_jobs(load, [](const TraceJob& j) { return j.gpu_milli() == 12'000 && j.workers == 2; }), 7);
  std::int64_t gpu_seconds = 0;
  for (const TraceJob& job : load.jobs) gpu_seconds += job.gpu_milli() / 1000 * (millis(*job.run) / 1000);
  EXPECT_EQ(gpu_seconds / 3600, 978'078);
}

TEST(RealTraces, Muri) {
  const std::array<std::pair<const char*, std::size_t>, 5> traces{
      {{"muri/simulator/trace1.csv.gz", 1494},
       {"muri/simulator/trace2.csv.gz", 5755},
       {"muri/simulator/trace3.csv.gz", 992},
       {"muri/simulator/trace4.csv.gz", 2638},
       {"muri/testbed/cluster_trace.csv.gz", 400}}};
  for (const auto& [name, jobs] : traces) {
    const auto bytes = read_shared(name);
    if (!bytes) GTEST_SKIP() << "trace file shared/data/traces/" << name << " is absent";
    const Workload load = must(read_muri_csv(*bytes, name, kStrict));
    EXPECT_EQ(load.jobs.size(), jobs) << name;
    EXPECT_TRUE(load.report.flags.empty()) << to_string(load.report);
  }
}

TEST(RealTraces, Swf) {
  SHARED_OR_SKIP(wagap, "swf/wagap-2013.swf.gz");
  SHARED_OR_SKIP(hpc2n, "swf/hpc2n.swf.gz");
  SHARED_OR_SKIP(kth, "swf/cqsim-kth-sample.swf");
  const Workload metacentrum = must(read_swf(*wagap, "wagap"));
  EXPECT_EQ(metacentrum.report.rows, 17'900);
  EXPECT_EQ(metacentrum.report.drops_of("field 4 is no time in seconds"), 2);  // runs of -1359980917 seconds
  EXPECT_EQ(metacentrum.jobs.size(), 17'898u);
  EXPECT_EQ(count_jobs(metacentrum, [](const TraceJob& j) { return j.limit && *j.limit < *j.run; }), 702);
  EXPECT_EQ(count_jobs(metacentrum, [](const TraceJob& j) { return j.queue == "q_2h"; }), 4392);
  const Workload seth = must(read_swf(*hpc2n, "hpc2n", kStrict));
  EXPECT_EQ(seth.jobs.size(), 3170u);
  EXPECT_EQ(seth.report.flags_of("run time unknown"), 25);
  EXPECT_EQ(seth.header.at(0).second, "2.2");
  const Workload sample = must(read_swf(*kth, "kth", kStrict));
  EXPECT_EQ(sample.jobs.size(), 9u);
}

}  // namespace
}  // namespace muster
