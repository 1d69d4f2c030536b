// Whom to stop so that a waiting unit can start now: the smallest price, and never more than that.
//
// Sufficient sets compare by their most protected member, then the next, and so on: importance first, then
// `avoid_evict`, then whole jobs before surplus workers, then the knob (older, or more work to lose), then
// the listing order. The search takes from the least protected upwards until the unit fits, then puts back
// from the most protected downwards whatever it can spare: what is left is the least set in that order, and
// none of its members can be spared.
#pragma once

#include <optional>
#include <vector>

#include "policy/prey.hpp"
#include "policy/scene.hpp"

namespace muster {

/// By what right.
enum class Right : std::uint8_t {
  Yield,     ///< surplus of an equal in the same queue
  Priority,  ///< strictly less important work
  Reclaim,   ///< a queue's guarantee
  Share      ///< a queue's fair share
};

struct Hunt {
  Right right = Right::Priority;
  std::vector<Prey> victims;  ///< merged: at most one entry a job
  Seating seating;            ///< where the unit goes once they are gone
};

struct Hunted {
  std::optional<Hunt> found;
  bool nobody = false;            ///< nobody runs whom it could take from
  Instant again = kNever;         ///< when a protection ends that stood in the way
  std::vector<QueueId> kept_for;  ///< queues that would have taken back at once what was in reach
};

/// Nothing is stopped unless the unit can then start, and would not be stopped in turn by the same rules.
/// What was given at this instant is kept for the instant: no cycle of rules turns within one.
Hunted hunt(const Scene& scene, const Backlog& backlog, const Unit& unit);

/// Is there any rule by which the refused unit could take from anyone? Cheap; false means `hunt` finds
/// nothing. With `Room::Enough` it stays true whatever room comes.
enum class Room : std::uint8_t { Counted, Enough };
bool may_hunt(const Scene& scene, const Backlog& backlog, const Unit& unit, const Refusal& refusal,
              Room room = Room::Counted);

/// Workers that an elastic job can give up, in the order to take them, in steps of its legal sizes.
std::vector<std::vector<std::uint32_t>> surplus_steps(const State& state, const Job& job);

}  // namespace muster
