// Hard bounds: queue limits along the path, capacity that a non-lending queue keeps, user caps.
#pragma once

#include <optional>

#include "core/draft.hpp"

namespace muster {

/// A bound that would be broken, in numbers.
struct Broken {
  QueueId queue;  ///< whose limit binds, or who keeps what it is guaranteed
  std::size_t resource = 0;
  std::int64_t asked = 0;
  std::int64_t available = 0;
  bool kept = false;  ///< not a limit: a queue that does not lend keeps the rest for itself
};

/// The first bound that would be broken by charging `amounts` to the queue; nothing if none.
std::optional<Broken> broken_bound(const Draft& draft, QueueId queue, const Amounts& amounts);
bool user_is_full(const Draft& draft, UserId user);

/// The same as a reason.
Why why_of(const State& state, const Broken& broken);
std::optional<Why> over_queue_limit(const Draft& draft, QueueId queue, const Amounts& amounts);

/// Sum over nodes that are up; kUnlimited where one node is without bound.
Amounts total_capacity(const State& state);

}  // namespace muster
