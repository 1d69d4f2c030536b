// Hard bounds: queue limits along the path, capacity that a non-lending queue keeps, user caps.
#pragma once

#include <optional>

#include "core/draft.hpp"

namespace muster {

/// The first bound that would be broken by charging `amounts` to the queue; nothing if none.
std::optional<Why> over_queue_limit(const Draft& draft, QueueId queue, const Amounts& amounts);

/// The user's cap on running jobs, if one more would break it.
std::optional<Why> over_user_limit(const Draft& draft, UserId user);

/// Sum over nodes that are up; kUnlimited where one node is without bound.
Amounts total_capacity(const State& state);

}  // namespace muster
