// The decisions, one gang at a time: order, place, else take from others, else hold with a reason, then
// backfill, then grow the elastic. The engine applies each as records before it asks for the next.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "policy/backlog.hpp"
#include "policy/knobs.hpp"
#include "policy/promise.hpp"
#include "policy/scene.hpp"

namespace muster {

class Policy {
 public:
  explicit Policy(const Knobs& knobs) : knobs_(knobs) {}

  /// The next gang's decisions; empty when nothing more can be done now. The state's lists of changes are
  /// consumed; nothing else in it is touched.
  std::vector<Decision> next(State& state, Instant now);

  /// When to look again without news; nothing if only news can change anything.
  [[nodiscard]] std::optional<Instant> wake_at(const State& state, Instant now);

  [[nodiscard]] const Knobs& knobs() const { return knobs_; }
  [[nodiscard]] const Backlog& backlog() const { return backlog_; }
  /// Retry everything at the next call: for the test that compares with the backlog's wake-ups.
  void forget(const State& state) { backlog_.wake_all(state, knobs_); }

  /// Could the unit start on the cluster with every node up, intact and empty, under the limits of now?
  bool could_ever_fit(const Scene& scene, const Unit& unit);

 private:
  std::vector<Decision> try_turn(const Scene& scene, const Turn& turn);
  void keep_promise(const State& state);
  [[nodiscard]] bool is_promised(const Scene& scene, JobId job) const;
  bool still_head(const Scene& scene, std::optional<LaneId> lane);
  [[nodiscard]] bool is_like_its_shape(const Scene& scene, LaneId id, const Unit& unit) const;
  void hold_back(const Scene& scene, LaneId id, const Unit& unit, Held held);
  /// Notes in the refusal when to try again, where only a protection stands in the way.
  std::vector<Decision> take_room(const Scene& scene, LaneId lane, const Unit& unit, Refusal& refusal);
  std::vector<Decision> wait_here(const Scene& scene, LaneId id, const Unit& unit, const Refusal& refusal);
  [[nodiscard]] Sleep sleep_for(const Scene& scene, const Unit& unit, const Refusal& refusal,
                                bool never) const;
  [[nodiscard]] bool speaks_for_shape(const Scene& scene, LaneId id, const Unit& unit) const;
  std::vector<Decision> grow(const Scene& scene);
  std::optional<Placed> first_waiting(const Scene& scene, std::optional<LaneId> lane);
  /// With the starvation guard: for whom a job must keep clear what that one could use.
  std::optional<JobId> guarded_ahead(const Scene& scene, std::optional<LaneId> lane);
  /// With EASY: whose start a job must not put off, if anyone's.
  const Promise* promise_ahead(const Scene& scene, std::optional<LaneId> lane);

  Knobs knobs_;
  Backlog backlog_;
  Entitlements entitlements_;
  std::optional<Instant> guard_at_;                        ///< when a starvation guard begins to bind
  std::vector<std::pair<std::uint64_t, bool>> ever_fits_;  ///< by shape: for which configuration, and whether
  std::optional<Placed> head_;                             ///< the first who waits, in the call at hand
  std::optional<Promise> promise_;
  Place promised_place_;          ///< of whom it is made to
  std::uint64_t moved_ends_ = 0;  ///< of the backlog, when the promise was brought up to date
};

}  // namespace muster
