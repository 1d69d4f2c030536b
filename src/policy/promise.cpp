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

std::vector<Return> returns_of(const State& state) {
  std::vector<Return> returns;
  for (const JobId id : state.running) {
    const Instant end = end_of(state, state.job(id));
    if (end < kNever) returns.push_back({.at = end, .job = id, .leaving = false});
  }
  for (const JobId id : state.leaving) {
    Instant last{};
    for (const auto& leaving : state.job(id).extra->leaving)
      last = std::max(last, after(leaving.since, state.cleanup));
    returns.push_back({.at = last, .job = id, .leaving = true});
  }
  std::sort(returns.begin(), returns.end(), [](const Return& a, const Return& b) {
    return std::make_tuple(a.at, a.job, a.leaving) < std::make_tuple(b.at, b.job, b.leaving);
  });
  return returns;
}

void give_back(Draft& draft, const Return& r) {
  if (r.leaving) {
    draft.remove_leaving(r.job);
  } else {
    draft.remove(r.job);
  }
}

}  // namespace

Instant end_of(const State& state, const Job& job) {
  if (!job.running()) return kNever;
  return after(after(job.started, job.limit), state.cleanup);
}

Instant earliest_start(const Scene& scene, const Unit& unit) {
  const auto returns = returns_of(scene.state);
  const auto fits_after = [&](std::size_t count) {
    Draft draft(scene.state);
    for (std::size_t i = 0; i < count; ++i) give_back(draft, returns[i]);
    return seat_unit(draft, scene, unit).has_value();
  };
  if (!fits_after(returns.size())) return kNever;
  // The fewest returns after which it fits.
  std::size_t low = 0;
  std::size_t high = returns.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (fits_after(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high == 0 ? scene.now : std::max(scene.now, returns[high - 1].at);
}

bool delays(const Scene& scene, const Promise& promise, const Unit& candidate, const Seating& seating) {
  Duration longest{0};
  for (const JobId id : candidate) longest = std::max(longest, scene.state.job(id).limit);
  if (after(after(scene.now, longest), scene.state.cleanup) <= promise.at) return false;
  Draft draft(scene.state);
  for (const Return& r : returns_of(scene.state)) {
    if (r.at <= promise.at) give_back(draft, r);
  }
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    const bool ends =
        after(after(scene.now, scene.state.job(candidate[i]).limit), scene.state.cleanup) <= promise.at;
    if (ends) continue;
    draft.count_started(candidate[i]);
    draft.add(candidate[i], seating[i]);
  }
  return !seat_unit(draft, scene, promise.unit).has_value();
}

}  // namespace muster
