// Random draws with the same integers on every machine: no libm function takes part, because its last bit
// differs between libraries and would end up in a job.
//
// A normal variate is read from a table of quantiles (micro-units, between the knots linear in the
// probability); powers of two from a table of 64 steps an octave. A lognormal variate with median m and
// deviation s (natural logarithm) is m x 2^(z s / ln 2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"

namespace muster {

/// A standard normal variate in millionths, |z| < 4.91.
std::int64_t draw_normal(Random& random);

/// value x 2^(micro_octaves / 1,000,000), rounded down, at most `most`. 0 <= value <= most < 2^62.
std::int64_t scale_by_octaves(std::int64_t value, std::int64_t micro_octaves, std::int64_t most);

/// Draws an index with the given relative weights.
class Lottery {
 public:
  /// No weight is negative and their sum is positive and below 2^62.
  explicit Lottery(std::span<const std::int64_t> weights);
  std::size_t draw(Random& random) const;

 private:
  std::vector<std::int64_t> sums_;
};

}  // namespace muster
