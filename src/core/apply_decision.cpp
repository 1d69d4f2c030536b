#include "core/apply_decision.hpp"

#include "base/check.hpp"
#include "base/match.hpp"
#include "core/apply_job.hpp"

namespace muster {
namespace {

void start(State& state, const Start& what, Instant at) {
  Job& job = state.jobs[what.job.index()];
  CHECK(job.state == JobState::Pending);
  job.state = JobState::Running;
  job.attempt = what.attempt;
  job.started = job.accrued = at;
  job.checkpointed = Instant{};
  job.blocked_by = Reason::Fits;
  job.confirmed = false;
  state.ledger.count_running(job.user, 1);
  job.slot = static_cast<std::uint32_t>(state.running.size());
  state.running.push_back(what.job);
  seat_workers(state, what.job, what.seats, at);
  state.changed.push_back(what.job);
  if (!job.extra) return;
  reserve_seats(state, what.job, {});
  Extra& extra = *job.extra;
  // What ran there before was not given now.
  if (!extra.placed.empty()) job.seated = at - Duration{1};
  extra.placed.clear();
  state.to_place.erase(what.job);
  if (!extra.group.empty()) state.groups[extra.group].started = true;
  if (extra.trial && extra.trial->experiment.index() < state.experiments.size()) {
    auto& trials = state.experiments[extra.trial->experiment.index()].trials;
    trials[static_cast<std::size_t>(extra.trial->number - 1)].started = true;
  }
}

void stop(State& state, const Stop& what, Instant at) {
  Job& job = state.jobs[what.job.index()];
  if (!job.running() || job.attempt != what.attempt) return;
  if (what.cause == StopCause::Preempted) ++job.robbed;
  if (what.cause == StopCause::TimeLimit) return finish_job(state, what.job, JobState::TimedOut, at);
  wait_again(state, what.job, at);
  // Until then it does not start elsewhere: whoever takes its place plans with all of it.
  if (what.cause == StopCause::Preempted && job.extra && !job.extra->leaving.empty()) {
    job.extra->leaving.back().preempted = true;
  }
}

void shrink(State& state, const Shrink& what, Instant at) {
  if (!state.jobs[what.job.index()].running()) return;
  if (what.cause == StopCause::Preempted) ++state.jobs[what.job.index()].robbed;
  unseat_workers(state, what.job, what.workers, at);
  // A service scaled to nothing waits, without wanting anything, until it is scaled up again.
  if (state.jobs[what.job.index()].seats.empty()) wait_again(state, what.job, at);
}

}  // namespace

void apply_decision(State& state, const Decision& decision, Instant at) {
  match(
      decision.what, [&](const Start& e) { start(state, e, at); }, [&](const Stop& e) { stop(state, e, at); },
      [&](const Grow& e) {
        seat_workers(state, e.job, e.seats, at);
        if (state.reserving.count(e.job) > 0) reserve_seats(state, e.job, {});
        state.jobs[e.job.index()].blocked_by = Reason::Fits;
        state.changed.push_back(e.job);
      },
      [&](const Shrink& e) { shrink(state, e, at); },
      [&](const Reserve& e) { reserve_seats(state, e.job, e.seats); },
      [&](const Unreserve& e) {
        reserve_seats(state, e.job, {});
        state.changed.push_back(e.job);
      },
      [&](const Hold& e) { state.jobs[e.job.index()].blocked_by = decision.why.reason; });
}

}  // namespace muster
