#include "sim/record_tape.hpp"

#include <algorithm>

#include "base/match.hpp"
#include "core/audit.hpp"
#include "engine/explain.hpp"

namespace muster::sim {

Recorder::Recorder(const scenario::Scenario& scenario) : scenario_(scenario), ids_(scenario.jobs.size()) {
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) index_of_[scenario.jobs[j].spec.name] = j;
  tape_.levels = scenario.levels.levels;
  tape_.levels.emplace_back("node");
  for (std::size_t n = 0; n < scenario.nodes.size(); ++n) {
    const NodeSpec& spec = scenario.nodes[n].spec;
    std::vector<std::string> path = spec.domains;
    path.resize(scenario.levels.levels.size());
    path.push_back(spec.name);
    tape_.domains[static_cast<std::uint32_t>(n)] = std::move(path);
    tape_.node_names.push_back(spec.name);
  }
}

JobId Recorder::job_named(const std::string& name) const {
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? JobId{} : at->second;
}

Behaviour Recorder::behaviour_of(const JobSpec& spec) {
  const JobId id{submitted_++};
  by_name_[spec.name] = id;
  if (spec.trial) return trial_behaviour(spec);
  const std::size_t index = index_of_.at(spec.name);
  ids_[index] = id;
  const scenario::Job& job = scenario_.jobs[index];
  Behaviour how{
      .run = job.run, .fails_after = {}, .stops_after = {}, .score = {}, .checkpoint = spec.checkpoint};
  how.never_ready = job.never_ready;
  how.exit_on_evict = job.exit_on_evict;
  how.launch_error = launch_errors_.count(spec.name) > 0;
  if (job.fails) {
    how.fails_after = job.fails->after;
    how.fails_worker = job.fails->worker;
    how.fails_code = job.fails->code;
    how.fails_times = job.fails->times;
  }
  return how;
}

Behaviour Recorder::trial_behaviour(const JobSpec& spec) {
  const scenario::Experiment& experiment =
      scenario_.experiments[submitted_experiments_[spec.trial->experiment.index()]];
  const std::int32_t number = spec.trial->number;
  const auto given = [&](const std::map<std::int32_t, Duration>& table) -> std::optional<Duration> {
    const auto at = table.find(number);
    if (at == table.end()) return std::nullopt;
    return at->second;
  };
  Behaviour how{.run = experiment.run,
                .fails_after = {},
                .stops_after = {},
                .score = {},
                .checkpoint = spec.checkpoint};
  if (const auto run = given(experiment.runs)) how.run = run;
  Duration before{0};  // trained in lower rungs already
  if (experiment.spec.search == Search::Halving) {
    Duration target = experiment.unit;
    for (std::int32_t rung = 0; rung < spec.trial->rung; ++rung) {
      before = target;
      target *= experiment.spec.eta;
    }
    how.run = target - before;
  }
  auto fails = given(experiment.fails);
  if (!fails) fails = experiment.all_fail;
  if (fails && *fails >= before && (!how.run || *fails - before <= *how.run)) {
    how.fails_after = *fails - before;
    how.fails_times = -1;
  }
  if (const auto stop = given(experiment.stop)) how.stops_after = std::max(Duration{0}, *stop - before);
  const auto score = experiment.score.find(number);
  if (score != experiment.score.end()) how.score = score->second;
  return how;
}

void Recorder::moved(Instant now, Move what, const State& state, JobId job, const Why& why) {
  tape_.moves.push_back({.at = now, .what = what, .job = state.job(job).name, .decision = sentence(why)});
}

void Recorder::watch(const State& state, const Step& step, const Physics& physics, Instant now) {
  static_cast<void>(physics);
  for (const Record& record : step.log) {
    if (const auto* decided = std::get_if<Decided>(&record.event)) {
      watch_decision(state, decided->decision, now);
    } else {
      watch_users(state, record.event, now);
    }
  }
}

void Recorder::watch_decision(const State& state, const Decision& decision, Instant now) {
  match(
      decision.what, [&](const Start& e) { moved(now, Move::Start, state, e.job, decision.why); },
      [&](const Stop& e) {
        moved(now, is_eviction(e.cause) ? Move::Evict : Move::End, state, e.job, decision.why);
      },
      [&](const Grow& e) { moved(now, Move::Grow, state, e.job, decision.why); },
      [&](const Shrink& e) { moved(now, Move::Shrink, state, e.job, decision.why); }, [](const auto&) {});
}

void Recorder::watch_users(const State& state, const Event& event, Instant now) {
  if (const auto* exited = std::get_if<TaskExited>(&event)) {
    const Job& job = state.job(exited->job);
    if (is_over(job.state) && over_.insert(exited->job).second) {
      moved(now, Move::End, state, exited->job,
            {.reason = exited->code == 0 ? Reason::Fits : Reason::OwnFailure});
    } else if (!is_over(job.state) && exited->attempt == job.attempt) {
      moved(now, Move::OtherStop, state, exited->job, {.reason = Reason::OwnFailure});
    }
  }
  if (const auto* failed = std::get_if<StartFailed>(&event)) {
    // The start it answers never came up: it does not count as one.
    const std::string& name = state.job(failed->job).name;
    for (auto at = tape_.moves.rbegin(); at != tape_.moves.rend(); ++at) {
      if (at->what != Move::Start || at->job != name) continue;
      tape_.moves.erase(std::next(at).base());
      break;
    }
  }
  const auto user_stop = [&](JobId job) {
    moved(now, Move::OtherStop, state, job, {.reason = Reason::ByUser});
  };
  if (const auto* cancelled = std::get_if<JobCancelled>(&event)) user_stop(cancelled->job);
  if (const auto* held = std::get_if<JobHeld>(&event)) user_stop(held->job);
}

JobView Recorder::view_of(const State& state, const Physics& physics, std::size_t index) const {
  JobView view;
  if (!ids_[index].valid()) return view;
  const Job& job = state.job(ids_[index]);
  view.submitted = true;
  view.state = job.state;
  view.seats = job.seats;
  view.copies = physics.copies(job, ids_[index]);
  return view;
}

ExperimentView Recorder::view_of(const Experiment& experiment, const State& state) const {
  ExperimentView view;
  for (const Trial& trial : experiment.trials) {
    const bool left_behind = trial.state == TrialState::RungDone &&
                             (trial.rung < experiment.rung || experiment.outcome != JobState::Pending);
    if (trial.state == TrialState::Active && state.job(trial.job).running()) ++view.running;
    if (trial.state == TrialState::Done || left_behind) ++view.done;
    if (trial.state == TrialState::Failed) ++view.failed;
    if (trial.started) ++view.created;
  }
  return view;
}

void Recorder::frame(const State& state, const Physics& physics, Instant now) {
  Frame frame{.at = now,
              .jobs = {},
              .experiments = std::vector<ExperimentView>(scenario_.experiments.size()),
              .queue_use = {}};
  for (std::size_t j = 0; j < scenario_.jobs.size(); ++j) frame.jobs.push_back(view_of(state, physics, j));
  for (std::size_t e = 0; e < state.experiments.size(); ++e) {
    frame.experiments[submitted_experiments_[e]] = view_of(state.experiments[e], state);
  }
  for (const QueueEntry& entry : state.ledger.queues()) frame.queue_use[entry.spec.name] = entry.use;
  tape_.frames.push_back(std::move(frame));
  tape_.last = now;
  check_invariants(state, now);
}

void Recorder::check_invariants(const State& state, Instant now) {
  const std::string when = " at " + std::to_string(millis(now)) + " ms";
  for (const std::string& difference : audit(state)) broken(difference + when);
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {
    for (const Seat& seat : state.jobs[j].seats) {
      if (state.ledger.node(seat.node).state == NodeState::Down) {
        broken(state.jobs[j].name + " has a worker on a node that is down" + when);
      }
    }
  }
  for (const UserEntry& user : state.ledger.users()) {
    if (user.spec.max_running >= 0 && user.running > user.spec.max_running) {
      broken("user " + user.spec.name + " runs more jobs than it may" + when);
    }
  }
}

Tape Recorder::finish(const State& state, const Physics& physics, bool ended) {
  for (std::size_t j = 0; j < scenario_.jobs.size(); ++j) {
    JobHistory& history = tape_.jobs[scenario_.jobs[j].spec.name];
    if (!ids_[j].valid()) continue;
    const Job& job = state.job(ids_[j]);
    const Life& life = physics.life(ids_[j]);
    history.first_start = life.first_start;
    history.attempts = life.attempts;
    history.outcome = job.state;
    if (is_over(job.state)) history.end = job.ended;
  }
  for (std::size_t e = 0; e < state.experiments.size(); ++e) {
    const Experiment& experiment = state.experiments[e];
    ExperimentHistory& history =
        tape_.experiments[scenario_.experiments[submitted_experiments_[e]].spec.name];
    history.outcome = experiment.outcome;
    if (experiment.outcome != JobState::Pending) history.end = experiment.ended;
    history.best = experiment.best;
    for (std::size_t j = 0; j < state.jobs.size(); ++j) {
      const Job& job = state.jobs[j];
      if (!job.extra || !job.extra->trial || job.extra->trial->experiment != ExperimentId{e}) continue;
      history.work += physics.life(JobId{j}).work;
      if (job.running()) history.work += state.now - job.started;
    }
  }
  tape_.ended = ended;
  return std::move(tape_);
}

}  // namespace muster::sim
