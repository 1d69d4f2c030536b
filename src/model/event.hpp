// Everything that happened, as one sum type; the engine's own decisions are events too. The state is a
// fold of these (core/apply.hpp) and nothing else changes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "base/box.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/experiment.hpp"
#include "model/job.hpp"
#include "model/node.hpp"
#include "model/plan.hpp"
#include "model/queue.hpp"

namespace muster {

/// Names of the topology levels, outermost first; `node` is implied innermost. Before any node joins.
struct LevelsSet {
  std::vector<std::string> levels;
  std::vector<std::string> extended;  ///< names of the extended resources in use
  Duration cleanup{0};                ///< how long a stopped attempt keeps its capacity
  friend bool operator==(const LevelsSet&, const LevelsSet&) = default;
  static constexpr auto fields =
      std::make_tuple(&LevelsSet::levels, &LevelsSet::extended, &LevelsSet::cleanup);
};

struct NodeJoined {
  Box<NodeSpec> spec;  ///< gets the next NodeId
  NodeState state = NodeState::Up;
  friend bool operator==(const NodeJoined&, const NodeJoined&) = default;
  static constexpr auto fields = std::make_tuple(&NodeJoined::spec, &NodeJoined::state);
};

struct NodeChanged {
  NodeId node;
  NodeState state = NodeState::Up;
  friend bool operator==(const NodeChanged&, const NodeChanged&) = default;
  static constexpr auto fields = std::make_tuple(&NodeChanged::node, &NodeChanged::state);
};

/// All work on the node is to be replaced: it went down, is evacuated, or was unreachable too long.
struct NodeLost {
  NodeId node;
  friend bool operator==(const NodeLost&, const NodeLost&) = default;
  static constexpr auto fields = std::make_tuple(&NodeLost::node);
};

struct QueueSet {
  Box<QueueSpec> spec;  ///< a new name gets the next QueueId
  friend bool operator==(const QueueSet&, const QueueSet&) = default;
  static constexpr auto fields = std::make_tuple(&QueueSet::spec);
};

struct UserSet {
  Box<UserSpec> spec;
  friend bool operator==(const UserSet&, const UserSet&) = default;
  static constexpr auto fields = std::make_tuple(&UserSet::spec);
};

struct JobSubmitted {
  Box<JobSpec> spec;  ///< gets the next JobId
  friend bool operator==(const JobSubmitted&, const JobSubmitted&) = default;
  static constexpr auto fields = std::make_tuple(&JobSubmitted::spec);
};

/// A user ends the job: Cancelled, Removed (service), StoppedEarly (trial; counts as done).
struct JobCancelled {
  JobId job;
  StopCause cause = StopCause::Cancelled;
  friend bool operator==(const JobCancelled&, const JobCancelled&) = default;
  static constexpr auto fields = std::make_tuple(&JobCancelled::job, &JobCancelled::cause);
};

struct JobHeld {
  JobId job;
  friend bool operator==(const JobHeld&, const JobHeld&) = default;
  static constexpr auto fields = std::make_tuple(&JobHeld::job);
};

struct JobReleased {
  JobId job;
  friend bool operator==(const JobReleased&, const JobReleased&) = default;
  static constexpr auto fields = std::make_tuple(&JobReleased::job);
};

/// New cap on how many workers run at once (a service: its replicas).
struct JobResized {
  JobId job;
  std::int32_t workers = 0;
  friend bool operator==(const JobResized&, const JobResized&) = default;
  static constexpr auto fields = std::make_tuple(&JobResized::job, &JobResized::workers);
};

/// The driver saw the attempt's processes come up.
struct TaskStarted {
  JobId job;
  std::uint32_t attempt = 0;
  friend bool operator==(const TaskStarted&, const TaskStarted&) = default;
  static constexpr auto fields = std::make_tuple(&TaskStarted::job, &TaskStarted::attempt);
};

/// The launch failed through no fault of the job: its seats are free again and it waits.
struct StartFailed {
  JobId job;
  std::uint32_t attempt = 0;
  friend bool operator==(const StartFailed&, const StartFailed&) = default;
  static constexpr auto fields = std::make_tuple(&StartFailed::job, &StartFailed::attempt);
};

/// Workers of the attempt exited by themselves. Code 0: those workers have finished their part. Another
/// code: the job's own failure. No workers named = all of them.
struct TaskExited {
  JobId job;
  std::uint32_t attempt = 0;
  std::vector<std::uint32_t> workers;
  std::int32_t code = 0;
  friend bool operator==(const TaskExited&, const TaskExited&) = default;
  static constexpr auto fields =
      std::make_tuple(&TaskExited::job, &TaskExited::attempt, &TaskExited::workers, &TaskExited::code);
};

/// A checkpoint was completed: work up to now survives a stop.
struct Checkpointed {
  JobId job;
  friend bool operator==(const Checkpointed&, const Checkpointed&) = default;
  static constexpr auto fields = std::make_tuple(&Checkpointed::job);
};

/// Measured use of a service, all replicas together, in millicores.
struct Observed {
  JobId job;
  std::int64_t cpu = 0;
  friend bool operator==(const Observed&, const Observed&) = default;
  static constexpr auto fields = std::make_tuple(&Observed::job, &Observed::cpu);
};

struct ExperimentSubmitted {
  Box<ExperimentSpec> spec;  ///< gets the next ExperimentId
  friend bool operator==(const ExperimentSubmitted&, const ExperimentSubmitted&) = default;
  static constexpr auto fields = std::make_tuple(&ExperimentSubmitted::spec);
};

/// A trial's result, in millionths; larger is better. Comes before the exit of its job.
struct TrialScored {
  JobId job;
  std::int64_t score = 0;
  friend bool operator==(const TrialScored&, const TrialScored&) = default;
  static constexpr auto fields = std::make_tuple(&TrialScored::job, &TrialScored::score);
};

/// No trial is left to run, or too many failed.
struct ExperimentEnded {
  ExperimentId experiment;
  JobState outcome = JobState::Done;  ///< Done or Failed
  friend bool operator==(const ExperimentEnded&, const ExperimentEnded&) = default;
  static constexpr auto fields = std::make_tuple(&ExperimentEnded::experiment, &ExperimentEnded::outcome);
};

/// A decision of the engine.
struct Decided {
  Decision decision;
  friend bool operator==(const Decided&, const Decided&) = default;
  static constexpr auto fields = std::make_tuple(&Decided::decision);
};

/// The clean-up of a stopped attempt is over: its capacity is free.
struct Cleaned {
  JobId job;
  std::uint32_t attempt = 0;
  friend bool operator==(const Cleaned&, const Cleaned&) = default;
  static constexpr auto fields = std::make_tuple(&Cleaned::job, &Cleaned::attempt);
};

using Event =
    std::variant<LevelsSet, NodeJoined, NodeChanged, NodeLost, QueueSet, UserSet, JobSubmitted, JobCancelled,
                 JobHeld, JobReleased, JobResized, TaskStarted, StartFailed, TaskExited, Checkpointed,
                 Observed, ExperimentSubmitted, TrialScored, ExperimentEnded, Decided, Cleaned>;

/// One line of the log: dense sequence number, time, what happened.
struct Record {
  std::uint64_t sequence = 0;
  Instant at{};
  Event event;
  friend bool operator==(const Record&, const Record&) = default;
  static constexpr auto fields = std::make_tuple(&Record::sequence, &Record::at, &Record::event);
};

}  // namespace muster
