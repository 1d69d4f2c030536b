// Recomputes every account from the jobs' seats and compares. Empty = the ledger tells the truth.
#pragma once

#include <string>
#include <vector>

#include "core/state.hpp"

namespace muster {

std::vector<std::string> audit(const State& state);

}  // namespace muster
