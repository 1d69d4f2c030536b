// The judge's bench: sends every check to its part and writes the failures. Histories of single jobs and
// experiments are compared here, being mere look-ups.
#include "sim/expect.hpp"

#include "base/match.hpp"
#include "base/text.hpp"
#include "sim/expect_parts.hpp"

namespace muster::sim {
namespace {

bool has(const scenario::Span& span, Instant t) { return span.from <= t && t <= span.to; }

std::string when(const std::optional<Instant>& t) { return text_of(t.value_or(kNever)); }

Findings unmet(const Watch& watch, const scenario::AtCheck& check) {
  const Frame* frame = watch.frame_at(check.at);
  if (frame != nullptr) return unmet(watch, *frame, check.moment, check.at);
  return {{.at = check.at, .job = {}, .expected = "something", .seen = "nothing was recorded so early"}};
}

Findings unmet(const Watch& watch, const scenario::JobCheck& check) {
  Findings findings;
  const Instant end = watch.scenario().end;
  const auto report = [&](Instant at, const std::string& expected, std::string seen) {
    findings.push_back(
        {.at = at, .job = check.job, .expected = check.job + " " + expected, .seen = std::move(seen)});
  };
  const auto found = watch.tape().jobs.find(check.job);
  if (found == watch.tape().jobs.end()) {
    report(end, "to exist", "no job " + check.job);
    return findings;
  }
  const JobHistory& job = found->second;
  if (check.start && !(job.first_start && has(*check.start, *job.first_start))) {
    report(job.first_start.value_or(end), "start: " + text_of(*check.start), when(job.first_start));
  }
  if (check.end && !(job.end && has(*check.end, *job.end))) {
    report(job.end.value_or(end), "end: " + text_of(*check.end), when(job.end));
  }
  if (check.outcome && job.outcome != *check.outcome) {
    report(job.end.value_or(end), "outcome: " + std::string(word_of(*check.outcome)),
           std::string(word_of(job.outcome)));
  }
  if (check.attempts && !check.attempts->has(job.attempts)) {
    report(job.end.value_or(end), "attempts: " + text_of(*check.attempts), std::to_string(job.attempts));
  }
  return findings;
}

Findings unmet(const Watch& watch, const scenario::ExperimentCheck& check) {
  Findings findings;
  const auto found = watch.tape().experiments.find(check.experiment);
  const bool known = found != watch.tape().experiments.end();
  const ExperimentHistory history = known ? found->second : ExperimentHistory{};
  const auto report = [&](const std::string& expected, std::string seen) {
    findings.push_back({.at = history.end.value_or(watch.scenario().end),
                        .job = {},
                        .expected = check.experiment + " " + expected,
                        .seen = std::move(seen)});
  };
  if (!known) report("to exist", "no experiment " + check.experiment);
  if (!known) return findings;
  if (check.outcome && history.outcome != *check.outcome) {
    report("outcome: " + std::string(word_of(*check.outcome)), std::string(word_of(history.outcome)));
  }
  if (check.end && !(history.end && has(*check.end, *history.end))) {
    report("end: " + text_of(*check.end), when(history.end));
  }
  if (check.best && history.best != *check.best) {
    report("best: " + std::to_string(*check.best), std::to_string(history.best));
  }
  if (check.work && history.work != *check.work) {
    report("work: " + text_of(Instant{*check.work}), text_of(Instant{history.work}));
  }
  return findings;
}

Findings unmet(const Watch& watch, const scenario::EndsCheck& /*check*/) {
  if (watch.tape().ended) return {};
  const Instant end = watch.scenario().end;
  return {{.at = end, .job = {}, .expected = "sim_ends", .seen = "still going on at " + text_of(end)}};
}

std::vector<Failure> judge_one(const Watch& watch, const scenario::Check& check);

std::vector<Failure> judge_all(const Watch& watch, const std::vector<scenario::Check>& checks) {
  std::vector<Failure> failures;
  for (const auto& check : checks) {
    for (auto& failure : judge_one(watch, check)) failures.push_back(std::move(failure));
  }
  return failures;
}

Failure failure_of(const Watch& watch, const scenario::Check& check, Finding finding) {
  return {.scenario = watch.scenario().id,
          .line = check.line,
          .at = finding.at,
          .check = check.text,
          .expected = std::move(finding.expected),
          .seen = std::move(finding.seen),
          .decision = finding.job.empty() ? "" : watch.decision_before(finding.job, finding.at)};
}

/// The failures of the alternative that came nearest: those are the ones worth reading.
std::vector<Failure> judge_any_of(const Watch& watch, const scenario::Check& check,
                                  const scenario::AnyOfCheck& any_of) {
  std::optional<std::vector<Failure>> nearest_miss;
  for (const auto& alternative : any_of.alternatives) {
    auto failures = judge_all(watch, alternative);
    if (failures.empty()) return {};
    if (!nearest_miss || failures.size() < nearest_miss->size()) nearest_miss = std::move(failures);
  }
  if (nearest_miss) return *nearest_miss;
  return {failure_of(watch, check, {.at = {}, .job = {}, .expected = "any_of", .seen = "no alternatives"})};
}

std::vector<Failure> judge_one(const Watch& watch, const scenario::Check& check) {
  return match(
      check.what, [&](const scenario::AnyOfCheck& any_of) { return judge_any_of(watch, check, any_of); },
      [&](const auto& what) {
        std::vector<Failure> failures;
        for (auto& finding : unmet(watch, what))
          failures.push_back(failure_of(watch, check, std::move(finding)));
        return failures;
      });
}

}  // namespace

std::vector<Failure> judge(const scenario::Scenario& scenario, const Tape& tape) {
  const Watch watch(scenario, tape);
  std::vector<Failure> failures = judge_all(watch, scenario.expect);
  for (const auto& sentence : tape.broken) {
    failures.push_back({.scenario = scenario.id,
                        .line = 0,
                        .at = tape.last,
                        .check = "implied",
                        .expected = "every invariant to hold",
                        .seen = sentence,
                        .decision = {}});
  }
  return failures;
}

std::string to_string(const Failure& failure) {
  std::string out = failure.scenario;
  if (failure.line > 0) out += ":" + std::to_string(failure.line);
  out += ": at " + text_of(failure.at) + " expected " + failure.expected + ", seen " + failure.seen;
  if (!failure.decision.empty()) out += "; decision: " + failure.decision;
  return out;
}

}  // namespace muster::sim
