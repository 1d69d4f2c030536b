// What a node looks like in every YAML of ours: labels, state, domains, and the levels that domains belong
// to. Scenario files and cluster files share these keys; each reader keeps the keys that it alone has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/node.hpp"
#include "wire/yaml/walk.hpp"

namespace muster::node_fields {

/// The node itself and what lies inside it: levels that need no list.
bool is_implied_level(std::string_view level);
/// A problem at `where` beyond the depth that a topology may have.
void check_depth(const yaml::Field& where, const std::vector<std::string>& levels);

/// `{rack: r1}` into one domain a level, outermost first; empty where the node lacks the level.
void read_domains(const yaml::Field& in, const std::vector<std::string>& levels, NodeSpec& out);
/// Sorted, and never a key that a selector finds elsewhere.
void read_labels(const yaml::Field& labels, NodeSpec& out);
void read_state(const yaml::Field& state, NodeState& out);

}  // namespace muster::node_fields
