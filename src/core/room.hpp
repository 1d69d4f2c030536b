// Questions about room for one role's workers: which node, which nodes. Answers come from the base index,
// corrected by what a draft touched; an untouched node in a row of the index is known to be up and of its
// class, so that mostly its free room alone is read. Rooms of whole domains: core/level_room.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/draft.hpp"
#include "core/place.hpp"

namespace muster {

/// One role of what is to be placed, with what every question about it reads.
struct RoleRoom {
  RoleRoom(const Draft& draft, const Placing& what, std::size_t role);

  const Draft& draft;
  const Placing& what;
  const Ledger& ledger;
  const Index& index;
  const Topology& topology;
  const RoleSpec& spec;
  const Demand& each;
  const std::vector<ClassId>& classes;  ///< accepted, ascending
  bool best_effort = false;
  bool picky = false;  ///< names nodes, or some are kept clear: every node has to be asked
};

struct NodeRoom {
  NodeId node;
  std::int64_t workers = 0;
};

/// A set of positions of one range.
class Positions {
 public:
  explicit Positions(const Range& range) : begin_(range.begin), words_(range.size() / 64 + 1) {}
  void insert(std::uint32_t position) {
    words_[(position - begin_) / 64] |= std::uint64_t{1} << ((position - begin_) % 64);
  }
  [[nodiscard]] bool has(std::uint32_t position) const {
    return ((words_[(position - begin_) / 64] >> ((position - begin_) % 64)) & 1U) != 0;
  }

 private:
  std::uint32_t begin_ = 0;
  std::vector<std::uint64_t> words_;
};

/// Room for so many workers, in this area, on other nodes than those.
struct Wanted {
  std::int64_t workers = 0;
  Area area;
  const Positions* except = nullptr;  ///< of the area's range
  std::int64_t on_each = 1;  ///< nodes with room for fewer are of no use; may be visited all the same
};

enum class Fill : std::uint8_t { FullestFirst, EmptiestFirst };

/// Workers of the role that fit on the node now, at most `enough`; 0 where it is not usable or accepted.
std::int64_t room_on(const RoleRoom& room, NodeId node, std::int64_t enough);

/// The same of an untouched node that stands in a row of an accepted class.
std::int64_t room_in_row(const RoleRoom& room, NodeId node, std::int64_t enough);

/// The fullest node in the area that still holds all of them; ties to the first in the topology.
std::optional<NodeId> best_node(const RoleRoom& room, const Wanted& wanted);

/// Nodes with room, in the given order of their fullness, until their room adds up to the workers or the
/// area is exhausted.
std::vector<NodeRoom> collect(const RoleRoom& room, const Wanted& wanted, Fill order);

/// Nodes needed for all workers when the emptiest are used first; nothing where the area is too small.
std::optional<std::size_t> nodes_needed(const RoleRoom& room, const Wanted& wanted);

/// Room in the whole cluster: an upper bound from the base index alone, at most about `enough`.
std::int64_t room_bound(const RoleRoom& room, std::int64_t enough);

}  // namespace muster
