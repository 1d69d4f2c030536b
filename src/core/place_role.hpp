// Places the workers of one role, all or none, inside one range of the topology.
#pragma once

#include <optional>

#include "core/place.hpp"
#include "core/topology.hpp"

namespace muster {

struct RolePlacing {
  std::size_t role = 0;
  Range range;
  const Placement& already;  ///< seats of this job's other roles in this attempt
};

/// Seats without worker numbers; taken in the draft on success.
std::optional<Placement> place_role(Draft& draft, const Placing& what, const RolePlacing& where);

/// Depth-first search over all workers and nodes with a bound on its steps.
std::optional<Placement> place_exhaustively(Draft& draft, const Placing& what, const Range& range);

}  // namespace muster
