// What must happen whatever the policy: work on lost nodes is stopped, best-effort work leaves a node
// whose allowance fell, jobs said to run somewhere are booked there.
#pragma once

#include <optional>
#include <vector>

#include "core/allowance.hpp"
#include "core/state.hpp"

namespace muster {

/// Stops and shrinks for everything that runs on nodes that are down or evacuated.
std::vector<Decision> leave_lost_nodes(const State& state);

/// Stops for just enough best-effort work: least important first, then the most recently submitted.
std::vector<Decision> keep_allowances(const State& state, const std::optional<Colocation>& colocation);

/// Starts of jobs that run already, as facts.
std::vector<Decision> book_placed(const State& state);

}  // namespace muster
