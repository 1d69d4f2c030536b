// The order between lanes: the fixed rank, and the standing that also moves with guarantees and shares.
#pragma once

#include <array>

#include "core/draft.hpp"
#include "policy/backlog.hpp"

namespace muster {

Rank rank_of(const State& state, const Knobs& knobs, JobId job);
/// The same of a job in its lane, from what is noted there.
Rank rank_of(const State& state, const Knobs& knobs, const Lane& lane, const Key& key);
/// What Lane::bonus is now.
std::int64_t bonus_of(const State& state, const Knobs& knobs, const Lane& lane);

/// With fair shares; smaller = first: guarantee due, class, share due, priority, queue priority, tier,
/// fullness of the queue, past use of the user, points, submit time, listing order.
using Standing = std::array<std::int64_t, 11>;
/// `head`: the first lane of the same queue; what is due to it lifts the queue against others, not its
/// jobs against each other.
Standing standing_of(const LaneOrder& order, JobId job, const Lane& head);

/// Would the lane's gang stay within what its queue, or one above it, is entitled to?
bool is_due(const LaneOrder& order, const Bounds* bounds, const Lane& lane);

}  // namespace muster
