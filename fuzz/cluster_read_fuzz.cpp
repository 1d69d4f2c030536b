// Cluster files from anywhere: read, or refused with a place; never a crash, never an endless read. What was
// read keeps its promises: names are unique, parents come first, domains match the levels.
#include <cstdlib>
#include <set>

#include "wire/cluster.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto cluster = muster::read_cluster(text, "f");
  if (!cluster) {
    if (cluster.error().message.empty()) std::abort();
    return 0;
  }
  std::set<std::string> nodes;
  for (const auto& node : cluster->nodes) {
    if (!nodes.insert(node.spec.name).second) std::abort();
    if (node.spec.domains.size() != cluster->levels.levels.size()) std::abort();
  }
  std::set<std::string> queues;
  for (const auto& queue : cluster->queues) {
    if (!queue.parent.empty() && queues.count(queue.parent) == 0) std::abort();
    if (!queues.insert(queue.name).second) std::abort();
  }
  return 0;
}
