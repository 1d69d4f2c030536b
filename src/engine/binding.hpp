// Limits that bind: what the unit asks for on top of what is in use is more than a bound allows. Plain sums,
// one reason for each bound:   in use + asked > limit.
#pragma once

#include <vector>

#include "engine/what_if.hpp"

namespace muster {

/// Caps of users, limits of queues and their ancestors, capacity that other queues do not lend; all that
/// bind now.
std::vector<Why> binding_limits(WhatIf& what_if);

/// Guarantees or fair shares that it would go beyond, so that it has no claim to what others hold.
std::vector<Why> used_up_shares(WhatIf& what_if);

}  // namespace muster
