// EASY backfill: the first waiting job gets the earliest start that the time limits allow, and a later
// job may start only if that start does not move. (Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995.)
#pragma once

#include <optional>

#include "policy/scene.hpp"

namespace muster {

/// A start promised to a waiting unit: the earliest instant at which it fits if every attempt runs to its
/// limit and nothing else starts.
struct Promise {
  Unit unit;
  Instant at = kNever;  ///< kNever where it needs capacity whose end is not known
  Draft then;           ///< the cluster at that time
};

Promise promise_to(const Scene& scene, const Backlog::Ends& ends, const Unit& unit);

/// Would seating `candidate` now push the promise back? `seating` as returned by seat_unit.
bool delays(const Scene& scene, const Promise& promise, const Unit& candidate, const Seating& seating);

}  // namespace muster
