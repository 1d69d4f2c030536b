// The reasons that need a look for what is short: found by leaving out one demand or rule at a time.
#pragma once

#include <vector>

#include "policy/scene.hpp"

namespace muster {

/// Why the unit could not start even on the empty cluster: an unmet selector, a queue limit, a topology
/// level, or a resource.
Why never_fits_why(const Scene& scene, const Unit& unit);

/// Nodes that are down, drained or unreachable, or broken devices, without which it waits.
Why node_why(const Scene& scene, const Unit& unit);

/// The levels (or spread) without which it would start.
Why topology_why(const Scene& scene, const Unit& unit);

/// What the cluster has too little of now, in sum (Capacity) or in the right places (Fragmentation).
Why shortage_why(const Scene& scene, const Unit& unit);

/// One demand per role of each job.
std::vector<Demand> demands_of(const State& state, const Unit& unit);

/// Free amount of a resource on usable nodes that the unit's roles accept.
std::int64_t free_of(const Scene& scene, const Unit& unit, std::size_t resource);
/// What the unit asks of a resource.
std::int64_t asked_of(const State& state, const Unit& unit, std::size_t resource);

}  // namespace muster
