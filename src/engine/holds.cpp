#include <algorithm>

#include "engine/explain.hpp"
#include "engine/shortage.hpp"
#include "policy/limits.hpp"

namespace muster {
namespace {

std::string first_name(const Why& why, Named kind) {
  for (const WhyName& name : why.names) {
    if (name.kind == kind) return name.name;
  }
  return {};
}

bool queue_limit_holds(const Why& why, const State& state, const Unit& unit) {
  const QueueId queue = state.ledger.find_queue(first_name(why, Named::Queue));
  const std::size_t r = state.resources.find(first_name(why, Named::Resource));
  if (!queue.valid() || r >= kResources) return false;
  const QueueEntry& entry = state.ledger.queue(queue);
  const std::int64_t asked = charge_under(state, unit, queue)[r];
  // Room that is kept for others under the same limit counts as used.
  std::int64_t kept = 0;
  for (const JobId id : state.reserving) {
    if (std::find(unit.begin(), unit.end(), id) == unit.end()) kept += charge_under(state, {id}, queue)[r];
  }
  return asked > 0 && entry.use[r] + kept + asked > entry.spec.limit[r];
}

bool user_limit_holds(const Why& why, const State& state, const Unit& unit) {
  const UserId id = state.ledger.find_user(first_name(why, Named::User));
  if (!id.valid() || state.ledger.user(id).spec.max_running < 0) return false;
  const auto theirs = [&](JobId job) { return state.job(job).user == id && !state.job(job).running(); };
  const auto more = std::count_if(unit.begin(), unit.end(), theirs) +
                    std::count_if(state.reserving.begin(), state.reserving.end(), theirs);
  return more > 0 && state.ledger.user(id).running + more > state.ledger.user(id).spec.max_running;
}

bool dependency_holds(const Why& why, const State& state, const Job& job) {
  if (!job.extra || why.names.empty()) return false;
  const Ready ready = dependencies(state, job);
  return why.reason == Reason::DependencyFailed ? ready == Ready::Never : ready != Ready::Yes;
}

/// Room reasons: it does not start now, and would if the thing named were different.
bool room_holds(const Why& why, const Scene& scene, const Unit& unit) {
  const Draft now = view_for(scene, unit);
  const auto starts = [&](Draft draft, const Waive& waive) {
    return seat_unit(draft, scene, unit, waive).has_value();
  };
  switch (why.reason) {
    case Reason::NeverFits: {
      Draft empty(scene.state);
      empty.assume_empty();
      return !starts(empty, {.user_limit = true});
    }
    case Reason::Draining: {
      Draft up = now;
      up.assume_nodes_up();
      return !starts(now, {}) && starts(up, {}) && !first_name(why, Named::Node).empty();
    }
    case Reason::Unhealthy: {
      Draft intact = now;
      intact.assume_intact();
      return !starts(now, {}) && starts(intact, {});
    }
    case Reason::Topology: return !starts(now, {}) && starts(now, {.topology = true});
    case Reason::Capacity: {
      const std::size_t r = scene.state.resources.find(first_name(why, Named::Resource));
      const bool numbers = r < kResources && why.asked > why.available;
      return numbers && !starts(now, {.user_limit = true, .queue_limit = true});
    }
    case Reason::Fragmentation:
    case Reason::GpuType:
    case Reason::Budget: return !starts(now, {.user_limit = true, .queue_limit = true});
    case Reason::Ahead: return starts(now, {});
    case Reason::Reserved: return !starts(now, {}) && starts(Draft(scene.state), {});
    case Reason::QueueShare:
      return std::any_of(unit.begin(), unit.end(), [&](JobId id) {
        const QueueId queue = scene.state.job(id).queue;
        return over_queue_limit(now, queue, charge_under(scene.state, unit, queue)).has_value();
      });
    default: return true;
  }
}

}  // namespace

bool holds(const Why& why, const State& state, const Policy& policy, Instant now) {
  if (!why.subject.valid() || why.subject.index() >= state.jobs.size()) return false;
  const Job& job = state.job(why.subject);
  Entitlements entitlements;
  const Scene scene = entitlements.scene(state, policy.knobs(), policy.backlog(), now);
  const Unit unit = unit_of(state, why.subject).value_or(Unit{why.subject});
  switch (why.reason) {
    case Reason::Held: return job.state == JobState::Held;
    case Reason::NotBefore:
    case Reason::BackingOff: return now < why.until && eligible_from(job, policy.knobs()) == why.until;
    case Reason::DependencyFailed:
    case Reason::Dependency: return dependency_holds(why, state, job);
    case Reason::Gang: return !group_complete(state, job) || !unit_of(state, why.subject);
    case Reason::UserLimit: return user_limit_holds(why, state, unit);
    case Reason::QueueLimit: return queue_limit_holds(why, state, unit);
    default: return room_holds(why, scene, unit);
  }
}

}  // namespace muster
