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

Promise promise_to(const Scene& scene, const Backlog::Ends& ends, const Unit& unit) {
  const auto fits = [&](Draft draft) { return seat_unit(draft, scene, unit).has_value(); };
  Returns returns(scene.state, ends);
  Promise promise{.unit = unit, .at = kNever, .then = Draft(scene.state)};
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

bool delays(const Scene& scene, const Promise& promise, const Unit& candidate, const Seating& seating) {
  const auto outlasts = [&](JobId id) {
    return after(after(scene.now, scene.state.job(id).limit), scene.state.cleanup) > promise.at;
  };
  if (std::none_of(candidate.begin(), candidate.end(), outlasts)) return false;
  Draft draft = promise.then;
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    if (!outlasts(candidate[i])) continue;
    draft.count_started(candidate[i]);
    draft.add(candidate[i], seating[i]);
  }
  return !seat_unit(draft, scene, promise.unit).has_value();
}

}  // namespace muster
