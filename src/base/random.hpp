// Our own generator and distributions: the standard ones differ between library versions. One stream per
// named purpose; equal seeds give equal draws on every machine. Integer results only reach decisions.
#pragma once

#include <cstdint>
#include <string_view>

namespace muster {

/// xoshiro256** 1.0 seeded by splitmix64 (Blackman and Vigna, "Scrambled Linear Pseudorandom Number
/// Generators", ACM TOMS 2021).
class Random {
 public:
  explicit Random(std::uint64_t seed);
  /// An independent stream for one purpose, e.g. Random(seed, "arrivals").
  Random(std::uint64_t seed, std::string_view purpose);

  std::uint64_t next();
  /// Uniform in [0, bound); bound > 0. Unbiased (Lemire's multiply-and-reject).
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [low, high], both included.
  std::int64_t between(std::int64_t low, std::int64_t high);
  /// True with probability parts / of.
  bool chance(std::uint64_t parts, std::uint64_t of);
  /// Uniform in [0, 1) with 53 bits: for generators of workloads, never for decisions.
  double unit();

 private:
  std::uint64_t state_[4];
};

}  // namespace muster
