// EASY backfill: the first waiting job gets the earliest start that the time limits allow, and a later
// job may start only if that start does not move. (Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995.)
#pragma once

#include <optional>
#include <variant>

#include "policy/scene.hpp"
#include "policy/shadow.hpp"

namespace muster {

/// A start promised to a waiting unit: the earliest instant at which it fits if every attempt runs to its
/// limit and nothing else starts. Kept up to date where counts tell all (policy/shadow.hpp), else made anew
/// with every change.
class Promise {
 public:
  enum class By : std::uint8_t { Cheapest, Draft };
  Promise(const Scene& scene, const Backlog::Ends& ends, Unit unit, By by = By::Cheapest);

  [[nodiscard]] const Unit& unit() const { return unit_; }
  /// kNever where it needs capacity whose end is not known.
  [[nodiscard]] Instant at(Instant now) const;
  /// Time alone did not end it.
  [[nodiscard]] bool stands(Instant now) const {
    return std::holds_alternative<Shadow>(then_) || now == made_;
  }
  /// Takes in what changed in the ledger.
  Shadow::News sync(const State& state, const Backlog::Ends& ends);

  /// Would seating `candidate` now push the promise back? `seating` as returned by seat_unit.
  [[nodiscard]] Delay delayed_by(const Scene& scene, const Backlog::Ends& ends, const Unit& candidate,
                                 const Seating& seating) const;

 private:
  struct Drafted {
    Instant at = kNever;
    Draft then;  ///< the cluster at that time
  };
  static Drafted draft_for(const Scene& scene, const Backlog::Ends& ends, const Unit& unit);

  Unit unit_;
  Instant made_;
  std::variant<Drafted, Shadow> then_;
};

/// Will the job, started now or running already, hold its capacity beyond that time?
bool outlasts(const Scene& scene, JobId job, Instant at);

}  // namespace muster
