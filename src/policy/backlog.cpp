#include "policy/backlog.hpp"

#include <algorithm>
#include <utility>

#include "policy/factors.hpp"
#include "policy/lane_rank.hpp"
#include "policy/sleepers.hpp"

namespace muster {
std::optional<JobId> Lane::current() const {
  const auto at = cursor ? jobs.lower_bound(*cursor) : jobs.begin();
  if (at == jobs.end()) return std::nullopt;
  return at->job;
}

Key key_of(const State& state, JobId id, const Knobs& knobs, Instant now) {
  const Job& job = state.job(id);
  const Duration limit = job.running() ? Duration{0} : job.limit;
  if (ignores_importance(knobs)) return {.submitted = job.submitted, .job = id, .limit = limit};
  const std::int64_t importance = -(std::int64_t{job.class_rank} * (std::int64_t{1} << 32) + job.priority);
  return {.importance = importance,
          .tier = tier(state, job, knobs, now),
          .points = knobs.order == Order::Weighted ? -fixed_points(state, job, knobs) : 0,
          .submitted = job.submitted,
          .job = id,
          .limit = limit};
}

Instant eligible_from(const Job& job, const Knobs& knobs) {
  Instant from = job.waiting_since;
  if (job.restarts > 0) from = after(job.waiting_since, knobs.restart_backoff * job.restarts);
  if (job.extra && job.extra->not_before) from = std::max(from, *job.extra->not_before);
  return from;
}

bool wakes_all(const Knobs& knobs) {
  return knobs.fair_share || knobs.blocking == Blocking::Head || knobs.preemption == Preemption::Order;
}

void Backlog::grow_tables(const State& state) {
  const Catalogue& catalogue = state.ledger.catalogue();
  limit_sleepers_.resize(state.ledger.queues().size());
  evictable_in_.resize(state.ledger.queues().size());
  use_sleepers_.resize(state.ledger.queues().size());
  of_queue_.resize(state.ledger.queues().size());
  user_sleepers_.resize(state.ledger.users().size());
  shapes_.resize(catalogue.shapes());
  if (filed_classes_ == catalogue.classes()) return;
  filed_classes_ = catalogue.classes();
  accepting_.assign(filed_classes_, {});
  std::vector<ShapeId> shapes;
  shapes.swap(filed_);
  for (const ShapeId shape : shapes) {
    filed_.push_back(shape);
    for (std::size_t r = 0; r < catalogue.shape(shape).roles.size(); ++r) {
      for (const ClassId c : catalogue.accepted(shape, r)) accepting_[c.index()].push_back(shape);
    }
  }
}

bool Backlog::sync(State& state, const Knobs& knobs, const Bounds* guarantees, Instant now) {
  const Ledger& ledger = state.ledger;
  while (!later_.empty() && later_.begin()->first <= now) {
    state.changed.push_back(later_.begin()->second);
    later_.erase(later_.begin());
  }
  const bool rung = !alarms_.empty() && alarms_.begin()->first <= now;
  for (; !alarms_.empty() && alarms_.begin()->first <= now; alarms_.erase(alarms_.begin())) {
    const LaneId id = alarms_.begin()->second;
    lanes_[id.index()].again = kNever;
    if (!lanes_[id.index()].jobs.empty()) wake(state, knobs, id);
  }
  const bool anything = rung || !state.changed.empty() || !ledger.freed().empty() ||
                        !ledger.charged().empty() || !ledger.touched().empty() || !ledger.eased().empty();
  if (!anything) return false;
  grow_tables(state);
  if (state.changed.size() > 1) {
    std::sort(state.changed.begin(), state.changed.end());
    state.changed.erase(std::unique(state.changed.begin(), state.changed.end()), state.changed.end());
  }
  for (const JobId id : state.changed) refile(state, id, knobs, now);
  state.changed.clear();
  if (knobs.preemption == Preemption::Priority) {
    std::vector<Importance> levels;
    for (const auto& [level, jobs] : evictable_) levels.push_back(level);
    if_evicted_.sync(state, levels, ledger.touched());
  }
  // Queues' priorities and guarantees, and past use, are parts of the ranks.
  const bool reconfigured = std::exchange(configuration_, state.configuration) != state.configuration;
  const std::int64_t epoch = millis(state.now) / millis(kUseEpoch);
  const bool reranked = std::exchange(epoch_, epoch) != epoch && knobs.order == Order::Weighted;
  if (reconfigured || wakes_all(knobs)) {
    wake_all(state, knobs);
  } else {
    if (reranked) relist(state, knobs);
    wake_helped(state, knobs, guarantees, now);
  }
  if (guarantees != nullptr && (!ledger.charged().empty() || !fresh_queues_.empty()))
    note_due(state, knobs, *guarantees);
  return true;
}

void Backlog::relist(const State& state, const Knobs& knobs) {
  for (std::size_t l = 0; l < lanes_.size(); ++l) {
    if (!lanes_[l].ordered) continue;
    lanes_[l].bonus = bonus_of(state, knobs, lanes_[l]);
    list(state, knobs, LaneId{l});
  }
}

/// Wakes whom the changes in the ledger could help.
void Backlog::wake_helped(const State& state, const Knobs& knobs, const Bounds* guarantees, Instant now) {
  wake_list(state, knobs, policy_sleepers_, kPolicyList);
  for (const QueueId queue : state.ledger.charged()) {
    for (const QueueId id : state.ledger.queue(queue).path) {
      wake_list(state, knobs, limit_sleepers_[id.index()], kLimitList);
      if (use_sleepers_[id.index()].empty() || !is_above(state, guarantees, id)) continue;
      for (const LaneId lane : std::exchange(use_sleepers_[id.index()], {})) {
        if (!lanes_[lane.index()].jobs.empty()) wake(state, knobs, lane);
      }
    }
  }
  // Who waits in the queue of a job with surplus may get it by its right to that.
  for (const QueueId queue : std::exchange(yielding_, {})) {
    if (!knobs.elastic_yield) continue;
    for (const LaneId lane : of_queue_[queue.index()].all) {
      const Lane& other = lanes_[lane.index()];
      if ((is_asleep(other) || other.lone) && !other.jobs.empty()) wake(state, knobs, lane);
    }
  }
  for (const UserId user : state.ledger.eased())
    wake_list(state, knobs, user_sleepers_[user.index()], kUserList);
  note_prey(state, guarantees, now);
  wake_for_room(state, knobs);
}

/// A guarantee may be due to these queues now, and whoever holds too much may just have grown.
void Backlog::note_due(const State& state, const Knobs& knobs, const Bounds& guarantees) {
  const auto below = [&](QueueId id) {
    const QueueEntry& entry = state.ledger.queue(id);
    for (std::size_t r = 0; r < kResources; ++r) {
      if (guarantees.governed[r] && entry.use[r] < guarantees.of[id.index()][r]) return true;
    }
    return false;
  };
  std::vector<QueueId> stack;
  for (const QueueId queue : state.ledger.charged()) {
    const auto& path = state.ledger.queue(queue).path;
    for (const QueueId id : path) stack.push_back(id);
  }
  stack.insert(stack.end(), fresh_queues_.begin(), fresh_queues_.end());
  fresh_queues_.clear();
  std::sort(stack.begin(), stack.end());
  stack.erase(std::unique(stack.begin(), stack.end()), stack.end());
  // Only a parent with a guarantee of its own decides for the queues below it.
  while (!stack.empty()) {
    const QueueId id = stack.back();
    stack.pop_back();
    if (!of_queue_[id.index()].all.empty()) {
      const auto& path = state.ledger.queue(id).path;
      if (std::any_of(path.begin(), path.end(), below)) {
        due_.insert(id);
      } else {
        due_.erase(id);
      }
    }
    const QueueEntry& entry = state.ledger.queue(id);
    if (entry.spec.guarantee.is_zero()) continue;
    for (const QueueId child : entry.children) stack.push_back(child);
  }
  for (const QueueId id : due_) {
    for (const LaneId lane : of_queue_[id.index()].all) {
      const Lane& sleeper = lanes_[lane.index()];
      const bool resting = sleeper.asleep != Asleep::No || sleeper.lone;
      if (resting && !sleeper.jobs.empty()) wake(state, knobs, lane);
    }
  }
}

bool Backlog::might_fit(const State& state, ShapeId id, NodeId node) const {
  const Catalogue& catalogue = state.ledger.catalogue();
  const Shape& shape = catalogue.shape(id);
  if (shape.roles.size() != 1 || shape.best_effort || shape.roles.front().each.shares_device()) return true;
  const Index& index = state.ledger.index();
  const Demand& each = shape.roles.front().each;
  const ClassId node_class = state.ledger.node(node).node_class;
  if (index.row_of(node_class, state.ledger.free(node)) < index.first_row(node_class, each, 1)) return false;
  const std::int64_t gang = shape.gang();
  if (gang <= 1 || each.gpus == 0) return true;
  std::int64_t room = 0;
  for (const ClassId c : catalogue.accepted(id, 0)) {
    for (std::uint32_t r = index.first_row(c, each, 1); r < index.rows(c); ++r) {
      room += index.row_capacity(c, r, each) * static_cast<std::int64_t>(index.row(c, r).size());
    }
    if (room >= gang) return true;
  }
  return false;
}

/// With what is free now, the first lane of the sleeping shape might complete its room by a right.
bool Backlog::could_take_room(const State& state, const Knobs& knobs, ShapeId id) const {
  if (knobs.elastic_yield && has_surplus()) return true;
  if (knobs.preemption != Preemption::Priority) return false;
  // What is leaving completes a room too, and nobody counts it.
  if (!state.leaving.empty()) return true;
  const Rank& first = shapes_[id.index()].order.begin()->first;
  const Importance top{.class_rank = static_cast<std::int32_t>(-first[0]),
                       .priority = static_cast<std::int32_t>(-first[1])};
  return could_make_room(state, id, ignores_importance(knobs) ? kMostImportant : top);
}

void Backlog::wake_for_room(const State& state, const Knobs& knobs) {
  std::vector<NodeId> freed = state.ledger.freed();
  std::sort(freed.begin(), freed.end());
  freed.erase(std::unique(freed.begin(), freed.end()), freed.end());
  for (const NodeId node : freed) {
    for (const ShapeId shape : accepting_[state.ledger.node(node).node_class.index()]) {
      ShapeLanes& lanes = shapes_[shape.index()];
      // Those asleep by themselves looked for victims too: any room helps them.
      const bool asleep = !lanes.awake && !lanes.order.empty();
      const bool helps = !lanes.sleepers.empty() ||
                         ((asleep || !lanes.lone.empty()) && might_fit(state, shape, node)) ||
                         (asleep && lanes.held == Held::No && could_take_room(state, knobs, shape));
      if (helps) wake_shape(state, knobs, shape);
    }
  }
}

void Backlog::refile(const State& state, JobId id, const Knobs& knobs, Instant now) {
  remove(state, id, knobs);
  count_running(state, id, knobs);
  const Job& job = state.job(id);
  if (!wants_workers(state, job) || dependencies(state, job) != Ready::Yes || !group_complete(state, job))
    return;
  if (makes_room(job)) return;
  const Instant from = eligible_from(job, knobs);
  if (from > now) {
    later_.emplace(from, id);
    return;
  }
  insert(state, id, knobs, now);
}

void Backlog::remove(const State& state, JobId id, const Knobs& knobs) {
  if (where_.size() <= id.index()) where_.resize(std::max<std::size_t>(state.jobs.size(), id.index() + 1));
  Where& where = where_[id.index()];
  if (!where.lane.valid()) return;
  Lane& lane = lanes_[where.lane.index()];
  lane.jobs.erase(where.key);
  forget_short(where.lane);
  if (knobs.fair_share) {
    for (const QueueId q : state.ledger.queue(lane.queue).path)
      waiting_[q.index()] -= waiting_of_[id.index()];
  }
  const LaneId lane_id = where.lane;
  const bool led = lane.jobs.empty() || where.key < *lane.jobs.begin();
  where = {};
  if (lane.jobs.empty()) {
    lane.least = kForever;
    return leave_orders(lane_id);
  }
  if (led) {
    wake(state, knobs, lane_id);
  } else {
    list(state, knobs, lane_id);
  }
}

LaneId Backlog::lane_for(const State& state, JobId id) {
  const Job& job = state.job(id);
  const std::string group = job.extra ? job.extra->group : "";
  const auto [at, fresh] =
      lane_ids_.try_emplace(LaneKey{job.shape, job.queue, job.user, group}, LaneId{lanes_.size()});
  if (!fresh) return at->second;
  Lane lane{.shape = job.shape, .queue = job.queue, .user = job.user, .jobs = {}, .cursor = {}, .found = {}};
  lane.grouped = !group.empty();
  lanes_.push_back(std::move(lane));
  of_queue_[job.queue.index()].all.push_back(at->second);
  fresh_queues_.push_back(job.queue);
  if (std::find(filed_.begin(), filed_.end(), job.shape) == filed_.end()) {
    filed_.push_back(job.shape);
    const Catalogue& catalogue = state.ledger.catalogue();
    for (std::size_t r = 0; r < catalogue.shape(job.shape).roles.size(); ++r) {
      for (const ClassId c : catalogue.accepted(job.shape, r)) accepting_[c.index()].push_back(job.shape);
    }
  }
  return at->second;
}

void Backlog::insert(const State& state, JobId id, const Knobs& knobs, Instant now) {
  const Job& job = state.job(id);
  const LaneId lane_id = lane_for(state, id);
  Lane& lane = lanes_[lane_id.index()];
  const Key key = key_of(state, id, knobs, now);
  if (lane.jobs.empty()) lane.bonus = bonus_of(state, knobs, lane);
  const bool leads = lane.jobs.empty() || key < *lane.jobs.begin();
  lane.jobs.insert(key);
  lane.least = std::min(lane.least, key.limit);
  ShapeLanes& shape_lanes = shapes_[lane.shape.index()];
  shape_lanes.least = std::min(shape_lanes.least, key.limit);
  forget_short(lane_id);
  where_[id.index()] = {.lane = lane_id, .key = key};
  if (lane.asleep == Asleep::No && lane.cursor && key < *lane.cursor) lane.cursor = key;
  // A new first job may be more important than those that put the lane, or the shape, to sleep.
  if (leads) wake(state, knobs, lane_id);
  if (!knobs.fair_share) return;
  waiting_.resize(state.ledger.queues().size());
  waiting_of_.resize(std::max(waiting_of_.size(), state.jobs.size()));
  Amounts wanted = state.ledger.catalogue().charge(job.shape);
  const Shape& shape = state.shape(job);
  if (shape.roles.size() == 1) {
    wanted = shape.roles.front().each.charge() *
             std::max(0, shape.most() - static_cast<std::int32_t>(job.seats.size()));
  }
  waiting_of_[id.index()] = wanted;
  for (const QueueId q : state.ledger.queue(job.queue).path) waiting_[q.index()] += wanted;
}

std::optional<Instant> Backlog::next_alarm() const {
  std::optional<Instant> next;
  if (!later_.empty()) next = later_.begin()->first;
  if (!alarms_.empty() && (!next || alarms_.begin()->first < *next)) next = alarms_.begin()->first;
  return next;
}

}  // namespace muster
