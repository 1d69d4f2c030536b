#include "trace/number.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace muster {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<Duration> bounded(std::optional<std::int64_t> count) {
  if (!count || *count > millis(kLongest) || *count < -millis(kLongest)) return std::nullopt;
  return Duration{*count};
}

/// Exactly `digits` digits at `at`, or -1.
int digits_at(std::string_view text, std::size_t at, std::size_t digits) {
  if (at + digits > text.size() || !all_digits(text.substr(at, digits))) return -1;
  return static_cast<int>(*parse_int(text.substr(at, digits)));
}

/// Clock part "a", "a:b" or "a:b:c": each part in its own unit, the last one may have a fraction.
std::optional<Duration> sum_parts(std::string_view text, const std::vector<std::int64_t>& units) {
  const auto parts = split(text, ':');
  if (parts.size() > units.size()) return std::nullopt;
  Duration sum{0};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_seconds = units[i] == 1;
    if (!is_seconds && !all_digits(parts[i])) return std::nullopt;
    const auto part = parse_seconds(parts[i]);
    if (!part || *part < Duration{0} || *part > kLongest / 86400) return std::nullopt;
    sum += *part * units[i];
  }
  return sum;
}

std::optional<Duration> clock_of(std::string_view text) {
  const auto dash = text.find('-');
  if (dash != std::string_view::npos) {
    const auto days = sum_parts(text.substr(0, dash), {86400});
    const auto rest = sum_parts(text.substr(dash + 1), {3600, 60, 1});
    if (!days || !rest) return std::nullopt;
    return *days + *rest;
  }
  if (std::count(text.begin(), text.end(), ':') == 2) return sum_parts(text, {3600, 60, 1});
  return sum_parts(text, {60, 1});
}

}  // namespace

std::optional<std::int64_t> parse_decimal(std::string_view text, int digits) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const auto dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  const std::string_view fraction = dot == std::string_view::npos ? "0" : text.substr(dot + 1);
  if (!all_digits(whole) || !all_digits(fraction)) return std::nullopt;
  const auto units = parse_int(whole);
  if (!units) return std::nullopt;
  std::int64_t total = *units;
  for (int i = 0; i < digits; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::int64_t digit = at < fraction.size() ? fraction[at] - '0' : 0;
    if (__builtin_mul_overflow(total, 10, &total) || __builtin_add_overflow(total, digit, &total))
      return std::nullopt;
  }
  const auto next = static_cast<std::size_t>(digits);
  const bool up = next < fraction.size() && fraction[next] >= '5';
  if (up && __builtin_add_overflow(total, 1, &total)) return std::nullopt;
  return negative ? -total : total;
}

std::optional<Duration> parse_seconds(std::string_view text) { return bounded(parse_decimal(text, 3)); }

std::optional<Duration> parse_millis(std::string_view text) { return bounded(parse_decimal(text, 0)); }

std::optional<Instant> parse_civil(std::string_view text) {
  using std::chrono::day;
  using std::chrono::month;
  using std::chrono::year;
  if (text.size() < 19 || text[4] != '-' || text[7] != '-' || (text[10] != ' ' && text[10] != 'T') ||
      text[13] != ':' || text[16] != ':') {
    return std::nullopt;
  }
  const int y = digits_at(text, 0, 4);
  const int m = digits_at(text, 5, 2);
  const int d = digits_at(text, 8, 2);
  const int hour = digits_at(text, 11, 2);
  const int minute = digits_at(text, 14, 2);
  if (y < 0 || m < 0 || d < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59) return std::nullopt;
  const std::chrono::year_month_day date{year{y}, month{static_cast<unsigned>(m)},
                                         day{static_cast<unsigned>(d)}};
  const auto second = parse_seconds(text.substr(17));
  if (!date.ok() || digits_at(text, 17, 2) < 0 || !second || *second >= seconds(61)) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  const Instant time = at_seconds(days * 86400 + hour * 3600 + minute * 60) + *second;
  if (time > Instant{kLongest} || time < Instant{-kLongest}) return std::nullopt;
  return time;
}

Result<TimeLimit> parse_time_limit(std::string_view text) {
  const std::string word = lower(trim(text));
  if (word == "unlimited") return TimeLimit{};
  if (word.empty() || word == "partition_limit" || word == "unknown")
    return TimeLimit{.value = {}, .assumed = true};
  if (const auto limit = clock_of(word)) return TimeLimit{.value = limit, .assumed = false};
  return fail(Error{.where = {},
                    .field = {},
                    .message = "not a time limit: '" + std::string(text.substr(0, 60)) + "'",
                    .hint = "minutes, M:S, H:M:S, D-H, D-H:M, D-H:M:S or UNLIMITED"});
}

}  // namespace muster
