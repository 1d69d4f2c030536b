#include "engine/what_if.hpp"

#include <algorithm>

namespace muster {
namespace {

bool same(const Waive& a, const Waive& b) {
  return a.user_limit == b.user_limit && a.queue_limit == b.queue_limit && a.topology == b.topology &&
         a.resource == b.resource;
}

/// Some node cannot be used, or some device is broken.
bool any_trouble(const State& state) {
  return std::any_of(state.ledger.nodes().begin(), state.ledger.nodes().end(), [](const NodeEntry& entry) {
    return entry.state != NodeState::Up || std::any_of(entry.spec.devices.begin(), entry.spec.devices.end(),
                                                       [](const Device& device) { return !device.healthy; });
  });
}

}  // namespace

WhatIf::WhatIf(const State& state, const Policy& policy, Unit unit, Instant now)
    : state_(state),
      policy_(policy),
      unit_(std::move(unit)),
      now_(now),
      plain_{.state = state, .knobs = policy.knobs(), .now = now} {
  views_.reserve(5);  // references into it stay good
  answers_.reserve(16);
}

const Scene& WhatIf::scene() {
  if (!full_) full_.emplace(entitlements_.scene(state_, policy_.knobs(), policy_.backlog(), now_));
  return *full_;
}

const Scene& WhatIf::plain_scene() { return state_.reserving.empty() ? plain_ : scene(); }

Draft WhatIf::draw(View view) {
  if (view == View::Unreserved) return Draft(state_);
  if (view == View::Empty) {
    Draft empty(state_);
    empty.assume_empty();
    return empty;
  }
  Draft draft = view_for(plain_scene(), unit_);
  if (view == View::NodesUp) draft.assume_nodes_up();
  if (view == View::Intact) draft.assume_intact();
  return draft;
}

const Draft& WhatIf::view(View view) {
  for (const auto& [drawn, draft] : views_) {
    if (drawn == view) return draft;
  }
  views_.emplace_back(view, draw(view));
  return views_.back().second;
}

const std::optional<Refusal>& WhatIf::ask(View view, const Waive& waive) {
  for (const Answer& answer : answers_) {
    if (answer.view == view && same(answer.waive, waive)) return answer.refusal;
  }
  Draft draft = this->view(view);
  auto seating = seat_unit(draft, plain_scene(), unit_, waive);
  answers_.push_back({.view = view, .waive = waive, .refusal = {}});
  if (!seating) answers_.back().refusal = std::move(seating.error());
  return answers_.back().refusal;
}

bool WhatIf::starts(View view, const Waive& waive) {
  if (view == View::Unreserved && state_.reserving.empty()) view = View::Now;
  if ((view == View::NodesUp || view == View::Intact) && !any_trouble(state_)) view = View::Now;
  const bool limits_waived = waive.user_limit || waive.queue_limit;
  const bool only_limits = !waive.topology && waive.resource >= kResources;
  if (view == View::Now && limits_waived && only_limits) {
    // Where it starts under all limits, or finds no room under them, leaving some out changes nothing.
    const auto& plain = ask(view, {});
    if (!plain || plain->under == Asleep::Room) return !plain;
  }
  return !ask(view, waive);
}

bool WhatIf::never_fits() {
  // What starts now but for a user's cap starts on the empty cluster.
  if (starts(View::Now, {.user_limit = true})) return false;
  if (unit_.size() > 1) return !starts(View::Empty, {.user_limit = true});
  // What other queues do not lend may change with the jobs that wait there; a limit does not.
  const Job& job = state_.job(unit_.front());
  const Amounts& charge = state_.ledger.catalogue().charge(job.shape);
  const auto& path = state_.ledger.queue(job.queue).path;
  const bool allowed = std::all_of(path.begin(), path.end(), [&](QueueId id) {
    return charge.fits_in(state_.ledger.queue(id).spec.limit);
  });
  return !allowed || !starts(View::Empty, kNoLimits);
}

Unit unit_or_alone(const State& state, JobId job) { return unit_of(state, job).value_or(Unit{job}); }

}  // namespace muster
