// The replay of workloads and its report: numbers against values computed by hand, equal digests, the order
// of known policies on tiny workloads, and the first jobs of real traces.
#include "sim/replay.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <zlib.h>

#include "engine/explain.hpp"
#include "policy/recipes.hpp"
#include "sim/knobs_text.hpp"
#include "sim/lookback.hpp"
#include "sim/report.hpp"
#include "sim/timeline.hpp"
#include "trace/jobs_csv.hpp"
#include "trace/openb.hpp"
#include "trace/philly.hpp"
#include "trace/swf.hpp"
#include "trace/synth.hpp"
#include "wire/run_file.hpp"

using namespace muster;

namespace {

constexpr std::string_view kHeader = "name,submit_s,run_s,limit_s,workers,gpus,priority,outcome\n";

Workload jobs(const std::string& rows) {
  auto read = read_jobs_csv(std::string(kHeader) + rows, "jobs", {.strictness = Strictness::Strict});
  EXPECT_TRUE(read) << to_string(read.error());
  return read ? std::move(*read) : Workload{};
}

struct Played {
  RunReport report;
  std::vector<JobReport> jobs;
  std::vector<Record> log;
};

Played play(const Cluster& cluster, const Workload& workload, const Knobs& knobs,
            ReplayOptions options = {}) {
  options.keep_log = KeepLog::Yes;
  Replay replay(cluster, workload, knobs, options);
  while (true) {
    const auto more = replay.step();
    if (!more) ADD_FAILURE() << to_string(more.error());
    if (!more || !*more) break;
  }
  return {.report = report_of(replay), .jobs = jobs_of(replay), .log = *replay.log().read()};
}

Played play(const Cluster& cluster, const Workload& workload, std::string_view policy,
            ReplayOptions options = {}) {
  return play(cluster, workload, *recipe(policy), options);
}

std::vector<double> ends(const Played& played) {
  std::vector<double> out;
  for (const JobReport& job : played.jobs) out.push_back(job.ended ? as_seconds(*job.ended) : -1);
  return out;
}

// ---- numbers by hand

// a holds all 8 GPUs in [0, 100]; then b [100, 150] and c [100, 130] hold half each.
const char* const kThree = "a,0,100,,2,4,,\nb,10,50,,1,4,,\nc,20,30,,1,4,,\n";

TEST(Report, ThreeJobsByHand) {
  const Played played = play(plain_cluster(2, 4), jobs(kThree), "fifo");
  EXPECT_EQ(ends(played), (std::vector<double>{100, 150, 130}));
  const RunReport& report = played.report;
  EXPECT_EQ(report.done, 3U);
  EXPECT_DOUBLE_EQ(report.completion.mean, (100.0 + 140 + 110) / 3);
  EXPECT_DOUBLE_EQ(report.completion.median, 110);
  EXPECT_DOUBLE_EQ(report.completion.p99, 140);
  EXPECT_DOUBLE_EQ(report.waited.mean, (0.0 + 90 + 80) / 3);
  EXPECT_DOUBLE_EQ(report.waited.max, 90);
  EXPECT_DOUBLE_EQ(report.makespan, 150);
  EXPECT_DOUBLE_EQ(*report.gpu_used.loaded, 1.0);
  EXPECT_DOUBLE_EQ(*report.gpu_used.whole, (8.0 * 100 + 4 * 50 + 4 * 30) / (8 * 150));
  EXPECT_FALSE(report.cpu_used.whole.has_value());
  EXPECT_EQ(report.evictions, 0);
}

TEST(Report, FinishTimeFairnessByHand) {
  const Played played = play(plain_cluster(2, 4), jobs(kThree), "fifo");
  // Mean number of contending jobs: a 270/100, b 340/140, c 300/110. a asks for the whole cluster, b and c
  // for half.
  EXPECT_NEAR(*played.jobs[0].rho, 100 / (100 * 2.7), 1e-12);
  EXPECT_NEAR(*played.jobs[1].rho, 140 / (50 * (340.0 / 140 / 2)), 1e-12);
  EXPECT_NEAR(*played.jobs[2].rho, 110 / (30 * (300.0 / 110 / 2)), 1e-12);
  EXPECT_NEAR(played.report.unfair, 2.0 / 3, 1e-12);
}

TEST(Report, FragmentationByHand) {
  // Two jobs of one GPU share a node: 7 then 6 of 8 GPUs are free, 4 of them on a free node.
  const Played played = play(plain_cluster(2, 4), jobs("d,0,100,,1,1,,\ne,50,50,,1,1,,\n"), "fifo");
  ASSERT_EQ(played.report.fragmentation.size(), 1U);
  const LevelShares& node = played.report.fragmentation.front();
  EXPECT_EQ(node.level, "node");
  EXPECT_NEAR(*node.shares.loaded, 1 - 4.0 / 7, 1e-12);
  EXPECT_NEAR(*node.shares.whole, 1 - 400.0 / 650, 1e-12);
}

TEST(Report, FragmentationOfDomains) {
  const auto cluster =
      read_cluster("kind: Cluster\nlevels: [rack]\nnodes: [{match: 'r[1-2]-n[1-2]', gpus: 2}]\n", "c");
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  const Played played = play(*cluster, jobs("d,0,100,,1,1,,\n"), "fifo");
  ASSERT_EQ(played.report.fragmentation.size(), 2U);
  EXPECT_EQ(played.report.fragmentation[0].level, "rack");
  EXPECT_NEAR(*played.report.fragmentation[0].shares.whole, 1 - 4.0 / 7, 1e-12);
  EXPECT_NEAR(*played.report.fragmentation[1].shares.whole, 1 - 6.0 / 7, 1e-12);
}

TEST(Report, EvictionLosesWorkSinceTheCheckpoint) {
  Knobs knobs = *recipe("fifo");
  knobs.order = Order::Priority;
  knobs.preemption = Preemption::Priority;
  const ReplayOptions options{.checkpoint = {.mode = CheckpointMode::Every, .every = seconds(30)}};
  // low runs [0, 50], loses 20 s of 8 GPUs, goes on at 60 with 70 s to do.
  const Played played =
      play(plain_cluster(2, 4), jobs("low,0,100,,2,4,0,\nhigh,50,10,,2,4,1,\n"), knobs, options);
  EXPECT_EQ(ends(played), (std::vector<double>{130, 60}));
  EXPECT_EQ(played.report.evictions, 1);
  EXPECT_EQ(played.report.evicted_jobs, 1U);
  EXPECT_NEAR(played.report.lost_gpu_hours, 20.0 * 8 / 3600, 1e-9);
  EXPECT_DOUBLE_EQ(played.jobs[0].waited, 10);
}

TEST(Report, EveryEndIsCounted) {
  const Workload workload = jobs(
      "good,0,10,,1,1,,\n"
      "bad,0,10,,1,1,,failed\n"
      "gone,0,10,,1,1,,cancelled\n"
      "late,0,30,20,1,1,,\n"
      "huge,0,10,,1,9,,\n"
      "forever,0,,,1,1,,\n");
  const RunReport report = play(plain_cluster(2, 4), workload, "muster").report;
  EXPECT_EQ(report.jobs, 6U);
  EXPECT_EQ(report.done, 1U);
  EXPECT_EQ(report.failed, 1U);
  EXPECT_EQ(report.cancelled, 1U);
  EXPECT_EQ(report.timed_out, 1U);
  EXPECT_EQ(report.never_fit, 1U);
  EXPECT_EQ(report.running, 1U);
  EXPECT_EQ(report.waiting, 0U);
  EXPECT_EQ(report.completion.count, 3U);
}

TEST(Report, PercentilesAreNearestRank) {
  std::vector<double> values;
  for (int i = 100; i >= 1; --i) values.push_back(i);
  const Spread spread = spread_of(values);
  EXPECT_DOUBLE_EQ(spread.median, 50);
  EXPECT_DOUBLE_EQ(spread.p95, 95);
  EXPECT_DOUBLE_EQ(spread.p99, 99);
  EXPECT_DOUBLE_EQ(spread.max, 100);
  EXPECT_EQ(spread_of({}).count, 0U);
  EXPECT_DOUBLE_EQ(spread_of({7}).p99, 7);
}

// ---- policies on tiny workloads

const char* const kLongFirst = "long,0,100,,1,1,,\nmiddle,1,50,,1,1,,\nshort,1,10,,1,1,,\n";

TEST(Replay, FifoKeepsTheOrderOfSubmission) {
  EXPECT_EQ(ends(play(plain_cluster(1, 1), jobs(kLongFirst), "fifo")), (std::vector<double>{100, 150, 160}));
}

TEST(Replay, ShortestRemainingTimeRunsFirst) {
  const ReplayOptions options{.checkpoint = {.mode = CheckpointMode::Always, .every = Duration{0}}};
  const Played played = play(plain_cluster(1, 1), jobs(kLongFirst), "srtf", options);
  EXPECT_EQ(ends(played), (std::vector<double>{160, 61, 11}));
}

TEST(Replay, EstimatesDecideWhatSrtfKnows) {
  const ReplayOptions blind{.estimates = Estimates::None};
  EXPECT_EQ(ends(play(plain_cluster(1, 1), jobs(kLongFirst), "srtf", blind)).front(), 100);
}

TEST(Replay, AJobSpecCarriesEverythingOfTheTrace) {
  TraceJob job;
  job.name = "n";
  job.user = "u";
  job.queue = "q";
  job.run = seconds(5);
  job.limit = seconds(9);
  job.each.gpus = 2;
  job.workers = 3;
  job.select = {{.key = "gpu_type", .values = {"A", "B"}}};
  job.priority = 4;
  job.class_rank = 2;
  const JobSpec spec = job_spec(job, {.estimates = Estimates::Limit});
  EXPECT_EQ(spec.queue, "q");
  EXPECT_EQ(spec.user, "u");
  ASSERT_EQ(spec.roles.size(), 1U);
  EXPECT_EQ(spec.roles[0].count.min, 3);
  EXPECT_EQ(spec.roles[0].count.max, 3);
  EXPECT_EQ(spec.roles[0].each.gpus, 2);
  EXPECT_EQ(spec.roles[0].select, job.select);
  EXPECT_EQ(spec.limit, seconds(9));
  EXPECT_EQ(spec.expect, seconds(9));
  EXPECT_EQ(spec.priority, 4);
  EXPECT_EQ(spec.class_rank, 2);
  EXPECT_FALSE(job_spec(job, {.estimates = Estimates::None}).expect.has_value());
  EXPECT_EQ(job_spec(job, {}).expect, seconds(5));
}

TEST(Replay, CompressionDividesTheTimesOfSubmission) {
  Workload workload = jobs(kThree);
  compress(workload, 2500);
  EXPECT_EQ(workload.jobs[1].submit, at_seconds(4));
  EXPECT_EQ(workload.jobs[2].submit, at_seconds(8));
}

TEST(Replay, MissingQueuesAreAdded) {
  Workload workload = jobs(kThree);
  workload.jobs[0].queue = "x";
  workload.jobs[1].queue = "x";
  Cluster cluster = plain_cluster(2, 4);
  EXPECT_EQ(add_missing_queues(cluster, workload), std::vector<std::string>{"x"});
  EXPECT_EQ(play(cluster, workload, "fair").report.done, 3U);
}

TEST(Replay, CanBeStoppedAndGoOn) {
  const Workload workload = jobs(kThree);
  const Cluster cluster = plain_cluster(2, 4);
  Replay replay(cluster, workload, *recipe("fifo"));
  EXPECT_TRUE(replay.advance_until(at_seconds(15)).value());
  EXPECT_EQ(report_of(replay).not_arrived, 1U);
  EXPECT_FALSE(replay.advance_until(kNever).value());
  EXPECT_EQ(replay.log().digest(), play(cluster, workload, "fifo").report.digest);
  EXPECT_EQ(replay.ended(), 3U);
}

TEST(Replay, EmptyWorkload) {
  const RunReport report = play(plain_cluster(1, 1), {}, "muster").report;
  EXPECT_EQ(report.jobs, 0U);
  EXPECT_DOUBLE_EQ(report.makespan, 0);
}

// ---- whole runs

Workload drawn(std::int32_t count) {
  auto made = synthesize({.seed = 3, .jobs = count, .gpus = 64});
  return made ? std::move(*made) : Workload{};
}

class EveryPolicy : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryPolicy, SameDigestTwiceAndAllJobsEnd) {
  const Workload workload = drawn(150);
  Cluster cluster = plain_cluster(8, 8);
  add_missing_queues(cluster, workload);
  const Played once = play(cluster, workload, GetParam());
  const Played again = play(cluster, workload, GetParam());
  EXPECT_EQ(once.report.digest, again.report.digest);
  EXPECT_EQ(once.report.done, workload.jobs.size());
  EXPECT_GT(once.report.decisions, workload.jobs.size() - 1);
}

TEST_P(EveryPolicy, KnobsSurviveTheirText) {
  const Knobs knobs = *recipe(GetParam());
  Knobs read;
  for (const auto& [name, value] : describe(knobs)) ASSERT_TRUE(set_knob(read, name + "=" + value)) << name;
  EXPECT_EQ(describe(read), describe(knobs));
}

INSTANTIATE_TEST_SUITE_P(Policies, EveryPolicy,
                         testing::Values("fifo", "backfill", "fair", "las", "srtf", "srsf", "muster"),
                         [](const auto& at) { return std::string(at.param); });

TEST(KnobsText, MistakesAreNamed) {
  Knobs knobs;
  EXPECT_NE(set_knob(knobs, "backfil=easy").error().hint.find("backfill"), std::string::npos);
  EXPECT_NE(set_knob(knobs, "backfill=on").error().hint.find("off or easy"), std::string::npos);
  EXPECT_FALSE(set_knob(knobs, "backfill"));
  EXPECT_FALSE(set_knob(knobs, "protected_run=-1s"));
  EXPECT_FALSE(set_knob(knobs, "weight.age=1e9"));
  ASSERT_TRUE(set_knob(knobs, "protected_run=1h30m"));
  EXPECT_EQ(knobs.protected_run, seconds(5400));
}

TEST(JobsCsv, WrittenFilesReadBackAsTheSameJobs) {
  Workload workload = drawn(200);
  workload.jobs[0].name = "quoted, \"name\"";
  workload.jobs[1].select = {{.key = "gpu_type", .values = {"A", "B"}}};
  workload.jobs[2].limit.reset();
  auto read = read_jobs_csv(write_jobs_csv(workload), "jobs", {.strictness = Strictness::Strict});
  ASSERT_TRUE(read) << to_string(read.error());
  for (TraceJob& job : read->jobs) job.line = 0;
  EXPECT_EQ(read->jobs, workload.jobs);
}

TEST(JobsCsv, BadRowsNameTheirPlace) {
  const auto read =
      read_jobs_csv("submit_s,run_s,gpus\n0,10,1\n5,x,1\n", "f", {.strictness = Strictness::Strict});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().where.line, 3);
  EXPECT_EQ(read.error().where.column, 3);
}

TEST(RunFile, ReadsBackAndRefusesWhatIsNone) {
  const RunFile run{.policy = "muster",
                    .seed = 7,
                    .knobs = {{"order", "weighted"}},
                    .cluster = {.name = "c", .digest = "1"},
                    .jobs = {.name = "j \"q\"", .digest = "2"},
                    .format = "synth",
                    .assumptions = {{"checkpoints", "none"}},
                    .records = 12,
                    .digest = "abc"};
  const auto read = read_run_file(write_run_file(run), "run.json");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(write_run_file(*read), write_run_file(run));
  EXPECT_EQ(read->jobs.name, "j \"q\"");
  for (const char* bad : {"", "[]", "{}", "{\"schema\": \"muster-run/9\"}", "{\"schema\": 3}"}) {
    EXPECT_FALSE(read_run_file(bad, "run.json")) << bad;
  }
}

// ---- looking back

TEST(Lookback, ExplainsAMomentFromTheLogAlone) {
  const Played played = play(plain_cluster(2, 4), jobs(kThree), "fifo");
  const Lookback past(*recipe("fifo"), played.log, at_seconds(25));
  const JobId b = *past.find("b");
  EXPECT_EQ(past.state().job(b).state, JobState::Pending);
  const auto reasons = past.reasons(b);
  ASSERT_FALSE(reasons.empty());
  EXPECT_EQ(reasons.front().reason, Reason::Capacity);
  EXPECT_EQ(past.position(b)->place, 1U);
  EXPECT_EQ(past.position(*past.find("c"))->place, 2U);
  EXPECT_EQ(past.position(b)->of, 2U);
  EXPECT_FALSE(Lookback(*recipe("fifo"), played.log, at_seconds(5)).find("b"));
  EXPECT_FALSE(past.find("nobody"));
}

TEST(Lookback, EveryReasonOfEveryWaitingJobHolds) {
  const Workload workload = drawn(150);
  Cluster cluster = plain_cluster(8, 8);
  add_missing_queues(cluster, workload);
  const Played played = play(cluster, workload, "muster");
  const Instant last = workload.jobs.back().submit;
  int explained = 0;
  for (int part = 1; part <= 20; ++part) {
    const Instant at{last.time_since_epoch() * part / 20};
    const Lookback past(*recipe("muster"), played.log, at);
    for (std::size_t j = 0; j < past.state().jobs.size(); ++j) {
      if (past.state().jobs[j].state != JobState::Pending) continue;
      const auto reasons = past.reasons(JobId{j});
      EXPECT_FALSE(reasons.empty()) << past.state().jobs[j].name << " at " << as_seconds(at);
      for (const Why& why : reasons) {
        EXPECT_TRUE(holds(why, past.state(), past.policy(), at))
            << past.state().jobs[j].name << " " << sentence(why);
      }
      explained += reasons.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(explained, 0);
}

TEST(Timeline, StretchesAddUpToTheTimeHeld) {
  const Workload workload = drawn(150);
  Cluster cluster = plain_cluster(8, 8);
  add_missing_queues(cluster, workload);
  const Played played = play(cluster, workload, "las");
  const Timeline timeline = timeline_of(played.log);
  double gpu_hours = 0;
  for (const Stretch& stretch : timeline.stretches) {
    gpu_hours +=
        static_cast<double>(stretch.milli_gpus) / 1000 * as_seconds(stretch.to - stretch.from) / 3600;
  }
  EXPECT_NEAR(gpu_hours, played.report.used_gpu_hours, 1e-6 * gpu_hours);
  EXPECT_GT(played.report.evictions, 0);
}

// ---- real traces

std::optional<std::string> read_shared(const std::string& name) {
  const std::string path = std::string(MUSTER_SOURCE_DIR) + "/../shared/data/" + name;
  gzFile file = gzopen(path.c_str(), "rb");  // plain files pass through
  if (file == nullptr) return std::nullopt;
  std::string bytes;
  char buffer[1 << 16];
  int got = 0;
  while ((got = gzread(file, buffer, sizeof buffer)) > 0) bytes.append(buffer, static_cast<std::size_t>(got));
  gzclose(file);
  return bytes;
}

#define SHARED_OR_SKIP(variable, name)     \
  const auto variable = read_shared(name); \
  if (!variable) GTEST_SKIP() << "shared/data/" name " is absent"

void expect_sound(const Played& played, std::size_t count) {
  const RunReport& report = played.report;
  EXPECT_EQ(report.jobs, count);
  EXPECT_EQ(report.done + report.failed + report.cancelled + report.timed_out + report.refused +
                report.never_fit + report.waiting + report.running,
            count);
  EXPECT_GT(report.completion.count, 0U);
  EXPECT_LE(*report.gpu_used.whole, 1.0);
}

TEST(RealTraces, Openb) {
  SHARED_OR_SKIP(pods, "traces/alibaba-openb-2023/openb_pod_list_default.csv.gz");
  SHARED_OR_SKIP(nodes, "traces/alibaba-openb-2023/openb_node_list_gpu_node.csv.gz");
  auto workload = read_openb_pods(*pods, "pods");
  const auto machines = read_openb_nodes(*nodes, "nodes");
  ASSERT_TRUE(workload && machines);
  workload->jobs.resize(300);
  expect_sound(play(cluster_of(*machines, "openb"), *workload, "muster"), 300);
}

TEST(RealTraces, Muri) {
  SHARED_OR_SKIP(bytes, "benchmarks/muri-philly64/trace1.csv.gz");
  auto workload = read_muri_csv(*bytes, "muri");
  ASSERT_TRUE(workload);
  workload->jobs.resize(200);
  const Played played = play(plain_cluster(8, 8), *workload, "srtf");
  expect_sound(played, 200);
  EXPECT_EQ(played.report.done, 200U);
}

TEST(RealTraces, Philly) {
  SHARED_OR_SKIP(bytes, "traces/philly/philly_jobs.csv.gz");
  auto workload = read_philly_csv(*bytes, "philly");
  ASSERT_TRUE(workload);
  workload->jobs.resize(300);
  Cluster cluster = plain_cluster(32, 8);
  EXPECT_FALSE(add_missing_queues(cluster, *workload).empty());
  expect_sound(play(cluster, *workload, "backfill"), 300);
}

TEST(RealTraces, Swf) {
  SHARED_OR_SKIP(bytes, "traces/swf/cqsim-kth-sample.swf");
  auto workload = read_swf(*bytes, "kth");
  ASSERT_TRUE(workload);
  Cluster cluster = plain_cluster(100, 0);
  for (ClusterNode& node : cluster.nodes) node.spec.cpu = 1000;
  add_missing_queues(cluster, *workload);
  workload->jobs.resize(std::min<std::size_t>(workload->jobs.size(), 300));
  const std::size_t count = workload->jobs.size();
  const Played played = play(cluster, *workload, "backfill");
  EXPECT_EQ(played.report.jobs, count);
  EXPECT_GT(played.report.done, 0U);
  EXPECT_GT(*played.report.cpu_used.whole, 0);
  EXPECT_FALSE(played.report.gpu_used.whole.has_value());
}

}  // namespace
