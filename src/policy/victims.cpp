#include "policy/victims.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "policy/limits.hpp"
#include "policy/taking.hpp"

namespace muster {
namespace {

/// A prey with what decides how protected it is; larger = spared first.
struct Rated {
  Prey prey;
  bool whole = true;
  std::tuple<Importance, bool, bool, std::int64_t, std::int64_t, std::int64_t> protection;
};

/// How far a queue above its share may be pushed: down to the share, or, where that does not suffice
/// because its gangs are large, below it. Guarantees are never broken.
enum class Floor : std::uint8_t { Bound, None };

class Hunter {
 public:
  Hunter(const Scene& scene, const Backlog& backlog, const Unit& unit)
      : scene_(scene),
        backlog_(backlog),
        unit_(unit),
        mine_(importance(scene.state.job(unit.front()))),
        charge_(charge_of(scene.state, unit)),
        open_(later_view_for(scene, unit)) {}

  std::optional<Hunt> run(Right right, Floor floor = Floor::Bound) {
    std::vector<Prey> preys;
    for (Rated& rated : candidates(right, floor)) preys.push_back(std::move(rated.prey));
    const std::size_t most = preys.size();
    if (most == 0) return std::nullopt;
    nobody_ = false;
    Taking taking(open_, std::move(preys));
    const std::size_t taken = take_enough(taking, most);
    if (taken > most) return std::nullopt;
    put_back_spared(taking, taken);
    Hunt found{.right = right, .victims = taking.taken(), .seating = {}};
    auto seating = seated(taking.draft());
    if (!seating || bounces(found)) return std::nullopt;
    found.seating = std::move(*seating);
    return found;
  }

  [[nodiscard]] bool nobody() const { return nobody_; }
  /// When the next protection ends of those that kept someone out of reach so far.
  [[nodiscard]] Instant again() const { return again_; }
  /// Queues of those out of reach because they would be taken back at once; ascending.
  [[nodiscard]] std::vector<QueueId> kept_for() const { return {kept_for_.begin(), kept_for_.end()}; }

 private:
  [[nodiscard]] const State& state() const { return scene_.state; }

  [[nodiscard]] std::optional<Seating> seated(Draft draft) const {
    auto seating = seat_unit(draft, scene_, unit_);
    if (!seating) return std::nullopt;
    return std::move(*seating);
  }

  /// Takes the least protected, twice as many each time, until the unit fits. How many were taken; more
  /// than there are where even all do not suffice.
  std::size_t take_enough(Taking& taking, std::size_t most) const {
    for (std::size_t taken = 0, goal = 1; taken < most; goal *= 2) {
      while (taken < std::min(goal, most)) taking.take(taken++);
      if (seated(taking.draft())) return taken;
    }
    return most + 1;
  }

  /// From the most protected down, in runs that double while they can be spared and halve where not.
  void put_back_spared(Taking& taking, std::size_t taken) const {
    for (std::size_t left = taken, run = 1; left > 0;) {
      run = std::min(run, left);
      for (std::size_t i = 1; i <= run; ++i) taking.put_back(left - i);
      if (seated(taking.draft())) {
        left -= run;
        run *= 2;
        continue;
      }
      for (std::size_t i = run; i > 0; --i) taking.take(left - i);
      if (run == 1) --left;
      run = std::max<std::size_t>(1, run / 2);
    }
  }

  /// Everything this right may take, least protected first.
  std::vector<Rated> candidates(Right right, Floor floor) {
    std::vector<Rated> rated;
    const auto& running = backlog_.evictable();
    const bool lesser = right == Right::Priority && scene_.knobs.preemption == Preemption::Priority;
    const auto end = lesser ? running.lower_bound(mine_) : running.end();
    for (auto level = running.begin(); level != end; ++level) {
      for (const auto& [queue, herd] : level->second) {
        if (!could_take_from(right, queue, level->first, herd.least)) continue;
        if (scene_.now < herd.ready) {
          again_ = std::min(again_, herd.ready);
          continue;
        }
        for (const Backlog::Herd::Member& member : herd.jobs) consider(member, right, rated);
      }
    }
    std::sort(rated.begin(), rated.end(),
              [](const Rated& a, const Rated& b) { return a.protection < b.protection; });
    if (right == Right::Reclaim || right == Right::Share) keep_entitled(right, floor, rated);
    return rated;
  }

  void consider(const Backlog::Herd::Member& member, Right right, std::vector<Rated>& rated) {
    const JobId id = member.job;
    const Job& job = state().job(id);
    if (!could_take(right, job, member.held)) return;
    if (std::find(unit_.begin(), unit_.end(), id) != unit_.end()) return;
    const Instant until = kept_until(job, scene_.knobs);
    if (scene_.now < until) {
      again_ = std::min(again_, until);
    } else {
      rate(id, job, right, rated);
    }
  }

  /// The right reaches some job of the queue, each of which holds at least that, as far as the queue tells.
  [[nodiscard]] bool could_take_from(Right right, QueueId queue, const Importance& theirs,
                                     const Amounts& least) {
    const QueueId own = state().job(unit_.front()).queue;
    switch (right) {
      case Right::Yield: return queue == own && theirs == mine_;
      case Right::Priority: return queue == own || gives_up(queue, theirs, least);
      case Right::Reclaim: return queue != own && claims_from(queue, *scene_.guarantees);
      case Right::Share: return queue != own && claims_from(queue, *scene_.shares);
    }
    return false;
  }

  [[nodiscard]] bool claims_from(QueueId queue, const Bounds& bounds) const {
    return Entitlement{
        .draft = &open_, .claimant = state().job(unit_.front()).queue, .amounts = charge_, .bounds = &bounds}
        .may_take_from(queue);
  }

  /// The right reaches this job as far as the job alone tells.
  [[nodiscard]] bool could_take(Right right, const Job& job, const Amounts& held) {
    const Importance theirs = importance(job);
    const Job& first = state().job(unit_.front());
    switch (right) {
      case Right::Yield:
        return scene_.knobs.elastic_yield && !first.running() && job.queue == first.queue && theirs == mine_;
      case Right::Priority: return priority_reaches(first, job, held);
      case Right::Reclaim: return true;
      case Right::Share: return theirs.class_rank <= mine_.class_rank;
    }
    return false;
  }

  [[nodiscard]] bool priority_reaches(const Job& first, const Job& job, const Amounts& held) {
    if (scene_.knobs.preemption == Preemption::Off) return false;
    const Importance theirs = importance(job);
    const auto gives = [&] { return job.queue == first.queue || gives_up(job.queue, theirs, held); };
    if (theirs < mine_) return gives();
    if (scene_.knobs.preemption != Preemption::Order || theirs != mine_) return false;
    const bool ahead =
        tier(state(), first, scene_.knobs, scene_.now) < tier(state(), job, scene_.knobs, scene_.now);
    return ahead && gives();
  }

  /// Across queues, priority does not take what the victim's queue could take back at once by its
  /// guarantee or share, unless the claimant is itself within its own.
  [[nodiscard]] bool gives_up(QueueId queue, const Importance& theirs, const Amounts& given) {
    for (const Bounds* bounds :
         {scene_.guarantees, theirs.class_rank == mine_.class_rank ? scene_.shares : nullptr}) {
      if (bounds == nullptr) continue;
      const Fork fork = fork_of(state().ledger, state().job(unit_.front()).queue, queue);
      if (!fork.a.valid()) continue;
      const std::uint32_t below =
          below_bound(open_, *bounds, queue, state().ledger.queue(fork.b).parent, given);
      if (below == 0) continue;
      const Entitlement own{.draft = &open_, .claimant = fork.a, .amounts = charge_, .bounds = bounds};
      if (own.may_claim_at(fork.a) && asks_for(below)) continue;
      for (const QueueId level : state().ledger.queue(queue).path) {
        if (level == state().ledger.queue(fork.b).parent) break;
        kept_for_.insert(level);
      }
      return false;
    }
    return true;
  }

  [[nodiscard]] bool asks_for(std::uint32_t resources) const {
    for (std::size_t r = 0; r < kResources; ++r) {
      if ((resources >> r & 1U) != 0 && charge_[r] == 0) return false;
    }
    return true;
  }

  void rate(JobId id, const Job& job, Right right, std::vector<Rated>& rated) const {
    const Shape& shape = state().shape(job);
    const auto add = [&](std::vector<std::uint32_t> workers, bool whole, std::int64_t step) {
      std::int64_t by_knob = -millis(job.submitted);
      if (scene_.knobs.victims == VictimRule::LostWork) {
        by_knob =
            millis(lost_work(job, scene_.now)) / 1000 * std::max<std::int64_t>(1, milli_gpus(state(), job));
      }
      rated.push_back({.prey = {.job = id, .workers = std::move(workers)},
                       .whole = whole,
                       .protection = {importance(job), job.evictable == Evictable::Avoid, whole, by_knob,
                                      -std::int64_t{id.value()}, step}});
    };
    if (shape.kind == JobKind::Service) {
      if (right == Right::Yield) return;
      const auto spare = static_cast<std::int32_t>(job.seats.size()) - job.keep;
      for (std::int32_t i = 0; i < spare; ++i) {
        add({job.seats[job.seats.size() - 1 - static_cast<std::size_t>(i)].worker}, true, i);
      }
      return;
    }
    std::int64_t step = 0;
    for (auto& workers : surplus_steps(state(), job)) add(std::move(workers), false, ++step);
    if (right != Right::Yield) add({}, true, ++step);
  }

  /// Keeps the least protected preys that the claim reaches while their queues stay above their bounds.
  void keep_entitled(Right right, Floor floor, std::vector<Rated>& rated) {
    const Bounds& bounds = right == Right::Reclaim ? *scene_.guarantees : *scene_.shares;
    Draft trial = open_;
    const QueueId claimant = state().job(unit_.front()).queue;
    const Entitlement claim{.draft = &trial, .claimant = claimant, .amounts = charge_, .bounds = &bounds};
    std::vector<Rated> kept;
    for (auto at = rated.begin(); at != rated.end(); ++at) {
      const Job& job = state().job(at->prey.job);
      if (!claim.may_take_from(job.queue)) continue;
      const std::vector<Prey> before = preys_of(kept, at->prey.job);
      const Amounts given = gives(at->prey, before);
      const QueueId above = state().ledger.queue(fork_of(state().ledger, claimant, job.queue).b).parent;
      const bool spared =
          (floor == Floor::Bound && below_bound(trial, bounds, job.queue, above, given) != 0) ||
          (scene_.guarantees != nullptr &&
           below_bound(trial, *scene_.guarantees, job.queue, above, given) != 0);
      if (spared) continue;
      take_from(trial, at->prey, before);
      kept.push_back(*at);
    }
    rated = std::move(kept);
  }

  static std::vector<Prey> preys_of(const std::vector<Rated>& rated, JobId job) {
    std::vector<Prey> preys;
    for (const Rated& r : rated) {
      if (r.prey.job == job) preys.push_back(r.prey);
    }
    return preys;
  }

  /// Workers the prey takes that `before` did not take already.
  [[nodiscard]] std::vector<std::uint32_t> workers_of(const Prey& prey,
                                                      const std::vector<Prey>& before) const {
    std::vector<std::uint32_t> workers = prey.workers;
    if (workers.empty()) {
      for (const Seat& seat : state().job(prey.job).seats) workers.push_back(seat.worker);
    }
    for (const Prey& other : before) {
      std::erase_if(workers, [&](std::uint32_t w) {
        return std::find(other.workers.begin(), other.workers.end(), w) != other.workers.end();
      });
    }
    return workers;
  }

  [[nodiscard]] Amounts gives(const Prey& prey, const std::vector<Prey>& before) const {
    Amounts sum;
    const Job& job = state().job(prey.job);
    const auto workers = workers_of(prey, before);
    for (const Seat& seat : job.seats) {
      if (std::find(workers.begin(), workers.end(), seat.worker) != workers.end()) {
        sum += state().demand(job, seat).charge();
      }
    }
    return sum;
  }

  void take_from(Draft& draft, const Prey& prey, const std::vector<Prey>& before) const {
    draft.remove_workers(prey.job, workers_of(prey, before));
  }

  /// Could a victim, waiting again, take the unit's place back by the same rules?
  [[nodiscard]] bool bounces(const Hunt& found) const {
    if (scene_.guarantees == nullptr && scene_.shares == nullptr) return false;
    Draft then = open_;
    for (const Prey& prey : found.victims) {
      if (prey.workers.empty()) then.remove(prey.job);
    }
    for (std::size_t i = 0; i < unit_.size(); ++i) {
      auto seats = place(then, gang_of(state(), unit_[i], scene_.knobs.colocation));
      if (!seats) return false;
    }
    const QueueId mine = state().job(unit_.front()).queue;
    for (const Prey& prey : found.victims) {
      const Job& job = state().job(prey.job);
      if (!prey.workers.empty() || job.queue == mine) continue;
      const Amounts charge = state().ledger.catalogue().charge(job.shape);
      const auto takes_back = [&](const Bounds* bounds) {
        return bounds != nullptr &&
               Entitlement{.draft = &then, .claimant = job.queue, .amounts = charge, .bounds = bounds}
                   .may_take_from(mine);
      };
      if (takes_back(scene_.guarantees)) return true;
      if (mine_.class_rank <= job.class_rank && takes_back(scene_.shares)) return true;
    }
    return false;
  }

  const Scene& scene_;
  const Backlog& backlog_;
  const Unit& unit_;
  Importance mine_;
  Amounts charge_;
  Draft open_;
  bool nobody_ = true;
  Instant again_ = kNever;
  std::set<QueueId> kept_for_;
};

}  // namespace

bool may_hunt(const Scene& scene, const Backlog& backlog, const Unit& unit, const Refusal& refusal,
              Room room) {
  const Job& first = scene.state.job(unit.front());
  if (scene.knobs.elastic_yield && backlog.has_surplus()) return true;
  if (scene.knobs.preemption == Preemption::Order) return true;
  const bool by_priority = scene.knobs.preemption == Preemption::Priority;
  if (by_priority && (unit.size() > 1 || !scene.state.leaving.empty())) return true;
  // Under a limit, only what runs under it makes way.
  const bool could_relieve =
      !refusal.bound || refusal.bound->kept || backlog.could_relieve(*refusal.bound, importance(first));
  const bool enough =
      room == Room::Enough || backlog.could_make_room(scene.state, first.shape, importance(first));
  if (by_priority && could_relieve && enough) return true;
  const Draft draft(scene.state);
  const auto entitled = [&](const Bounds* bounds) {
    return bounds != nullptr && Entitlement{.draft = &draft,
                                            .claimant = first.queue,
                                            .amounts = charge_of(scene.state, unit),
                                            .bounds = bounds}
                                    .anywhere();
  };
  return entitled(scene.guarantees) || entitled(scene.shares);
}

Hunted hunt(const Scene& scene, const Backlog& backlog, const Unit& unit) {
  Hunter hunter(scene, backlog, unit);
  struct Way {
    bool open;
    Right right;
    Floor floor = Floor::Bound;
  };
  const Way ways[] = {{scene.knobs.elastic_yield, Right::Yield},
                      {scene.knobs.preemption != Preemption::Off, Right::Priority},
                      {scene.guarantees != nullptr, Right::Reclaim},
                      {scene.shares != nullptr, Right::Share},
                      {scene.shares != nullptr, Right::Share, Floor::None}};
  for (const Way& way : ways) {
    if (!way.open) continue;
    if (auto found = hunter.run(way.right, way.floor)) return {.found = std::move(found), .kept_for = {}};
  }
  return {.found = std::nullopt,
          .nobody = hunter.nobody(),
          .again = hunter.again(),
          .kept_for = hunter.kept_for()};
}

}  // namespace muster
