#include "policy/factors.hpp"

#include <algorithm>
#include <bit>

#include "policy/importance.hpp"

namespace muster {
namespace {

constexpr std::int64_t kGpuDay = 86'400'000;  ///< milli-GPU milliseconds / 1000
constexpr std::int64_t kGpuMinute = 60'000;
constexpr Duration kWeek = seconds(7 * 24 * 3600);
constexpr std::int64_t kUnknownMinutes = 7 * 24 * 60;
/// Thousandths of a second of age that one unit of a factor is worth at weight 1000.
constexpr std::int64_t kPerThousandth = 3'600;  ///< queue, user: a full deficit equals one hour
constexpr std::int64_t kPerGpu = 1'000;
constexpr std::int64_t kPerOctave = 600'000;  ///< remaining, attained: a doubling equals ten minutes

std::int64_t octaves(std::int64_t value) {
  return static_cast<std::int64_t>(
      std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0))));
}

std::int64_t remaining_octaves(const Job& job) {
  const Duration guess = job.expect < kForever ? job.expect : job.limit;
  return octaves(guess >= kForever ? kUnknownMinutes : millis(guess - std::min(guess, job.kept)) / 60'000);
}

std::int64_t queue_deficit(const QueueEntry& entry) {
  std::int64_t worst = 0;
  bool any = false;
  for (std::size_t r = 0; r < kResources; ++r) {
    const std::int64_t guarantee = entry.guarantee[r];
    if (guarantee == 0) continue;
    const std::int64_t deficit = static_cast<std::int64_t>(
        static_cast<__int128>(guarantee - entry.use_at_epoch[r]) * 1000 / guarantee);
    worst = any ? std::min(worst, deficit) : deficit;
    any = true;
  }
  return std::clamp<std::int64_t>(worst, -1000, 1000);
}

std::int64_t tightness(const Job& job) {
  if (!job.extra || !job.extra->deadline) return 0;
  return std::max<std::int64_t>(0, millis(kWeek - (*job.extra->deadline - job.submitted)));
}

std::int64_t user_use(const State& state, UserId user) {
  const std::int64_t use = state.ledger.user(user).past_at_epoch;
  return static_cast<std::int64_t>(static_cast<__int128>(use) * 1000 / (use + kGpuDay));
}

std::int64_t points(std::int64_t weight, std::int64_t value, std::int64_t per_unit) {
  return static_cast<std::int64_t>(static_cast<__int128>(weight) * value * per_unit / 1000);
}

}  // namespace

std::array<Factor, 7> factors(const State& state, const Job& job, const Knobs& knobs, Instant now) {
  const Weights& w = knobs.weights;
  const std::int64_t age = millis(now - job.submitted);
  const std::int64_t deficit = queue_deficit(state.ledger.queue(job.queue));
  const std::int64_t use = -user_use(state, job.user);
  const std::int64_t size = -state.ledger.catalogue().charge(job.shape)[kGpu] / kDevice;
  const std::int64_t left = -remaining_octaves(job);
  const std::int64_t had = -octaves(job.attained / kGpuMinute);
  const std::int64_t tight = tightness(job);
  return {{{"age", age / 1000, points(w.age, age, 1)},
           {"queue", deficit, points(w.queue, deficit, kPerThousandth)},
           {"user", use, points(w.user, use, kPerThousandth)},
           {"size", size, points(w.size, size, kPerGpu)},
           {"remaining", left, points(w.remaining, left, kPerOctave)},
           {"attained", had, points(w.attained, had, kPerOctave)},
           {"deadline", tight / 1000, points(w.deadline, tight, 1)}}};
}

std::int64_t fixed_points(const State& state, const Job& job, const Knobs& knobs) {
  const Weights& w = knobs.weights;
  const std::int64_t size = state.ledger.catalogue().charge(job.shape)[kGpu] / kDevice;
  return points(w.deadline, tightness(job), 1) - points(w.age, millis(job.submitted), 1) -
         points(w.size, size, kPerGpu) - points(w.remaining, remaining_octaves(job), kPerOctave) -
         points(w.attained, octaves(job.attained / kGpuMinute), kPerOctave);
}

std::int64_t queue_points(const State& state, QueueId queue, const Knobs& knobs) {
  return points(knobs.weights.queue, queue_deficit(state.ledger.queue(queue)), kPerThousandth);
}

std::int64_t user_points(const State& state, UserId user, const Knobs& knobs) {
  return -points(knobs.weights.user, user_use(state, user), kPerThousandth);
}

}  // namespace muster
