// Questions about room for one role's workers: which node, which nodes, which domains. Answers come from
// the base index, corrected by what a draft touched.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/draft.hpp"
#include "core/place.hpp"

namespace muster {

struct RoleRoom {
  const Draft* draft = nullptr;
  const Placing* what = nullptr;
  std::size_t role = 0;

  [[nodiscard]] const RoleSpec& spec() const { return what->shape->roles[role]; }
  [[nodiscard]] const Demand& each() const { return spec().each; }
};

struct NodeRoom {
  NodeId node;
  std::int64_t workers = 0;
};

enum class Fill : std::uint8_t { FullestFirst, EmptiestFirst };

/// Workers of the role that fit on the node now, at most `enough`; 0 where it is not usable or accepted.
std::int64_t room_on(const RoleRoom& room, NodeId node, std::int64_t enough);

/// The fullest node in the range that still holds `workers` of them; ties to the first in the topology.
std::optional<NodeId> best_node(const RoleRoom& room, std::int64_t workers, const Range& range);

/// Nodes with room, in the given order of their fullness, until their room adds up to `workers` or the
/// range is exhausted.
std::vector<NodeRoom> collect(const RoleRoom& room, std::int64_t workers, const Range& range, Fill order);

/// Room per domain of a level (by index in Topology::at_level): an upper bound, cheap.
std::vector<std::int64_t> bound_per_domain(const RoleRoom& room, std::uint32_t level);

/// Room in the whole cluster: an upper bound from the base index alone, at most about `enough`.
std::int64_t room_bound(const RoleRoom& room, std::int64_t enough);

/// Room in a range, exactly, at most `enough`.
std::int64_t room_in(const RoleRoom& room, const Range& range, std::int64_t enough);

}  // namespace muster
