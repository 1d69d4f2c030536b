// Fair shares: what each queue may hold while others want it too.
//
// Per resource and level of the tree, progressive filling (water-filling): first everybody's guarantee as
// far as it is wanted, then the rest in proportion to the weights, nobody beyond what it wants or its
// limit. "Wanted" is what runs plus what waits. Max-min fairness: Bertsekas and Gallager, Data Networks,
// section 6.5.2.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/draft.hpp"

namespace muster {

/// What each queue is entitled to: its guarantee, or its fair share.
struct Bounds {
  std::vector<Amounts> of;                  ///< by queue
  std::array<bool, kResources> governed{};  ///< some queue is entitled to some of it
};

/// `wanted`: by queue, subtree included, running and waiting together.
Bounds fair_shares(const State& state, const std::vector<Amounts>& wanted);

/// Divides `amount` among claims by weight, none beyond its bound; rounds down.
struct Claim {
  std::int64_t weight = 1;
  std::int64_t bound = 0;
};
std::vector<std::int64_t> water_fill(std::int64_t amount, const std::vector<Claim>& claims);

Bounds guarantees_of(const Ledger& ledger);

/// Is the queue above its bound in some governed resource? Without bounds everybody is.
bool is_above(const State& state, const Bounds* bounds, QueueId queue);
/// Would the queue itself keep its bound without `amounts`?
bool could_give(const State& state, const Bounds* bounds, QueueId queue, const Amounts& amounts);

/// The two queues just below the lowest common ancestor of `a` and `b`, on their paths. Equal queues, or
/// one above the other: both invalid.
struct Fork {
  QueueId a;
  QueueId b;
};
Fork fork_of(const Ledger& ledger, QueueId a, QueueId b);

/// May a job charged `amounts` in `claimant` take from `victim` because of `bound` (guarantees or shares)?
/// The claimant's side of the fork stays within its bound; the victim's side is above its own.
struct Entitlement {
  const Draft* draft = nullptr;
  QueueId claimant;
  Amounts amounts;
  const Bounds* bounds = nullptr;

  /// Charging it keeps this queue within its bound in every governed resource it asks for.
  [[nodiscard]] bool may_claim_at(QueueId level) const;
  [[nodiscard]] bool may_take_from(QueueId victim) const;
  /// Some level of the claimant's path is still within its bound.
  [[nodiscard]] bool anywhere() const;
};

/// Resources in which giving up `amounts` pushes the queue, or an ancestor of it below `upto` (exclusive;
/// none = all), below its bound; as a set of bits.
std::uint32_t below_bound(const Draft& draft, const Bounds& bounds, QueueId queue, QueueId upto,
                          const Amounts& amounts);

}  // namespace muster
