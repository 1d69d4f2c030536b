// Who is more important: class first, then priority; nothing overturns that. Under an order that ranks
// by service or size, `tier` refines it for preemption (smaller = ahead).
#pragma once

#include <compare>
#include <cstdint>

#include "core/state.hpp"
#include "policy/knobs.hpp"

namespace muster {

struct Importance {
  std::int32_t class_rank = 0;
  std::int32_t priority = 0;

  friend auto operator<=>(const Importance&, const Importance&) = default;
};

inline constexpr Importance kMostImportant{.class_rank = 2'147'483'647, .priority = 2'147'483'647};

inline Importance importance(const Job& job) {
  return {.class_rank = job.class_rank, .priority = job.priority};
}

/// Submit times alone decide. Where importance may evict it also comes first in the order: what would be
/// evicted at once does not start.
inline bool ignores_importance(const Knobs& knobs) {
  return knobs.order == Order::Submit && knobs.preemption == Preemption::Off;
}

/// Position in the order beyond importance, smaller first: 0 unless the order ranks by service or size.
/// Attained service is discretised into queues at 1, 4 and 16 GPU-hours (thresholds in the manner of
/// Tiresias, NSDI'19, section 3.3); remaining time comes from the user's `expect`.
std::int64_t tier(const State& state, const Job& job, const Knobs& knobs, Instant now);

/// When the running attempt's capacity is free at the latest; kNever without a limit.
Instant end_of(const State& state, const Job& job);

/// The same of an attempt with that limit that starts now.
inline Instant end_from(const State& state, Instant now, Duration limit) {
  return after(after(now, limit), state.cleanup);
}

/// Until when nobody may take from the running job: for its protected minimum run time, and what it has just
/// been given for this instant, twice as long each time that it was taken from. So rules that give the same
/// room to one and the other in turn come to rest.
Instant kept_until(const Job& job, const Knobs& knobs);

/// Expected remaining run time; kForever where the user gave no guess.
Duration remaining_time(const Job& job, Instant now);

}  // namespace muster
