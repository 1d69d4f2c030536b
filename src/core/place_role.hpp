// Places the workers of one role, all or none, inside one area of the topology.
#pragma once

#include <optional>

#include "core/place.hpp"
#include "core/topology.hpp"

namespace muster {

/// Is what was found booked in the draft, or only returned? The search itself leaves the draft alone.
enum class Found : std::uint8_t { Booked, Returned };

struct RolePlacing {
  std::size_t role = 0;
  Area area;
  const Placement& already;  ///< seats of this job's other roles in this attempt
  Found found = Found::Booked;
};

/// Seats without worker numbers.
std::optional<Placement> place_role(Draft& draft, const Placing& what, const RolePlacing& where);

/// Depth-first search over all workers and nodes with a bound on its steps.
std::optional<Placement> place_exhaustively(Draft& draft, const Placing& what, const Range& range);

}  // namespace muster
