#include "core/apply_job.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace muster {
namespace {

/// The job, if the record speaks of its running attempt.
Job* running_attempt(State& state, JobId id, std::uint32_t attempt) {
  if (id.index() >= state.jobs.size()) return nullptr;
  Job& job = state.jobs[id.index()];
  return job.running() && job.attempt == attempt ? &job : nullptr;
}

Booking booking_of(const State& state, JobId id, const Job& job, const Seat& seat) {
  const Shape& asked = state.ledger.catalogue().shape(job.asked);
  return {.job = id,
          .queue = job.queue,
          .column = asked.best_effort ? Column::BestEffort : Column::Firm,
          .demand = &asked.roles[seat.role].each};
}

void settle_service(State& state, Job& job, Instant at) {
  const std::int64_t held = milli_gpus(state, job);
  job.attained += held * millis(at - job.accrued) / 1000;
  job.accrued = at;
}

void join_family(State& state, const JobSpec& spec) {
  if (spec.family.empty()) return;
  Family& family = state.families[spec.family];
  if (spec.family_size <= family.expected) return;
  // Whoever depends on the family waits for more of it now.
  family.expected = spec.family_size;
  for (const JobId dependant : family.dependants) state.changed.push_back(dependant);
}

void leave_family(State& state, const Job& job) {
  if (!job.extra || job.extra->family.empty()) return;
  Family& family = state.families[job.extra->family];
  ++family.ended;
  if (job.state == JobState::Done) {
    ++family.ended_well;
  } else if (family.first_failed.empty()) {
    family.first_failed = job.name;
  }
  for (const JobId dependant : family.dependants) state.changed.push_back(dependant);
}

void join_group(State& state, const JobSpec& spec, JobId id) {
  if (spec.group.empty()) return;
  Group& group = state.groups[spec.group];
  group.size = std::max(group.size, spec.group_size);
  group.members.push_back(id);
  for (const JobId member : group.members) state.changed.push_back(member);
}

void join_experiment(State& state, const TrialRef& ref, JobId id) {
  if (ref.experiment.index() >= state.experiments.size() || ref.number < 1) return;
  Experiment& experiment = state.experiments[ref.experiment.index()];
  const auto slot = static_cast<std::size_t>(ref.number - 1);
  if (experiment.trials.size() <= slot) experiment.trials.resize(slot + 1);
  Trial& trial = experiment.trials[slot];
  trial.job = id;
  trial.rung = ref.rung;
  trial.state = TrialState::Active;
  experiment.rung = std::max(experiment.rung, ref.rung);
}

Trial* trial_of(State& state, const Job& job) {
  if (!job.extra || !job.extra->trial) return nullptr;
  const TrialRef& ref = *job.extra->trial;
  if (ref.experiment.index() >= state.experiments.size()) return nullptr;
  auto& trials = state.experiments[ref.experiment.index()].trials;
  return static_cast<std::size_t>(ref.number - 1) < trials.size()
             ? &trials[static_cast<std::size_t>(ref.number - 1)]
             : nullptr;
}

void end_trial(State& state, const Job& job, StopCause cause) {
  Trial* trial = trial_of(state, job);
  if (trial == nullptr) return;
  const bool halving = state.experiments[job.extra->trial->experiment.index()].spec.search == Search::Halving;
  if (job.state == JobState::Done) {
    trial->state = halving && cause != StopCause::StoppedEarly ? TrialState::RungDone : TrialState::Done;
  } else {
    trial->state = job.state == JobState::Stopped ? TrialState::Dropped : TrialState::Failed;
  }
}

void over(State& state, JobId id, JobState outcome, Instant at, StopCause cause) {
  Job& job = state.jobs[id.index()];
  job.state = outcome;
  job.ended = at;
  job.blocked_by = Reason::Fits;
  reserve_seats(state, id, {});
  state.changed.push_back(id);
  leave_family(state, job);
  end_trial(state, job, cause);
}

bool valid(const JobSpec& spec) {
  if (spec.roles.empty()) return false;
  return std::all_of(spec.roles.begin(), spec.roles.end(), [](const RoleSpec& role) {
    const Demand& each = role.each;
    return role.count.min >= 0 && role.count.max >= 1 && role.count.min <= role.count.max && each.cpu >= 0 &&
           each.mem >= 0 && each.gpus >= 0 && each.share >= 0 && each.share < kDevice &&
           (each.gpus == 0 || each.share == 0) && each.gpu_mem >= 0;
  });
}

void fill_extra(State& state, Job& job, JobId id, const JobSpec& spec) {
  const bool needed = !spec.after.empty() || !spec.family.empty() || !spec.group.empty() || spec.trial ||
                      spec.not_before || spec.deadline || !spec.placed.empty();
  if (!needed) return;
  Extra& extra = extra_of(job);
  extra.after = spec.after;
  extra.family = spec.family;
  extra.group = spec.group;
  extra.trial = spec.trial;
  extra.not_before = spec.not_before;
  extra.deadline = spec.deadline;
  for (const std::string& name : spec.placed) {
    for (std::size_t n = 0; n < state.ledger.nodes().size(); ++n) {
      if (state.ledger.nodes()[n].spec.name == name) extra.placed.emplace_back(n);
    }
  }
  if (!extra.placed.empty()) state.to_place.insert(id);
  for (const Dependency& dependency : spec.after) state.families[dependency.family].dependants.push_back(id);
}

}  // namespace

Extra& extra_of(Job& job) {
  if (!job.extra) job.extra = std::make_unique<Extra>();
  return *job.extra;
}

void submit_job(State& state, const JobSpec& spec, Instant at) {
  const JobId id{state.jobs.size()};
  const QueueId queue = state.ledger.find_queue(spec.queue);
  UserId user = state.ledger.find_user(spec.user);
  if (!user.valid()) user = state.ledger.set_user({.name = spec.user});
  Job& job = state.jobs.emplace_back();
  job.name = spec.name;
  job.queue = queue.valid() ? queue : QueueId{0U};
  job.user = user;
  job.class_rank = spec.class_rank;
  job.priority = spec.priority;
  job.state = spec.held ? JobState::Held : JobState::Pending;
  job.evictable = spec.evictable;
  job.checkpoint = spec.checkpoint;
  job.max_restarts = spec.max_restarts;
  job.keep = spec.keep;
  job.submitted = job.waiting_since = at;
  job.limit = spec.limit.value_or(kForever);
  job.expect = spec.expect.value_or(kForever);
  const Shape shape{.roles = spec.roles,
                    .near = spec.near,
                    .spread = spec.spread,
                    .best_effort = spec.best_effort,
                    .kind = spec.kind};
  if (!queue.valid() || !valid(spec)) {
    job.shape = job.asked = state.ledger.intern(Shape{.roles = {RoleSpec{}}, .near = {}});
    fill_extra(state, job, id, spec);
    return over(state, id, JobState::Rejected, at, StopCause::Failed);
  }
  job.shape = job.asked = state.ledger.intern(shape);
  fill_extra(state, job, id, spec);
  join_family(state, spec);
  join_group(state, spec, id);
  if (spec.trial) join_experiment(state, *spec.trial, id);
  state.changed.push_back(id);
}

void seat_workers(State& state, JobId id, const Placement& seats, Instant at) {
  Job& job = state.jobs[id.index()];
  settle_service(state, job, at);
  job.resized = job.seated = at;
  std::int64_t added = 0;
  for (const Seat& seat : seats) {
    const Booking booking = booking_of(state, id, job, seat);
    state.ledger.book(booking, seat);
    added += booking.demand->charge()[kGpu];
    job.seats.push_back(seat);
  }
  std::sort(job.seats.begin(), job.seats.end(),
            [](const Seat& a, const Seat& b) { return a.worker < b.worker; });
  state.ledger.charge_user(job.user, added, at);
}

void unseat_workers(State& state, JobId id, const std::vector<std::uint32_t>& workers, Instant at) {
  Job& job = state.jobs[id.index()];
  settle_service(state, job, at);
  job.resized = at;
  std::int64_t removed = 0;
  std::erase_if(job.seats, [&](const Seat& seat) {
    if (!std::binary_search(workers.begin(), workers.end(), seat.worker)) return false;
    const Booking booking = booking_of(state, id, job, seat);
    state.ledger.release(booking, seat);
    removed += booking.demand->charge()[kGpu];
    return true;
  });
  state.ledger.charge_user(job.user, -removed, at);
  state.changed.push_back(id);
}

void unseat_all(State& state, JobId id, Instant at) {
  Job& job = state.jobs[id.index()];
  if (!job.running()) return;
  settle_service(state, job, at);
  state.ledger.charge_user(job.user, -milli_gpus(state, job), at);
  state.ledger.count_running(job.user, -1);
  const JobId last = state.running.back();
  state.running[job.slot] = last;
  state.jobs[last.index()].slot = job.slot;
  state.running.pop_back();
  if (state.cleanup > Duration{0}) {
    // Room that begins to leave can be planned with.
    for (const Seat& seat : job.seats) state.ledger.note_leaving(seat.node);
    extra_of(job).leaving.push_back({.attempt = job.attempt, .seats = std::move(job.seats), .since = at});
    state.leaving.insert(id);
  } else {
    for (const Seat& seat : job.seats) state.ledger.release(booking_of(state, id, job, seat), seat);
  }
  job.seats.clear();
  job.confirmed = false;
}

void wait_again(State& state, JobId id, Instant at) {
  Job& job = state.jobs[id.index()];
  job.kept = kept_work(job, at);
  unseat_all(state, id, at);
  job.state = JobState::Pending;
  job.waiting_since = at;
  job.blocked_by = Reason::Fits;
  state.changed.push_back(id);
}

void finish_job(State& state, JobId id, JobState outcome, Instant at) {
  unseat_all(state, id, at);
  over(state, id, outcome, at, StopCause::Failed);
}

void cancel_job(State& state, const JobCancelled& event, Instant at) {
  if (event.job.index() >= state.jobs.size() || is_over(state.jobs[event.job.index()].state)) return;
  unseat_all(state, event.job, at);
  JobState outcome = JobState::Cancelled;
  if (event.cause == StopCause::Removed || event.cause == StopCause::ExperimentOver)
    outcome = JobState::Stopped;
  if (event.cause == StopCause::StoppedEarly) outcome = JobState::Done;
  over(state, event.job, outcome, at, event.cause);
}

void hold_job(State& state, JobId id, Instant at) {
  if (id.index() >= state.jobs.size()) return;
  Job& job = state.jobs[id.index()];
  if (is_over(job.state) || job.state == JobState::Held) return;
  if (job.running()) wait_again(state, id, at);
  job.state = JobState::Held;
  reserve_seats(state, id, {});
  state.changed.push_back(id);
}

void release_job(State& state, JobId id, Instant at) {
  if (id.index() >= state.jobs.size() || state.jobs[id.index()].state != JobState::Held) return;
  state.jobs[id.index()].state = JobState::Pending;
  state.jobs[id.index()].waiting_since = at;
  state.changed.push_back(id);
}

void reshape(State& state, JobId id) {
  Job& job = state.jobs[id.index()];
  Shape shape = state.ledger.catalogue().shape(job.asked);
  // A resize speaks of the last role; finished workers shorten the role they belong to.
  std::uint32_t first = 0;
  for (std::size_t r = 0; r < shape.roles.size(); ++r) {
    Count& count = shape.roles[r].count;
    const bool resized = r + 1 == shape.roles.size() && job.cap >= 0;
    // An elastic job keeps within the range it asked for; a fixed size and a service may be raised.
    const bool elastic = shape.kind == JobKind::Batch && count.min < count.max;
    const std::int32_t total = resized && !elastic ? std::max(count.max, job.cap) : count.max;
    std::int32_t finished = 0;
    for (const std::uint32_t worker : job.extra ? job.extra->finished : std::vector<std::uint32_t>{}) {
      if (first <= worker && worker < first + static_cast<std::uint32_t>(total)) ++finished;
    }
    first += static_cast<std::uint32_t>(total);
    count.max = std::max(0, std::min(resized ? job.cap : total, total - finished));
    count.min = std::min(count.min, count.max);
    if (job.running()) {
      // What runs with fewer, because it was smaller once, goes on and grows.
      const auto seated =
          std::count_if(job.seats.begin(), job.seats.end(), [&](const Seat& seat) { return seat.role == r; });
      count.min = std::min(count.min, std::max(1, static_cast<std::int32_t>(seated)));
    }
    std::erase_if(count.legal, [&](std::int32_t size) { return size > count.max; });
  }
  job.shape = state.ledger.intern(shape);
  state.changed.push_back(id);
}

void resize_job(State& state, const JobResized& event) {
  if (event.job.index() >= state.jobs.size() || event.workers < 0) return;
  Job& job = state.jobs[event.job.index()];
  if (is_over(job.state)) return;
  // A batch job always keeps a worker; to stop it, hold or cancel it.
  job.cap = state.shape(job).kind == JobKind::Service ? event.workers : std::max(1, event.workers);
  reshape(state, event.job);
}

void confirm_start(State& state, const TaskStarted& event) {
  if (Job* job = running_attempt(state, event.job, event.attempt)) job->confirmed = true;
}

void launch_failed(State& state, const StartFailed& event, Instant at) {
  if (running_attempt(state, event.job, event.attempt) == nullptr) return;
  const std::uint32_t attempt = event.attempt;
  wait_again(state, event.job, at);
  clean_attempt(state, event.job, attempt);  // nothing ran, so nothing has to be cleaned up
}

void task_exited(State& state, const TaskExited& event, Instant at) {
  Job* job = running_attempt(state, event.job, event.attempt);
  if (job == nullptr) return;
  const bool service = state.shape(*job).kind == JobKind::Service;
  if (event.code != 0) {
    const bool again = ++job->restarts <= job->max_restarts;
    if (again && service && !event.workers.empty() && event.workers.size() < job->seats.size()) {
      return unseat_workers(state, event.job, event.workers, at);
    }
    return again ? wait_again(state, event.job, at) : finish_job(state, event.job, JobState::Failed, at);
  }
  if (event.workers.empty()) return finish_job(state, event.job, JobState::Done, at);
  Extra& extra = extra_of(*job);
  for (const std::uint32_t worker : event.workers) {
    const auto seated = [&](const Seat& seat) { return seat.worker == worker; };
    if (std::any_of(job->seats.begin(), job->seats.end(), seated)) extra.finished.push_back(worker);
  }
  std::sort(extra.finished.begin(), extra.finished.end());
  if (event.workers.size() >= job->seats.size()) return finish_job(state, event.job, JobState::Done, at);
  unseat_workers(state, event.job, event.workers, at);
  reshape(state, event.job);
}

void observe_service(State& state, const Observed& event) {
  if (event.job.index() >= state.jobs.size()) return;
  Job& job = state.jobs[event.job.index()];
  extra_of(job).observed_cpu = event.cpu;
  // The allowance beside it may have grown.
  for (const Seat& seat : job.seats) state.ledger.note_freed(seat.node);
}

void score_trial(State& state, const TrialScored& event) {
  if (event.job.index() >= state.jobs.size()) return;
  const Job& job = state.jobs[event.job.index()];
  Trial* trial = trial_of(state, job);
  if (trial == nullptr) return;
  trial->scores.resize(static_cast<std::size_t>(trial->rung) + 1, kUnscored);
  trial->scores.back() = event.score;
  Experiment& experiment = state.experiments[job.extra->trial->experiment.index()];
  const auto better = [&](std::int32_t a, std::int32_t b) {
    const Trial& x = experiment.trials[static_cast<std::size_t>(a - 1)];
    const Trial& y = experiment.trials[static_cast<std::size_t>(b - 1)];
    const auto rank = [](const Trial& t) { return std::make_pair(t.scores.size(), t.scores.back()); };
    return rank(x) != rank(y) ? rank(x) > rank(y) : a < b;
  };
  const std::int32_t number = job.extra->trial->number;
  if (experiment.best == 0 || better(number, experiment.best)) experiment.best = number;
}

void clean_attempt(State& state, JobId id, std::uint32_t attempt) {
  if (id.index() >= state.jobs.size() || !state.jobs[id.index()].extra) return;
  Job& job = state.jobs[id.index()];
  std::erase_if(job.extra->leaving, [&](const Extra::Leaving& leaving) {
    if (leaving.attempt != attempt) return false;
    for (const Seat& seat : leaving.seats) state.ledger.release(booking_of(state, id, job, seat), seat);
    return true;
  });
  if (job.extra->leaving.empty()) state.leaving.erase(id);
  state.changed.push_back(id);
}

void reserve_seats(State& state, JobId id, Placement seats) {
  Job& job = state.jobs[id.index()];
  if (seats.empty() && !job.extra) return;
  if (seats.empty()) {
    state.reserving.erase(id);
  } else {
    state.reserving.insert(id);
  }
  // What was kept may now serve others.
  for (const Seat& seat : extra_of(job).reserved) state.ledger.note_freed(seat.node);
  extra_of(job).reserved = std::move(seats);
}

}  // namespace muster
