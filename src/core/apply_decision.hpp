// The fold of the engine's own decisions.
#pragma once

#include "core/state.hpp"

namespace muster {

void apply_decision(State& state, const Decision& decision, Instant at);

}  // namespace muster
