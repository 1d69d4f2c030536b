// Domains stand in the order of the levels, so that two nodes compare position by position; labels are sorted
// by key. `node` and `gpu_type` are properties that selectors already know: a label of that name would hide
// them.
#include "wire/node_fields.hpp"

#include <algorithm>
#include <array>

namespace muster::node_fields {
namespace {

constexpr std::size_t kMaxLevels = 8;
constexpr std::array<std::string_view, 3> kImplied{"node", "numa", "nvlink"};

}  // namespace

bool is_implied_level(std::string_view level) {
  return std::find(kImplied.begin(), kImplied.end(), level) != kImplied.end();
}

void check_depth(const yaml::Field& where, const std::vector<std::string>& levels) {
  if (levels.size() > kMaxLevels) where.problem("more than " + std::to_string(kMaxLevels) + " levels");
}

void read_domains(const yaml::Field& in, const std::vector<std::string>& levels, NodeSpec& out) {
  out.domains.assign(levels.size(), "");
  for (const auto& [key, value] : in.entries()) {
    std::string level;
    key.name(level);
    if (level == "node") return key.problem("a node is its own domain of the level \"node\"");
    const auto at = std::find(levels.begin(), levels.end(), level);
    if (at == levels.end()) return key.no_such("level", levels);
    value.name(out.domains[static_cast<std::size_t>(at - levels.begin())]);
  }
}

void read_labels(const yaml::Field& labels, NodeSpec& out) {
  for (const auto& [key, value] : labels.entries()) {
    auto& [name, text] = out.labels.emplace_back();
    key.name(name);
    value.name(text);
    if (name == "node" || name == "gpu_type") {
      key.problem("the label " + yaml::quoted(name) + " would hide the node's own property of that name");
    }
  }
  std::sort(out.labels.begin(), out.labels.end());
}

void read_state(const yaml::Field& state, NodeState& out) {
  state.choice<NodeState>(
      out, {{"up", NodeState::Up}, {"down", NodeState::Down}, {"drained", NodeState::Drained}});
}

}  // namespace muster::node_fields
