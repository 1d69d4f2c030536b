// The job as submitted: what the engine needs to decide, nothing about how long it really runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/resources.hpp"

namespace muster {

/// A required property of a node: `key` is "gpu_type", "node", or a label; any of `values` will do.
struct Selector {
  std::string key;
  std::vector<std::string> values;

  friend auto operator<=>(const Selector&, const Selector&) = default;
  static constexpr auto fields = std::make_tuple(&Selector::key, &Selector::values);
};

/// How many workers: at least `min`, at most `max`; `legal`, if not empty, lists the sizes allowed
/// (ascending, first = min, last = max).
struct Count {
  std::int32_t min = 1;
  std::int32_t max = 1;
  std::vector<std::int32_t> legal;

  friend auto operator<=>(const Count&, const Count&) = default;
  static constexpr auto fields = std::make_tuple(&Count::min, &Count::max, &Count::legal);
};

enum class Locality : std::uint8_t { Preferred, Required };

/// Topology wish: all workers in one domain of `level` (Required), or in as few as possible (Preferred).
struct Near {
  std::string level;
  Locality mode = Locality::Preferred;

  friend auto operator<=>(const Near&, const Near&) = default;
  static constexpr auto fields = std::make_tuple(&Near::level, &Near::mode);
};

struct RoleSpec {
  std::string name;
  Count count;
  Demand each;
  std::vector<Selector> select;  ///< sorted by key
  std::vector<Near> near;        ///< of this role's workers among themselves

  friend auto operator<=>(const RoleSpec&, const RoleSpec&) = default;
  static constexpr auto fields =
      std::make_tuple(&RoleSpec::name, &RoleSpec::count, &RoleSpec::each, &RoleSpec::select, &RoleSpec::near);
};

enum class JobKind : std::uint8_t { Batch, Service };

/// `Always`: stopping loses nothing. `Every`: work since the last whole interval is lost. `None`: all is.
enum class CheckpointMode : std::uint8_t { None, Every, Always };

struct Checkpoint {
  CheckpointMode mode = CheckpointMode::None;
  Duration every{0};

  friend auto operator<=>(const Checkpoint&, const Checkpoint&) = default;
  static constexpr auto fields = std::make_tuple(&Checkpoint::mode, &Checkpoint::every);
};

/// `Avoid`: only if there is no other way. `Never`: no scheduler decision stops it.
enum class Evictable : std::uint8_t { Yes, Avoid, Never };

enum class DependencyWhen : std::uint8_t { Ok, Any };

/// This job may start when every member of `family` has ended (well, for Ok).
struct Dependency {
  std::string family;
  DependencyWhen when = DependencyWhen::Ok;

  friend auto operator<=>(const Dependency&, const Dependency&) = default;
  static constexpr auto fields = std::make_tuple(&Dependency::family, &Dependency::when);
};

/// Which trial of which experiment a job is, and how far this attempt trains it.
struct TrialRef {
  ExperimentId experiment;
  std::int32_t number = 0;  ///< from 1
  std::int32_t rung = 0;    ///< of a halving search; 0 otherwise

  friend auto operator<=>(const TrialRef&, const TrialRef&) = default;
  static constexpr auto fields = std::make_tuple(&TrialRef::experiment, &TrialRef::number, &TrialRef::rung);
};

struct JobSpec {
  std::string name;
  std::string queue = "default";
  std::string user;
  std::int32_t class_rank = 0;  ///< compared first; larger = more important
  std::int32_t priority = 0;    ///< compared next
  JobKind kind = JobKind::Batch;
  std::vector<RoleSpec> roles;
  std::vector<Near> near;  ///< of all workers together
  bool spread = false;     ///< at most one worker per node
  std::int32_t keep = 0;   ///< service replicas that must survive evictions
  std::string group;       ///< jobs of one group start together; empty = none
  std::int32_t group_size = 0;
  std::string family;            ///< name by which dependencies mean this job and its copies
  std::int32_t family_size = 1;  ///< copies in the family
  std::vector<Dependency> after;
  std::optional<Duration> expect;  ///< a guess of the run time; never kills
  std::optional<Duration> limit;   ///< wall-clock per attempt; kills
  std::optional<Instant> not_before;
  std::optional<Instant> deadline;
  Checkpoint checkpoint;
  std::int32_t max_restarts = 0;  ///< for the job's own failures only
  Evictable evictable = Evictable::Yes;
  bool best_effort = false;  ///< runs only inside the co-location allowance
  bool held = false;
  std::vector<std::string> placed;  ///< already runs there, one node name per worker
  std::optional<TrialRef> trial;

  friend auto operator<=>(const JobSpec&, const JobSpec&) = default;
  static constexpr auto fields = std::make_tuple(
      &JobSpec::name, &JobSpec::queue, &JobSpec::user, &JobSpec::class_rank, &JobSpec::priority,
      &JobSpec::kind, &JobSpec::roles, &JobSpec::near, &JobSpec::spread, &JobSpec::keep, &JobSpec::group,
      &JobSpec::group_size, &JobSpec::family, &JobSpec::family_size, &JobSpec::after, &JobSpec::expect,
      &JobSpec::limit, &JobSpec::not_before, &JobSpec::deadline, &JobSpec::checkpoint, &JobSpec::max_restarts,
      &JobSpec::evictable, &JobSpec::best_effort, &JobSpec::held, &JobSpec::placed, &JobSpec::trial);
};

/// Lifecycle of a job. `Running` from the decision that places it; the driver confirms with TaskStarted.
enum class JobState : std::uint8_t {
  Pending,
  Running,
  Held,
  Done,
  Failed,
  TimedOut,
  Cancelled,
  Rejected,
  Stopped  ///< ended on purpose before its work was done: service deleted, experiment over
};

constexpr bool is_over(JobState state) { return state >= JobState::Done; }

}  // namespace muster
