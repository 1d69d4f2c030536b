// Everything the engine knows, as a fold of the log: `apply` (core/apply.hpp) is the only thing that
// changes it. Tables are dense vectors by id; what few jobs have (groups, clean-ups, trials, reservations)
// lives in `Extra`.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "core/ledger.hpp"
#include "model/event.hpp"

namespace muster {

/// What only some jobs have.
struct Extra {
  std::vector<std::uint32_t> finished;  ///< workers that did their part and are not replaced; ascending
  struct Leaving {
    std::uint32_t attempt = 0;
    Placement seats;
    Instant since{};
    bool preempted = false;
  };
  std::vector<Leaving> leaving;  ///< stopped attempts that still hold capacity
  std::vector<Dependency> after;
  std::string family;
  std::string group;
  std::optional<TrialRef> trial;
  std::optional<Instant> not_before;
  std::optional<Instant> deadline;
  std::vector<NodeId> placed;      ///< runs there as a fact, not by decision; consumed by its first start
  Placement reserved;              ///< kept for it while its victims leave
  std::int64_t observed_cpu = -1;  ///< measured use of a service, millicores; -1 = no sample
};

struct Job {
  std::string name;
  ShapeId shape;  ///< what it needs now
  ShapeId asked;  ///< what it asked for at first
  QueueId queue;
  UserId user;
  std::int32_t class_rank = 0;
  std::int32_t priority = 0;
  JobState state = JobState::Pending;
  Evictable evictable = Evictable::Yes;
  Checkpoint checkpoint;
  std::uint32_t attempt = 0;  ///< starts so far
  std::uint32_t slot = 0;     ///< in State::running while it runs
  std::int32_t max_restarts = 0;
  std::int32_t restarts = 0;  ///< own failures so far
  std::int32_t cap = -1;      ///< most workers at once, after a resize; -1 = as asked
  std::int32_t keep = 0;      ///< replicas that survive evictions
  std::uint32_t robbed = 0;   ///< how often others took workers from it, or all
  Instant submitted{};
  Instant waiting_since{};
  Instant started{};       ///< of the running attempt
  Instant resized{};       ///< last grown or shrunk
  Instant seated{};        ///< last got workers
  Instant checkpointed{};  ///< last reported checkpoint of this attempt
  Instant ended{};         ///< when it was over
  Duration limit = kForever;
  Duration expect = kForever;
  Instant accrued{};                 ///< `attained` counts up to here
  std::int64_t attained = 0;         ///< accelerator time used: milli-GPU milliseconds / 1000
  Duration kept{0};                  ///< work of ended attempts that checkpoints saved
  bool confirmed = false;            ///< the driver saw this attempt's processes
  Reason blocked_by = Reason::Fits;  ///< first blocker as last recorded; Fits = none
  Placement seats;                   ///< of the running attempt, by worker
  std::unique_ptr<Extra> extra;

  [[nodiscard]] bool running() const { return state == JobState::Running; }
};

/// Jobs that dependencies name together.
struct Family {
  std::int32_t expected = 1;
  std::int32_t ended = 0;
  std::int32_t ended_well = 0;
  std::string first_failed;  ///< name of a member that did not end well
  std::vector<JobId> dependants;
};

/// Jobs that start together.
struct Group {
  std::int32_t size = 0;
  std::vector<JobId> members;
  bool started = false;
};

/// `RungDone`: trained to its rung's target; goes on if promoted. `Dropped`: stopped, neither done nor
/// failed.
enum class TrialState : std::uint8_t { Active, RungDone, Done, Failed, Dropped };

struct Trial {
  JobId job;  ///< of its current rung
  std::int32_t rung = 0;
  TrialState state = TrialState::Active;
  bool started = false;
  std::vector<std::int64_t> scores;  ///< by rung; kUnscored where none came
};

inline constexpr std::int64_t kUnscored = -kUnlimited;

struct Experiment {
  ExperimentSpec spec;
  std::vector<Trial> trials;  ///< [number - 1], created in order
  std::int32_t rung = 0;      ///< highest rung any trial was sent to
  JobState outcome = JobState::Pending;
  Instant ended{};
  std::int32_t best = 0;  ///< number of the best trial; 0 = none scored
};

struct State {
  Ledger ledger;
  ResourceNames resources;
  Duration cleanup{0};
  std::vector<Job> jobs;
  std::map<std::string, Family, std::less<>> families;
  std::map<std::string, Group, std::less<>> groups;
  std::vector<Experiment> experiments;
  std::vector<JobId> running;       ///< in no order; Job::slot is the place in it
  std::set<JobId> reserving;        ///< jobs with reserved seats
  std::set<JobId> to_place;         ///< jobs said to run somewhere already, not started yet
  std::set<JobId> leaving;          ///< jobs with stopped attempts that still hold capacity
  std::uint64_t configuration = 0;  ///< counts changes of nodes, queues and users: what can ever fit
  std::uint64_t sequence = 0;       ///< of the next record
  Instant now{};                    ///< of the last record

  /// Jobs whose standing may have changed since the last `changes.clear()`; with repetitions.
  std::vector<JobId> changed;

  [[nodiscard]] const Job& job(JobId id) const { return jobs[id.index()]; }
  [[nodiscard]] const Shape& shape(const Job& job) const { return ledger.catalogue().shape(job.shape); }
  [[nodiscard]] const Demand& demand(const Job& job, const Seat& seat) const {
    return shape(job).roles[seat.role].each;
  }
};

/// Queue every job without one belongs to; exists from the start.
inline constexpr std::string_view kDefaultQueue = "default";

/// Is the job waiting for anything the scheduler could give it? (A service may run and still want more.)
bool wants_workers(const State& state, const Job& job);

/// Dependencies: satisfied, still open, or never to be satisfied.
enum class Ready : std::uint8_t { Yes, NotYet, Never };
Ready dependencies(const State& state, const Job& job);
/// It was stopped to make room and its workers still hold what they made room with.
bool makes_room(const Job& job);
/// All members of the job's group have been submitted, or it has none.
bool group_complete(const State& state, const Job& job);

/// Thousandths of accelerators the seats hold.
std::int64_t milli_gpus(const State& state, const Job& job);

/// Work that a stop at `now` would keep, of this attempt and those before, by the job's checkpoints.
Duration kept_work(const Job& job, Instant now);
/// Work that a stop at `now` would lose.
Duration lost_work(const Job& job, Instant now);

}  // namespace muster
