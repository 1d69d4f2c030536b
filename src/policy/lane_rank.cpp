#include "policy/lane_rank.hpp"

#include <algorithm>

#include "policy/factors.hpp"

namespace muster {
namespace {

/// Use of the fullest queue on the path relative to its share, thousandths.
std::int64_t fullness(const LaneOrder& order, QueueId queue) {
  std::int64_t worst = 0;
  for (const QueueId id : order.state.ledger.queue(queue).path) {
    for (std::size_t r = 0; r < kResources; ++r) {
      const std::int64_t share = order.shares->of[id.index()][r];
      const std::int64_t use = order.state.ledger.queue(id).use[r];
      if (share > 0 && share < kUnlimited) {
        worst = std::max(worst, static_cast<std::int64_t>(static_cast<__int128>(use) * 1000 / share));
      }
    }
  }
  return worst;
}

}  // namespace

Rank rank_of(const State& state, const Knobs& knobs, JobId id) {
  const Job& job = state.job(id);
  if (ignores_importance(knobs)) return {0, 0, 0, 0, 0, millis(job.submitted), id.value()};
  std::int64_t points = 0;
  if (knobs.order == Order::Weighted) {
    points = fixed_points(state, job, knobs) + queue_points(state, job.queue, knobs) +
             user_points(state, job.user, knobs);
  }
  return {-std::int64_t{job.class_rank},
          -std::int64_t{job.priority},
          -std::int64_t{state.ledger.queue(job.queue).spec.priority},
          tier(state, job, knobs, state.now),
          -points,
          millis(job.submitted),
          id.value()};
}

Rank rank_of(const State& state, const Knobs& knobs, const Lane& lane, const Key& key) {
  // The tier of one that runs moves with the time.
  if (key.limit == Duration{0}) return rank_of(state, knobs, key.job);
  if (ignores_importance(knobs)) return {0, 0, 0, 0, 0, millis(key.submitted), key.job.value()};
  const std::int64_t class_rank = (-key.importance) >> 32;
  return {-class_rank,
          -(-key.importance - class_rank * (std::int64_t{1} << 32)),
          -std::int64_t{state.ledger.queue(lane.queue).spec.priority},
          key.tier,
          key.points - lane.bonus,
          millis(key.submitted),
          key.job.value()};
}

std::int64_t bonus_of(const State& state, const Knobs& knobs, const Lane& lane) {
  if (knobs.order != Order::Weighted) return 0;
  return queue_points(state, lane.queue, knobs) + user_points(state, lane.user, knobs);
}

bool is_due(const LaneOrder& order, const Bounds* bounds, const Lane& lane) {
  if (bounds == nullptr) return false;
  const Draft draft(order.state);
  return Entitlement{.draft = &draft,
                     .claimant = lane.queue,
                     .amounts = order.state.ledger.catalogue().charge(lane.shape),
                     .bounds = bounds}
      .anywhere();
}

Standing standing_of(const LaneOrder& order, JobId id, const Lane& head) {
  const State& state = order.state;
  const Job& job = state.job(id);
  const Rank rank = rank_of(state, order.knobs, id);
  return {is_due(order, order.guarantees, head) ? 0 : 1,
          rank[0],
          is_due(order, order.shares, head) ? 0 : 1,
          rank[1],
          rank[2],
          rank[3],
          fullness(order, job.queue),
          state.ledger.user(job.user).past_at_epoch,
          rank[4],
          rank[5],
          rank[6]};
}

}  // namespace muster
