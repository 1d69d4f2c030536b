// Clocks, order statistics, and how figures are written. All times are CPU time of this process: other work
// on the machine lengthens it a little, through caches and clock rate, and not as it lengthens wall time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace muster::bench {

double cpu_seconds();

/// Times one short thing. Reading the CPU clock is a system call that can cost as much as a decision, and
/// wall time contains whatever else was run in between. Both are upper bounds of the CPU time, the first
/// with the reading inside and the second without: the smaller one counts.
class Stopwatch {
 public:
  Stopwatch();
  [[nodiscard]] double seconds() const;

 private:
  double cpu_;
  double wall_;
};

class Samples {
 public:
  void add(double value) {
    values_.push_back(value);
    sorted_ = false;
  }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  /// The value that `parts` of `of` values do not exceed. REQUIRES: not empty.
  [[nodiscard]] double quantile(std::size_t parts, std::size_t of) const;
  [[nodiscard]] double median() const { return quantile(1, 2); }
  [[nodiscard]] double p99() const { return quantile(99, 100); }
  [[nodiscard]] double least() const { return quantile(0, 1); }
  [[nodiscard]] double most() const { return quantile(1, 1); }

 private:
  mutable std::vector<double> values_;
  mutable bool sorted_ = false;
};

/// "1,234,567".
std::string grouped(std::uint64_t value);
/// "12,345 /s".
std::string per_second(double rate);
/// "950 ns", "12.3 us", "4.56 ms", "7.89 s": three digits.
std::string duration_text(double seconds);
/// Of durations: "p99 94.3 us, most 117 us".
std::string tail_text(const Samples& times);
/// Of durations: "63.9 ms to 77.0 ms".
std::string range_text(const Samples& times);
/// "812 MiB".
std::string mebibytes(std::uint64_t bytes);

/// A field of /proc/self/status that counts kB, in bytes; 0 where there is none.
std::uint64_t memory_of_process(const std::string& field);

/// Machine, compiler, build and load, one line each.
std::vector<std::string> machine_lines();

}  // namespace muster::bench
