// Experiments submit and cancel trial jobs over time. Pure: what to record next follows from the state,
// and recording it changes the state; asking again when nothing changed gives nothing.
#pragma once

#include <vector>

#include "core/state.hpp"

namespace muster {

/// Trials to submit or stop now, and experiments that are over.
std::vector<Event> next_trials(const State& state);

}  // namespace muster
