// The switches of a policy as text: what a report prints, what `--set` reads. One table serves both, so what
// is printed can be given back and means the same.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "policy/knobs.hpp"

namespace muster {

/// Every switch with its value, in a fixed order; the name of the policy is left out.
std::vector<std::pair<std::string, std::string>> describe(const Knobs& knobs);

/// "backfill=easy", "protected_run=90s", "weight.age=1000".
Result<void> set_knob(Knobs& knobs, std::string_view setting);

}  // namespace muster
