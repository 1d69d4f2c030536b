// From victims to decisions, and the waiting that follows while they leave.
#pragma once

#include <optional>
#include <vector>

#include "policy/victims.hpp"

namespace muster {

/// Starts every job of the unit; a running service gets the seats on top.
std::vector<Decision> start_all(const State& state, const Unit& unit, Seating seating, const Why& why);

/// Stops and shrinks the victims; starts the unit, or reserves its seats while they clean up.
std::vector<Decision> take(const Scene& scene, const Unit& unit, Hunt found);

/// With a clean-up time: what to do before looking for victims. An empty list: wait for what is leaving.
/// Nothing: go on and look. A list: decisions (a reservation taken over, or given up because it is no
/// longer good).
std::optional<std::vector<Decision>> settle_reservation(const Scene& scene, const Unit& unit);

}  // namespace muster
