#include "policy/scene.hpp"

#include <algorithm>

#include "policy/limits.hpp"

namespace muster {
namespace {

/// Its queue, or one above it, is entitled to what the job asks for.
bool entitled(const Scene& scene, JobId id) {
  const Draft draft(scene.state);
  const Job& job = scene.state.job(id);
  const auto by = [&](const Bounds* bounds) {
    return bounds != nullptr && Entitlement{.draft = &draft,
                                            .claimant = job.queue,
                                            .amounts = scene.state.ledger.catalogue().charge(job.shape),
                                            .bounds = bounds}
                                    .anywhere();
  };
  return by(scene.guarantees) || by(scene.shares);
}

void block_reserved(Draft& draft, const Scene& scene, const Unit& unit) {
  for (const JobId id : scene.state.reserving) {
    const bool own = std::find(unit.begin(), unit.end(), id) != unit.end();
    if (!own && !may_take_reserved(scene, unit, id)) draft.block(id, scene.state.job(id).extra->reserved);
  }
}

Shape relax(Shape shape, const Waive& waive) {
  if (waive.topology) {
    shape.near.clear();
    shape.spread = false;
  }
  for (RoleSpec& role : shape.roles) {
    if (waive.topology) role.near.clear();
    Demand& each = role.each;
    if (waive.resource == kCpu) each.cpu = 0;
    if (waive.resource == kMem) each.mem = 0;
    if (waive.resource == kGpu) each.gpus = each.share = 0, each.gpu_mem = 0;
    if (waive.resource >= kFirstExtended && waive.resource < kResources) {
      each.extended[waive.resource - kFirstExtended] = 0;
    }
  }
  return shape;
}

}  // namespace

Scene Entitlements::scene(const State& state, const Knobs& knobs, const Backlog& backlog, Instant now) {
  Scene scene{.state = state, .knobs = knobs, .now = now};
  if (knobs.reclaim) {
    if (!guarantees || configuration != state.configuration) guarantees = guarantees_of(state.ledger);
    configuration = state.configuration;
    scene.guarantees = &*guarantees;
  }
  if (knobs.fair_share) {
    std::vector<Amounts> wanted = backlog.waiting();
    wanted.resize(state.ledger.queues().size());
    for (std::size_t q = 0; q < wanted.size(); ++q) wanted[q] += state.ledger.queues()[q].use;
    shares = fair_shares(state, wanted);
    scene.shares = &*shares;
  }
  return scene;
}

std::optional<Unit> unit_of(const State& state, JobId first) {
  const Job& job = state.job(first);
  if (!job.extra || job.extra->group.empty()) return Unit{first};
  const Group& group = state.groups.find(job.extra->group)->second;
  if (group.started) return Unit{first};
  Unit unit;
  for (const JobId member : group.members) {
    if (wants_workers(state, state.job(member)) && dependencies(state, state.job(member)) == Ready::Yes) {
      unit.push_back(member);
    }
  }
  if (static_cast<std::int32_t>(unit.size()) < group.size) return std::nullopt;
  return unit;
}

Instant ready_from(const State& state, const Knobs& knobs, const Unit& unit) {
  Instant from{};
  for (const JobId id : unit) {
    const Job& job = state.job(id);
    if (!job.running()) from = std::max(from, makes_room(job) ? kNever : eligible_from(job, knobs));
  }
  return from;
}

bool may_take_reserved(const Scene& scene, const Unit& unit, JobId other) {
  return importance(scene.state.job(other)) < importance(scene.state.job(unit.front())) &&
         (!entitled(scene, other) || entitled(scene, unit.front()));
}

Draft view_for(const Scene& scene, const Unit& unit) {
  Draft draft(scene.state);
  block_reserved(draft, scene, unit);
  return draft;
}

Draft later_view_for(const Scene& scene, const Unit& unit) {
  Draft draft(scene.state);
  for (const JobId id : scene.state.leaving) draft.remove_leaving(id);
  block_reserved(draft, scene, unit);
  return draft;
}

bool step_aside(const Scene& scene, JobId guarded, const Unit& unit, Draft& draft) {
  const State& state = scene.state;
  const Job& first = state.job(guarded);
  const Draft now(state);
  const auto bound = broken_bound(now, first.queue, state.ledger.catalogue().charge(first.shape));
  if (bound && !bound->kept) {
    const auto& path = state.ledger.queue(state.job(unit.front()).queue).path;
    return std::find(path.begin(), path.end(), bound->queue) == path.end();
  }
  if (!first.running() && user_is_full(now, first.user)) return state.job(unit.front()).user != first.user;
  draft.keep_clear(first.shape);
  return true;
}

tl::expected<Seating, Refusal> seat_unit(Draft& draft, const Scene& scene, const Unit& unit,
                                         const Waive& waive) {
  Seating seating;
  for (const JobId id : unit) {
    const Job& job = scene.state.job(id);
    if (!job.running() && !waive.user_limit) {
      if (user_is_full(draft, job.user))
        return tl::unexpected(
            Refusal{.under = Asleep::UserLimit, .reason = Reason::UserLimit, .user = job.user});
    }
    if (!job.running()) draft.count_started(id);
    if (!waive.queue_limit) {
      const Amounts& charge = scene.state.ledger.catalogue().charge(job.shape);
      if (const auto broken = broken_bound(draft, job.queue, charge)) {
        return tl::unexpected(Refusal{.under = broken->kept ? Asleep::Policy : Asleep::QueueLimit,
                                      .reason = broken->kept ? Reason::QueueShare : Reason::QueueLimit,
                                      .bound = broken});
      }
    }
    Placing what = gang_of(scene.state, id, scene.knobs.colocation);
    std::optional<Shape> relaxed;
    if (waive.topology || waive.resource < kResources) {
      relaxed = relax(*what.shape, waive);
      what.shape = &*relaxed;
    }
    auto seats = unit.size() == 1 ? place_alone(draft, what) : place(draft, what);
    if (!seats) return tl::unexpected(Refusal{});
    seating.push_back(std::move(*seats));
  }
  return seating;
}

Amounts charge_under(const State& state, const Unit& unit, QueueId queue) {
  Amounts sum;
  for (const JobId id : unit) {
    const auto& path = state.ledger.queue(state.job(id).queue).path;
    if (std::find(path.begin(), path.end(), queue) == path.end()) continue;
    sum += state.ledger.catalogue().charge(state.job(id).shape);
  }
  return sum;
}

Amounts charge_of(const State& state, const Unit& unit) {
  Amounts sum;
  for (const JobId id : unit) sum += state.ledger.catalogue().charge(state.job(id).shape);
  return sum;
}

}  // namespace muster
