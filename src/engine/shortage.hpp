// The reasons that are about room: what is short, and where, found by leaving out one demand or rule at a
// time. Each is made of a "does not start now" and a "would if", and of sums over the nodes it could use.
#pragma once

#include <vector>

#include "engine/what_if.hpp"

namespace muster {

/// Why the unit could not start even on the empty cluster: an unmet selector, a queue limit, a topology
/// level, or a resource. REQUIRES: what_if.never_fits().
Why never_fits_why(WhatIf& what_if);

/// All reasons of room that apply, in the order of model/why.hpp. REQUIRES: what_if.lacks_room().
std::vector<Why> room_whys(WhatIf& what_if);

/// Free amount of a resource on usable nodes that the unit's roles accept.
std::int64_t free_of(WhatIf& what_if, std::size_t resource);
/// The same on all other usable nodes.
std::int64_t free_elsewhere(WhatIf& what_if, std::size_t resource);

}  // namespace muster
