// What a worker asks for and what a queue is charged: integers throughout.
//
// Units: CPU in millicores, memory in bytes, accelerators in thousandths of a device, device memory in
// MiB, named extended resources in whole units. A cluster names up to kExtended extended resources.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "base/quantity.hpp"

namespace muster {

inline constexpr std::size_t kExtended = 4;
inline constexpr std::size_t kCpu = 0;
inline constexpr std::size_t kMem = 1;
inline constexpr std::size_t kGpu = 2;
inline constexpr std::size_t kFirstExtended = 3;
inline constexpr std::size_t kResources = kFirstExtended + kExtended;
inline constexpr std::int64_t kDevice = 1000;  ///< thousandths in one whole device
inline constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max() / 4;

/// One amount per resource that can be charged: [kCpu] millicores, [kMem] bytes, [kGpu] thousandths.
/// As a limit, kUnlimited means "no limit stated".
struct Amounts {
  std::array<std::int64_t, kResources> of{};

  static Amounts unlimited() {
    Amounts all;
    all.of.fill(kUnlimited);
    return all;
  }

  std::int64_t& operator[](std::size_t r) { return of[r]; }
  std::int64_t operator[](std::size_t r) const { return of[r]; }

  Amounts& operator+=(const Amounts& other) {
    for (std::size_t r = 0; r < kResources; ++r) of[r] = checked_add(of[r], other.of[r]);
    return *this;
  }
  Amounts& operator-=(const Amounts& other) {
    for (std::size_t r = 0; r < kResources; ++r) of[r] = checked_sub(of[r], other.of[r]);
    return *this;
  }
  friend Amounts operator+(Amounts a, const Amounts& b) { return a += b; }
  friend Amounts operator-(Amounts a, const Amounts& b) { return a -= b; }
  friend Amounts operator*(Amounts a, std::int64_t times) {
    for (auto& amount : a.of) amount = checked_mul(amount, times);
    return a;
  }
  friend bool operator==(const Amounts&, const Amounts&) = default;

  [[nodiscard]] bool fits_in(const Amounts& limit) const {
    for (std::size_t r = 0; r < kResources; ++r) {
      if (of[r] > limit.of[r]) return false;
    }
    return true;
  }
  [[nodiscard]] bool is_zero() const { return *this == Amounts{}; }

  static constexpr auto fields = std::make_tuple(&Amounts::of);
};

/// Demand of one worker. Either `gpus` whole devices, or a part of ONE device (`share` thousandths of it
/// and/or `gpu_mem` MiB of its memory). With whole devices `gpu_mem` is the memory each must have.
struct Demand {
  std::int64_t cpu = 0;  ///< millicores
  std::int64_t mem = 0;  ///< bytes
  std::int32_t gpus = 0;
  std::int32_t share = 0;    ///< 1..999 thousandths of one device
  std::int64_t gpu_mem = 0;  ///< MiB
  std::array<std::int64_t, kExtended> extended{};

  [[nodiscard]] bool shares_device() const { return gpus == 0 && (share > 0 || gpu_mem > 0); }
  [[nodiscard]] bool uses_device() const { return gpus > 0 || shares_device(); }

  /// What a queue is charged for one such worker.
  [[nodiscard]] Amounts charge() const {
    Amounts amounts;
    amounts[kCpu] = cpu;
    amounts[kMem] = mem;
    amounts[kGpu] = gpus * kDevice + share;
    for (std::size_t i = 0; i < kExtended; ++i) amounts[kFirstExtended + i] = extended[i];
    return amounts;
  }

  friend auto operator<=>(const Demand&, const Demand&) = default;
  static constexpr auto fields = std::make_tuple(&Demand::cpu, &Demand::mem, &Demand::gpus, &Demand::share,
                                                 &Demand::gpu_mem, &Demand::extended);
};

/// Names of the chargeable resources: "cpu", "mem", "gpu", then the extended ones of this cluster.
class ResourceNames {
 public:
  [[nodiscard]] std::string name(std::size_t resource) const;
  /// Index of `name`, or kResources where it is unknown.
  [[nodiscard]] std::size_t find(std::string_view name) const;
  /// Index of `name`, taking a free extended slot; kResources when all slots are taken.
  std::size_t intern(std::string_view name);

  friend bool operator==(const ResourceNames&, const ResourceNames&) = default;

 private:
  std::vector<std::string> extended_;
};

}  // namespace muster
