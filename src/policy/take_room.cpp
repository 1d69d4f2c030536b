#include "policy/take_room.hpp"

#include <algorithm>

namespace muster {
namespace {

std::vector<WhyName> names_of(const State& state, const std::vector<Prey>& victims) {
  std::vector<WhyName> names;
  for (const Prey& prey : victims) names.push_back({Named::Job, state.job(prey.job).name});
  return names;
}

Reason reason_of(Right right) {
  switch (right) {
    case Right::Yield: return Reason::Yields;
    case Right::Priority: return Reason::Preempts;
    case Right::Reclaim:
    case Right::Share: return Reason::Reclaims;
  }
  return Reason::Preempts;
}

bool reserves(const State& state, const Unit& unit) {
  return std::any_of(unit.begin(), unit.end(), [&](JobId id) { return state.reserving.count(id) > 0; });
}

std::vector<Decision> reserve_all(const Unit& unit, Seating seating, const Why& why) {
  std::vector<Decision> decisions;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    decisions.push_back({.what = Reserve{.job = unit[i], .seats = std::move(seating[i])}, .why = why});
  }
  return decisions;
}

bool overlaps(const Placement& a, const Placement& b) {
  return std::any_of(a.begin(), a.end(), [&](const Seat& x) {
    return std::any_of(b.begin(), b.end(), [&](const Seat& y) { return x.node == y.node; });
  });
}

}  // namespace

std::vector<Decision> start_all(const State& state, const Unit& unit, Seating seating, const Why& why) {
  std::vector<Decision> decisions;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const Job& job = state.job(unit[i]);
    if (job.running()) {
      decisions.push_back({.what = Grow{.job = unit[i], .seats = std::move(seating[i])}, .why = why});
    } else {
      decisions.push_back(
          {.what = Start{.job = unit[i], .attempt = job.attempt + 1, .seats = std::move(seating[i])},
           .why = why});
    }
  }
  return decisions;
}

std::vector<Decision> take(const Scene& scene, const Unit& unit, Hunt found) {
  const State& state = scene.state;
  const Why for_whom{.reason = Reason::MadeRoom, .names = {{Named::Job, state.job(unit.front()).name}}};
  std::vector<Decision> decisions;
  for (const Prey& prey : found.victims) {
    if (prey.workers.empty()) {
      decisions.push_back(
          {.what =
               Stop{.job = prey.job, .attempt = state.job(prey.job).attempt, .cause = StopCause::Preempted},
           .why = for_whom});
    } else {
      decisions.push_back(
          {.what = Shrink{.job = prey.job, .workers = prey.workers, .cause = StopCause::Preempted},
           .why = for_whom});
    }
  }
  const Why why{.reason = reason_of(found.right), .names = names_of(state, found.victims)};
  if (state.cleanup > Duration{0}) {
    for (Decision& decision : reserve_all(unit, std::move(found.seating), why))
      decisions.push_back(std::move(decision));
    return decisions;
  }
  for (Decision& decision : start_all(state, unit, std::move(found.seating), why)) {
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

std::optional<std::vector<Decision>> settle_reservation(const Scene& scene, const Unit& unit) {
  const State& state = scene.state;
  Draft later = later_view_for(scene, unit);
  auto seating = seat_unit(later, scene, unit);
  if (reserves(state, unit)) {
    if (seating) return std::vector<Decision>{};
    std::vector<Decision> decisions;
    for (const JobId id : unit) {
      if (state.reserving.count(id) > 0) decisions.push_back({.what = Unreserve{.job = id}, .why = {}});
    }
    return decisions;
  }
  if (!seating || state.leaving.empty()) return std::nullopt;
  // What is leaving is enough. Take it over where it is kept for someone less important.
  const Why why{.reason = Reason::Preempts};
  std::vector<Decision> decisions;
  for (const JobId id : state.reserving) {
    const bool loses = may_take_reserved(scene, unit, id) &&
                       std::any_of(seating->begin(), seating->end(), [&](const Placement& seats) {
                         return overlaps(seats, state.job(id).extra->reserved);
                       });
    if (loses) decisions.push_back({.what = Unreserve{.job = id}, .why = why});
  }
  if (decisions.empty()) return decisions;
  for (Decision& decision : reserve_all(unit, std::move(*seating), why))
    decisions.push_back(std::move(decision));
  return decisions;
}

}  // namespace muster
