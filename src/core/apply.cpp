#include "core/apply.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/match.hpp"
#include "core/apply_decision.hpp"
#include "core/apply_job.hpp"

namespace muster {
namespace {

void apply_nodes(State& state, const NodeChanged& event, Instant at) {
  if (event.node.index() >= state.ledger.nodes().size()) return;
  state.ledger.set_state(event.node, event.state, at);
}

void set_queue(State& state, const QueueSpec& spec) {
  QueueSpec accepted = spec;
  if (!accepted.parent.empty() && !state.ledger.find_queue(accepted.parent).valid()) accepted.parent.clear();
  state.ledger.set_queue(accepted);
  ++state.configuration;
}

void end_experiment(State& state, const ExperimentEnded& event, Instant at) {
  if (event.experiment.index() >= state.experiments.size()) return;
  Experiment& experiment = state.experiments[event.experiment.index()];
  experiment.outcome = event.outcome;
  experiment.ended = at;
}

void apply_levels(State& state, const LevelsSet& event) {
  state.ledger.set_levels(event.levels);
  state.cleanup = event.cleanup;
  for (const std::string& name : event.extended) state.resources.intern(name);
}

}  // namespace

State initial_state() {
  State state;
  QueueSpec root;
  root.name = kDefaultQueue;
  state.ledger.set_queue(root);
  state.ledger.set_user({.name = ""});
  return state;
}

void apply(State& state, const Record& record) {
  CHECK_GE(record.sequence, state.sequence);
  state.sequence = record.sequence + 1;
  const Instant at = record.at;
  if (millis(at) / millis(kUseEpoch) != millis(state.now) / millis(kUseEpoch)) state.ledger.begin_epoch(at);
  state.now = at;
  match(
      record.event, [&](const LevelsSet& e) { apply_levels(state, e); },
      [&](const NodeJoined& e) {
        state.ledger.join(*e.spec, e.state);
        ++state.configuration;
      },
      [&](const NodeChanged& e) { apply_nodes(state, e, at); },
      [&](const NodeLost& e) {
        if (e.node.index() < state.ledger.nodes().size()) state.ledger.evacuate(e.node);
      },
      [&](const QueueSet& e) { set_queue(state, *e.spec); },
      [&](const UserSet& e) { state.ledger.set_user(*e.spec); },
      [&](const JobSubmitted& e) { submit_job(state, *e.spec, at); },
      [&](const JobCancelled& e) { cancel_job(state, e, at); },
      [&](const JobHeld& e) { hold_job(state, e.job, at); },
      [&](const JobReleased& e) { release_job(state, e.job, at); },
      [&](const JobResized& e) { resize_job(state, e); },
      [&](const TaskStarted& e) { confirm_start(state, e); },
      [&](const StartFailed& e) { launch_failed(state, e, at); },
      [&](const TaskExited& e) { task_exited(state, e, at); },
      [&](const Checkpointed& e) {
        if (e.job.index() < state.jobs.size()) state.jobs[e.job.index()].checkpointed = at;
      },
      [&](const Observed& e) { observe_service(state, e); },
      [&](const ExperimentSubmitted& e) { state.experiments.push_back({.spec = *e.spec, .trials = {}}); },
      [&](const TrialScored& e) { score_trial(state, e); },
      [&](const ExperimentEnded& e) { end_experiment(state, e, at); },
      [&](const Decided& e) { apply_decision(state, e.decision, at); },
      [&](const Cleaned& e) { clean_attempt(state, e.job, e.attempt); });
}

}  // namespace muster
