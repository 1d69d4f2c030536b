// What a waiting job can expect: when it could start, and what change would let it start now. Nothing is
// guessed: instants follow from time limits and from what users expect of their jobs, and each piece of
// advice was tried on a draft.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/what_if.hpp"

namespace muster {

/// The earliest start if nothing else is started before. Where limits do not tell, `needs` names a job
/// without which there is no room and whose end nobody knows; empty where no end of a running job makes room.
struct Forecast {
  std::optional<Instant> by_limits;  ///< if every attempt runs to its limit
  std::optional<Instant> by_guess;   ///< if it ends as expected, or at its limit where nothing is expected
  std::string needs{};
};
Forecast forecast(WhatIf& what_if);

/// "would start now with `change`".
struct Advice {
  std::string change;  ///< as a setting: "workers=3", "gpu_type=a100", "queue nlp limit gpu=12"
  std::string what;    ///< in words
};
/// Single changes, each sufficient by itself; the least painful first. Empty where the job itself must wait
/// (for others, for a time), or where no single change suffices.
std::vector<Advice> advice(WhatIf& what_if, const std::vector<Why>& reasons);

}  // namespace muster
