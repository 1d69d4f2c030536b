// The waiting jobs, in order, without retrying all of them at every event.
//
// Jobs of one shape, queue and user (and group) wait in one lane, in order: what holds for the first of
// them holds for the rest. A lane that could not start falls asleep under what blocked it; an event wakes
// the lanes it could help. The backlog is a cache of the state: rebuilt from scratch it decides the same,
// and a test compares it with a full retry after every event.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/state.hpp"
#include "policy/importance.hpp"
#include "policy/knobs.hpp"
#include "policy/shares.hpp"

namespace muster {

/// Place of a job among those of its lane; smaller = first.
struct Key {
  std::int64_t importance = 0;  ///< class and priority, negated, in one number
  std::int64_t tier = 0;
  std::int64_t points = 0;      ///< negated
  Instant submitted{};
  JobId job;
  friend auto operator<=>(const Key&, const Key&) = default;
};

enum class Asleep : std::uint8_t {
  No,
  Room,        ///< until a node it accepts gets room
  QueueLimit,  ///< until its queue, or one above, is relieved
  UserLimit,   ///< until its user runs one less
  Policy       ///< until anything changes
};

using LaneId = Id<struct LaneTag>;

struct Lane {
  ShapeId shape;
  QueueId queue;
  UserId user;
  std::set<Key> jobs;
  std::optional<Key> cursor;  ///< jobs before it were passed over since the lane woke
  Asleep asleep = Asleep::No;

  /// The job to look at next, if any.
  [[nodiscard]] std::optional<JobId> current() const;
};

class Backlog {
 public:
  /// Take in what changed in the state since the last call, and wake whom it could help.
  void sync(State& state, const Knobs& knobs, Instant now);

  /// The awake lane whose current job comes first.
  [[nodiscard]] std::optional<LaneId> first(const State& state, const Knobs& knobs, const Bounds* guarantees,
                                            const Bounds* shares, Instant now) const;
  [[nodiscard]] const Lane& lane(LaneId id) const { return lanes_[id.index()]; }
  /// Jobs that were tried and must wait for room, in order, ahead of the lane's current job (of all jobs
  /// where no lane is given): the first of each such lane.
  [[nodiscard]] std::vector<JobId> waiting_ahead(const State& state, const Knobs& knobs, const Bounds* guarantees,
                                                 const Bounds* shares, Instant now,
                                                 std::optional<LaneId> lane) const;

  void sleep(LaneId id, Asleep under);
  /// The current job must wait, but others of its lane may differ: go on with the next.
  void pass_over(LaneId id);
  /// Every lane of the queue sleeps until anything changes.
  void block_queue(QueueId queue);
  void wake_all();

  /// Running jobs that could use more workers, in order of id.
  [[nodiscard]] const std::set<JobId>& growable() const { return growable_; }
  /// Waiting demand per queue, subtree included.
  [[nodiscard]] const std::vector<Amounts>& waiting() const { return waiting_; }
  /// Jobs that wait for an instant, a dependency or a group are not here; all others that want workers are.
  [[nodiscard]] std::size_t size() const { return where_.size() - absent_; }
  [[nodiscard]] bool contains(JobId job) const { return job.index() < where_.size() && where_[job.index()].lane.valid(); }
  /// All waiting jobs of all lanes, unordered between lanes.
  [[nodiscard]] const std::vector<Lane>& lanes() const { return lanes_; }
  /// The earliest instant at which a job becomes eligible by time alone.
  [[nodiscard]] std::optional<Instant> next_eligible() const;

 private:
  struct Where {
    LaneId lane;
    Key key;
    Amounts counted;
  };
  using LaneKey = std::tuple<ShapeId, QueueId, UserId, std::string>;

  void refile(const State& state, JobId id, const Knobs& knobs, Instant now);
  void remove(const State& state, JobId id);
  void insert(const State& state, JobId id, const Knobs& knobs, Instant now);
  void wake_for_room(const State& state);
  void count_waiting(const State& state, QueueId queue, const Amounts& amounts, std::int64_t sign);

  std::vector<Lane> lanes_;
  std::map<LaneKey, LaneId> lane_ids_;
  std::vector<Where> where_;   ///< by job
  std::size_t absent_ = 0;     ///< entries of where_ without a lane
  std::set<JobId> growable_;
  std::vector<Amounts> waiting_;
  std::set<std::pair<Instant, JobId>> later_;  ///< eligible from then on
};

Key key_of(const State& state, JobId id, const Knobs& knobs, Instant now);

/// Instant from which the job may start (not-before, restart back-off); in the past = now.
Instant eligible_from(const Job& job, const Knobs& knobs);

}  // namespace muster
