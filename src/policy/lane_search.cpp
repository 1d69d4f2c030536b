#include <algorithm>
#include <limits>

#include "policy/lane_rank.hpp"

namespace muster {

/// The next job of a shape that is awake.
std::optional<std::pair<Rank, Turn>> Backlog::first_of(const LaneOrder& order, ShapeLanes& shape) {
  const auto& [rank, id] = *shape.order.begin();
  if (shape.held != Held::No && barrier_.place < Place{rank, rank}) return first_short(order, shape);
  return std::pair(rank, Turn{.lane = id, .job = *lanes_[id.index()].current()});
}

/// The lane's next job, where it stands at that place.
std::optional<JobId> Backlog::turn_of(const LaneOrder& order, LaneId id, const Place& place) {
  Lane& lane = lanes_[id.index()];
  if (shapes_[lane.shape.index()].held != Held::No && barrier_.place < place) {
    const Key* key = short_job(order, lane);
    return key == nullptr ? std::nullopt : std::optional(key->job);
  }
  return lane.current();
}

std::optional<Turn> Backlog::first(const LaneOrder& order) {
  if (order.shares != nullptr) return first_by_standing(order);
  std::optional<Turn> picked;
  std::size_t kept = 0;
  for (const ShapeId id : awake_) {
    ShapeLanes& shape = shapes_[id.index()];
    if (!shape.awake || shape.order.empty()) {
      shape.queued = false;
      continue;
    }
    awake_[kept++] = id;
    if (picked && place_.rank < shape.order.begin()->first) continue;
    const auto first = first_of(order, shape);
    if (!first || (picked && place_.rank < first->first)) continue;
    picked = first->second;
    place_ = {first->first, first->first};
  }
  awake_.resize(kept);
  if (order.guarantees == nullptr) return picked;
  for (const QueueId queue : due_) {
    visit_places(order, queue, [&](const Place& place, LaneId id, Due due) {
      if (picked && place_ <= place) return due == Due::No && place_.turn <= place.turn ? Go::Stop : Go::On;
      // Its own turn has not come, but a guarantee may be due to it, whether its shape sleeps or not.
      if (due == Due::No || lanes_[id.index()].asleep != Asleep::No) return Go::On;
      const auto job = turn_of(order, id, place);
      if (!job) return Go::On;
      picked = {.lane = id, .job = *job};
      place_ = place;
      return Go::Stop;
    });
  }
  return picked;
}

/// Walks the lanes of a queue in order. A lane's turn comes with its rank; a guarantee lifts the lanes it
/// is due to before all others, but not past a lane of their own queue: their turn comes with the last of
/// those ahead of them. So the order is the same whether a lane fell asleep just now or long ago.
template <class Visit>
void Backlog::visit_places(const LaneOrder& order, QueueId queue, Visit visit) const {
  const bool lifts = order.guarantees != nullptr && due_.count(queue) > 0;
  Rank turn;
  turn.fill(std::numeric_limits<std::int64_t>::min());
  for (const auto& [rank, id] : of_queue_[queue.index()].order) {
    const bool due = lifts && is_due(order, order.guarantees, lanes_[id.index()]);
    if (!due) turn = rank;
    if (visit(Place{.turn = turn, .rank = rank}, id, due ? Due::Yes : Due::No) == Go::Stop) return;
  }
}

/// With shares the order moves with every decision, so each queue's first lane is rated anew.
std::optional<Turn> Backlog::first_by_standing(const LaneOrder& order) const {
  const State& state = order.state;
  const auto inner = [&](const Lane& lane) {
    const std::int64_t past = state.ledger.user(lane.user).past_at_epoch;
    return std::make_tuple(lane.rank[0], lane.rank[1], lane.rank[3], past, lane.rank);
  };
  std::optional<std::pair<Standing, LaneId>> best;
  for (const auto& lanes : of_queue_) {
    std::optional<LaneId> head;
    for (const LaneId id : lanes.all) {
      const Lane& lane = lanes_[id.index()];
      if (!lane.listed || !shapes_[lane.shape.index()].awake) continue;
      if (!head || inner(lane) < inner(lanes_[head->index()])) head = id;
    }
    if (!head) continue;
    const Lane& lane = lanes_[head->index()];
    const std::pair<Standing, LaneId> rated{standing_of(order, *lane.current(), lane), *head};
    if (!best || rated < *best) best = rated;
  }
  if (!best) return std::nullopt;
  return Turn{.lane = best->second, .job = *lanes_[best->second.index()].current()};
}

/// Jobs of one queue that wait ahead of the place, in order, until `visit` says stop.
template <class Visit>
void Backlog::visit_waiting(const LaneOrder& order, QueueId queue, const Place* before, Visit visit) const {
  visit_places(order, queue, [&](const Place& place, LaneId id, Due due) {
    const Lane& lane = lanes_[id.index()];
    if (before != nullptr && *before <= place)
      return due == Due::No && before->turn <= place.turn ? Go::Stop : Go::On;
    const bool waits = is_asleep(lane) || lane.cursor || is_passed_over(order, lane, place);
    return waits ? visit(place, lane.jobs.begin()->job) : Go::On;
  });
}

std::optional<Placed> Backlog::first_waiting(const LaneOrder& order, std::optional<LaneId> lane,
                                             const std::function<bool(JobId)>& counts) const {
  if (order.shares != nullptr) {
    const auto waiting = waiting_by_standing(order, lane);
    const auto at = std::find_if(waiting.begin(), waiting.end(), counts);
    return at == waiting.end() ? std::nullopt : std::optional(Placed{.job = *at, .place = {}});
  }
  std::optional<Placed> best;
  for (std::size_t q = 0; q < of_queue_.size(); ++q) {
    visit_waiting(order, QueueId{q}, lane ? &place_ : nullptr, [&](const Place& place, JobId job) {
      if (best && best->place < place) return Go::Stop;
      if (!counts(job)) return Go::On;
      best = {.job = job, .place = place};
      return Go::Stop;
    });
  }
  return best;
}

std::vector<JobId> Backlog::waiting_in_order(const LaneOrder& order) const {
  if (order.shares != nullptr) return waiting_by_standing(order, std::nullopt);
  std::vector<std::pair<Place, JobId>> found;
  for (std::size_t q = 0; q < of_queue_.size(); ++q) {
    visit_waiting(order, QueueId{q}, nullptr, [&](const Place& place, JobId job) {
      found.emplace_back(place, job);
      return Go::On;
    });
  }
  std::sort(found.begin(), found.end());
  std::vector<JobId> jobs;
  for (const auto& [place, job] : found) jobs.push_back(job);
  return jobs;
}

std::vector<JobId> Backlog::waiting_by_standing(const LaneOrder& order, std::optional<LaneId> lane) const {
  // The first lane of each queue, waiting or not.
  std::vector<const Lane*> heads(of_queue_.size(), nullptr);
  for (const Lane& l : lanes_) {
    if (l.jobs.empty()) continue;
    const Lane*& head = heads[l.queue.index()];
    const auto first = [&](const Lane& x) { return rank_of(order.state, order.knobs, x.jobs.begin()->job); };
    if (head == nullptr || first(l) < first(*head)) head = &l;
  }
  std::optional<Standing> mine;
  if (lane) {
    const Lane& own = lanes_[lane->index()];
    mine = standing_of(order, *own.current(), *heads[own.queue.index()]);
  }
  std::vector<std::pair<Standing, JobId>> found;
  for (const Lane& other : lanes_) {
    const bool waits = other.asleep != Asleep::No || other.cursor || !shapes_[other.shape.index()].awake;
    if (!waits || other.jobs.empty()) continue;
    const JobId job = other.jobs.begin()->job;
    const Standing theirs = standing_of(order, job, *heads[other.queue.index()]);
    if (!mine || theirs < *mine) found.emplace_back(theirs, job);
  }
  std::sort(found.begin(), found.end());
  std::vector<JobId> jobs;
  for (const auto& [rank, job] : found) jobs.push_back(job);
  return jobs;
}

}  // namespace muster
