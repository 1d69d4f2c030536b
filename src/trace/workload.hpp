// What every trace reader and the generator give: jobs with what was seen of them, perhaps an inventory,
// and an account of the rows that adds up (rows = kept + all drops).
//
// A value that the file leaves out stays absent: a blank is never 0. What a reader had to guess is flagged
// with the first place where it did, so that a report on a replay can say what it stands on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "model/job.hpp"
#include "model/node.hpp"

namespace muster {

struct TraceJob {
  std::string name;
  std::string user;
  std::string group;
  std::string queue;
  std::string model;  ///< name of the trained model, where the trace has one
  std::string qos;    ///< service class in the trace's own words
  Instant submit{};
  std::optional<Duration> run;        ///< as seen; absent = the file does not say
  std::optional<Duration> limit;      ///< asked by the user
  std::optional<Duration> wait_seen;  ///< in the cluster of the trace
  Demand each;
  std::int32_t workers = 1;
  std::vector<Selector> select;
  std::int32_t priority = 0;
  std::int32_t class_rank = 0;
  std::int32_t attempts_seen = 1;
  std::optional<JobState> outcome_seen;
  bool censored = false;  ///< was still running when the trace ends: `run` is a lower bound
  int line = 0;           ///< where it stands in the file; 0 = generated

  /// Thousandths of a device, all workers together.
  [[nodiscard]] std::int64_t gpu_milli() const { return workers * (each.gpus * kDevice + each.share); }

  friend bool operator==(const TraceJob&, const TraceJob&) = default;
};

/// Rows (or guesses) of one kind: how many and where the first one stands.
struct Finding {
  std::string cause;
  std::int64_t count = 0;
  int first_line = 0;
  int first_column = 0;
  std::string example;  ///< offending value of the first one

  friend bool operator==(const Finding&, const Finding&) = default;
};

struct Report {
  std::int64_t rows = 0;
  std::int64_t kept = 0;
  std::vector<Finding> drops;  ///< by cause, in order of first sight
  std::vector<Finding> flags;  ///< kept, but something was odd or assumed

  [[nodiscard]] std::int64_t dropped() const;
  /// Count under that cause, 0 where there is none.
  [[nodiscard]] std::int64_t drops_of(std::string_view cause) const;
  [[nodiscard]] std::int64_t flags_of(std::string_view cause) const;
};

struct Workload {
  std::vector<TraceJob> jobs;   ///< by submit time, then order in the file
  std::vector<NodeSpec> nodes;  ///< where the trace carries or implies an inventory
  std::vector<std::pair<std::string, std::string>> header;  ///< comment lines "key: value" of the file
  Report report;
};

/// `Strict`: the first bad row is an Error. `Lenient`: it is dropped and counted.
enum class Strictness : std::uint8_t { Lenient, Strict };
enum class Origin : std::uint8_t { FirstSubmitIsZero, Keep };
enum class UnknownRun : std::uint8_t { Keep, Drop };
/// Whether columns such as qos or priority fill class_rank and priority.
enum class TraceRanks : std::uint8_t { Ignore, Read };

struct ReadOptions {
  Strictness strictness = Strictness::Lenient;
  Origin origin = Origin::FirstSubmitIsZero;
  UnknownRun unknown_run = UnknownRun::Keep;
  TraceRanks importance = TraceRanks::Ignore;
  Duration shift{0};  ///< added to every time stamp; traces in local time stay local unless asked
  std::int32_t gpus_per_node = 8;  ///< larger jobs are cut into equal workers of at most this many GPUs
  std::int32_t cpus_per_node = 1;  ///< the same for logs that count processors
};

/// Several lines for people: totals, then one line a cause.
std::string to_string(const Report& report);

}  // namespace muster
