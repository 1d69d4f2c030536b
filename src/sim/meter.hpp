// What a report needs and the state does not keep: integrals over time, and what happened to each job's
// attempts. Fed with the records of each step; costs what the step touched, never a scan of the cluster.
//
// Every integral is of a quantity that is constant between two instants, so it is exact up to rounding.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/state.hpp"
#include "engine/engine.hpp"

namespace muster {

/// Accelerators in thousandths, CPUs in millicores, all times milliseconds.
struct Integrals {
  double span = 0;  ///< milliseconds
  double gpu_used = 0;
  double cpu_used = 0;
  double gpu_free = 0;
  std::vector<double> gpu_whole;  ///< free in domains that are entirely free; by level, the node last
  double contending = 0;          ///< jobs submitted, not over, and able to run some day
};

/// What happened to one job, beyond its entry in the state.
struct JobMeter {
  std::optional<Instant> first_start;
  Duration held{0};             ///< time with seats, of all attempts
  std::int64_t milli_gpus = 0;  ///< of its seats, when it last started
  std::int32_t evictions = 0;
  std::int64_t lost = 0;    ///< GPU-milliseconds of work that evictions threw away
  double contention = 0;    ///< mean number of contending jobs while it was there; set when it ends
  bool never_fits = false;  ///< waits with that reason
};

class Meter {
 public:
  /// Integrals up to `loaded_until` are kept apart.
  explicit Meter(Instant loaded_until) : loaded_until_(loaded_until) {}

  /// The records of a step, after they were applied.
  void watch(const State& state, const Step& step, Instant now);

  [[nodiscard]] const JobMeter& job(JobId id) const { return tracks_[id.index()].out; }
  [[nodiscard]] const Integrals& loaded() const { return loaded_; }
  /// Up to the last record: looking again without news is no part of the run.
  [[nodiscard]] const Integrals& whole() const { return whole_run_; }
  /// Of nodes that are up: thousandths, millicores. No value where a node does not state its CPUs.
  [[nodiscard]] std::int64_t gpu_capacity() const { return gpu_capacity_; }
  [[nodiscard]] std::optional<std::int64_t> cpu_capacity() const { return cpu_capacity_; }
  [[nodiscard]] std::size_t ended() const { return ended_; }
  /// End of the last job that came to its end.
  [[nodiscard]] Instant last_end() const { return last_end_; }

 private:
  struct Track {
    JobMeter out;
    std::uint32_t attempt = 0;  ///< that holds seats; 0 = none
    Instant started{};
    Duration kept{0};
    Placement seats;
    double contending_before = 0;
    bool over = false;
  };
  struct DomainMeter {
    std::int64_t gpus = 0;  ///< thousandths, healthy, on nodes that are up
    std::int64_t idle = 0;
  };

  void settle(Instant now);
  void lay_out(const State& state);
  void watch_record(const State& state, const Record& record);
  void start(const State& state, const Start& what, Instant at);
  void leave(const State& state, JobId id, std::uint32_t attempt, Instant at, std::optional<StopCause> cause);
  void end_if_over(const State& state, JobId id, Instant at);
  void touch(const State& state, NodeId node);
  void set_idle(std::size_t level, std::size_t domain, std::int64_t idle);

  Instant loaded_until_;
  Instant at_{};
  Integrals sum_;
  Integrals loaded_;
  Integrals whole_run_;
  std::vector<Track> tracks_;
  std::vector<std::vector<DomainMeter>> domains_;    ///< by level, the node last
  std::vector<std::vector<std::size_t>> domain_of_;  ///< by node, then level: index into domains_[level]
  std::vector<std::int64_t> free_of_;                ///< by node, thousandths
  std::vector<std::int64_t> whole_;                  ///< by level: idle in entirely free domains
  std::int64_t gpu_free_ = 0;
  std::int64_t gpu_used_ = 0;
  std::int64_t cpu_used_ = 0;
  std::int64_t gpu_capacity_ = 0;
  std::optional<std::int64_t> cpu_capacity_ = 0;
  std::int64_t contending_ = 0;
  std::size_t ended_ = 0;
  Instant last_end_{};
};

}  // namespace muster
