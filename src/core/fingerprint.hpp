// One number for everything in a State that later decisions can depend on: jobs, seats, accounts, queues,
// users, groups, families, experiments. Two states with equal fingerprints are the same world, however
// they came about. Left out are caches and the lists of recent changes, which a fold of the log rebuilds.
#pragma once

#include <cstdint>

#include "core/state.hpp"

namespace muster {

[[nodiscard]] std::uint64_t fingerprint(const State& state);

}  // namespace muster
