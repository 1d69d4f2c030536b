#include "policy/backlog.hpp"

#include <algorithm>
#include <array>

#include "policy/factors.hpp"

namespace muster {
namespace {

/// Order between lanes' current jobs, smaller = first: guarantees that are due, class, shares that are
/// due, priority, queue priority, tier and points, past use, submit time, listing order.
using Standing = std::array<std::int64_t, 10>;

struct Ranking {
  const State& state;
  const Knobs& knobs;
  const Bounds* guarantees;
  const Bounds* shares;
  Draft draft;
  Instant now;
};

bool due(const Ranking& ranking, const Bounds* bounds, const Lane& lane) {
  if (bounds == nullptr) return false;
  return Entitlement{.draft = &ranking.draft,
                     .claimant = lane.queue,
                     .amounts = ranking.state.ledger.catalogue().charge(lane.shape),
                     .bounds = bounds}
      .anywhere();
}

/// Use of the queue's top ancestor relative to its share, thousandths, in the resource where it is largest.
std::int64_t fullness(const Ranking& ranking, QueueId queue) {
  std::int64_t worst = 0;
  for (const QueueId id : ranking.state.ledger.queue(queue).path) {
    for (std::size_t r = 0; r < kResources; ++r) {
      const std::int64_t share = ranking.shares->of[id.index()][r];
      const std::int64_t use = ranking.state.ledger.queue(id).use[r];
      if (share > 0 && share < kUnlimited) {
        worst = std::max(worst, static_cast<std::int64_t>(static_cast<__int128>(use) * 1000 / share));
      }
    }
  }
  return worst;
}

Standing standing(const Ranking& ranking, const Lane& lane, JobId id) {
  const State& state = ranking.state;
  const Job& job = state.job(id);
  if (ranking.knobs.order == Order::Submit) return {millis(job.submitted), id.value()};
  const bool fair = ranking.shares != nullptr;
  std::int64_t points = 0;
  if (ranking.knobs.order == Order::Weighted) {
    points = fixed_points(state, job, ranking.knobs) + queue_points(state, job.queue, ranking.knobs) +
             user_points(state, job.user, ranking.knobs, ranking.now);
  }
  return {due(ranking, ranking.guarantees, lane) ? 0 : 1,
          -std::int64_t{job.class_rank},
          due(ranking, ranking.shares, lane) ? 0 : 1,
          -std::int64_t{job.priority},
          -std::int64_t{state.ledger.queue(job.queue).spec.priority},
          tier(state, job, ranking.knobs, ranking.now),
          fair ? fullness(ranking, job.queue) : -points,
          fair ? state.ledger.user(job.user).past.value(ranking.now) : 0,
          millis(job.submitted),
          id.value()};
}

}  // namespace

std::optional<JobId> Lane::current() const {
  const auto at = cursor ? jobs.lower_bound(*cursor) : jobs.begin();
  if (at == jobs.end()) return std::nullopt;
  return at->job;
}

Key key_of(const State& state, JobId id, const Knobs& knobs, Instant now) {
  const Job& job = state.job(id);
  if (knobs.order == Order::Submit) return {.submitted = job.submitted, .job = id};
  const std::int64_t importance = -(std::int64_t{job.class_rank} * (std::int64_t{1} << 32) + job.priority);
  return {.importance = importance,
          .tier = tier(state, job, knobs, now),
          .points = knobs.order == Order::Weighted ? -fixed_points(state, job, knobs) : 0,
          .submitted = job.submitted,
          .job = id};
}

Instant eligible_from(const Job& job, const Knobs& knobs) {
  Instant from = job.waiting_since;
  if (job.restarts > 0) from = after(job.waiting_since, knobs.restart_backoff * job.restarts);
  if (job.extra && job.extra->not_before) from = std::max(from, *job.extra->not_before);
  return from;
}

void Backlog::sync(State& state, const Knobs& knobs, Instant now) {
  Ledger& ledger = state.ledger;
  while (!later_.empty() && later_.begin()->first <= now) {
    state.changed.push_back(later_.begin()->second);
    later_.erase(later_.begin());
  }
  std::sort(state.changed.begin(), state.changed.end());
  state.changed.erase(std::unique(state.changed.begin(), state.changed.end()), state.changed.end());
  const bool anything = !state.changed.empty() || !ledger.freed().empty() || !ledger.relieved().empty();
  for (const JobId id : state.changed) refile(state, id, knobs, now);
  state.changed.clear();
  if (anything) {
    const bool all = knobs.reclaim || knobs.fair_share || knobs.blocking == Blocking::Head;
    for (Lane& lane : lanes_) {
      if (lane.asleep == Asleep::Policy || lane.cursor || (all && lane.asleep != Asleep::No)) {
        lane.asleep = Asleep::No;
        lane.cursor.reset();
      }
    }
    wake_for_room(state);
  }
  ledger.forget_changes();
}

void Backlog::wake_for_room(const State& state) {
  std::vector<bool> freed(state.ledger.catalogue().classes(), false);
  for (const NodeId node : state.ledger.freed()) freed[state.ledger.node(node).node_class.index()] = true;
  std::vector<bool> relieved(state.ledger.queues().size(), false);
  for (const QueueId queue : state.ledger.relieved()) {
    for (const QueueId id : state.ledger.queue(queue).path) relieved[id.index()] = true;
  }
  for (Lane& lane : lanes_) {
    bool wake = false;
    if (lane.asleep == Asleep::Room) {
      for (std::size_t r = 0; r < state.ledger.catalogue().shape(lane.shape).roles.size(); ++r) {
        for (const ClassId c : state.ledger.catalogue().accepted(lane.shape, r)) wake = wake || freed[c.index()];
      }
    } else if (lane.asleep == Asleep::QueueLimit) {
      for (const QueueId id : state.ledger.queue(lane.queue).path) wake = wake || relieved[id.index()];
    } else if (lane.asleep == Asleep::UserLimit) {
      const UserEntry& user = state.ledger.user(lane.user);
      wake = user.spec.max_running < 0 || user.running < user.spec.max_running;
    }
    if (wake) {
      lane.asleep = Asleep::No;
      lane.cursor.reset();
    }
  }
}

void Backlog::refile(const State& state, JobId id, const Knobs& knobs, Instant now) {
  remove(state, id);
  const Job& job = state.job(id);
  growable_.erase(id);
  if (job.running() && state.shape(job).kind == JobKind::Batch &&
      static_cast<std::int32_t>(job.seats.size()) < state.shape(job).most()) {
    growable_.insert(id);
  }
  if (!wants_workers(state, job) || dependencies(state, job) != Ready::Yes || !group_complete(state, job)) return;
  const Instant from = eligible_from(job, knobs);
  if (from > now) {
    later_.emplace(from, id);
    return;
  }
  insert(state, id, knobs, now);
}

void Backlog::count_waiting(const State& state, QueueId queue, const Amounts& amounts, std::int64_t sign) {
  if (waiting_.size() < state.ledger.queues().size()) waiting_.resize(state.ledger.queues().size());
  for (const QueueId id : state.ledger.queue(queue).path) waiting_[id.index()] += amounts * sign;
}

void Backlog::remove(const State& state, JobId id) {
  if (where_.size() <= id.index()) {
    absent_ += id.index() + 1 - where_.size();
    where_.resize(id.index() + 1);
  }
  Where& where = where_[id.index()];
  if (!where.lane.valid()) return;
  Lane& lane = lanes_[where.lane.index()];
  lane.jobs.erase(where.key);
  count_waiting(state, lane.queue, where.counted, -1);
  where = {};
  ++absent_;
}

void Backlog::insert(const State& state, JobId id, const Knobs& knobs, Instant now) {
  const Job& job = state.job(id);
  const std::string group = job.extra ? job.extra->group : "";
  const LaneKey lane_key{job.shape, job.queue, job.user, group};
  auto [at, fresh] = lane_ids_.try_emplace(lane_key, LaneId{lanes_.size()});
  if (fresh) {
    lanes_.push_back({.shape = job.shape, .queue = job.queue, .user = job.user, .jobs = {}, .cursor = {}});
  }
  Lane& lane = lanes_[at->second.index()];
  const Key key = key_of(state, id, knobs, now);
  // A new first job may be more important than those that put the lane to sleep.
  if (lane.jobs.empty() || key < *lane.jobs.begin()) lane.asleep = Asleep::No;
  if (lane.asleep == Asleep::No && lane.cursor && key < *lane.cursor) lane.cursor = key;
  lane.jobs.insert(key);
  Amounts wanted = state.ledger.catalogue().charge(job.shape);
  const Shape& shape = state.shape(job);
  if (shape.roles.size() == 1) {
    const auto more = shape.most() - static_cast<std::int32_t>(job.seats.size());
    wanted = shape.roles.front().each.charge() * std::max(0, more);
  }
  where_[id.index()] = {.lane = at->second, .key = key, .counted = wanted};
  --absent_;
  count_waiting(state, job.queue, wanted, 1);
}

std::optional<LaneId> Backlog::first(const State& state, const Knobs& knobs, const Bounds* guarantees,
                                     const Bounds* shares, Instant now) const {
  const Ranking ranking{.state = state,
                        .knobs = knobs,
                        .guarantees = guarantees,
                        .shares = shares,
                        .draft = Draft(state),
                        .now = now};
  std::optional<std::pair<Standing, LaneId>> best;
  for (std::size_t l = 0; l < lanes_.size(); ++l) {
    const Lane& lane = lanes_[l];
    if (lane.asleep != Asleep::No) continue;
    const auto job = lane.current();
    if (!job) continue;
    const std::pair<Standing, LaneId> rated{standing(ranking, lane, *job), LaneId{l}};
    if (!best || rated < *best) best = rated;
  }
  if (!best) return std::nullopt;
  return best->second;
}

std::vector<JobId> Backlog::waiting_ahead(const State& state, const Knobs& knobs, const Bounds* guarantees,
                                          const Bounds* shares, Instant now, std::optional<LaneId> lane) const {
  const Ranking ranking{.state = state,
                        .knobs = knobs,
                        .guarantees = guarantees,
                        .shares = shares,
                        .draft = Draft(state),
                        .now = now};
  std::optional<Standing> mine;
  if (lane) mine = standing(ranking, lanes_[lane->index()], *lanes_[lane->index()].current());
  std::vector<std::pair<Standing, JobId>> found;
  for (const Lane& other : lanes_) {
    const bool waits = other.asleep == Asleep::Room || other.asleep == Asleep::Policy || other.cursor;
    if (!waits || other.jobs.empty()) continue;
    const JobId job = other.jobs.begin()->job;
    const Standing theirs = standing(ranking, other, job);
    if (!mine || theirs < *mine) found.emplace_back(theirs, job);
  }
  std::sort(found.begin(), found.end());
  std::vector<JobId> jobs;
  for (const auto& [rank, job] : found) jobs.push_back(job);
  return jobs;
}

void Backlog::sleep(LaneId id, Asleep under) {
  lanes_[id.index()].asleep = under;
  lanes_[id.index()].cursor.reset();
}

void Backlog::pass_over(LaneId id) {
  Lane& lane = lanes_[id.index()];
  const auto at = lane.cursor ? lane.jobs.lower_bound(*lane.cursor) : lane.jobs.begin();
  const auto next = at == lane.jobs.end() ? at : std::next(at);
  if (next == lane.jobs.end()) return sleep(id, Asleep::Policy);
  lane.cursor = *next;
}

void Backlog::block_queue(QueueId queue) {
  for (Lane& lane : lanes_) {
    if (lane.queue != queue) continue;
    lane.asleep = Asleep::Policy;
    lane.cursor.reset();
  }
}

void Backlog::wake_all() {
  for (Lane& lane : lanes_) {
    lane.asleep = Asleep::No;
    lane.cursor.reset();
  }
}

std::optional<Instant> Backlog::next_eligible() const {
  if (later_.empty()) return std::nullopt;
  return later_.begin()->first;
}

}  // namespace muster
