#include "flow/experiments.hpp"

#include <algorithm>

namespace muster {
namespace {

/// One experiment and what its trials stand at.
struct Standing {
  const State& state;
  const Experiment& experiment;
  ExperimentId id;

  [[nodiscard]] std::int32_t in(TrialState wanted) const {
    return static_cast<std::int32_t>(
        std::count_if(experiment.trials.begin(), experiment.trials.end(),
                      [&](const Trial& trial) { return trial.state == wanted; }));
  }
  [[nodiscard]] std::int32_t total() const {
    const ExperimentSpec& spec = experiment.spec;
    const bool bounded = spec.search == Search::Grid && spec.points > 0;
    return bounded ? std::min(spec.trials, spec.points) : spec.trials;
  }
};

Event submit(const Standing& s, std::int32_t number, std::int32_t rung) {
  JobSpec spec = s.experiment.spec.trial;
  spec.name = s.experiment.spec.name + "-" + std::to_string(number);
  if (rung > 0) spec.name += ".r" + std::to_string(rung);
  spec.trial = TrialRef{.experiment = s.id, .number = number, .rung = rung};
  return JobSubmitted{.spec = std::move(spec)};
}

/// Failed: its running trials are stopped and none is started.
void give_up(const Standing& s, std::vector<Event>& events) {
  for (const Trial& trial : s.experiment.trials) {
    if (trial.state == TrialState::Active) {
      events.emplace_back(JobCancelled{.job = trial.job, .cause = StopCause::ExperimentOver});
    }
  }
  events.emplace_back(ExperimentEnded{.experiment = s.id, .outcome = JobState::Failed});
}

/// New trials of the first rung, as many as may run beside those that do.
void submit_new(const Standing& s, std::vector<Event>& events) {
  auto active = s.in(TrialState::Active);
  for (auto number = static_cast<std::int32_t>(s.experiment.trials.size()) + 1;
       number <= s.total() && active < s.experiment.spec.parallel; ++number, ++active) {
    events.push_back(submit(s, number, 0));
  }
}

std::int64_t score_at(const Trial& trial, std::int32_t rung) {
  const auto slot = static_cast<std::size_t>(rung);
  return slot < trial.scores.size() ? trial.scores[slot] : kUnscored;
}

/// Numbers of the trials that go on from `rung`, best first: the best 1/eta of those that entered it,
/// rounded down, at least one, as far as that many completed it.
std::vector<std::int32_t> promoted(const Experiment& experiment, std::int32_t rung) {
  std::vector<std::int32_t> completed;
  std::int32_t entered = 0;
  for (std::size_t t = 0; t < experiment.trials.size(); ++t) {
    const Trial& trial = experiment.trials[t];
    if (trial.rung < rung) continue;
    ++entered;
    const bool done = trial.rung > rung || trial.state == TrialState::RungDone;
    if (done) completed.push_back(static_cast<std::int32_t>(t) + 1);
  }
  std::stable_sort(completed.begin(), completed.end(), [&](std::int32_t a, std::int32_t b) {
    return score_at(experiment.trials[static_cast<std::size_t>(a - 1)], rung) >
           score_at(experiment.trials[static_cast<std::size_t>(b - 1)], rung);
  });
  const auto keep = static_cast<std::size_t>(std::max(1, entered / std::max(1, experiment.spec.eta)));
  if (completed.size() > keep) completed.resize(keep);
  return completed;
}

void next_halving(const Standing& s, std::vector<Event>& events) {
  const Experiment& experiment = s.experiment;
  if (static_cast<std::int32_t>(experiment.trials.size()) < s.total()) return submit_new(s, events);
  const std::int32_t rung = experiment.rung;
  auto active = s.in(TrialState::Active);
  // Promotions into the current rung that the parallel bound held back.
  std::vector<std::int32_t> due = rung > 0 ? promoted(experiment, rung - 1) : std::vector<std::int32_t>{};
  std::erase_if(
      due, [&](std::int32_t n) { return experiment.trials[static_cast<std::size_t>(n - 1)].rung >= rung; });
  std::int32_t target = rung;
  if (due.empty() && active == 0 && rung + 1 < experiment.spec.rungs) {
    due = promoted(experiment, rung);
    target = rung + 1;
  }
  for (const std::int32_t number : due) {
    if (active++ >= experiment.spec.parallel) return;
    events.push_back(submit(s, number, target));
  }
  if (due.empty() && active == 0) {
    events.emplace_back(ExperimentEnded{.experiment = s.id, .outcome = JobState::Done});
  }
}

}  // namespace

std::vector<Event> next_trials(const State& state) {
  std::vector<Event> events;
  for (std::size_t e = 0; e < state.experiments.size(); ++e) {
    const Experiment& experiment = state.experiments[e];
    if (experiment.outcome != JobState::Pending) continue;
    const Standing s{.state = state, .experiment = experiment, .id = ExperimentId{e}};
    const std::int32_t fail_at = experiment.spec.fail_at;
    if (fail_at > 0 && s.in(TrialState::Failed) >= fail_at) {
      give_up(s, events);
    } else if (experiment.spec.search == Search::Halving) {
      next_halving(s, events);
    } else {
      submit_new(s, events);
      const bool all = static_cast<std::int32_t>(experiment.trials.size()) >= s.total();
      if (all && s.in(TrialState::Active) == 0) {
        events.emplace_back(ExperimentEnded{.experiment = s.id, .outcome = JobState::Done});
      }
    }
  }
  return events;
}

}  // namespace muster
