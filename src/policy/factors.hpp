// The default order's weighted sum: named factors, each printable with its value and its part of the sum.
//
// Every factor is constant per job, linear in time with one slope for all, or shared by a queue or user,
// so the order between waiting jobs changes only with the queue and user parts. Larger = sooner.
//   age        seconds since submission (linear; one slope)
//   queue      how far the queue was below its guarantee when the epoch began, thousandths of it, -1000..1000
//   user       minus the user's past use at the start of the epoch, 1000 * use / (use + one GPU-day)
//   size       minus the accelerators asked for
//   remaining  minus the binary logarithm of the expected minutes left (unknown counts as a week)
//   attained   minus the binary logarithm of the GPU-minutes already used
//   deadline   seconds by which the time it was given, deadline minus submission, falls short of a week
// A weight of w adds w/1000 of the factor per unit; age counts in seconds, so a weight of 1000 on age
// means one point a second. Scale of the others: points per unit below.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/state.hpp"
#include "policy/knobs.hpp"

namespace muster {

struct Factor {
  std::string_view name;
  std::int64_t value = 0;   ///< in the factor's own unit
  std::int64_t points = 0;  ///< its part of the sum, thousandths of a second of age
};

/// All factors of one waiting job, in the order above.
std::array<Factor, 7> factors(const State& state, const Job& job, const Knobs& knobs, Instant now);

/// The parts that do not change while the job waits; time itself is left out (every job has the same).
std::int64_t fixed_points(const State& state, const Job& job, const Knobs& knobs);
/// The parts that its queue and its user share.
std::int64_t queue_points(const State& state, QueueId queue, const Knobs& knobs);
std::int64_t user_points(const State& state, UserId user, const Knobs& knobs);

}  // namespace muster
