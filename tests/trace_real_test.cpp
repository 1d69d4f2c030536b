// The real trace files, read strictly, with the counts that their descriptions state. The files lie beside
// the repository; where one is absent, its test says so and skips.
#include <algorithm>
#include <array>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <zlib.h>

#include "trace/openb.hpp"
#include "trace/philly.hpp"
#include "trace/swf.hpp"
#include "trace_loads.hpp"

namespace muster {
namespace {

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
