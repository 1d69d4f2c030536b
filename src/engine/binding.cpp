#include "engine/binding.hpp"

#include <algorithm>

#include "policy/limits.hpp"

namespace muster {
namespace {

std::vector<QueueId> queues_of(const State& state, const Unit& unit) {
  std::vector<QueueId> queues;
  for (const JobId id : unit) queues.push_back(state.job(id).queue);
  std::sort(queues.begin(), queues.end());
  queues.erase(std::unique(queues.begin(), queues.end()), queues.end());
  return queues;
}

/// The unit's queues and their ancestors, inner before outer, each once.
std::vector<QueueId> paths_of(const State& state, const Unit& unit) {
  std::vector<QueueId> all;
  for (const QueueId queue : queues_of(state, unit)) {
    for (const QueueId id : state.ledger.queue(queue).path) {
      if (std::find(all.begin(), all.end(), id) == all.end()) all.push_back(id);
    }
  }
  return all;
}

void user_caps(const Draft& now, const Unit& unit, std::vector<Why>& found) {
  const State& state = now.state();
  std::vector<UserId> users;
  for (const JobId id : unit) {
    if (!state.job(id).running()) users.push_back(state.job(id).user);
  }
  std::sort(users.begin(), users.end());
  for (auto at = users.begin(); at != users.end();) {
    const auto next = std::upper_bound(at, users.end(), *at);
    const UserSpec& user = state.ledger.user(*at).spec;
    const auto more = static_cast<std::int64_t>(next - at);
    if (user.max_running >= 0 && now.running(*at) + more > user.max_running) {
      found.push_back({.reason = Reason::UserLimit,
                       .asked = more,
                       .available = std::max(0, user.max_running - now.running(*at)),
                       .limit = user.max_running,
                       .names = {{Named::User, user.name}}});
    }
    at = next;
  }
}

void queue_limits(const Draft& now, const Unit& unit, std::vector<Why>& found) {
  const State& state = now.state();
  for (const QueueId id : paths_of(state, unit)) {
    const QueueEntry& entry = state.ledger.queue(id);
    const Amounts use = now.use(id);
    const Amounts asked = charge_under(state, unit, id);
    for (std::size_t r = 0; r < kResources; ++r) {
      if (asked[r] == 0 || use[r] + asked[r] <= entry.spec.limit[r]) continue;
      found.push_back(
          {.reason = Reason::QueueLimit,
           .asked = asked[r],
           .available = std::max<std::int64_t>(0, entry.spec.limit[r] - use[r]),
           .limit = entry.spec.limit[r],
           .names = {{Named::Queue, entry.spec.name}, {Named::Resource, state.resources.name(r)}}});
    }
  }
}

void kept_back(WhatIf& what_if, std::vector<Why>& found) {
  const State& state = what_if.state();
  for (const QueueId queue : queues_of(state, what_if.unit())) {
    auto why = over_queue_limit(what_if.view(View::Now), queue, charge_under(state, what_if.unit(), queue));
    if (why && why->reason == Reason::QueueShare) found.push_back(std::move(*why));
  }
  // Of a group, one member's queue may be refused only after another member was charged.
  const auto& refusal = what_if.refusal();
  const bool known = std::any_of(found.begin(), found.end(),
                                 [](const Why& why) { return why.reason == Reason::QueueShare; });
  if (!known && refusal && refusal->bound && refusal->bound->kept)
    found.push_back(why_of(state, *refusal->bound));
}

}  // namespace

std::vector<Why> binding_limits(WhatIf& what_if) {
  std::vector<Why> found;
  const Draft& now = what_if.view(View::Now);
  user_caps(now, what_if.unit(), found);
  queue_limits(now, what_if.unit(), found);
  kept_back(what_if, found);
  return found;
}

std::vector<Why> used_up_shares(WhatIf& what_if) {
  std::vector<Why> found;
  const Knobs& knobs = what_if.policy().knobs();
  if (!knobs.reclaim && !knobs.fair_share) return found;
  const State& state = what_if.state();
  const Scene& scene = what_if.scene();
  const Bounds& bounds = scene.shares != nullptr ? *scene.shares : *scene.guarantees;
  for (const QueueId id : paths_of(state, what_if.unit())) {
    const QueueEntry& entry = state.ledger.queue(id);
    const Amounts asked = charge_under(state, what_if.unit(), id);
    for (std::size_t r = 0; r < kResources; ++r) {
      const std::int64_t share = bounds.of[id.index()][r];
      const bool counts = bounds.governed[r] && share > 0 && share < kUnlimited && asked[r] > 0;
      if (!counts || entry.use[r] + asked[r] <= share) continue;
      found.push_back(
          {.reason = Reason::QueueShare,
           .asked = asked[r],
           .available = std::max<std::int64_t>(0, share - entry.use[r]),
           .limit = share,
           .names = {{Named::Queue, entry.spec.name}, {Named::Resource, state.resources.name(r)}}});
      return found;
    }
  }
  return found;
}

}  // namespace muster
