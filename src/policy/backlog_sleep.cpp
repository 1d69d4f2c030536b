// Lanes fall asleep and wake: filed under what could help them, woken from there.
#include <algorithm>
#include <utility>

#include "policy/backlog.hpp"
#include "policy/lane_rank.hpp"
#include "policy/sleepers.hpp"

namespace muster {

void Backlog::leave_orders(LaneId id) {
  Lane& lane = lanes_[id.index()];
  if (lane.listed) {
    shapes_[lane.shape.index()].order.erase({lane.rank, id});
    forget_short(id);
  }
  if (lane.ordered) of_queue_[lane.queue.index()].order.erase({lane.head, id});
  lane.listed = lane.ordered = false;
}

/// Stands the lane where its current job belongs; nowhere if it has none.
void Backlog::list(const State& state, const Knobs& knobs, LaneId id) {
  Lane& lane = lanes_[id.index()];
  const auto at = lane.cursor ? lane.jobs.lower_bound(*lane.cursor) : lane.jobs.begin();
  if (at == lane.jobs.end()) return leave_orders(id);
  const Rank rank = rank_of(state, knobs, lane, *at);
  const Rank head = lane.cursor ? rank_of(state, knobs, lane, *lane.jobs.begin()) : rank;
  const bool awake = lane.asleep == Asleep::No;
  ShapeLanes& shape = shapes_[lane.shape.index()];
  if (awake) {
    shape.least = std::min(shape.least, lane.least);
    forget_short(id);
  }
  if (lane.ordered && lane.listed == awake && rank == lane.rank && head == lane.head) return;
  leave_orders(id);
  lane.rank = rank;
  lane.head = head;
  lane.ordered = true;
  of_queue_[lane.queue.index()].order.emplace(head, id);
  lane.listed = awake;
  if (awake) shape.order.emplace(rank, id);
}

void Backlog::wake(const State& state, const Knobs& knobs, LaneId id) {
  Lane& lane = lanes_[id.index()];
  lane.asleep = Asleep::No;
  lane.lone = false;
  lane.cursor.reset();
  list(state, knobs, id);
  shapes_[lane.shape.index()].roomless = false;
  rouse(lane.shape);
}

void Backlog::wake_list(const State& state, const Knobs& knobs, std::vector<LaneId>& sleepers,
                        std::uint8_t list) {
  std::vector<LaneId> woken;
  woken.swap(sleepers);
  for (const LaneId id : woken) {
    Lane& lane = lanes_[id.index()];
    lane.filed &= static_cast<std::uint8_t>(~list);
    if (lane.asleep != Asleep::No || lane.cursor || lane.lone) wake(state, knobs, id);
  }
}

void Backlog::file(LaneId id, std::vector<LaneId>& sleepers, std::uint8_t list) {
  Lane& lane = lanes_[id.index()];
  if ((lane.filed & list) != 0) return;
  lane.filed |= list;
  sleepers.push_back(id);
}

void Backlog::wake_shape(const State& state, const Knobs& knobs, ShapeId id) {
  wake_list(state, knobs, shapes_[id.index()].sleepers, kRoomList);
  for (const LaneId lane_id : lone_lanes(id)) {
    Lane& lane = lanes_[lane_id.index()];
    if (lane.asleep == Asleep::No || lane.jobs.empty()) continue;
    wake(state, knobs, lane_id);
    lane.lone = true;
  }
  shapes_[id.index()].roomless = false;
  rouse(id);
}

/// Who had nobody to take from may have now, where something started or a queue rose above its guarantee.
void Backlog::note_prey(const State& state, const Bounds* guarantees, Instant now) {
  struct Prey {
    Importance importance;
    QueueId queue;
    bool given = false;  ///< to other queues too
    Instant ready{};
  };
  std::vector<Prey> preys;
  for (const QueueId queue : state.ledger.charged()) {
    for (const auto& [level, herds] : evictable_) {
      const auto herd = herds.find(queue);
      if (herd == herds.end()) continue;
      preys.push_back({.importance = level,
                       .queue = queue,
                       .given = could_give(state, guarantees, queue, herd->second.least),
                       .ready = herd->second.ready});
    }
  }
  if (preys.empty()) return;
  const auto ready_for = [&](const Lane& lane) {
    const Importance mine{.class_rank = static_cast<std::int32_t>(-lane.head[0]),
                          .priority = static_cast<std::int32_t>(-lane.head[1])};
    Instant ready = kNever;
    for (const Prey& prey : preys) {
      const bool in_reach = prey.importance < mine && (prey.given || prey.queue == lane.queue);
      if (in_reach) ready = std::min(ready, prey.ready);
    }
    return ready;
  };
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    for (const LaneId id : lone_lanes(ShapeId{s})) {
      Lane& lane = lanes_[id.index()];
      const Instant ready = ready_for(lane);
      if (ready > now) {
        if (ready < lane.again) wake_at(id, ready);
        continue;
      }
      lane.lone = false;
      if (lane.asleep != Asleep::No) file(id, shapes_[s].sleepers, kRoomList);
    }
  }
}

void Backlog::wake_at(LaneId id, Instant at) {
  Lane& lane = lanes_[id.index()];
  lane.again = std::min(lane.again, at);
  alarms_.emplace(at, id);
}

/// Drops those that were woken by something else than room since.
const std::vector<LaneId>& Backlog::lone_lanes(ShapeId shape) {
  std::vector<LaneId>& lone = shapes_[shape.index()].lone;
  std::erase_if(lone, [&](LaneId id) {
    Lane& lane = lanes_[id.index()];
    if (!lane.lone) lane.filed &= static_cast<std::uint8_t>(~kLoneList);
    return !lane.lone;
  });
  return lone;
}

void Backlog::sleep(const State& state, const Knobs& knobs, LaneId id, const Sleep& why) {
  Lane& lane = lanes_[id.index()];
  lane.cursor.reset();
  lane.asleep = why.under;
  lane.lone = why.by_room && !why.by_part;
  list(state, knobs, id);
  if (why.under == Asleep::Never) return;
  if (why.under == Asleep::Policy) return file(id, policy_sleepers_, kPolicyList);
  // Room helps those behind a limit too where they could make way under it by taking from their own.
  ShapeLanes& shape = shapes_[lane.shape.index()];
  if (why.by_room && why.by_part) file(id, shape.sleepers, kRoomList);
  if (lane.lone) file(id, shape.lone, kLoneList);
  if (why.under == Asleep::UserLimit) file(id, user_sleepers_[lane.user.index()], kUserList);
  if (why.under != Asleep::QueueLimit) return;
  if (lane.limit != why.limit) lane.filed &= static_cast<std::uint8_t>(~kLimitList);
  lane.limit = why.limit;
  file(id, limit_sleepers_[why.limit.index()], kLimitList);
}

void Backlog::pass_over(const State& state, const Knobs& knobs, LaneId id) {
  Lane& lane = lanes_[id.index()];
  const auto at = lane.cursor ? lane.jobs.lower_bound(*lane.cursor) : lane.jobs.begin();
  const auto next = at == lane.jobs.end() ? at : std::next(at);
  if (next == lane.jobs.end()) return sleep(state, knobs, id, {.under = Asleep::Policy});
  file(id, policy_sleepers_, kPolicyList);
  lane.cursor = *next;
  list(state, knobs, id);
}

void Backlog::block_queue(const State& state, const Knobs& knobs, QueueId queue) {
  for (const LaneId id : of_queue_[queue.index()].all) {
    if (!lanes_[id.index()].jobs.empty()) sleep(state, knobs, id, {.under = Asleep::Policy});
  }
}

void Backlog::rouse(ShapeId id) {
  ShapeLanes& shape = shapes_[id.index()];
  shape.awake = true;
  if (shape.queued) return;
  shape.queued = true;
  awake_.push_back(id);
}

void Backlog::wake_all(const State& state, const Knobs& knobs) {
  let_go(state, knobs);
  policy_sleepers_.clear();
  for (auto& sleepers : limit_sleepers_) sleepers.clear();
  for (auto& sleepers : user_sleepers_) sleepers.clear();
  for (ShapeLanes& shape : shapes_) {
    shape.sleepers.clear();
    shape.lone.clear();
  }
  for (std::size_t l = 0; l < lanes_.size(); ++l) {
    lanes_[l].filed = 0;
    lanes_[l].bonus = bonus_of(state, knobs, lanes_[l]);
    if (!lanes_[l].jobs.empty()) wake(state, knobs, LaneId{l});
    lanes_[l].asleep = Asleep::No;
  }
}

}  // namespace muster
