// The fold: the only mutation of State. Deterministic, total on every record the engine can write;
// a record that contradicts the state (an unknown id, a stale attempt) changes nothing.
#pragma once

#include "core/state.hpp"
#include "model/event.hpp"

namespace muster {

State initial_state();
void apply(State& state, const Record& record);

}  // namespace muster
