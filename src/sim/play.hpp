// Plays a scenario: the same engine and driver as everywhere, the physics of the file, a tape of what was
// seen.
#pragma once

#include "base/result.hpp"
#include "model/event.hpp"
#include "policy/knobs.hpp"
#include "sim/tape.hpp"
#include "wire/scenario.hpp"

namespace muster::sim {

/// What a scenario's `policy` means in switches.
Knobs knobs_of(const scenario::Policy& policy);

struct Played {
  Tape tape;
  std::vector<Record> log;
};

Result<Played> play(const scenario::Scenario& scenario);

}  // namespace muster::sim
