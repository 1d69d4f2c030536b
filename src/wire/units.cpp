#include "wire/units.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace muster {
namespace {

struct TimeUnit {
  std::string_view name;
  std::int64_t millis;
};
constexpr std::array<TimeUnit, 6> kTimeUnits{
    {{"w", 604'800'000}, {"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}, {"ms", 1}}};
constexpr std::int64_t kLongest = 300LL * 366 * 86'400'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes the front of `text` while `wanted` holds.
template <class Wanted>
std::string_view take_while(std::string_view& text, Wanted wanted) {
  std::size_t n = 0;
  while (n < text.size() && wanted(text[n])) ++n;
  const std::string_view front = text.substr(0, n);
  text.remove_prefix(n);
  return front;
}

std::optional<std::size_t> unit_index(std::string_view name) {
  for (std::size_t i = 0; i < kTimeUnits.size(); ++i) {
    if (kTimeUnits[i].name == name) return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parse_size(std::string_view text) {
  const auto is_number = [](char c) { return is_digit(c) || c == '.'; };
  const std::string_view number = take_while(text, is_number);
  if (number == "0" && text.empty()) return 0;
  if (text.empty()) return std::nullopt;
  const auto power = std::string_view("KMGTP").find(text.front());
  if (power == std::string_view::npos) return std::nullopt;
  text.remove_prefix(1);
  if (!text.empty() && text != "B" && text != "i" && text != "iB") return std::nullopt;
  const auto bytes = parse_scaled(number, std::int64_t{1} << (10 * (power + 1)));
  if (!bytes || *bytes < 0 || *bytes > std::int64_t{1} << 60) return std::nullopt;
  return bytes;
}

std::optional<Duration> parse_duration(std::string_view text) {
  if (const auto bare = parse_scaled(text, 1000)) {
    if (*bare < 0 || *bare > kLongest) return std::nullopt;
    return Duration{*bare};
  }
  if (text.empty()) return std::nullopt;
  __int128 sum = 0;
  std::size_t next = 0;
  while (!text.empty()) {
    const auto count = parse_int(take_while(text, is_digit));
    const auto unit = unit_index(take_while(text, [](char c) { return !is_digit(c); }));
    if (!count || !unit || *unit < next) return std::nullopt;
    next = *unit + 1;
    sum += static_cast<__int128>(*count) * kTimeUnits[*unit].millis;
    if (sum > kLongest) return std::nullopt;
  }
  return Duration{static_cast<std::int64_t>(sum)};
}

std::string exact_duration(Duration duration) {
  std::int64_t left = std::max<std::int64_t>(0, millis(duration));
  if (left == 0) return "0s";
  std::string text;
  for (const TimeUnit& unit : kTimeUnits) {
    if (unit.name == "w" || left < unit.millis) continue;
    text += std::to_string(left / unit.millis) + std::string(unit.name);
    left %= unit.millis;
  }
  return text;
}

}  // namespace muster
