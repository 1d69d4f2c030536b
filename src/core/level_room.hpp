// Room of one role's workers in all domains of a level at once, from the counts of the index: as a bound,
// which reads no node, and exactly, which reads only the nodes whose row does not tell their room.
#pragma once

#include <cstdint>
#include <vector>

#include "core/room.hpp"

namespace muster {

/// By index in Topology::in_order of the level, from run.begin on.
struct LevelRoom {
  Run run;
  std::vector<std::int64_t> of;
};

struct LevelAsked {
  std::uint32_t level = 0;
  Range range;  ///< only domains wholly inside it
};

enum class Tally : std::uint8_t { Workers, Nodes };

/// An upper bound of the workers in each domain, capped at kUnlimited.
LevelRoom bound_per_domain(const RoleRoom& room, const LevelAsked& asked);

/// Workers that fit in each domain, or nodes with room for one; counting may stop at `enough`.
LevelRoom room_per_domain(const RoleRoom& room, const LevelAsked& asked, Tally tally, std::int64_t enough);

}  // namespace muster
