#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "base/digest.hpp"

namespace muster {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

template <class Text>
std::optional<std::string> nearest_of(std::string_view word, std::span<const Text> candidates) {
  const std::size_t tolerance = std::max<std::size_t>(1, word.size() / 3);
  std::optional<std::string> best;
  std::size_t best_distance = tolerance + 1;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = std::string(candidate);
    }
  }
  return best;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<std::int64_t> parse_int(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_scaled(std::string_view text, std::int64_t scale) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const auto dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  const std::string_view fraction = dot == std::string_view::npos ? "" : text.substr(dot + 1);
  if (whole.empty() || !std::all_of(whole.begin(), whole.end(), is_digit)) return std::nullopt;
  if (dot != std::string_view::npos && fraction.empty()) return std::nullopt;
  if (!std::all_of(fraction.begin(), fraction.end(), is_digit)) return std::nullopt;
  const auto units = parse_int(whole);
  std::int64_t total = 0;
  if (!units || __builtin_mul_overflow(*units, scale, &total)) return std::nullopt;
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  for (const char digit : fraction) {
    if (denominator > 100'000'000'000'000) {
      if (digit != '0') return std::nullopt;
      continue;
    }
    numerator = numerator * 10 + (digit - '0');
    denominator *= 10;
  }
  const auto part = static_cast<__int128>(numerator) * scale;
  if (part % denominator != 0) return std::nullopt;
  if (__builtin_add_overflow(total, static_cast<std::int64_t>(part / denominator), &total)) {
    return std::nullopt;
  }
  return negative ? -total : total;
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string_view> candidates) {
  return nearest_of(word, candidates);
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  return nearest_of(word, candidates);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string_view trim(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const auto& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

std::string format_milli(std::int64_t thousandths) {
  const std::int64_t magnitude = std::abs(thousandths);
  std::string out = (thousandths < 0 ? "-" : "") + std::to_string(magnitude / 1000);
  if (magnitude % 1000 == 0) return out;
  std::array<char, 8> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%03d", static_cast<int>(magnitude % 1000));
  out += fraction.data();
  while (out.back() == '0') out.pop_back();
  return out;
}

std::string format_duration(Duration duration) {
  if (duration >= kForever) return "never";
  const std::int64_t total = (millis(duration) + 500) / 1000;
  std::array<char, 48> text{};
  if (total < 60) {
    std::snprintf(text.data(), text.size(), "%llds", static_cast<long long>(total));
  } else if (total < 3600) {
    std::snprintf(text.data(), text.size(), "%lldm%02llds", static_cast<long long>(total / 60),
                  static_cast<long long>(total % 60));
  } else if (total < 86400) {
    std::snprintf(text.data(), text.size(), "%lldh%02lldm", static_cast<long long>(total / 3600),
                  static_cast<long long>(total % 3600 / 60));
  } else {
    std::snprintf(text.data(), text.size(), "%lldd%02lldh", static_cast<long long>(total / 86400),
                  static_cast<long long>(total % 86400 / 3600));
  }
  return text.data();
}

std::string Digest::hex() const {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(value()));
  return text.data();
}

}  // namespace muster
