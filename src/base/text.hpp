// Text without locale: strict number parsing, near names for "did you mean", and the few formats that
// people read (durations, sizes, thousandths).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace muster {

/// Whole text as a decimal integer; nothing else allowed (no sign "+", no blanks, no overflow).
std::optional<std::int64_t> parse_int(std::string_view text);

/// Whole text as a plain decimal number times `scale`, exactly: parse_scaled("0.5", 1000) = 500.
/// Refuses exponents, NaN, infinity, and digits finer than 1/scale unless they are zero.
std::optional<std::int64_t> parse_scaled(std::string_view text, std::int64_t scale);

/// The candidate nearest to `word` by edit distance, if near enough to be a slip of the keyboard.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string_view> candidates);
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string lower(std::string_view text);
std::string join(std::span<const std::string> parts, std::string_view separator);

/// "0.5", "12", "3.125": thousandths without trailing zeros.
std::string format_milli(std::int64_t thousandths);
/// "42s", "12m05s", "3h07m", "2d04h".
std::string format_duration(Duration duration);

}  // namespace muster
