#include "engine/explain.hpp"

#include <algorithm>

#include "engine/ahead.hpp"
#include "engine/binding.hpp"
#include "engine/shortage.hpp"

namespace muster {
namespace {

class Explainer {
 public:
  Explainer(const State& state, const Policy& policy, JobId id, Instant now)
      : state_(state), policy_(policy), id_(id), job_(state.job(id)), now_(now) {}

  std::vector<Why> run() {
    if (job_.state == JobState::Held) add({.reason = Reason::Held});
    const bool waits = wants_room(state_, job_);
    if (!waits && job_.state != JobState::Rejected) return std::move(found_);
    WhatIf what_if(state_, policy_, waits ? unit_or_alone(state_, id_) : Unit{id_}, now_);
    if (!waits) {
      add(never_fits_why(what_if));
      return std::move(found_);
    }
    dependencies_of();
    times();
    group();
    place(what_if);
    return std::move(found_);
  }

 private:
  void add(Why why) {
    why.subject = id_;
    found_.push_back(std::move(why));
  }
  void add_all(std::vector<Why> whys) {
    for (Why& why : whys) add(std::move(why));
  }

  void dependencies_of() {
    if (!job_.extra) return;
    Why waits{.reason = Reason::Dependency};
    Why failed{.reason = Reason::DependencyFailed};
    for (const Dependency& dependency : job_.extra->after) {
      const auto at = state_.families.find(dependency.family);
      const Family family = at == state_.families.end() ? Family{} : at->second;
      if (dependency.when == DependencyWhen::Ok && family.ended > family.ended_well) {
        failed.names.push_back({Named::Job, family.first_failed});
        if (family.first_failed != dependency.family) failed.names.push_back({Named::Job, dependency.family});
        failed.asked += family.expected;
        failed.available += family.ended - family.ended_well;
      } else if (family.ended < family.expected) {
        waits.names.push_back({Named::Job, dependency.family});
        waits.asked += family.expected;
        waits.available += family.ended;
      }
    }
    if (!failed.names.empty()) add(std::move(failed));
    if (!waits.names.empty()) add(std::move(waits));
  }

  void times() {
    if (makes_room(job_)) add({.reason = Reason::Preempted, .until = cleaned_at(state_, job_)});
    const Instant from = eligible_from(job_, policy_.knobs());
    if (from <= now_) return;
    const bool backoff = job_.restarts > 0 &&
                         from == after(job_.waiting_since, policy_.knobs().restart_backoff * job_.restarts);
    add({.reason = backoff ? Reason::BackingOff : Reason::NotBefore, .until = from});
  }

  void group() {
    if (!job_.extra || job_.extra->group.empty()) return;
    const Group& group = state_.groups.find(job_.extra->group)->second;
    if (group.started) return;
    Why why{.reason = Reason::Gang, .asked = group.size};
    for (const JobId member : group.members) {
      if (ready_for_group(state_, policy_.knobs(), member, now_)) {
        ++why.available;
      } else if (member != id_) {
        why.names.push_back({Named::Job, state_.job(member).name});
      }
    }
    if (!why.names.empty() || why.available < group.size) add(std::move(why));
  }

  void place(WhatIf& what_if) {
    if (what_if.never_fits()) return add(never_fits_why(what_if));
    if (what_if.starts(View::Now)) {
      // What keeps it from starting is listed already, or others go first.
      if (!found_.empty()) return;
      if (auto why = ahead_why(what_if, id_)) add(std::move(*why));
      return;
    }
    add_all(binding_limits(what_if));
    if (!what_if.lacks_room()) return;
    add_all(room_whys(what_if));
    add_all(used_up_shares(what_if));
  }

  const State& state_;
  const Policy& policy_;
  JobId id_;
  const Job& job_;
  Instant now_;
  std::vector<Why> found_;
};

}  // namespace

std::vector<Why> explain(const State& state, const Policy& policy, JobId job, Instant now) {
  return Explainer(state, policy, job, now).run();
}

bool wants_room(const State& state, const Job& job) {
  if (job.state == JobState::Held) return state.shape(job).most() > 0;
  return !is_over(job.state) && wants_workers(state, job);
}

Instant cleaned_at(const State& state, const Job& job) {
  Instant last{};
  for (const Extra::Leaving& leaving : job.extra->leaving) {
    if (leaving.preempted) last = std::max(last, after(leaving.since, state.cleanup));
  }
  return last;
}

bool ready_for_group(const State& state, const Knobs& knobs, JobId member, Instant now) {
  return wants_workers(state, state.job(member)) && dependencies(state, state.job(member)) == Ready::Yes &&
         ready_from(state, knobs, {member}) <= now;
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
