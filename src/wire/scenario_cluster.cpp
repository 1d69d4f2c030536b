// The operator's policy, the cluster and its nodes. A node written with `names` stands once per name, in that
// order. Its domains follow the cluster's levels, outermost first, empty where it lacks one. Broken devices
// are the last ones of a node. What a node does not state of CPU and memory, it has more of than anyone
// needs.
#include <algorithm>

#include "wire/node_fields.hpp"
#include "wire/scenario_parts.hpp"

namespace muster::scenario {
namespace {

void read_colocate(const Field& colocate, Policy& out) {
  if (!colocate || colocate.is_word("none")) return;
  colocate.only({"margin", "system"});
  Policy::Colocate read;
  colocate.need("margin").scaled(read.margin_milli, {.scale = 1000, .unit = "a part of 1"},
                                 {.low = 0, .high = 1000});
  read_cpu(colocate["system"], read.system_cpu);
  out.colocate = read;
}

void read_levels(const Field& levels, Names& names, LevelsSet& out) {
  for (const Field& level : levels.items()) {
    std::string name;
    level.name(name);
    if (node_fields::is_implied_level(name)) {
      level.problem("the level " + yaml::quoted(name) + " is implied", "leave it out of the list");
    }
    names.levels.add(level, name);
    if (level) out.levels.push_back(name);
  }
  node_fields::check_depth(levels, out.levels);
  for (const auto& name : out.levels) names.near_levels.imply(name);
  for (const char* inner : {"node", "numa", "nvlink"}) names.near_levels.imply(inner);
  names.levels.imply("node");
}

void read_devices(const Field& node, NodeSpec& out) {
  std::int64_t devices = 0;
  std::int64_t bad = 0;
  Device device;
  const Field gpu = node["gpu"];
  gpu.whole(devices, {.low = 0, .high = kMaxCount});
  if (devices > static_cast<std::int64_t>(kMaxDevices)) {
    return gpu.problem("a node has at most " + std::to_string(kMaxDevices) + " devices; got " +
                       std::to_string(devices));
  }
  node["gpu_mem"].whole(device.mem, {.low = 1, .high = kMaxCount});
  const Field bad_gpus = node["bad_gpus"];
  bad_gpus.whole(bad, {.low = 0, .high = kMaxCount});
  if (bad > devices) {
    return bad_gpus.problem(std::to_string(bad) + " broken devices on a node of " + std::to_string(devices));
  }
  out.devices.assign(static_cast<std::size_t>(devices), device);
  for (std::int64_t i = devices - bad; i < devices; ++i)
    out.devices[static_cast<std::size_t>(i)].healthy = false;
}

void read_node(const Field& node, Reading& reading, Scenario& out) {
  node.only(
      {"name", "names", "gpu", "gpu_type", "gpu_mem", "cpu", "mem", "labels", "in", "bad_gpus", "state"});
  Node read;
  node["gpu_type"].name(read.spec.gpu_type);
  read_cpu(node["cpu"], read.spec.cpu);
  read_mem(node["mem"], read.spec.mem);
  read_devices(node, read.spec);
  node_fields::read_labels(node["labels"], read.spec);
  node_fields::read_domains(node["in"], out.levels.levels, read.spec);
  node_fields::read_state(node["state"], read.state);
  if (node["name"] && node["names"])
    return node["names"].problem("both name and names are given", "give one");
  const auto names = node["names"] ? node["names"].items() : std::vector<Field>{node.need("name")};
  if (names.empty()) node["names"].problem("an empty list of names");
  if (!node) return;
  const auto size = static_cast<std::int64_t>(yaml::size_of(node.tree()) + read.spec.devices.size());
  const auto own = static_cast<std::int64_t>(2 * names.size());  // the list of names itself is not copied
  for (const Field& name : names) {
    name.name(read.spec.name);
    reading.names.nodes.add(name, read.spec.name);
    if (!reading.budget.spend(name, std::max<std::int64_t>(1, size - own))) return;
    out.nodes.push_back(read);
  }
}

}  // namespace

void read_policy(const Field& policy, Policy& out) {
  using Word = std::string;
  policy.only({"order", "blocking", "backfill", "preemption", "reclaim", "fair_share", "elastic_yield",
               "starvation_guard", "lost_after", "cleanup", "settle", "colocate"});
  policy["order"].choice<Word>(out.order, {{"priority", "priority"}, {"submit", "submit"}});
  policy["blocking"].choice<Word>(out.blocking, {{"none", "none"}, {"head", "head"}});
  policy["backfill"].choice<Word>(out.backfill, {{"off", "off"}, {"easy", "easy"}});
  policy["preemption"].choice<Word>(out.preemption, {{"off", "off"}, {"priority", "priority"}});
  policy["reclaim"].flag(out.reclaim);
  policy["fair_share"].flag(out.fair_share);
  policy["elastic_yield"].flag(out.elastic_yield);
  const Field guard = policy["starvation_guard"];
  if (!guard.is_word("none")) guard.time(out.starvation_guard);
  policy["lost_after"].time(out.lost_after);
  policy["cleanup"].time(out.cleanup);
  policy["settle"].time(out.settle);
  read_colocate(policy["colocate"], out);
}

void read_cluster(const Field& cluster, Reading& reading, Scenario& out) {
  cluster.only({"levels", "nodes"});
  read_levels(cluster["levels"], reading.names, out.levels);
  for (const Field& node : cluster.need("nodes").items()) read_node(node, reading, out);
}

}  // namespace muster::scenario
