// Shapes held back by EASY: of those behind the barrier only jobs short enough to end before the promised
// time may start. Lanes stand in their shape by their first jobs, so the first short job is not where the
// first lane is: lanes are searched in order, each once for a barrier, until the best found comes before the
// next lane.
#include <algorithm>
#include <utility>

#include "policy/backlog.hpp"
#include "policy/lane_rank.hpp"

namespace muster {

void Backlog::hold(ShapeId id, Held held, const Barrier& barrier) {
  ShapeLanes& shape = shapes_[id.index()];
  barrier_ = barrier;
  if (std::exchange(shape.held, held) == Held::No) held_.push_back(id);
  if (held == Held::NoRoom && shape.roomless) shape.awake = false;
}

/// Without room nothing changes but for who may take some from others.
void Backlog::let_go(const State& state, const Knobs& knobs) {
  for (const ShapeId id : std::exchange(held_, {})) {
    ShapeLanes& shape = shapes_[id.index()];
    shape.held = Held::No;
    if (!shape.awake && !shape.order.empty() && could_take_room(state, knobs, id)) rouse(id);
  }
}

/// What is in the way may go elsewhere once any node changes; without room only more room helps.
void Backlog::let_go_of_changed(const State& state) {
  if (held_.empty()) return;
  const auto let_go_at = [&](NodeId node, Held held) {
    for (const ShapeId id : accepting_[state.ledger.node(node).node_class.index()]) {
      ShapeLanes& shape = shapes_[id.index()];
      if (shape.held != held || (held == Held::NoRoom && !might_fit(state, id, node))) continue;
      shape.held = Held::No;
      shape.roomless = false;
      rouse(id);
    }
  };
  for (const NodeId node : state.ledger.touched()) let_go_at(node, Held::InTheWay);
  for (const NodeId node : state.ledger.freed()) {
    let_go_at(node, Held::InTheWay);
    let_go_at(node, Held::NoRoom);
  }
  std::erase_if(held_, [&](ShapeId id) { return shapes_[id.index()].held == Held::No; });
}

/// Beyond the time that the barrier leaves?
bool Backlog::outlasts(const LaneOrder& order, Duration limit) const {
  return end_from(order.state, order.now, limit) > std::max(order.now, barrier_.until);
}

/// Its first job waits for the barrier to move.
bool Backlog::is_passed_over(const LaneOrder& order, const Lane& lane, const Place& place) const {
  return shapes_[lane.shape.index()].held != Held::No && barrier_.place < place &&
         outlasts(order, lane.jobs.begin()->limit);
}

/// The lane's next job that a held shape may still start.
const Key* Backlog::short_job(const LaneOrder& order, Lane& lane) const {
  if (outlasts(order, lane.least)) return nullptr;
  Duration least = kForever;
  for (auto at = lane.cursor ? lane.jobs.lower_bound(*lane.cursor) : lane.jobs.begin(); at != lane.jobs.end();
       ++at) {
    if (!outlasts(order, at->limit)) return &*at;
    least = std::min(least, at->limit);
  }
  if (!lane.cursor) lane.least = least;
  return nullptr;
}

/// The lane changed: what was found in it no longer counts, and it is searched again when next asked.
void Backlog::forget_short(LaneId id) {
  Lane& lane = lanes_[id.index()];
  ShapeLanes& shape = shapes_[lane.shape.index()];
  if (!shape.searched) return;
  if (lane.found) shape.found.erase({*lane.found, id});
  lane.found.reset();
  if (!std::exchange(lane.unsearched, true)) shape.unsearched.push_back(id);
}

void Backlog::search_short(const LaneOrder& order, ShapeLanes& shape, LaneId id) {
  Lane& lane = lanes_[id.index()];
  if (lane.found || !lane.listed || shape.searched < std::pair(lane.rank, id)) return;
  const Key* key = short_job(order, lane);
  if (key == nullptr) return;
  lane.found = rank_of(order.state, order.knobs, lane, *key);
  shape.found.emplace(*lane.found, id);
}

std::optional<std::pair<Rank, Turn>> Backlog::first_short(const LaneOrder& order, ShapeLanes& shape) {
  if (outlasts(order, shape.least)) return std::nullopt;
  if (std::exchange(shape.until, barrier_.until) != barrier_.until) {
    for (const auto& [rank, id] : shape.found) lanes_[id.index()].found.reset();
    shape.found.clear();
    shape.searched.reset();
  }
  for (const LaneId id : std::exchange(shape.unsearched, {})) {
    lanes_[id.index()].unsearched = false;
    search_short(order, shape, id);
  }
  while (true) {
    auto next = shape.searched ? shape.order.upper_bound(*shape.searched) : shape.order.begin();
    for (; next != shape.order.end() && !(!shape.found.empty() && shape.found.begin()->first < next->first);
         ++next) {
      shape.searched = *next;
      search_short(order, shape, next->second);
    }
    if (shape.found.empty()) break;
    const auto [rank, id] = *shape.found.begin();
    Lane& lane = lanes_[id.index()];
    if (const Key* key = short_job(order, lane); key != nullptr && rank.back() == key->job.value())
      return std::pair(rank, Turn{.lane = id, .job = key->job});
    // With the time it has become too long.
    shape.found.erase(shape.found.begin());
    lane.found.reset();
    search_short(order, shape, id);
  }
  shape.least = kForever;
  for (const auto& [rank, id] : shape.order) shape.least = std::min(shape.least, lanes_[id.index()].least);
  return std::nullopt;
}

}  // namespace muster
