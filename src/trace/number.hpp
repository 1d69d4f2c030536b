// Numbers and times as traces write them: whole, or decimal as a float column prints them ("494319.0"),
// or a civil time without zone. All end in integers; digits finer than a millisecond are rounded half up.
// Bounds keep every later sum far from overflow, so a hostile file cannot stop the program.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"

namespace muster {

/// About 317 years: longer than any trace, and hundreds of thousands of such spans still add up.
inline constexpr Duration kLongest = seconds(10'000'000'000);

/// A plain decimal number times 10^digits, rounded half away from zero; nullopt = no number, or too large.
std::optional<std::int64_t> parse_decimal(std::string_view text, int digits);

/// Decimal seconds, possibly negative; nullopt = no number, or beyond kLongest.
std::optional<Duration> parse_seconds(std::string_view text);
/// The same, counted in milliseconds.
std::optional<Duration> parse_millis(std::string_view text);

/// "2017-10-09 07:01:55" (also "T" between, also with a fraction) as if it were UTC, since 1970-01-01.
std::optional<Instant> parse_civil(std::string_view text);

/// A time limit as Slurm's accounting prints it; see parse_time_limit.
struct TimeLimit {
  std::optional<Duration> value;  ///< absent = no limit known
  bool assumed = false;           ///< the text does not say the limit (Partition_Limit, Unknown, blank)
};

/// Slurm's forms: "minutes", "minutes:seconds", "hours:minutes:seconds", "days-hours",
/// "days-hours:minutes", "days-hours:minutes:seconds", a fraction on the seconds; UNLIMITED = none;
/// Partition_Limit, Unknown and blank = none, assumed. Anything else, INVALID included, is an error.
Result<TimeLimit> parse_time_limit(std::string_view text);

}  // namespace muster
