#include "policy/shares.hpp"

#include <algorithm>

#include "policy/limits.hpp"

namespace muster {
namespace {

/// Divides `amount` of resource `r` among `queues` (siblings), writing their shares, then recurses.
void divide(const State& state, const std::vector<Amounts>& wanted, std::size_t r, std::int64_t amount,
            const std::vector<QueueId>& queues, Bounds& shares) {
  const Ledger& ledger = state.ledger;
  std::vector<Claim> claims;
  std::vector<std::int64_t> base;
  std::int64_t left = amount;
  for (const QueueId id : queues) {
    const QueueEntry& entry = ledger.queue(id);
    const std::int64_t bound = std::min(wanted[id.index()][r], entry.spec.limit[r]);
    const std::int64_t sure = std::min({entry.guarantee[r], bound, left});
    base.push_back(sure);
    left -= sure;
    claims.push_back({.weight = std::max<std::int64_t>(entry.spec.weight, 0), .bound = bound - sure});
  }
  const auto more = water_fill(left, claims);
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const std::int64_t share = base[i] + more[i];
    shares.of[queues[i].index()][r] = share;
    divide(state, wanted, r, share, ledger.queue(queues[i]).children, shares);
  }
}

}  // namespace

std::vector<std::int64_t> water_fill(std::int64_t amount, const std::vector<Claim>& claims) {
  std::vector<std::int64_t> filled(claims.size(), 0);
  std::vector<std::size_t> active;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (claims[i].bound > 0 && claims[i].weight > 0) active.push_back(i);
  }
  while (!active.empty() && amount > 0) {
    std::int64_t weights = 0;
    for (const std::size_t i : active) weights += claims[i].weight;
    const auto part = [&](std::size_t i) {
      return static_cast<std::int64_t>(static_cast<__int128>(amount) * claims[i].weight / weights);
    };
    std::vector<std::size_t> open;
    std::int64_t settled = 0;
    for (const std::size_t i : active) {
      if (claims[i].bound <= part(i)) {
        filled[i] = claims[i].bound;
        settled += claims[i].bound;
      } else {
        open.push_back(i);
      }
    }
    if (open.size() == active.size()) {
      for (const std::size_t i : active) filled[i] = part(i);
      break;
    }
    amount -= settled;
    active = std::move(open);
  }
  return filled;
}

Bounds fair_shares(const State& state, const std::vector<Amounts>& wanted) {
  Bounds shares{.of = std::vector<Amounts>(state.ledger.queues().size())};
  shares.governed.fill(true);
  std::vector<QueueId> top;
  for (std::size_t q = 0; q < state.ledger.queues().size(); ++q) {
    if (!state.ledger.queues()[q].parent.valid()) top.emplace_back(q);
  }
  const Amounts total = total_capacity(state);
  for (std::size_t r = 0; r < kResources; ++r) divide(state, wanted, r, total[r], top, shares);
  return shares;
}

Bounds guarantees_of(const Ledger& ledger) {
  Bounds bounds;
  for (const QueueEntry& entry : ledger.queues()) {
    bounds.of.push_back(entry.guarantee);
    for (std::size_t r = 0; r < kResources; ++r) {
      bounds.governed[r] = bounds.governed[r] || entry.guarantee[r] > 0;
    }
  }
  return bounds;
}

std::uint32_t below_bound(const Draft& draft, const Bounds& bounds, QueueId queue, QueueId upto,
                          const Amounts& amounts) {
  std::uint32_t below = 0;
  for (const QueueId id : draft.state().ledger.queue(queue).path) {
    if (id == upto) break;
    const Amounts use = draft.use(id);
    for (std::size_t r = 0; r < kResources; ++r) {
      if (bounds.governed[r] && amounts[r] > 0 && use[r] - amounts[r] < bounds.of[id.index()][r])
        below |= 1U << r;
    }
  }
  return below;
}

bool is_above(const State& state, const Bounds* bounds, QueueId queue) {
  if (bounds == nullptr) return true;
  const Amounts& use = state.ledger.queue(queue).use;
  for (std::size_t r = 0; r < kResources; ++r) {
    if (bounds->governed[r] && use[r] > bounds->of[queue.index()][r]) return true;
  }
  return false;
}

bool could_give(const State& state, const Bounds* bounds, QueueId queue, const Amounts& amounts) {
  if (bounds == nullptr) return true;
  const Amounts& use = state.ledger.queue(queue).use;
  for (std::size_t r = 0; r < kResources; ++r) {
    if (bounds->governed[r] && amounts[r] > 0 && use[r] - amounts[r] < bounds->of[queue.index()][r])
      return false;
  }
  return true;
}

Fork fork_of(const Ledger& ledger, QueueId a, QueueId b) {
  const auto& pa = ledger.queue(a).path;
  const auto& pb = ledger.queue(b).path;
  std::size_t ia = pa.size();
  std::size_t ib = pb.size();
  while (ia > 0 && ib > 0 && pa[ia - 1] == pb[ib - 1]) {
    --ia;
    --ib;
  }
  if (ia == 0 || ib == 0) return {};
  return {.a = pa[ia - 1], .b = pb[ib - 1]};
}

bool Entitlement::may_claim_at(QueueId level) const {
  const Amounts use = draft->use(level);
  bool governed = false;
  for (std::size_t r = 0; r < kResources; ++r) {
    if (amounts[r] == 0 || !bounds->governed[r]) continue;
    if (use[r] + amounts[r] > bounds->of[level.index()][r]) return false;
    governed = true;
  }
  return governed;
}

bool Entitlement::anywhere() const {
  const auto& path = draft->state().ledger.queue(claimant).path;
  return std::any_of(path.begin(), path.end(), [&](QueueId id) { return may_claim_at(id); });
}

bool Entitlement::may_take_from(QueueId victim) const {
  const Fork fork = fork_of(draft->state().ledger, claimant, victim);
  if (!fork.a.valid() || !may_claim_at(fork.a)) return false;
  // Every queue from the fork down to the victim must hold more than its bound of something asked for.
  for (const QueueId id : draft->state().ledger.queue(victim).path) {
    const Amounts use = draft->use(id);
    bool above = false;
    for (std::size_t r = 0; r < kResources; ++r) {
      above = above || (amounts[r] > 0 && use[r] > bounds->of[id.index()][r]);
    }
    if (!above) return false;
    if (id == fork.b) return true;
  }
  return false;
}

}  // namespace muster
