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

/// Lanes of queues that a guarantee is due to come before all others, whether their shapes sleep or not.
std::optional<LaneId> Backlog::first_due(const LaneOrder& order) const {
  std::optional<std::pair<Rank, LaneId>> best;
  for (const QueueId queue : due_) {
    for (const LaneId id : of_queue_[queue.index()]) {
      const Lane& lane = lanes_[id.index()];
      if (!lane.listed || (best && best->first < lane.rank)) continue;
      if (is_due(order, order.guarantees, lane)) best = {lane.rank, id};
    }
  }
  if (!best) return std::nullopt;
  return best->second;
}

std::optional<LaneId> Backlog::first_by_standing(const LaneOrder& order) const {
  std::optional<std::pair<Standing, LaneId>> best;
  for (std::size_t l = 0; l < lanes_.size(); ++l) {
    const Lane& lane = lanes_[l];
    if (!lane.listed || !shapes_[lane.shape.index()].awake) continue;
    const std::pair<Standing, LaneId> rated{standing_of(order, lane, *lane.current()), LaneId{l}};
    if (!best || rated < *best) best = rated;
  }
  if (!best) return std::nullopt;
  return best->second;
}

std::vector<JobId> Backlog::waiting_ahead(const LaneOrder& order, std::optional<LaneId> lane) const {
  std::optional<Standing> mine;
  if (lane) mine = standing_of(order, lanes_[lane->index()], *lanes_[lane->index()].current());
  std::vector<std::pair<Standing, JobId>> found;
  for (const Lane& other : lanes_) {
    const bool waits = other.asleep != Asleep::No || other.cursor || !shapes_[other.shape.index()].awake;
    if (!waits || other.jobs.empty()) continue;
    const JobId job = other.jobs.begin()->job;
    const Standing theirs = standing_of(order, other, job);
    if (!mine || theirs < *mine) found.emplace_back(theirs, job);
  }
  std::sort(found.begin(), found.end());
  std::vector<JobId> jobs;
  for (const auto& [rank, job] : found) jobs.push_back(job);
  return jobs;
}

}  // namespace muster
