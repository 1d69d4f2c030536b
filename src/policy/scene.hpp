// What one decision looks at: the state, the switches, the time, and what follows from them for all jobs.
#pragma once

#include <optional>
#include <vector>

#include "core/draft.hpp"
#include "core/place.hpp"
#include "policy/backlog.hpp"
#include "policy/importance.hpp"
#include "policy/knobs.hpp"
#include "policy/limits.hpp"
#include "policy/shares.hpp"

namespace muster {

struct Scene {
  const State& state;
  const Knobs& knobs;
  Instant now;
  const Bounds* guarantees = nullptr;  ///< with `reclaim`
  const Bounds* shares = nullptr;      ///< with `fair_share`
};

/// The bounds a scene points to: guarantees change with the configuration, shares with every decision.
struct Entitlements {
  std::uint64_t configuration = 0;
  std::optional<Bounds> guarantees;
  std::optional<Bounds> shares;

  Scene scene(const State& state, const Knobs& knobs, const Backlog& backlog, Instant now);
};

/// The jobs that start together with `first`: itself, or its whole group.
using Unit = std::vector<JobId>;
std::optional<Unit> unit_of(const State& state, JobId first);
/// From when on all of them may start, as far as time goes; kNever while one still makes room for others.
Instant ready_from(const State& state, const Knobs& knobs, const Unit& unit);

/// Why a unit cannot start, and what it has to wait for.
struct Refusal {
  Asleep under = Asleep::Room;
  Reason reason = Reason::Capacity;
  UserId user{};                    ///< whose cap binds, with UserLimit
  std::optional<Broken> bound{};    ///< with QueueLimit and QueueShare
  bool barred = false;              ///< may not look for victims: it would put off a promised start
  bool nobody = false;              ///< it looked for victims, and nobody runs whom it could take from
  Instant again = kNever;           ///< when time alone may change it
  std::vector<QueueId> kept_for{};  ///< more use in one of these queues may change it
};

/// Seats for every job of the unit, in order.
using Seating = std::vector<Placement>;

/// A more important unit may take what is kept for another, but not what that one's queue is entitled to
/// while its own is not.
bool may_take_reserved(const Scene& scene, const Unit& unit, JobId other);

/// A draft as this unit sees the cluster: what is reserved for others, and not for the taking, is gone.
Draft view_for(const Scene& scene, const Unit& unit);
/// The same after every stopped attempt has left.
Draft later_view_for(const Scene& scene, const Unit& unit);

/// Leaves to the guarded job all it could use: its nodes, or the limit that holds it up. False where the
/// unit would draw on that limit.
bool step_aside(const Scene& scene, JobId guarded, const Unit& unit, Draft& draft);

/// Rules to leave out, for counterfactuals.
struct Waive {
  bool user_limit = false;
  bool queue_limit = false;
  bool topology = false;              ///< near and spread
  std::size_t resource = kResources;  ///< as if no worker asked for this resource
};

/// Seats all of the unit within all limits, or says what is in the way. What the draft holds afterwards is
/// unspecified.
tl::expected<Seating, Refusal> seat_unit(Draft& draft, const Scene& scene, const Unit& unit,
                                         const Waive& waive = {});

/// Charge of the members whose path goes through the queue.
Amounts charge_under(const State& state, const Unit& unit, QueueId queue);
/// Charge of the whole unit.
Amounts charge_of(const State& state, const Unit& unit);

}  // namespace muster
