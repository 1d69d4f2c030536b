// Counterfactuals about one unit: does it start in this view of the cluster with these rules left out? Every
// reason that speaks of room is such a pair of answers, one "no" and one "yes". An answer is worked out once
// and kept, and what follows from an earlier one is not worked out at all.
#pragma once

#include <optional>
#include <vector>

#include "policy/policy.hpp"
#include "policy/scene.hpp"

namespace muster {

/// The cluster as it is for this unit, or as it would be.
enum class View : std::uint8_t {
  Now,         ///< without what is reserved for others
  Unreserved,  ///< as if nothing were reserved
  NodesUp,     ///< as if every node could be used
  Intact,      ///< and every device worked
  Empty        ///< and nothing ran
};

/// Leaves out limits of users and queues: what remains is a question of room.
inline constexpr Waive kNoLimits{.user_limit = true, .queue_limit = true};

class WhatIf {
 public:
  /// REQUIRES: state and policy outlive it and do not change.
  WhatIf(const State& state, const Policy& policy, Unit unit, Instant now);
  WhatIf(const WhatIf&) = delete;
  WhatIf& operator=(const WhatIf&) = delete;

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Policy& policy() const { return policy_; }
  [[nodiscard]] const Unit& unit() const { return unit_; }
  [[nodiscard]] Instant now() const { return now_; }
  /// With guarantees and shares.
  [[nodiscard]] const Scene& scene();
  [[nodiscard]] const Draft& view(View view);

  [[nodiscard]] bool starts(View view, const Waive& waive = {});
  /// Room is the trouble: it would not start even without any limit.
  [[nodiscard]] bool lacks_room() { return !starts(View::Now, kNoLimits); }
  /// It could not start even if nothing ran.
  [[nodiscard]] bool never_fits();
  /// A limit that only the refusal itself tells of, if that is what is in the way.
  [[nodiscard]] const std::optional<Refusal>& refusal() { return ask(View::Now, {}); }

 private:
  struct Answer {
    View view = View::Now;
    Waive waive;
    std::optional<Refusal> refusal;  ///< nothing: it starts
  };

  const std::optional<Refusal>& ask(View view, const Waive& waive);
  [[nodiscard]] Draft draw(View view);
  /// Guarantees and shares decide only about reservations: without those the scene goes without them.
  [[nodiscard]] const Scene& plain_scene();

  const State& state_;
  const Policy& policy_;
  Unit unit_;
  Instant now_;
  Entitlements entitlements_;
  std::optional<Scene> full_;
  Scene plain_;
  std::vector<std::pair<View, Draft>> views_;
  std::vector<Answer> answers_;
};

/// The jobs that start together with `job`, or it alone while its group is not complete.
Unit unit_or_alone(const State& state, JobId job);

}  // namespace muster
