#include "cli/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/text.hpp"
#include "wire/units.hpp"

namespace muster::cli {
namespace {

constexpr std::int64_t kDay = 86'400;

/// "0-3,6": the members of the set in short.
std::string device_text(const DeviceSet& devices) {
  std::string out;
  for (std::size_t i = 0; i < kMaxDevices; ++i) {
    if (!devices.has(i) || (i > 0 && devices.has(i - 1))) continue;
    std::size_t last = i;
    while (last + 1 < kMaxDevices && devices.has(last + 1)) ++last;
    if (!out.empty()) out += ",";
    out += std::to_string(i);
    if (last > i) out += "-" + std::to_string(last);
  }
  return out;
}

/// The narrowest level of which one domain holds all nodes; empty where none does.
std::string common_level(const State& state, const std::vector<NodeId>& nodes) {
  const Topology& topology = state.ledger.topology();
  for (std::uint32_t level = topology.depth(); level > 0; --level) {
    const auto same = [&](NodeId node) {
      return topology.domain_of(node, level - 1) == topology.domain_of(nodes.front(), level - 1);
    };
    if (std::all_of(nodes.begin(), nodes.end(), same)) return topology.levels()[level - 1];
  }
  return "";
}

/// "2d04:07:30" or "04:07".
std::optional<Instant> parse_clock(std::string_view text) {
  constexpr std::int64_t most_days = 100'000;
  std::int64_t total = 0;
  if (const auto d = text.find('d'); d != std::string_view::npos) {
    const auto days = parse_int(text.substr(0, d));
    if (!days || *days < 0 || *days > most_days) return std::nullopt;
    total = *days * kDay;
    text.remove_prefix(d + 1);
  }
  const auto parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  std::int64_t unit = 3600;
  for (const std::string_view part : parts) {
    const auto value = parse_int(part);
    if (part.size() != 2 || !value || *value < 0 || *value > (unit == 3600 ? 23 : 59)) return std::nullopt;
    total += *value * unit;
    unit /= 60;
  }
  return at_seconds(total);
}

struct Numbered {
  std::string stem;
  std::string digits;
};

/// "r1-n03" as "r1-n" and "03".
Numbered numbered(const std::string& name) {
  std::size_t at = name.size();
  while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9') --at;
  return {.stem = name.substr(0, at), .digits = name.substr(at)};
}

}  // namespace

std::string_view word_of(JobState state) {
  switch (state) {
    case JobState::Pending: return "pending";
    case JobState::Running: return "running";
    case JobState::Held: return "held";
    case JobState::Done: return "done";
    case JobState::Failed: return "failed";
    case JobState::TimedOut: return "timed-out";
    case JobState::Cancelled: return "cancelled";
    case JobState::Rejected: return "refused";
    case JobState::Stopped: return "stopped";
  }
  return "?";
}

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(std::abs(number));
  for (auto at = static_cast<std::int64_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return number < 0 ? "-" + digits : digits;
}

std::string fixed(double number, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, number);
  return text.data();
}

std::string percent(std::optional<double> part) { return part ? fixed(*part * 100, 1) + "%" : "-"; }

std::string span_text(double seconds) {
  if (seconds <= 0) return "0s";
  if (seconds < 9.95) return fixed(seconds, 1) + "s";
  return format_duration(Duration{std::llround(seconds * 1000)});
}

std::string clock_text(Instant at) {
  const std::int64_t total = millis(at) / 1000;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%lldd%02lld:%02lld:%02lld", static_cast<long long>(total / kDay),
                static_cast<long long>(total % kDay / 3600), static_cast<long long>(total % 3600 / 60),
                static_cast<long long>(total % 60));
  return text.data();
}

Result<Instant> parse_instant(const std::string& text, const std::string& flag) {
  const auto since_start = parse_duration(text);
  if (since_start) return Instant{*since_start};
  if (const auto clock = parse_clock(text)) return *clock;
  return fail({.where = {},
               .field = flag,
               .message = "want a time since the start of the run; got \"" + text + "\"",
               .hint = "for example 2h05m, 0d02:05:00 or 7500 (seconds)"});
}

std::string fold_names(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string out;
  for (std::size_t i = 0; i < names.size();) {
    const Numbered first = numbered(names[i]);
    std::string ranges;
    std::size_t members = 0;
    while (i < names.size() && !first.digits.empty() && numbered(names[i]).stem == first.stem) {
      const std::string from = numbered(names[i]).digits;
      std::string to = from;
      auto number = parse_int(from);
      for (++i, ++members; i < names.size() && number; ++i, ++members) {
        const Numbered next = numbered(names[i]);
        const auto value = parse_int(next.digits);
        if (next.stem != first.stem || !value || *value != *number + 1 || next.digits.size() != to.size())
          break;
        to = next.digits;
        number = value;
      }
      ranges += (ranges.empty() ? "" : ",") + from + (to == from ? "" : "-" + to);
    }
    if (!out.empty()) out += ", ";
    if (members == 0) {
      out += names[i++];
    } else {
      out += first.stem + (members == 1 ? ranges : "[" + ranges + "]");
    }
  }
  return out;
}

std::string where_text(const State& state, const Placement& seats) {
  if (seats.empty()) return "-";
  std::vector<NodeId> nodes;
  std::vector<std::string> names;
  DeviceSet devices;
  for (const Seat& seat : seats) {
    nodes.push_back(seat.node);
    names.push_back(state.ledger.node(seat.node).spec.name);
    devices = devices | seat.devices;
  }
  const bool one =
      std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) { return node == nodes.front(); });
  if (one) return names.front() + (devices.empty() ? "" : " gpu " + device_text(devices));
  const std::string level = common_level(state, nodes);
  const std::string folded = fold_names(std::move(names));
  const auto& levels = state.ledger.topology().levels();
  if (level.empty()) return levels.empty() ? folded : folded + ", across " + levels.front() + "s";
  return folded + ", one " + level;
}

}  // namespace muster::cli
