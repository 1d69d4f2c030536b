// EASY backfill: the first waiting job gets the earliest start that the time limits allow, and a later
// job may start only if that start does not move. (Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995.)
#pragma once

#include <optional>

#include "policy/scene.hpp"

namespace muster {

/// A start promised to a waiting unit.
struct Promise {
  Unit unit;
  Instant at{};
};

/// When the running attempt's capacity is free at the latest; kNever without a limit.
Instant end_of(const State& state, const Job& job);

/// The earliest instant at which the unit fits if every attempt runs to its limit and nothing else starts;
/// kNever where it needs capacity whose end is not known.
Instant earliest_start(const Scene& scene, const Unit& unit);

/// Would seating `candidate` now push the promise back? `seating` as returned by seat_unit.
bool delays(const Scene& scene, const Promise& promise, const Unit& candidate, const Seating& seating);

}  // namespace muster
