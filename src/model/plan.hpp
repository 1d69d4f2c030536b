// What the engine tells its driver to do, as data.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/why.hpp"

namespace muster {

/// Set of devices of one node.
struct DeviceSet {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  [[nodiscard]] int size() const { return std::popcount(low) + std::popcount(high); }
  [[nodiscard]] bool empty() const { return (low | high) == 0; }
  [[nodiscard]] bool has(std::size_t i) const { return ((i < 64 ? low >> i : high >> (i - 64)) & 1U) != 0; }
  void insert(std::size_t i) { (i < 64 ? low : high) |= std::uint64_t{1} << (i % 64); }
  void erase(std::size_t i) { (i < 64 ? low : high) &= ~(std::uint64_t{1} << (i % 64)); }
  /// Smallest member; REQUIRES: not empty.
  [[nodiscard]] std::size_t first() const {
    return static_cast<std::size_t>(low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high));
  }

  friend DeviceSet operator&(DeviceSet a, DeviceSet b) { return {a.low & b.low, a.high & b.high}; }
  friend DeviceSet operator|(DeviceSet a, DeviceSet b) { return {a.low | b.low, a.high | b.high}; }
  friend DeviceSet operator-(DeviceSet a, DeviceSet b) { return {a.low & ~b.low, a.high & ~b.high}; }
  friend auto operator<=>(const DeviceSet&, const DeviceSet&) = default;
  static constexpr auto fields = std::make_tuple(&DeviceSet::low, &DeviceSet::high);
};

/// One worker's place: node, worker index (also its rank order), role, and the devices it gets. A sharing
/// worker has one device in the set and holds the part its role demands.
struct Seat {
  NodeId node;
  std::uint32_t worker = 0;
  std::uint16_t role = 0;
  DeviceSet devices;

  friend auto operator<=>(const Seat&, const Seat&) = default;
  static constexpr auto fields = std::make_tuple(&Seat::node, &Seat::worker, &Seat::role, &Seat::devices);
};

/// Seats in rank order: workers that talk most sit next to each other in the topology.
using Placement = std::vector<Seat>;

enum class StopCause : std::uint8_t {
  Preempted,      ///< made room for a more important or better entitled job
  NodeLost,       ///< node down, evacuated, or unreachable for too long
  OverAllowance,  ///< best-effort work beyond the co-location allowance
  TimeLimit,
  Failed,        ///< own failure
  LaunchFailed,  ///< could not be launched, through no fault of its own
  Cancelled,
  Held,
  Removed,  ///< service deleted
  ExperimentOver,
  StoppedEarly  ///< the search ended this trial; it counts as done
};

/// Evictions are whole-job stops that nobody asked for.
constexpr bool is_eviction(StopCause cause) { return cause <= StopCause::OverAllowance; }

struct Start {
  JobId job;
  std::uint32_t attempt = 0;  ///< from 1
  Placement seats;
  friend bool operator==(const Start&, const Start&) = default;
  static constexpr auto fields = std::make_tuple(&Start::job, &Start::attempt, &Start::seats);
};

/// End the running attempt; the job waits again or is over, as the cause says.
struct Stop {
  JobId job;
  std::uint32_t attempt = 0;
  StopCause cause = StopCause::Preempted;
  friend bool operator==(const Stop&, const Stop&) = default;
  static constexpr auto fields = std::make_tuple(&Stop::job, &Stop::attempt, &Stop::cause);
};

/// Add workers to a running job.
struct Grow {
  JobId job;
  Placement seats;
  friend bool operator==(const Grow&, const Grow&) = default;
  static constexpr auto fields = std::make_tuple(&Grow::job, &Grow::seats);
};

/// Take these workers away from a running job, which goes on.
struct Shrink {
  JobId job;
  std::vector<std::uint32_t> workers;  ///< worker indices, ascending
  StopCause cause = StopCause::Preempted;
  friend bool operator==(const Shrink&, const Shrink&) = default;
  static constexpr auto fields = std::make_tuple(&Shrink::job, &Shrink::workers, &Shrink::cause);
};

/// Keep this capacity for a job whose victims are still leaving.
struct Reserve {
  JobId job;
  Placement seats;
  friend bool operator==(const Reserve&, const Reserve&) = default;
  static constexpr auto fields = std::make_tuple(&Reserve::job, &Reserve::seats);
};

struct Unreserve {
  JobId job;
  friend bool operator==(const Unreserve&, const Unreserve&) = default;
  static constexpr auto fields = std::make_tuple(&Unreserve::job);
};

/// The job waits; recorded when its first blocker changes.
struct Hold {
  JobId job;
  friend bool operator==(const Hold&, const Hold&) = default;
  static constexpr auto fields = std::make_tuple(&Hold::job);
};

using Action = std::variant<Start, Stop, Grow, Shrink, Reserve, Unreserve, Hold>;

struct Decision {
  Action what;
  Why why;
  friend bool operator==(const Decision&, const Decision&) = default;
  static constexpr auto fields = std::make_tuple(&Decision::what, &Decision::why);
};

struct Plan {
  std::vector<Decision> decisions;
  std::optional<Instant> wake_at;  ///< call advance then, even without news
};

}  // namespace muster
