// The decisions, one gang at a time: order, place, else take from others, else hold with a reason, then
// backfill, then grow the elastic. The engine applies each as records before it asks for the next.
#pragma once

#include <map>
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
  /// What a job behind others must respect.
  struct Ahead {
    std::optional<Promise> promise;  ///< with EASY backfill
    std::optional<JobId> guarded;    ///< with the starvation guard: keep clear what it could use
  };

  std::vector<Decision> try_lane(const Scene& scene, LaneId id);
  std::vector<Decision> take_room(const Scene& scene, const Unit& unit, const Ahead& ahead, Refusal& refusal);
  std::vector<Decision> wait_here(const Scene& scene, LaneId id, const Unit& unit, const Refusal& refusal);
  [[nodiscard]] Sleep sleep_for(const Scene& scene, const Unit& unit, const Refusal& refusal,
                                bool never) const;
  [[nodiscard]] bool speaks_for_shape(const Scene& scene, LaneId id, const Unit& unit) const;
  std::vector<Decision> grow(const Scene& scene);
  Ahead ahead_of(const Scene& scene, std::optional<LaneId> lane);
  Promise promise_to(const Scene& scene, const Unit& unit);

  Knobs knobs_;
  Backlog backlog_;
  Entitlements entitlements_;
  std::optional<Instant> guard_at_;  ///< when a starvation guard begins to bind
  std::map<ShapeId, std::pair<std::uint64_t, bool>> ever_fits_;
  std::optional<std::pair<std::uint64_t, Promise>> promised_;  ///< by the log's length when it was made
};

}  // namespace muster
