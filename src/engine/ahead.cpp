#include "engine/ahead.hpp"

#include <algorithm>

#include "engine/asked.hpp"
#include "policy/limits.hpp"
#include "policy/promise.hpp"

namespace muster {
namespace {

constexpr std::size_t kMostNames = 8;

const Lane* lane_of(const Backlog& backlog, JobId job) {
  for (const Lane& lane : backlog.lanes()) {
    const bool has =
        std::any_of(lane.jobs.begin(), lane.jobs.end(), [&](const Key& key) { return key.job == job; });
    if (has) return &lane;
  }
  return nullptr;
}

bool member(const Unit& unit, JobId job) { return std::find(unit.begin(), unit.end(), job) != unit.end(); }

/// Would starting the unit draw on the limit that holds the guarded job up, or on nodes it could use?
bool disturbs(WhatIf& what_if, JobId guarded) {
  Draft draft = what_if.view(View::Now);
  return !step_aside(what_if.scene(), guarded, what_if.unit(), draft) ||
         !seat_unit(draft, what_if.scene(), what_if.unit());
}

/// The start that the unit's would put off.
std::optional<Instant> put_off(WhatIf& what_if, const Unit& first, std::optional<JobId> guarded) {
  const Scene& scene = what_if.scene();
  const Backlog::Ends& ends = what_if.policy().backlog().ends();
  const Promise promise(scene, ends, first);
  if (promise.at(scene.now) >= kNever) return std::nullopt;
  Draft draft = what_if.view(View::Now);
  if (guarded) static_cast<void>(step_aside(scene, *guarded, what_if.unit(), draft));
  const auto seating = seat_unit(draft, scene, what_if.unit());
  if (!seating || promise.delayed_by(scene, ends, what_if.unit(), *seating) == Delay::None)
    return std::nullopt;
  return promise.at(scene.now);
}

}  // namespace

std::vector<JobId> jobs_ahead(WhatIf& what_if, JobId job) {
  const Policy& policy = what_if.policy();
  const Scene& scene = what_if.scene();
  const LaneOrder order{.state = what_if.state(),
                        .knobs = policy.knobs(),
                        .guarantees = scene.guarantees,
                        .shares = scene.shares,
                        .now = scene.now};
  const Lane* lane = lane_of(policy.backlog(), job);
  if (lane == nullptr) return {};
  std::vector<JobId> ahead;
  for (const JobId id : policy.backlog().waiting_in_order(order)) {
    if (id == lane->jobs.begin()->job) break;
    if (!member(what_if.unit(), id)) ahead.push_back(id);
  }
  for (const Key& key : lane->jobs) {
    if (key.job == job) break;
    ahead.push_back(key.job);
  }
  return ahead;
}

std::optional<Why> ahead_why(WhatIf& what_if, JobId job) {
  const State& state = what_if.state();
  const Knobs& knobs = what_if.policy().knobs();
  const std::vector<JobId> ahead = jobs_ahead(what_if, job);
  Why why{.reason = Reason::Ahead, .asked = static_cast<std::int64_t>(ahead.size())};
  std::optional<JobId> culprit;
  if (knobs.blocking == Blocking::Head) {
    const auto head = std::find_if(ahead.begin(), ahead.end(),
                                   [&](JobId id) { return state.job(id).queue == state.job(job).queue; });
    if (head != ahead.end()) {
      culprit = *head;
      why.names.push_back({Named::Queue, state.ledger.queue(state.job(job).queue).spec.name});
    }
  }
  for (auto at = ahead.begin(); at != ahead.end() && !culprit; ++at) {
    const auto first = unit_of(state, *at);
    if (!first || ready_from(state, knobs, *first) > what_if.now()) continue;
    if (WhatIf(state, what_if.policy(), *first, what_if.now()).never_fits()) continue;
    const bool guarded = what_if.now() >= after(state.job(*at).waiting_since, knobs.starvation_guard);
    if (guarded && disturbs(what_if, *at)) {
      culprit = *at;
    } else if (knobs.backfill == Backfill::Easy) {
      const auto promised = put_off(what_if, *first, guarded ? std::optional(*at) : std::nullopt);
      if (promised) culprit = *at;
      if (promised) why.until = *promised;
    }
    break;
  }
  if (!culprit) return std::nullopt;
  why.names.push_back({Named::Job, state.job(*culprit).name});
  for (const JobId id : ahead) {
    if (id != *culprit && why.names.size() < kMostNames)
      why.names.push_back({Named::Job, state.job(id).name});
  }
  for (const std::size_t r : asked_resources(state, what_if.unit()))
    name_resource(state, what_if.unit(), r, why.names);
  return why;
}

}  // namespace muster
