#include "policy/policy.hpp"

#include <algorithm>

#include "policy/limits.hpp"
#include "policy/resize.hpp"
#include "policy/take_room.hpp"
#include "policy/victims.hpp"

namespace muster {
namespace {

/// The first blocker, with its numbers where the refusal has them.
Why why_waits(const State& state, Reason reason, const Refusal& refusal) {
  if (reason == Reason::NeverFits) return {.reason = reason};
  if (refusal.bound) return why_of(state, *refusal.bound);
  Why why{.reason = reason};
  if (refusal.user.valid()) {
    const UserSpec& user = state.ledger.user(refusal.user).spec;
    why.asked = 1;
    why.limit = user.max_running;
    why.names.push_back({Named::User, user.name});
  }
  return why;
}

LaneOrder order_of(const Scene& scene) {
  return {.state = scene.state,
          .knobs = scene.knobs,
          .guarantees = scene.guarantees,
          .shares = scene.shares,
          .now = scene.now};
}

}  // namespace

std::vector<Decision> Policy::next(State& state, Instant now) {
  const Bounds* guarantees = entitlements_.scene(state, knobs_, backlog_, now).guarantees;
  if (guard_at_ && *guard_at_ <= now) {
    guard_at_.reset();
    backlog_.wake_all(state, knobs_);
  }
  if (backlog_.sync(state, knobs_, guarantees, now)) keep_promise(state);
  state.ledger.forget_changes();
  const Scene scene = entitlements_.scene(state, knobs_, backlog_, now);
  head_.reset();
  while (true) {
    const auto turn = backlog_.first(order_of(scene));
    if (backlog_.holds_any() && !still_head(scene, turn ? std::optional(turn->lane) : std::nullopt)) {
      backlog_.let_go(scene.state, knobs_);
      head_.reset();
      continue;
    }
    if (!turn) return grow(scene);
    auto decisions = try_turn(scene, *turn);
    if (!decisions.empty()) return decisions;
  }
}

/// Who is held back is looked at again once the promise moves, or the room it could have changes.
void Policy::keep_promise(const State& state) {
  const bool moved = std::exchange(moved_ends_, backlog_.moved_ends()) != backlog_.moved_ends();
  if (!promise_) return;
  const auto news = moved ? Shadow::News::Broken : promise_->sync(state, backlog_.ends());
  if (news == Shadow::News::Same) return backlog_.let_go_of_changed(state);
  backlog_.let_go(state, knobs_);
  if (news == Shadow::News::Broken) promise_.reset();
}

/// The promise that holds others back is still made to the first who waits, as far as the lane can tell.
bool Policy::still_head(const Scene& scene, std::optional<LaneId> lane) {
  const auto head = first_waiting(scene, lane);
  if (!head) return lane.has_value();
  return is_promised(scene, head->job);
}

bool Policy::is_promised(const Scene& scene, JobId job) const {
  if (!promise_ || !promise_->stands(scene.now)) return false;
  const Unit& unit = promise_->unit();
  return std::find(unit.begin(), unit.end(), job) != unit.end();
}

std::vector<Decision> Policy::try_turn(const Scene& scene, const Turn& turn) {
  const LaneId id = turn.lane;
  const auto unit = unit_of(scene.state, turn.job);
  const Instant ready = unit ? ready_from(scene.state, knobs_, *unit) : kNever;
  if (scene.now < ready) {
    backlog_.sleep(scene.state, knobs_, id, {});
    if (ready < kNever) backlog_.wake_at(id, ready);
    return {};
  }
  const auto guarded = guarded_ahead(scene, id);
  Draft draft = view_for(scene, *unit);
  if (guarded && !step_aside(scene, *guarded, *unit, draft)) {
    backlog_.sleep(scene.state, knobs_, id, {});
    return {};
  }
  auto seating = seat_unit(draft, scene, *unit);
  if (seating) {
    const Promise* promise = promise_ahead(scene, id);
    const Delay delay =
        promise == nullptr ? Delay::None : promise->delayed_by(scene, backlog_.ends(), *unit, *seating);
    if (delay == Delay::None)
      return start_all(scene.state, *unit, std::move(*seating), {.reason = Reason::Fits});
    hold_back(scene, id, *unit, delay == Delay::Room ? Held::InTheWay : Held::No);
    return {};
  }
  if (!guarded) {
    auto decisions = take_room(scene, id, *unit, seating.error());
    if (!decisions.empty()) return decisions;
  }
  // What is kept clear for a guarded job opens when that job goes, whatever room there is.
  if (guarded) seating.error().under = Asleep::Policy;
  return wait_here(scene, id, *unit, seating.error());
}

std::vector<Decision> Policy::take_room(const Scene& scene, LaneId lane, const Unit& unit, Refusal& refusal) {
  if (scene.state.cleanup > Duration{0}) {
    auto waiting = settle_reservation(scene, unit);
    if (waiting) {
      // What is leaving is enough as long as nobody else takes what is free already.
      refusal.under = Asleep::Policy;
      return std::move(*waiting);
    }
  }
  if (!may_hunt(scene, backlog_, unit, refusal)) return {};
  if (const Promise* promise = promise_ahead(scene, lane)) {
    const Instant at = promise->at(scene.now);
    refusal.barred = std::any_of(unit.begin(), unit.end(), [&](JobId id) { return outlasts(scene, id, at); });
    if (refusal.barred) return {};
  }
  if (!could_ever_fit(scene, unit)) return {};
  refusal.nobody = backlog_.lane(lane).lone;
  if (refusal.nobody) return {};
  Hunted hunted = hunt(scene, backlog_, unit);
  refusal.nobody = hunted.nobody;
  refusal.again = hunted.again;
  refusal.kept_for = std::move(hunted.kept_for);
  if (!hunted.found) return {};
  return take(scene, unit, std::move(*hunted.found));
}

std::vector<Decision> Policy::wait_here(const Scene& scene, LaneId id, const Unit& unit,
                                        const Refusal& refusal) {
  const JobId first = unit.front();
  const bool never = !could_ever_fit(scene, unit);
  if (knobs_.blocking == Blocking::Head) {
    backlog_.block_queue(scene.state, knobs_, backlog_.lane(id).queue);
  } else if (refusal.barred && !never) {
    hold_back(scene, id, unit, refusal.under == Asleep::Room ? Held::NoRoom : Held::No);
  } else if (refusal.under == Asleep::Room && speaks_for_shape(scene, id, unit)) {
    backlog_.sleep_shape(backlog_.lane(id).shape);
  } else {
    backlog_.sleep(scene.state, knobs_, id, sleep_for(scene, unit, refusal, never));
  }
  if (refusal.again < kNever) backlog_.wake_at(id, refusal.again);
  for (const QueueId queue : refusal.kept_for) backlog_.wake_with(id, queue);
  const Reason reason = never ? Reason::NeverFits : refusal.reason;
  if (scene.state.job(first).blocked_by == reason) return {};
  return {{.what = Hold{.job = first}, .why = why_waits(scene.state, reason, refusal)}};
}

Sleep Policy::sleep_for(const Scene& scene, const Unit& unit, const Refusal& refusal, bool never) const {
  // What holds up a group may concern a member elsewhere.
  if (unit.size() > 1) return {.under = Asleep::Policy};
  if (never && !scene.state.job(unit.front()).running()) return {.under = Asleep::Never};
  // What is leaving completes a room too.
  Sleep sleep{.under = refusal.under, .by_part = !refusal.nobody || scene.state.cleanup > Duration{0}};
  if (refusal.under != Asleep::QueueLimit) return sleep;
  sleep.limit = refusal.bound->queue;
  // What is leaving is charged still, so with a clean-up time the sums say too little.
  sleep.by_room = scene.state.cleanup > Duration{0} || may_hunt(scene, backlog_, unit, refusal, Room::Enough);
  return sleep;
}

/// All lanes of its shape see the same room.
bool Policy::is_like_its_shape(const Scene& scene, LaneId id, const Unit& unit) const {
  if (wakes_all(knobs_) || knobs_.starvation_guard < kForever || backlog_.lane(id).grouped) return false;
  const State& state = scene.state;
  const Job& job = state.job(unit.front());
  return state.reserving.empty() && state.leaving.empty() && !job.running() && !state.shape(job).best_effort;
}

/// The lanes behind this one in its shape cannot start either: they see the same room, are no more
/// important, and none of them could take room by a right that this one lacks.
bool Policy::speaks_for_shape(const Scene& scene, LaneId id, const Unit& unit) const {
  return is_like_its_shape(scene, id, unit) && !may_hunt(scene, backlog_, unit, {});
}

/// Who outlasts the promise and stands behind it has to wait: where room is the matter, all of the shape.
void Policy::hold_back(const Scene& scene, LaneId id, const Unit& unit, Held held) {
  if (held == Held::No || !is_like_its_shape(scene, id, unit))
    return backlog_.pass_over(scene.state, knobs_, id);
  backlog_.hold(backlog_.lane(id).shape, held, {.place = promised_place_, .until = promise_->at(scene.now)});
}

bool Policy::could_ever_fit(const Scene& scene, const Unit& unit) {
  const State& state = scene.state;
  const Job& job = state.job(unit.front());
  const auto seats_on_empty = [&](const Waive& waive) {
    Draft draft(state);
    draft.assume_empty();
    return seat_unit(draft, scene, unit, waive).has_value();
  };
  if (unit.size() > 1) return seats_on_empty({.user_limit = true});
  const Amounts& charge = state.ledger.catalogue().charge(job.shape);
  for (const QueueId id : state.ledger.queue(job.queue).path) {
    if (!charge.fits_in(state.ledger.queue(id).spec.limit)) return false;
  }
  // Room on the empty cluster is the shape's alone, until nodes or queues change.
  if (job.running()) return seats_on_empty({.user_limit = true, .queue_limit = true});
  if (ever_fits_.size() <= job.shape.index()) ever_fits_.resize(state.ledger.catalogue().shapes());
  auto& entry = ever_fits_[job.shape.index()];
  const std::uint64_t current = state.configuration + 1;
  if (entry.first != current) entry = {current, seats_on_empty({.user_limit = true, .queue_limit = true})};
  return entry.second;
}

/// Lanes are looked at in order: who once came first does so for all that follow.
std::optional<Placed> Policy::first_waiting(const Scene& scene, std::optional<LaneId> lane) {
  if (head_) return head_;
  auto head = backlog_.first_waiting(order_of(scene), lane, [&](JobId id) {
    const auto unit = unit_of(scene.state, id);
    return unit && ready_from(scene.state, knobs_, *unit) <= scene.now && could_ever_fit(scene, *unit);
  });
  if (scene.shares == nullptr) head_ = head;
  return head;
}

std::optional<JobId> Policy::guarded_ahead(const Scene& scene, std::optional<LaneId> lane) {
  if (knobs_.starvation_guard >= kForever) return std::nullopt;
  const auto waiting = first_waiting(scene, lane);
  if (!waiting || scene.now < after(scene.state.job(waiting->job).waiting_since, knobs_.starvation_guard))
    return std::nullopt;
  return waiting->job;
}

/// Asked only once something would start: it costs more than most refusals.
const Promise* Policy::promise_ahead(const Scene& scene, std::optional<LaneId> lane) {
  if (knobs_.backfill != Backfill::Easy) return nullptr;
  const auto waiting = first_waiting(scene, lane);
  if (!waiting) return nullptr;
  if (!is_promised(scene, waiting->job))
    promise_.emplace(scene, backlog_.ends(), *unit_of(scene.state, waiting->job));
  promised_place_ = waiting->place;
  return promise_->at(scene.now) < kNever ? &*promise_ : nullptr;
}

std::vector<Decision> Policy::grow(const Scene& scene) {
  if (backlog_.growable().empty()) return {};
  const auto guarded = guarded_ahead(scene, std::nullopt);
  const Promise* promise = promise_ahead(scene, std::nullopt);
  std::optional<ShapeId> clear;
  if (guarded) clear = scene.state.job(*guarded).shape;
  std::vector<JobId> order(backlog_.growable().begin(), backlog_.growable().end());
  std::stable_sort(order.begin(), order.end(), [&](JobId a, JobId b) {
    const Job& x = scene.state.job(a);
    const Job& y = scene.state.job(b);
    if (importance(x) != importance(y)) return importance(x) > importance(y);
    return std::make_pair(x.submitted, a) < std::make_pair(y.submitted, b);
  });
  for (const JobId id : order) {
    auto growth = growth_of(scene, id, {.ends = &backlog_.ends(), .promise = promise, .clear = clear});
    if (growth) return {{.what = std::move(*growth), .why = {.reason = Reason::GrowsIntoFree}}};
  }
  return {};
}

std::optional<Instant> Policy::wake_at(const State& state, Instant now) {
  std::optional<Instant> wake = backlog_.next_alarm();
  const auto earlier = [&](Instant at) {
    if (at > now && at < kNever && (!wake || at < *wake)) wake = at;
  };
  if (knobs_.starvation_guard < kForever) {
    for (const Lane& lane : backlog_.lanes()) {
      for (const Key& key : lane.jobs)
        earlier(after(state.job(key.job).waiting_since, knobs_.starvation_guard));
    }
    guard_at_ = wake;
  }
  if (knobs_.cool_down > Duration{0}) {
    for (const JobId id : backlog_.growable()) earlier(after(state.job(id).resized, knobs_.cool_down));
  }
  return wake;
}

}  // namespace muster
