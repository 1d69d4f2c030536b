// Amounts as people write them, read exactly: sizes "2T", "120G", "1.5GiB"; durations "90m", "1h30m", "2d".
//
//   size     := decimal unit         unit := (K | M | G | T | P) ["iB" | "i" | "B"], all powers of 1024
//   duration := (digits unit)+       unit := ms | s | m | h | d | w, each at most once, large before small
//   duration := decimal              seconds
//
// A bare number is no size: whether bytes or GiB were meant cannot be seen. "1:30:00" is no duration for
// the same reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"

namespace muster {

/// Bytes; nullopt where the text is no size, is negative, or is beyond 2^60 bytes. Fractions must come out
/// as whole bytes.
std::optional<std::int64_t> parse_size(std::string_view text);

/// Not negative; nullopt where the text is no duration or is longer than 300 years.
std::optional<Duration> parse_duration(std::string_view text);

/// "90m" for 90 minutes: the shortest text that `parse_duration` reads back as the same value.
std::string exact_duration(Duration duration);

}  // namespace muster
