#include <algorithm>

#include "policy/lane_rank.hpp"

namespace muster {

std::optional<LaneId> Backlog::first(const LaneOrder& order) {
  if (order.shares != nullptr) return first_by_standing(order);
  if (order.guarantees != nullptr && order.knobs.order != Order::Submit) {
    if (const auto due = first_due(order)) return due;
  }
  const std::pair<Rank, LaneId>* best = nullptr;
  std::size_t kept = 0;
  for (const ShapeId id : awake_) {
    ShapeLanes& shape = shapes_[id.index()];
    if (!shape.awake || shape.order.empty()) {
      shape.queued = false;
      continue;
    }
    awake_[kept++] = id;
    const auto& first = *shape.order.begin();
    if (best == nullptr || first < *best) best = &first;
  }
  awake_.resize(kept);
  if (best == nullptr) return std::nullopt;
  return best->second;
}

/// Queues that a guarantee is due to come before all others, whether the shapes of their lanes sleep or not.
std::optional<LaneId> Backlog::first_due(const LaneOrder& order) const {
  std::optional<std::pair<Rank, LaneId>> best;
  for (const QueueId queue : due_) {
    std::optional<std::pair<Rank, LaneId>> head;
    for (const LaneId id : of_queue_[queue.index()]) {
      const Lane& lane = lanes_[id.index()];
      if (lane.listed && (!head || lane.rank < head->first)) head = {lane.rank, id};
    }
    if (!head || (best && *best < *head)) continue;
    if (is_due(order, order.guarantees, lanes_[head->second.index()])) best = head;
  }
  if (!best) return std::nullopt;
  return best->second;
}

/// With shares the order moves with every decision, so each queue's first lane is rated anew.
std::optional<LaneId> Backlog::first_by_standing(const LaneOrder& order) const {
  const State& state = order.state;
  const auto inner = [&](const Lane& lane) {
    const std::int64_t past = state.ledger.user(lane.user).past.value(order.now);
    return std::make_tuple(lane.rank[0], lane.rank[1], lane.rank[3], past, lane.rank);
  };
  std::optional<std::pair<Standing, LaneId>> best;
  for (const auto& lanes : of_queue_) {
    std::optional<LaneId> head;
    for (const LaneId id : lanes) {
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
  return best->second;
}

std::vector<JobId> Backlog::waiting_ahead(const LaneOrder& order, std::optional<LaneId> lane) const {
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
