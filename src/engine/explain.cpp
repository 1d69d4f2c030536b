#include "engine/explain.hpp"

#include <algorithm>

#include "core/room.hpp"
#include "engine/shortage.hpp"
#include "policy/limits.hpp"
#include "policy/promise.hpp"

namespace muster {
namespace {

class Explainer {
 public:
  Explainer(const State& state, const Policy& policy, JobId id, Instant now)
      : state_(state),
        policy_(policy),
        id_(id),
        job_(state.job(id)),
        scene_(entitlements_.scene(state, policy.knobs(), policy.backlog(), now)) {}

  std::vector<Why> run() {
    if (job_.state == JobState::Held) add({.reason = Reason::Held});
    if (job_.state == JobState::Rejected) add(never_fits_why(scene_, {id_}));
    if (is_over(job_.state) || (job_.running() && !wants_workers(state_, job_))) return std::move(found_);
    dependencies_of();
    times();
    const auto unit = unit_of(state_, id_);
    if (!unit) {
      add({.reason = Reason::Gang,
           .asked = state_.groups.find(job_.extra->group)->second.size,
           .available =
               static_cast<std::int64_t>(state_.groups.find(job_.extra->group)->second.members.size())});
    }
    room(unit.value_or(Unit{id_}));
    return std::move(found_);
  }

 private:
  void add(Why why) {
    why.subject = id_;
    found_.push_back(std::move(why));
  }

  void dependencies_of() {
    if (!job_.extra) return;
    Why waits{.reason = Reason::Dependency};
    Why failed{.reason = Reason::DependencyFailed};
    for (const Dependency& dependency : job_.extra->after) {
      const auto at = state_.families.find(dependency.family);
      const bool known = at != state_.families.end();
      if (known && dependency.when == DependencyWhen::Ok && at->second.ended > at->second.ended_well) {
        failed.names.push_back({Named::Job, at->second.first_failed});
        if (at->second.first_failed != dependency.family)
          failed.names.push_back({Named::Job, dependency.family});
      } else if (!known || at->second.ended < at->second.expected) {
        waits.names.push_back({Named::Job, dependency.family});
        ++waits.asked;
      }
    }
    if (!failed.names.empty()) add(std::move(failed));
    if (!waits.names.empty()) add(std::move(waits));
  }

  void times() {
    const Instant from = eligible_from(job_, policy_.knobs());
    if (from <= scene_.now || job_.state != JobState::Pending) return;
    const bool backoff = job_.restarts > 0 &&
                         from == after(job_.waiting_since, policy_.knobs().restart_backoff * job_.restarts);
    add({.reason = backoff ? Reason::BackingOff : Reason::NotBefore, .until = from});
  }

  [[nodiscard]] bool starts(Draft draft, const Unit& unit, const Waive& waive) const {
    return seat_unit(draft, scene_, unit, waive).has_value();
  }

  void room(const Unit& unit) {
    Draft empty(state_);
    empty.assume_empty();
    if (!starts(empty, unit, {.user_limit = true})) {
      add(never_fits_why(scene_, unit));
      return;
    }
    const Draft now = view_for(scene_, unit);
    if (starts(now, unit, {})) return policy_wait(unit);
    Draft intact = now;
    intact.assume_intact();
    if (starts(intact, unit, {})) add(node_why(scene_, unit));
    limits(now, unit);
    if (starts(now, unit, {.topology = true})) add(topology_why(scene_, unit));
    if (!starts(now, unit, {.user_limit = true, .queue_limit = true})) add(shortage_why(scene_, unit));
    if (state_.reserving.empty()) return;
    if (starts(Draft(state_), unit, {})) add(reserved_why());
  }

  /// Limits that bind: first those that alone stand in the way.
  void limits(const Draft& now, const Unit& unit) {
    std::vector<Why> alone;
    std::vector<Why> others;
    Draft draft = now;
    for (const JobId id : unit) {
      const Job& job = state_.job(id);
      if (!job.running()) {
        if (auto why = over_user_limit(draft, job.user)) {
          (starts(now, unit, {.user_limit = true}) ? alone : others).push_back(*why);
          break;
        }
        draft.count_started(id);
      }
    }
    std::vector<QueueId> queues;
    for (const JobId id : unit) queues.push_back(state_.job(id).queue);
    std::sort(queues.begin(), queues.end());
    queues.erase(std::unique(queues.begin(), queues.end()), queues.end());
    for (const QueueId queue : queues) {
      if (auto why = over_queue_limit(now, queue, charge_under(state_, unit, queue))) {
        (starts(now, unit, {.queue_limit = true}) ? alone : others).push_back(*why);
        break;
      }
    }
    for (Why& why : alone) add(std::move(why));
    for (Why& why : others) add(std::move(why));
  }

  /// It would fit: the policy makes it wait for others.
  void policy_wait(const Unit& unit) {
    Why why{.reason = Reason::Ahead};
    for (const JobId id : state_.reserving) {
      if (id != id_) why.names.push_back({Named::Job, state_.job(id).name});
    }
    const LaneOrder order{.state = state_,
                          .knobs = policy_.knobs(),
                          .guarantees = scene_.guarantees,
                          .shares = scene_.shares,
                          .now = scene_.now};
    for (const JobId id : policy_.backlog().waiting_ahead(order, std::nullopt)) {
      if (std::find(unit.begin(), unit.end(), id) != unit.end()) break;
      why.names.push_back({Named::Job, state_.job(id).name});
      if (why.names.size() >= 8) break;
    }
    why.asked = charge_of(state_, unit)[kGpu];
    for (const Demand& each : demands_of(state_, unit)) {
      for (std::size_t r = 0; r < kResources; ++r) {
        if (each.charge()[r] > 0) why.names.push_back({Named::Resource, state_.resources.name(r)});
      }
    }
    add(std::move(why));
  }

  [[nodiscard]] Why reserved_why() const {
    Why why{.reason = Reason::Reserved};
    for (const JobId id : state_.reserving) why.names.push_back({Named::Job, state_.job(id).name});
    return why;
  }

  const State& state_;
  const Policy& policy_;
  JobId id_;
  const Job& job_;
  Entitlements entitlements_;
  Scene scene_;
  std::vector<Why> found_;
};

}  // namespace

std::vector<Why> explain(const State& state, const Policy& policy, JobId job, Instant now) {
  return Explainer(state, policy, job, now).run();
}

std::string_view kind_of(Reason reason) {
  switch (reason) {
    case Reason::Held: return "held";
    case Reason::DependencyFailed: return "dependency-failed";
    case Reason::Dependency: return "dependency";
    case Reason::NeverFits: return "never-fits";
    case Reason::Draining:
    case Reason::Unhealthy: return "node";
    case Reason::UserLimit: return "user-limit";
    case Reason::QueueLimit: return "quota";
    case Reason::Topology: return "topology";
    default: return "capacity";
  }
}

}  // namespace muster
