// Plays a scenario: the same engine and driver as everywhere, the physics of the file, a tape of what was
// seen.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "model/event.hpp"
#include "policy/knobs.hpp"
#include "sim/tape.hpp"
#include "wire/scenario.hpp"

namespace muster::sim {

/// What a scenario's `policy` means in switches.
Knobs knobs_of(const scenario::Policy& policy);

/// Which waiting jobs are explained, and their reasons checked: those a check asks for, or all of them at
/// the end of every instant.
enum class Explain : std::uint8_t { AtChecks, EveryInstant };

/// Rounds after which the engine is thrown away and rebuilt from its journal, counted from 1.
struct Crashes {
  std::size_t first = 1;
  std::size_t period = 1;
  [[nodiscard]] bool after(std::size_t round) const {
    return round >= first && (round - first) % period == 0;
  }
};

struct PlayOptions {
  Explain explain = Explain::AtChecks;
  std::optional<Crashes> crashes{};
};

/// The live state after one round: what a fold of so many records has to give.
struct Mark {
  std::size_t records = 0;
  std::uint64_t fingerprint = 0;
};

struct Played {
  Tape tape;
  std::vector<Record> log;
  std::vector<Mark> rounds;
};

Result<Played> play(const scenario::Scenario& scenario, const PlayOptions& options = {});

}  // namespace muster::sim
