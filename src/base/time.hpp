// Time as an argument. `Instant` and `Duration` count whole milliseconds from the start of the run (a
// driver chooses the epoch). The clock type has no now(): pure code cannot ask for the time.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace muster {

struct Clock {
  using rep = std::int64_t;
  using period = std::milli;
  using duration = std::chrono::duration<rep, period>;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;
};

using Duration = Clock::duration;
using Instant = Clock::time_point;

inline constexpr Duration kForever{std::numeric_limits<std::int64_t>::max() / 4};
inline constexpr Instant kNever{kForever};

constexpr Duration seconds(std::int64_t s) { return Duration{s * 1000}; }
constexpr Instant at_seconds(std::int64_t s) { return Instant{seconds(s)}; }
constexpr std::int64_t millis(Duration d) { return d.count(); }
constexpr std::int64_t millis(Instant t) { return t.time_since_epoch().count(); }
constexpr double as_seconds(Duration d) { return static_cast<double>(d.count()) / 1000.0; }
constexpr double as_seconds(Instant t) { return as_seconds(t.time_since_epoch()); }

/// `t + d`, or kNever where either is unbounded.
constexpr Instant after(Instant t, Duration d) { return t >= kNever || d >= kForever ? kNever : t + d; }

}  // namespace muster
