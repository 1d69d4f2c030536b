#include "policy/importance.hpp"

#include <algorithm>
#include <array>

namespace muster {
namespace {

/// Milli-GPU milliseconds / 1000 in one GPU-hour.
constexpr std::int64_t kGpuHour = 3'600'000;
constexpr std::array<std::int64_t, 3> kServiceQueues{1 * kGpuHour, 4 * kGpuHour, 16 * kGpuHour};

std::int64_t attained_now(const State& state, const Job& job, Instant now) {
  if (!job.running()) return job.attained;
  return job.attained + milli_gpus(state, job) * millis(now - job.accrued) / 1000;
}

}  // namespace

Instant end_of(const State& state, const Job& job) {
  if (!job.running()) return kNever;
  return end_from(state, job.started, job.limit);
}

Instant kept_until(const Job& job, const Knobs& knobs) {
  constexpr std::uint32_t kMostDoublings = 16;
  const Duration kept{std::int64_t{1} << std::min(job.robbed, kMostDoublings)};
  return std::max(after(job.started, knobs.protected_run), job.seated + kept);
}

Duration remaining_time(const Job& job, Instant now) {
  const Duration guess = job.expect < kForever ? job.expect : job.limit;
  if (guess >= kForever) return kForever;
  const Duration done = job.running() ? job.kept + (now - job.started) : job.kept;
  return std::max(Duration{0}, guess - done);
}

std::int64_t tier(const State& state, const Job& job, const Knobs& knobs, Instant now) {
  switch (knobs.order) {
    case Order::Attained: {
      const std::int64_t service = attained_now(state, job, now);
      return std::upper_bound(kServiceQueues.begin(), kServiceQueues.end(), service) - kServiceQueues.begin();
    }
    case Order::Remaining: return millis(remaining_time(job, now));
    case Order::Service: {
      const Duration left = remaining_time(job, now);
      const std::int64_t gpus = std::max<std::int64_t>(1, state.ledger.catalogue().charge(job.shape)[kGpu]);
      return left >= kForever ? millis(kForever) : millis(left) / 1000 * gpus;
    }
    default: return 0;
  }
}

}  // namespace muster
