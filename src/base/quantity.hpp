// Integer quantities with a unit and checked arithmetic: adding millicores to bytes does not compile,
// and an overflow is a bug that stops the program rather than a wrong decision.
#pragma once

#include <compare>
#include <cstdint>

#include "base/check.hpp"

namespace muster {

constexpr std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  const bool overflow = __builtin_add_overflow(a, b, &sum);
  CHECK(!overflow);
  return sum;
}

constexpr std::int64_t checked_sub(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  const bool overflow = __builtin_sub_overflow(a, b, &difference);
  CHECK(!overflow);
  return difference;
}

constexpr std::int64_t checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  const bool overflow = __builtin_mul_overflow(a, b, &product);
  CHECK(!overflow);
  return product;
}

template <class Unit>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(std::int64_t value) : value_(value) {}

  [[nodiscard]] constexpr std::int64_t count() const { return value_; }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity{checked_add(a.value_, b.value_)};
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity{checked_sub(a.value_, b.value_)};
  }
  friend constexpr Quantity operator*(Quantity a, std::int64_t times) {
    return Quantity{checked_mul(a.value_, times)};
  }
  constexpr Quantity& operator+=(Quantity other) { return *this = *this + other; }
  constexpr Quantity& operator-=(Quantity other) { return *this = *this - other; }

 private:
  std::int64_t value_ = 0;
};

using Millicores = Quantity<struct MillicoreUnit>;  ///< thousandths of one CPU
using Bytes = Quantity<struct ByteUnit>;
using Mebibytes = Quantity<struct MebibyteUnit>;  ///< device memory
using MilliGpus = Quantity<struct MilliGpuUnit>;  ///< thousandths of one accelerator

}  // namespace muster
