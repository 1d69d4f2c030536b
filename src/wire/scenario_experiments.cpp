// AutoML experiments: what is known to the engine goes to ExperimentSpec, how each trial fares to the rest.
// Trials are numbered from 1.
#include "base/text.hpp"
#include "wire/scenario_parts.hpp"

namespace muster::scenario {
namespace {

constexpr std::int32_t kMaxTrials = 1'000'000;
constexpr std::int64_t kMaxScore = 1'000'000'000'000;
constexpr std::int64_t kMillionths = 1'000'000;

/// The trial a key names, or nothing and a problem.
std::optional<std::int32_t> trial_of(const Field& key, std::int32_t trials) {
  if (!key) return std::nullopt;
  const auto number = parse_int(key.tree().text);
  if (number && *number >= 1 && *number <= trials) return static_cast<std::int32_t>(*number);
  key.problem("want a trial from 1 to " + std::to_string(trials) + "; got " + yaml::quoted(key.tree().text));
  return std::nullopt;
}

void read_times(const Field& map, std::int32_t trials, std::map<std::int32_t, Duration>& out) {
  for (const auto& [key, value] : map.entries()) {
    if (const auto trial = trial_of(key, trials)) value.time(out[*trial]);
  }
}

void read_trial_fails(const Field& fails, std::int32_t trials, Experiment& out) {
  for (const auto& [key, value] : fails.entries()) {
    if (key.is_word("all")) {
      value.time(out.all_fail);
    } else if (const auto trial = trial_of(key, trials)) {
      value.time(out.fails[*trial]);
    }
  }
}

void read_scores(const Field& scores, std::int32_t trials, Experiment& out) {
  for (const auto& [key, value] : scores.entries()) {
    const auto trial = trial_of(key, trials);
    if (!trial) continue;
    value.scaled(out.score[*trial], {.scale = kMillionths},
                 {.low = -kMaxScore * kMillionths, .high = kMaxScore * kMillionths});
  }
}

void read_halving(const Field& experiment, Experiment& out) {
  const Field halving = experiment["halving"];
  if (out.spec.search != Search::Halving) {
    return halving.problem("given without search: halving");
  }
  experiment.need("halving").only({"unit", "eta", "rungs"});
  halving.need("unit").time(out.unit);
  halving["eta"].whole(out.spec.eta, {.low = 2, .high = 1000});
  halving.need("rungs").whole(out.spec.rungs, {.low = 1, .high = 60});
  std::int64_t total = out.unit.count();
  for (std::int32_t rung = 1; rung < out.spec.rungs && total <= yaml::kMaxSeconds * 1000; ++rung) {
    total *= out.spec.eta;
  }
  if (total > yaml::kMaxSeconds * 1000) halving.problem("the last rung trains longer than a time can be");
}

void read_search(const Field& experiment, Experiment& out) {
  experiment["search"].choice<Search>(
      out.spec.search, {{"list", Search::List}, {"grid", Search::Grid}, {"halving", Search::Halving}});
  const Field points = experiment["points"];
  if (points && out.spec.search != Search::Grid) points.problem("given without search: grid");
  points.whole(out.spec.points, {.low = 1, .high = kMaxTrials});
  read_halving(experiment, out);
}

void read_trial(const Field& trial, Experiment& out) {
  trial.only({"workers", "each", "run"});
  RoleSpec& role = out.spec.trial.roles.emplace_back();
  role.name = "worker";
  read_count(trial.need("workers"), role.count);
  read_demand(trial.need("each"), role.each);
  trial["run"].time(out.run);
}

void read_experiment(const Field& experiment, Reading& reading, Scenario& out) {
  experiment.only({"name", "queue", "submit", "trials", "parallel", "trial", "runs", "fails", "fail_at",
                   "search", "points", "halving", "score", "stop"});
  Experiment read;
  const Field name = experiment.need("name");
  name.name(read.spec.name);
  reading.names.experiments.add(name, read.spec.name);
  reading.names.queues.refer(experiment["queue"], read.spec.trial.queue);
  experiment["submit"].time(read.submit);
  experiment.need("trials").whole(read.spec.trials, {.low = 1, .high = kMaxTrials});
  experiment.need("parallel").whole(read.spec.parallel, {.low = 1, .high = kMaxTrials});
  experiment["fail_at"].whole(read.spec.fail_at, {.low = 1, .high = kMaxTrials});
  read_trial(experiment.need("trial"), read);
  read_search(experiment, read);
  read_times(experiment["runs"], read.spec.trials, read.runs);
  read_times(experiment["stop"], read.spec.trials, read.stop);
  read_trial_fails(experiment["fails"], read.spec.trials, read);
  read_scores(experiment["score"], read.spec.trials, read);
  if (!experiment) return;
  const RoleSpec& role = read.spec.trial.roles.front();
  reading.demand.add(experiment, role.each.charge(), std::int64_t{role.count.max} * read.spec.trials);
  out.experiments.push_back(std::move(read));
}

}  // namespace

void read_experiments(const Field& experiments, Reading& reading, Scenario& out) {
  for (const Field& experiment : experiments.items()) read_experiment(experiment, reading, out);
}

}  // namespace muster::scenario
