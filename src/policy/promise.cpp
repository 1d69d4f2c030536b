#include "policy/promise.hpp"

#include <algorithm>
#include <vector>

namespace muster {
namespace {

/// Capacity that comes back at a known time: a running job's, or a stopped attempt's clean-up.
struct Return {
  Instant at{};
  JobId job;
  bool leaving = false;
};

/// All returns in order of time, drawn one by one.
class Returns {
 public:
  Returns(const State& state, const Backlog::Ends& ends) : next_(ends.begin()), end_(ends.end()) {
    for (const JobId id : state.leaving) {
      Instant last{};
      for (const auto& leaving : state.job(id).extra->leaving)
        last = std::max(last, after(leaving.since, state.cleanup));
      leaving_.push_back({.at = last, .job = id, .leaving = true});
    }
    std::sort(leaving_.begin(), leaving_.end(),
              [](const Return& a, const Return& b) { return std::tie(a.at, a.job) < std::tie(b.at, b.job); });
  }

  std::optional<Return> next() {
    const bool some = next_ != end_;
    if (at_ < leaving_.size() && (!some || leaving_[at_].at < next_->first)) return leaving_[at_++];
    if (!some) return std::nullopt;
    const auto& [at, job] = *next_++;
    return Return{.at = at, .job = job};
  }

 private:
  Backlog::Ends::const_iterator next_;
  Backlog::Ends::const_iterator end_;
  std::vector<Return> leaving_;
  std::size_t at_ = 0;
};

void give_back(Draft& draft, const Return& r) {
  if (r.leaving) {
    draft.remove_leaving(r.job);
  } else {
    draft.remove(r.job);
  }
}

}  // namespace

bool outlasts(const Scene& scene, JobId id, Instant at) {
  const Job& job = scene.state.job(id);
  return (job.running() ? end_of(scene.state, job) : end_from(scene.state, scene.now, job.limit)) > at;
}

Promise::Promise(const Scene& scene, const Backlog::Ends& ends, Unit unit, By by)
    : unit_(std::move(unit)),
      made_(scene.now),
      then_(by == By::Cheapest && Shadow::serves(scene.state, unit_)
                ? std::variant<Drafted, Shadow>(Shadow(scene.state, ends, unit_.front()))
                : std::variant<Drafted, Shadow>(draft_for(scene, ends, unit_))) {}

Instant Promise::at(Instant now) const {
  if (const auto* shadow = std::get_if<Shadow>(&then_)) return shadow->at(now);
  return std::get<Drafted>(then_).at;
}

Shadow::News Promise::sync(const State& state, const Backlog::Ends& ends) {
  if (auto* shadow = std::get_if<Shadow>(&then_)) return shadow->sync(state, ends);
  return Shadow::News::Broken;
}

Promise::Drafted Promise::draft_for(const Scene& scene, const Backlog::Ends& ends, const Unit& unit) {
  const auto fits = [&](Draft draft) { return seat_unit(draft, scene, unit).has_value(); };
  Returns returns(scene.state, ends);
  Drafted promise{.at = kNever, .then = Draft(scene.state)};
  if (fits(promise.then)) promise.at = scene.now;
  // Twice as many returns each time until it fits; then the fewest of the last lot that suffice.
  std::vector<Return> lot;
  std::optional<Return> next = returns.next();
  for (std::size_t goal = 1; promise.at == kNever && next; goal *= 2) {
    Draft more = promise.then;
    lot.clear();
    for (; next && lot.size() < goal; next = returns.next()) {
      give_back(more, *next);
      lot.push_back(*next);
    }
    if (!fits(more)) {
      promise.then = std::move(more);
      continue;
    }
    std::size_t low = 1;
    std::size_t high = lot.size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      Draft some = promise.then;
      for (std::size_t i = 0; i < middle; ++i) give_back(some, lot[i]);
      if (fits(some)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    promise.at = std::max(scene.now, lot[high - 1].at);
  }
  if (promise.at == kNever) return promise;
  // All that has come back by then, whether it takes part or not.
  for (const Return& r : lot) {
    if (r.at <= promise.at) give_back(promise.then, r);
  }
  for (; next && next->at <= promise.at; next = returns.next()) give_back(promise.then, *next);
  return promise;
}

Delay Promise::delayed_by(const Scene& scene, const Backlog::Ends& ends, const Unit& candidate,
                          const Seating& seating) const {
  Unit staying;
  std::vector<const Placement*> seats;
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    if (!outlasts(scene, candidate[i], at(scene.now))) continue;
    staying.push_back(candidate[i]);
    seats.push_back(&seating[i]);
  }
  if (staying.empty()) return Delay::None;
  if (const auto* shadow = std::get_if<Shadow>(&then_))
    return shadow->delayed_by(scene.state, ends, staying, seats);
  Draft draft = std::get<Drafted>(then_).then;
  for (std::size_t i = 0; i < staying.size(); ++i) {
    if (!scene.state.job(staying[i]).running()) draft.count_started(staying[i]);
    draft.add(staying[i], *seats[i]);
  }
  const auto fits = [&](Draft then, const Waive& waive) {
    return seat_unit(then, scene, unit_, waive).has_value();
  };
  if (fits(draft, {})) return Delay::None;
  return fits(draft, {.user_limit = true, .queue_limit = true}) ? Delay::Limit : Delay::Room;
}

}  // namespace muster
