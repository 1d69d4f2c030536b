// The waiting jobs, in order, without retrying all of them at every event.
//
// Jobs of one shape, queue and user (and group) wait in one lane, in order: what holds for the first of
// them holds for the rest. The lanes of one shape stand in one order, so that when the best of them finds
// no room the shape sleeps as a whole until a node it accepts has room for it. A lane that waits for
// something else (a limit, the policy) sleeps by itself, filed under what could wake it.
//
// The backlog is a cache of the state: rebuilt from scratch it decides the same, and a test compares it
// with a full retry after every event.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/state.hpp"
#include "policy/evictable_room.hpp"
#include "policy/importance.hpp"
#include "policy/knobs.hpp"
#include "policy/limits.hpp"
#include "policy/shares.hpp"

namespace muster {

/// Place of a job among those of its lane; smaller = first.
struct Key {
  std::int64_t importance = 0;  ///< class and priority, negated, in one number
  std::int64_t tier = 0;
  std::int64_t points = 0;  ///< negated
  Instant submitted{};
  JobId job;
  Duration limit = kForever;  ///< of the job's time; 0 for one that runs
  friend auto operator<=>(const Key&, const Key&) = default;
};

enum class Asleep : std::uint8_t {
  No,
  Room,        ///< until a node it accepts gets room
  QueueLimit,  ///< until its queue, or one above, is relieved
  UserLimit,   ///< until its user runs one less
  Policy,      ///< until anything changes
  Never        ///< until nodes, queues or users are set anew
};

/// What a lane waits for; `limit`: the queue whose limit binds, where that is the reason.
struct Sleep {
  Asleep under = Asleep::Policy;
  QueueId limit{};
  bool by_room = true;  ///< room alone may help it, beside what it waits for
  bool by_part = true;  ///< so may room for a part of it: the rest it may take from others
};

using LaneId = Id<struct LaneTag>;

/// Order between lanes by their current jobs, smaller = first: class, priority, queue priority, tier,
/// points, submit time, listing order.
using Rank = std::array<std::int64_t, 7>;

struct Lane {
  ShapeId shape;
  QueueId queue;
  UserId user;
  bool grouped = false;
  std::set<Key> jobs;
  std::optional<Key> cursor;  ///< jobs before it were passed over since the lane woke
  Duration least = kForever;  ///< no job of it has a shorter limit
  std::optional<Rank> found;  ///< of its first short job, while it stands in its shape's list of them
  bool unsearched = false;    ///< is noted there as changed
  std::int64_t bonus = 0;     ///< points that its queue and user give to each of its jobs
  Asleep asleep = Asleep::No;
  Instant again = kNever;  ///< looks again then at the latest
  bool lone = false;       ///< looked for victims and found that nobody runs whom it could take from
  std::uint8_t filed = 0;  ///< lists of sleepers it stands in
  QueueId limit{};         ///< under whose limit it is filed
  bool listed = false;     ///< awake: stands in its shape's order, at `rank`
  bool ordered = false;    ///< has jobs: stands in its queue's order, at `head`
  Rank rank{};             ///< of its current job
  Rank head{};             ///< of its first job

  /// The job to look at next, if any.
  [[nodiscard]] std::optional<JobId> current() const;
};

/// Where a lane stands among all: first by when its turn comes, then by rank.
struct Place {
  Rank turn{};
  Rank rank{};
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// A job and where it stands.
struct Placed {
  JobId job;
  Place place;
};

/// EASY: in the shapes that are held, nobody behind the place may run beyond that time.
struct Barrier {
  Place place;
  Instant until{};
};

/// Why a shape is held: it has no room, or what it has would put off the promised start.
enum class Held : std::uint8_t { No, NoRoom, InTheWay };

/// Whose turn it is.
struct Turn {
  LaneId lane;
  JobId job;
};

/// What orders lanes: shared by the searches below.
struct LaneOrder {
  const State& state;
  const Knobs& knobs;
  const Bounds* guarantees = nullptr;
  const Bounds* shares = nullptr;
  Instant now{};
};

class Backlog {
 public:
  /// Take in what changed in the state since the last call, and wake whom it could help; false where nothing
  /// did. What the ledger noted is left for others to read.
  bool sync(State& state, const Knobs& knobs, const Bounds* guarantees, Instant now);

  /// The awake lane whose next job comes first.
  [[nodiscard]] std::optional<Turn> first(const LaneOrder& order);
  [[nodiscard]] const Lane& lane(LaneId id) const { return lanes_[id.index()]; }
  /// Jobs that were tried and must wait, in order: the first of each such lane.
  [[nodiscard]] std::vector<JobId> waiting_in_order(const LaneOrder& order) const;
  /// The first of them that `counts`, ahead of the lane that `first` returned last (of all where none is
  /// given).
  [[nodiscard]] std::optional<Placed> first_waiting(const LaneOrder& order, std::optional<LaneId> lane,
                                                    const std::function<bool(JobId)>& counts) const;

  void sleep(const State& state, const Knobs& knobs, LaneId id, const Sleep& why);
  /// No lane of the shape can find room.
  void sleep_shape(ShapeId shape) {
    shapes_[shape.index()].awake = false;
    shapes_[shape.index()].roomless = true;
  }
  /// Nobody of the shape behind the barrier may start and run beyond its time; one barrier holds all shapes.
  void hold(ShapeId shape, Held held, const Barrier& barrier);
  [[nodiscard]] bool holds_any() const { return !held_.empty(); }
  void let_go(const State& state, const Knobs& knobs);
  /// Lets go the shapes to which the changes of nodes might make a difference.
  void let_go_of_changed(const State& state);
  /// The current job must wait, but others of its lane may differ: go on with the next.
  void pass_over(const State& state, const Knobs& knobs, LaneId id);
  /// Every lane of the queue sleeps until anything changes.
  void block_queue(const State& state, const Knobs& knobs, QueueId queue);
  void wake_all(const State& state, const Knobs& knobs);

  /// Running attempts with a limit, by when their capacity is free at the latest.
  using Ends = std::set<std::pair<Instant, JobId>>;
  [[nodiscard]] const Ends& ends() const { return ends_; }
  /// Counts running attempts that were given another end.
  [[nodiscard]] std::uint64_t moved_ends() const { return moved_ends_; }
  /// Running jobs that could use more workers, in order of id.
  [[nodiscard]] const std::set<JobId>& growable() const { return growable_; }
  /// Some running elastic job has workers above its minimum.
  [[nodiscard]] bool has_surplus() const { return !surplus_.empty(); }
  /// Enough might become free for the shape's gang if everything less important were stopped.
  [[nodiscard]] bool could_make_room(const State& state, ShapeId shape, const Importance& bound) const {
    return !evictable_.empty() && evictable_.begin()->first < bound &&
           if_evicted_.might_fit(state, shape, bound);
  }
  /// Running jobs of one queue and importance that may be evicted.
  struct Herd {
    struct Member {
      JobId job;
      Amounts held;
    };
    std::vector<Member> jobs;  ///< in no order
    Amounts least;             ///< each holds at least that
    Instant ready = kNever;    ///< nobody may take from them before
  };
  using Herds = std::map<Importance, std::map<QueueId, Herd>>;
  [[nodiscard]] const Herds& evictable() const { return evictable_; }
  /// Would stopping everything less important under the limit bring it down far enough?
  [[nodiscard]] bool could_relieve(const Broken& limit, const Importance& than) const;
  /// Waiting demand per queue, subtree included.
  [[nodiscard]] const std::vector<Amounts>& waiting() const { return waiting_; }
  [[nodiscard]] const std::vector<Lane>& lanes() const { return lanes_; }
  /// Look at the lane again then, whatever happens until then.
  void wake_at(LaneId id, Instant at);
  /// Look at the lane again when the queue's use changes and is above its guarantee.
  void wake_with(LaneId id, QueueId queue) { use_sleepers_[queue.index()].insert(id); }
  /// The earliest instant at which time alone makes a job eligible or wakes a lane.
  [[nodiscard]] std::optional<Instant> next_alarm() const;

 private:
  struct Where {
    LaneId lane;
    Key key;
  };
  struct ShapeLanes {
    std::set<std::pair<Rank, LaneId>> order;  ///< awake lanes with a current job
    std::vector<LaneId> sleepers;             ///< asleep by themselves; any room helps
    std::vector<LaneId> lone;                 ///< with nobody to take from, all of it has to fit
    bool awake = false;
    bool queued = false;        ///< is in awake_
    bool roomless = false;      ///< was put to sleep for want of room, and nothing but rights changed since
    Held held = Held::No;       ///< by the barrier
    Duration least = kForever;  ///< no job of the lanes in `order` has a shorter limit
    Instant until{};            ///< jobs that end by then count as short in the next three
    std::optional<std::pair<Rank, LaneId>> searched;  ///< lanes up to it were searched for short jobs
    std::set<std::pair<Rank, LaneId>> found;          ///< those with one, by the job's rank
    std::vector<LaneId> unsearched;                   ///< changed since
  };
  enum class Due : std::uint8_t { No, Yes };
  enum class Go : std::uint8_t { On, Stop };
  struct QueueLanes {
    std::vector<LaneId> all;
    std::set<std::pair<Rank, LaneId>> order;  ///< those with jobs
  };
  struct Counted {  ///< a running job in the maps below
    bool evictable = false;
    std::uint32_t slot = 0;  ///< in evictable_, in its queue
    Importance importance;
    Amounts held;
    Instant ends = kNever;  ///< in ends_
  };
  using LaneKey = std::tuple<ShapeId, QueueId, UserId, std::string>;

  void refile(const State& state, JobId id, const Knobs& knobs, Instant now);
  void count_running(const State& state, JobId id, const Knobs& knobs);
  void count_end(const State& state, JobId id, const Knobs& knobs);
  void count_evictable(const State& state, JobId id, const Knobs& knobs, const Amounts& held);
  void forget_evictable(const State& state, JobId id);
  void remove(const State& state, JobId id, const Knobs& knobs);
  void insert(const State& state, JobId id, const Knobs& knobs, Instant now);
  LaneId lane_for(const State& state, JobId id);
  void list(const State& state, const Knobs& knobs, LaneId id);
  void leave_orders(LaneId id);
  void wake(const State& state, const Knobs& knobs, LaneId id);
  void wake_list(const State& state, const Knobs& knobs, std::vector<LaneId>& sleepers, std::uint8_t list);
  void file(LaneId id, std::vector<LaneId>& sleepers, std::uint8_t list);
  void wake_shape(const State& state, const Knobs& knobs, ShapeId shape);
  void rouse(ShapeId shape);
  const std::vector<LaneId>& lone_lanes(ShapeId shape);
  void note_prey(const State& state, const Bounds* guarantees, Instant now);
  void wake_for_room(const State& state, const Knobs& knobs);
  void wake_helped(const State& state, const Knobs& knobs, const Bounds* guarantees, Instant now);
  void relist(const State& state, const Knobs& knobs);
  [[nodiscard]] bool might_fit(const State& state, ShapeId shape, NodeId node) const;
  [[nodiscard]] bool could_take_room(const State& state, const Knobs& knobs, ShapeId shape) const;
  void note_due(const State& state, const Knobs& knobs, const Bounds& guarantees);
  [[nodiscard]] bool is_asleep(const Lane& lane) const {
    return lane.asleep != Asleep::No || !shapes_[lane.shape.index()].awake;
  }
  [[nodiscard]] std::optional<std::pair<Rank, Turn>> first_of(const LaneOrder& order, ShapeLanes& shape);
  [[nodiscard]] std::optional<std::pair<Rank, Turn>> first_short(const LaneOrder& order, ShapeLanes& shape);
  [[nodiscard]] std::optional<JobId> turn_of(const LaneOrder& order, LaneId id, const Place& place);
  void forget_short(LaneId id);
  void search_short(const LaneOrder& order, ShapeLanes& shape, LaneId id);
  [[nodiscard]] const Key* short_job(const LaneOrder& order, Lane& lane) const;
  [[nodiscard]] bool outlasts(const LaneOrder& order, Duration limit) const;
  [[nodiscard]] bool is_passed_over(const LaneOrder& order, const Lane& lane, const Place& place) const;
  [[nodiscard]] std::vector<JobId> waiting_by_standing(const LaneOrder& order,
                                                       std::optional<LaneId> lane) const;
  template <class Visit>
  void visit_places(const LaneOrder& order, QueueId queue, Visit visit) const;
  template <class Visit>
  void visit_waiting(const LaneOrder& order, QueueId queue, const Place* before, Visit visit) const;
  [[nodiscard]] std::optional<Turn> first_by_standing(const LaneOrder& order) const;
  void grow_tables(const State& state);

  std::vector<Lane> lanes_;
  std::map<LaneKey, LaneId> lane_ids_;
  std::vector<ShapeLanes> shapes_;
  std::vector<std::vector<ShapeId>> accepting_;  ///< shapes with lanes, by node class
  std::vector<ShapeId> filed_;                   ///< shapes already in accepting_
  std::size_t filed_classes_ = 0;
  std::vector<ShapeId> awake_;
  std::vector<ShapeId> held_;
  Barrier barrier_;
  std::vector<LaneId> policy_sleepers_;
  std::vector<std::vector<LaneId>> limit_sleepers_;  ///< by queue
  std::vector<std::vector<LaneId>> user_sleepers_;   ///< by user
  std::vector<std::set<LaneId>> use_sleepers_;       ///< by queue
  std::vector<QueueLanes> of_queue_;                 ///< by queue
  std::set<QueueId> due_;                            ///< queues with lanes, below a guarantee on their path
  std::vector<QueueId> fresh_queues_;                ///< got a lane since due_ was brought up to date
  std::vector<Where> where_;                         ///< by job
  std::set<JobId> growable_;
  std::set<JobId> surplus_;
  Ends ends_;                      ///< kept with EASY only
  std::vector<QueueId> yielding_;  ///< queues of jobs whose surplus changed
  Herds evictable_;
  std::vector<std::map<Importance, Amounts>> evictable_in_;  ///< by queue, subtree included: what they hold
  EvictableRoom if_evicted_;
  std::vector<Counted> counted_;  ///< by job
  std::vector<Amounts> waiting_;
  std::vector<Amounts> waiting_of_;              ///< by job, only with fair shares
  std::set<std::pair<Instant, JobId>> later_;    ///< eligible from then on
  std::set<std::pair<Instant, LaneId>> alarms_;  ///< lanes that wait for a protection to end
  std::int64_t epoch_ = -1;
  std::uint64_t configuration_ = 0;
  std::uint64_t moved_ends_ = 0;
  Place place_{};  ///< of the lane that `first` returned last
};

Key key_of(const State& state, JobId id, const Knobs& knobs, Instant now);

/// Instant from which the job may start (not-before, restart back-off); in the past = now.
Instant eligible_from(const Job& job, const Knobs& knobs);

/// With these switches any change can help any lane, or the order moves with every decision.
bool wakes_all(const Knobs& knobs);

}  // namespace muster
