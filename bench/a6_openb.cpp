// A6: the pods of openb on its nodes, by the rule of the FGD experiments: pods are drawn with replacement
// until they ask for 1.3 times the GPUs, arrive one by one, never leave; one that fits nowhere is dropped.
// Each pod is one `advance` and one decision.
//
// The placement is muster's own: the fullest node that still holds the worker. It is not the
// fragmentation-gradient score of FGD, and the draws are not those of its simulator, so the share of GPUs
// allocated at the end says how well muster packs this load, and reproduces no published curve.
#include "base/check.hpp"
#include "cli/files.hpp"
#include "measure.hpp"
#include "rows.hpp"
#include "trace/openb.hpp"
#include "wire/record_bytes.hpp"

namespace muster::bench {
namespace {

JobSpec spec_of(const TraceJob& pod) {
  JobSpec spec;
  spec.name = pod.name;
  RoleSpec role{.name = "worker", .count = {}, .each = pod.each, .select = pod.select, .near = {}};
  role.count = {.min = pod.workers, .max = pod.workers, .legal = {}};
  spec.roles.push_back(std::move(role));
  return spec;
}

std::int64_t gpus_of(const std::vector<NodeSpec>& nodes) {
  std::int64_t gpus = 0;
  for (const NodeSpec& node : nodes) gpus += static_cast<std::int64_t>(node.devices.size());
  return gpus;
}

/// Whole list again and again, under other names.
std::vector<NodeSpec> cloned(const std::vector<NodeSpec>& nodes, std::size_t clones) {
  std::vector<NodeSpec> all;
  for (std::size_t c = 0; c < clones; ++c) {
    for (NodeSpec node : nodes) {
      if (c > 0) node.name += "-" + std::to_string(c);
      all.push_back(std::move(node));
    }
  }
  return all;
}

std::vector<JobSpec> drawn(const std::vector<TraceJob>& pods, std::int64_t gpus) {
  Random random(42, "pods");
  std::vector<JobSpec> jobs;
  for (std::int64_t demand = 0; demand * 10 < gpus * kDevice * 13;) {
    const TraceJob& pod = pods[random.below(pods.size())];
    demand += pod.gpu_milli();
    jobs.push_back(spec_of(pod));
    jobs.back().name = "p" + std::to_string(jobs.size());
  }
  return jobs;
}

struct Run {
  double seconds = 0;
  std::size_t pods = 0;
  std::int64_t held = 0;  ///< thousandths of GPUs at the end
  std::string digest;
};

Run run_once(const std::vector<NodeSpec>& nodes, const std::vector<JobSpec>& jobs, double most) {
  Engine engine(knobs_of(Rules::Full));
  std::vector<Event> news;
  for (const NodeSpec& node : nodes) news.emplace_back(NodeJoined{.spec = node, .state = NodeState::Up});
  Instant now = at_seconds(0);
  engine.advance(now, news);
  Run run;
  LogDigest digest;
  news.clear();
  for (const JobSpec& job : jobs) {
    now += Duration{1};
    news.emplace_back(JobSubmitted{.spec = job});
    const Stopwatch watch;
    const Step step = engine.advance(now, news);
    run.seconds += watch.seconds();
    ++run.pods;
    news.clear();
    const JobId id{engine.state().jobs.size() - 1};
    if (!engine.state().job(id).running()) news.emplace_back(JobCancelled{.job = id});
    for (const Record& record : step.log) digest.add(record);
    if (run.seconds > most) break;
  }
  for (const JobId id : engine.state().running)
    run.held += milli_gpus(engine.state(), engine.state().job(id));
  run.digest = digest.hex();
  return run;
}

std::string percent_text(std::int64_t held, std::int64_t gpus) {
  const std::int64_t tenths = held * 1000 / (gpus * kDevice);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

}  // namespace

Line a6_line() {
  Line line;
  line.row = "A6";
  line.measure = "openb pods, muster's own placement (not the FGD score)";
  line.bar = "50,000 /s; 5,000 /s at 10,000 nodes (for exact FGD)";
  line.verdict = kNoVerdict;
  return line;
}

void a6_openb(const std::string& folder, std::size_t clones, const Effort& effort, const Out& out) {
  out.stage("reading openb");
  Line line = a6_line();
  const std::string nodes_file = folder + "/openb_node_list_gpu_node.csv";
  const std::string pods_file = folder + "/openb_pod_list_default.csv.gz";
  const auto nodes_bytes = cli::read_file(nodes_file);
  const auto pods_bytes = cli::read_file(pods_file);
  if (!nodes_bytes || !pods_bytes) {
    line.conditions = "SKIPPED: " + (nodes_bytes ? pods_file : nodes_file) + " cannot be read";
    line.figure = line.spread = line.digest = "-";
    out.line(line);
    return;
  }
  const auto inventory = read_openb_nodes(*nodes_bytes, nodes_file);
  const auto pods = read_openb_pods(*pods_bytes, pods_file);
  CHECK(inventory.has_value());
  CHECK(pods.has_value());
  const auto nodes = cloned(inventory->nodes, clones);
  const std::int64_t gpus = gpus_of(nodes);
  const auto jobs = drawn(pods->jobs, gpus);
  Samples rates;
  Run last;
  for (int r = 1; r <= 5; ++r) {
    out.stage("run " + std::to_string(r));
    last = run_once(nodes, jobs, effort.seconds);
    rates.add(static_cast<double>(last.pods) / last.seconds);
  }
  line.conditions = grouped(nodes.size()) + " nodes, " + grouped(static_cast<std::uint64_t>(gpus)) +
                    " GPUs, " + grouped(last.pods) + " pods; GPUs allocated at the end " +
                    percent_text(last.held, gpus);
  if (last.pods < jobs.size()) line.conditions += " (cut short of " + grouped(jobs.size()) + " pods)";
  line.figure = per_second(rates.median());
  line.spread = per_second(rates.least()) + " to " + per_second(rates.most());
  line.digest = last.pods == jobs.size() ? last.digest : kCutShort;
  out.line(line);
}

}  // namespace muster::bench
