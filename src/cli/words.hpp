// Numbers and names as people read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "core/state.hpp"

namespace muster::cli {

std::string_view word_of(JobState state);

/// "12,345".
std::string grouped(std::int64_t number);
/// With so many digits after the point.
std::string fixed(double number, int digits);
/// 0.8461 as "84.6%", nothing as "-".
std::string percent(std::optional<double> part);
/// Seconds as "5h41m"; below ten seconds with a fraction.
std::string span_text(double seconds);
/// Time of a simulation: "2d04:07:30".
std::string clock_text(Instant at);

/// From the beginning of the run: "2h05m", "7500" (seconds), or "2d04:07:30" as this program prints it.
Result<Instant> parse_instant(const std::string& text, const std::string& flag);

/// Where the seats are: "r1-n03 gpu 0-3", "r1-n[01-04], one rack".
std::string where_text(const State& state, const Placement& seats);

/// "n01, n02, n05" in short: "n[01-02,05]".
std::string fold_names(std::vector<std::string> names);

}  // namespace muster::cli
