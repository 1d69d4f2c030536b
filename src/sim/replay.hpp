// Plays a workload on a cluster: the same engine, driver and physics as everywhere, arrivals as a sorted
// stream, virtual time. The caller turns the crank, so that a program can draw progress between two calls
// while this room stays pure.
//
//   Replay replay(cluster, workload, knobs);
//   while (replay.advance_until(replay.now() + step).value()) draw(replay);
//
// What a job of a trace means: it runs for its `run`, wherever it is, and then ends as the trace saw it end
// (well, with a failure, or cancelled by its user). A job whose run the trace does not know holds its seats
// until its limit, or for ever. Limits kill. A job's workers start together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drive/driver.hpp"
#include "sim/meter.hpp"
#include "sim/physics.hpp"
#include "trace/workload.hpp"
#include "wire/cluster.hpp"

namespace muster {

enum class KeepLog : std::uint8_t { No, Yes };

/// What a policy is told about how long a job will run. `Exact` is the oracle that SRTF and its kin assume.
enum class Estimates : std::uint8_t { None, Limit, Exact };

struct ReplayOptions {
  Estimates estimates = Estimates::Exact;
  /// Traces do not say when jobs save their work; all are taken to do so alike.
  Checkpoint checkpoint{.mode = CheckpointMode::Every, .every = seconds(1800)};
  KeepLog keep_log = KeepLog::No;
};

/// The journal of a replay: digest and counts always, bytes when asked.
class ReplayLog {
 public:
  ReplayLog() = default;
  explicit ReplayLog(KeepLog keep) : keep_(keep) {}

  Result<void> append(std::span<const Record> records);
  [[nodiscard]] Result<std::vector<Record>> read() const { return decode_log(bytes_); }

  [[nodiscard]] std::string digest() const { return digest_.hex(); }
  [[nodiscard]] std::uint64_t records() const { return records_; }
  [[nodiscard]] std::uint64_t decisions() const { return decisions_; }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  KeepLog keep_ = KeepLog::No;
  LogDigest digest_;
  std::uint64_t records_ = 0;
  std::uint64_t decisions_ = 0;
  std::vector<std::uint8_t> bytes_;
};

/// A trace's job as a submission.
JobSpec job_spec(const TraceJob& job, const ReplayOptions& options);

class Replay {
 public:
  /// `workload` must outlive the replay.
  Replay(const Cluster& cluster, const Workload& workload, const Knobs& knobs,
         const ReplayOptions& options = {});
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  /// Plays the next instant at which anything happens. False when nothing is left to happen.
  Result<bool> step();
  /// Plays every instant up to `until`. False when nothing is left to happen.
  Result<bool> advance_until(Instant until);

  [[nodiscard]] Instant now() const { return now_; }
  /// The next instant at which something happens.
  [[nodiscard]] std::optional<Instant> next() const { return next_; }
  [[nodiscard]] const State& state() const { return driver_.engine().state(); }
  [[nodiscard]] const Workload& workload() const { return workload_; }
  [[nodiscard]] const Engine& engine() const { return driver_.engine(); }
  [[nodiscard]] const Meter& meter() const { return world_.meter; }
  [[nodiscard]] const ReplayLog& log() const { return driver_.journal(); }
  /// Jobs that came to an end, of all in the workload.
  [[nodiscard]] std::size_t ended() const { return world_.meter.ended(); }

 private:
  struct World {
    const Workload& workload;
    sim::Physics physics;
    Meter meter;
    std::vector<Event> act(const State& state, const Step& step, Instant now);
  };

  void post_due();
  void post_arrivals();
  [[nodiscard]] std::optional<Instant> next_instant() const;

  const Workload& workload_;
  ReplayOptions options_;
  World world_;
  Driver<World, ReplayLog> driver_;
  std::size_t arrived_ = 0;
  std::size_t quiet_ = 0;  ///< wake-ups in a row that changed nothing, with nothing else to come
  Instant now_{};
  std::optional<Instant> next_ = Instant{};
};

/// Submit times divided by factor_milli / 1000: the same jobs under more load.
void compress(Workload& workload, std::int64_t factor_milli);

/// Queues that jobs name and the cluster lacks become queues without guarantee or limit; their names.
std::vector<std::string> add_missing_queues(Cluster& cluster, const Workload& workload);

/// A cluster of the nodes that a trace brought with it.
Cluster cluster_of(const Workload& workload, const std::string& name);

}  // namespace muster
