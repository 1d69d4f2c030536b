#include "measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>

namespace muster::bench {
namespace {

double read_clock(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

std::string formatted(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// What follows the mark on the first line of the file that begins with `key`; empty where none does.
std::string field_of(const std::string& path, const std::string& key, char mark) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const auto at = line.find(mark);
    if (at == std::string::npos) return {};
    const auto from = line.find_first_not_of(" \t\"", at + 1);
    const auto to = line.find_last_not_of(" \t\"");
    return from == std::string::npos ? std::string() : line.substr(from, to - from + 1);
  }
  return {};
}

std::string compiler() {
#ifdef __clang__
  return __VERSION__;
#else
  return std::string("g++ ") + __VERSION__;
#endif
}

}  // namespace

double cpu_seconds() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

Stopwatch::Stopwatch() : cpu_(cpu_seconds()), wall_(read_clock(CLOCK_MONOTONIC)) {}

double Stopwatch::seconds() const {
  const double wall = read_clock(CLOCK_MONOTONIC) - wall_;
  return std::min(wall, cpu_seconds() - cpu_);
}

double Samples::quantile(std::size_t parts, std::size_t of) const {
  if (!sorted_) std::sort(values_.begin(), values_.end());
  sorted_ = true;
  const std::size_t rank = (values_.size() * parts + of - 1) / of;
  return values_[rank == 0 ? 0 : rank - 1];
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string per_second(double rate) {
  if (rate < 100) return formatted("%.2f /s", rate);
  return grouped(static_cast<std::uint64_t>(std::llround(rate))) + " /s";
}

std::string duration_text(double seconds) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr std::array<Unit, 4> units{{{1, " s"}, {1e-3, " ms"}, {1e-6, " us"}, {1e-9, " ns"}}};
  for (const Unit& unit : units) {
    const double value = seconds / unit.size;
    if (value < 1 && unit.size > 1e-9) continue;
    return formatted(value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value) + unit.name;
  }
  return "0 ns";
}

std::string tail_text(const Samples& times) {
  return "p99 " + duration_text(times.p99()) + ", most " + duration_text(times.most());
}

std::string range_text(const Samples& times) {
  return duration_text(times.least()) + " to " + duration_text(times.most());
}

std::string mebibytes(std::uint64_t bytes) { return grouped(bytes >> 20) + " MiB"; }

std::uint64_t memory_of_process(const std::string& field) {
  const std::string text = field_of("/proc/self/status", field, ':');
  return text.empty() ? 0 : std::stoull(text) * 1024;
}

std::vector<std::string> machine_lines() {
  std::string load;
  std::getline(std::ifstream("/proc/loadavg"), load);
  const std::string memory = field_of("/proc/meminfo", "MemTotal", ':');
  const auto gib = memory.empty() ? 0 : (std::stoull(memory) + (1 << 19)) >> 20;
  std::istringstream words(load);
  double busy = 0;
  words >> busy;
  return {
      "machine: " + field_of("/proc/cpuinfo", "model name", ':') + ", " +
          std::to_string(std::thread::hardware_concurrency()) + " cores, " + std::to_string(gib) + " GiB, " +
          field_of("/etc/os-release", "PRETTY_NAME", '='),
      "build: " + compiler() + ", " + MUSTER_BUILD_TYPE,
      "load average before: " + formatted("%.2f", busy) +
          (busy > 0.3 ? " (above 0.3: other work ran beside this; caches and clocks were shared)" : ""),
  };
}

}  // namespace muster::bench
