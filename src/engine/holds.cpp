// Is a reason true? What can be read off the state is; the rest is asked of drafts again.
#include <algorithm>

#include "engine/ahead.hpp"
#include "engine/asked.hpp"
#include "engine/binding.hpp"
#include "engine/elsewhere.hpp"
#include "engine/explain.hpp"
#include "engine/shortage.hpp"

namespace muster {
namespace {

std::string first_name(const Why& why, Named kind) {
  for (const WhyName& name : why.names) {
    if (name.kind == kind) return name.name;
  }
  return {};
}

std::int64_t count_of(const Why& why, Named kind) {
  return std::count_if(why.names.begin(), why.names.end(),
                       [&](const WhyName& name) { return name.kind == kind; });
}

/// One of the bounds that bind is this one, with the same numbers.
bool is_among(std::vector<Why> bounds, const Why& why) {
  return std::any_of(bounds.begin(), bounds.end(), [&](Why& bound) {
    bound.subject = why.subject;
    return bound == why;
  });
}

/// Every family named is open (or failed), and the counts are those of all families named.
bool dependency_holds(const Why& why, const State& state, const Job& job) {
  if (!job.extra || why.names.empty()) return false;
  std::int64_t expected = 0;
  std::int64_t counted = 0;
  for (const Dependency& dependency : job.extra->after) {
    const bool named = std::find(why.names.begin(), why.names.end(),
                                 WhyName{Named::Job, dependency.family}) != why.names.end();
    const auto at = state.families.find(dependency.family);
    const Family family = at == state.families.end() ? Family{} : at->second;
    const std::int64_t failed = family.ended - family.ended_well;
    const bool lost = dependency.when == DependencyWhen::Ok && failed > 0;
    const bool speaks_of = why.reason == Reason::DependencyFailed
                               ? lost && (named || first_name(why, Named::Job) == family.first_failed)
                               : named && !lost;
    if (!speaks_of) continue;
    if (why.reason == Reason::Dependency && family.ended >= family.expected) continue;
    expected += family.expected;
    counted += why.reason == Reason::DependencyFailed ? failed : family.ended;
  }
  return expected > 0 && expected == why.asked && counted == why.available;
}

bool gang_holds(const Why& why, const State& state, const Knobs& knobs, Instant now) {
  const Job& job = state.job(why.subject);
  if (!job.extra || job.extra->group.empty()) return false;
  const Group& group = state.groups.find(job.extra->group)->second;
  const auto ready = std::count_if(group.members.begin(), group.members.end(),
                                   [&](JobId member) { return ready_for_group(state, knobs, member, now); });
  const bool all = ready >= group.size && ready == static_cast<std::int64_t>(group.members.size());
  return !group.started && !all && ready == why.available && group.size == why.asked;
}

/// Sums over the nodes are as told, and it does not start for want of room.
bool amounts_hold(const Why& why, WhatIf& what_if) {
  const std::string name = first_name(why, Named::Resource);
  const std::size_t r = name == kDeviceMemory ? kGpu : what_if.state().resources.find(name);
  return r < kResources && why.asked == asked_of(what_if.state(), what_if.unit(), r) &&
         why.available == free_of(what_if, r) && what_if.lacks_room();
}

bool nodes_hold(const Why& why, WhatIf& what_if) {
  const State& state = what_if.state();
  const bool unusable = std::all_of(why.names.begin(), why.names.end(), [&](const WhyName& name) {
    if (name.kind != Named::Node) return true;
    const auto& nodes = state.ledger.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](const NodeEntry& entry) {
      const auto& devices = entry.spec.devices;
      const bool broken =
          why.reason == Reason::Unhealthy &&
          std::any_of(devices.begin(), devices.end(), [](const Device& d) { return !d.healthy; });
      return entry.spec.name == name.name && (entry.state != NodeState::Up || broken);
    });
  });
  const View view = why.reason == Reason::Draining ? View::NodesUp : View::Intact;
  return unusable && count_of(why, Named::Node) > 0 && count_of(why, Named::Node) <= why.available &&
         what_if.lacks_room() && what_if.starts(view, kNoLimits);
}

bool topology_holds(const Why& why, WhatIf& what_if) {
  Waive waive = kNoLimits;
  waive.topology = true;
  const bool numbers = why.available >= kUnlimited || why.available < why.asked;
  return numbers && what_if.lacks_room() && what_if.starts(View::Now, waive);
}

bool reserved_holds(const Why& why, WhatIf& what_if) {
  const State& state = what_if.state();
  const bool keep = std::all_of(why.names.begin(), why.names.end(), [&](const WhyName& name) {
    return std::any_of(state.reserving.begin(), state.reserving.end(),
                       [&](JobId id) { return state.job(id).name == name.name; });
  });
  return keep && !why.names.empty() && what_if.lacks_room() && what_if.starts(View::Unreserved, kNoLimits);
}

/// Reasons of room: it does not start now, and would if the thing named were different.
bool room_holds(const Why& why, WhatIf& what_if) {
  const bool part = why.limit < why.asked || why.limit >= kUnlimited;
  switch (why.reason) {
    case Reason::Draining:
    case Reason::Unhealthy: return nodes_hold(why, what_if);
    case Reason::Topology: return topology_holds(why, what_if);
    case Reason::Capacity: return why.asked > why.available && amounts_hold(why, what_if);
    case Reason::Fragmentation: return why.asked <= why.available && part && amounts_hold(why, what_if);
    case Reason::Budget: return (why.asked > why.available || part) && amounts_hold(why, what_if);
    case Reason::GpuType: return why.limit > 0 && amounts_hold(why, what_if) && fits_instead(what_if, {});
    case Reason::Reserved: return reserved_holds(why, what_if);
    default: return false;
  }
}

bool ahead_holds(const Why& why, WhatIf& what_if) {
  if (!what_if.starts(View::Now)) return false;
  auto now = ahead_why(what_if, why.subject);
  if (now) now->subject = why.subject;
  return now == why;
}

}  // namespace

bool holds(const Why& why, const State& state, const Policy& policy, Instant now) {
  if (!why.subject.valid() || why.subject.index() >= state.jobs.size()) return false;
  const Job& job = state.job(why.subject);
  const bool refused = job.state == JobState::Rejected;
  if (is_over(job.state)) return refused && why.reason == Reason::NeverFits;
  switch (why.reason) {
    case Reason::Held: return job.state == JobState::Held;
    case Reason::NotBefore:
    case Reason::BackingOff: return now < why.until && eligible_from(job, policy.knobs()) == why.until;
    case Reason::Preempted: return makes_room(job) && cleaned_at(state, job) == why.until;
    case Reason::DependencyFailed:
    case Reason::Dependency: return dependency_holds(why, state, job);
    case Reason::Gang: return gang_holds(why, state, policy.knobs(), now);
    default: break;
  }
  if (!wants_room(state, job)) return false;
  WhatIf what_if(state, policy, unit_or_alone(state, why.subject), now);
  switch (why.reason) {
    case Reason::NeverFits: return what_if.never_fits();
    case Reason::UserLimit:
    case Reason::QueueLimit: return is_among(binding_limits(what_if), why);
    case Reason::QueueShare:
      return is_among(binding_limits(what_if), why) || is_among(used_up_shares(what_if), why);
    case Reason::Ahead: return ahead_holds(why, what_if);
    default: return room_holds(why, what_if);
  }
}

}  // namespace muster
