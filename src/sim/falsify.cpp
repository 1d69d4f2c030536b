// The falsifier's bench: sends every check to its part. Histories of single jobs and experiments, the end
// of the run and `any_of` are bent here.
#include "sim/falsify.hpp"

#include <algorithm>

#include "base/match.hpp"
#include "base/text.hpp"
#include "sim/falsify_parts.hpp"

namespace muster::sim {
namespace {

using scenario::ExperimentCheck;
using scenario::JobCheck;
using scenario::Span;

/// Spans next to what was seen, as wide as the one asked for: a second off, on both sides. Where nothing
/// was seen, the whole run.
std::vector<Span> spans_beside(const Span& asked, const std::optional<Instant>& seen, Instant end) {
  if (!seen) return {{.from = Instant{}, .to = end}};
  const Duration width = std::max(asked.to - asked.from, Duration{0});
  const Instant above = *seen + seconds(1);
  const Instant below = *seen - seconds(1);
  return {{.from = above, .to = above + width}, {.from = below - width, .to = below}};
}

std::string text_of_span(const Span& span) {
  return format_milli(millis(span.from)) + "s.." + format_milli(millis(span.to)) + "s";
}

/// An outcome that was not: the nearest lie first.
JobState other_outcome(JobState seen) { return seen == JobState::Done ? JobState::Failed : JobState::Done; }

void bend(const Facts& facts, const JobCheck& check, Bent& bent) {
  const auto found = facts.tape.jobs.find(check.job);
  if (found == facts.tape.jobs.end()) return;
  const JobHistory& seen = found->second;
  const JobCheck blank{.job = check.job, .start = {}, .end = {}, .outcome = {}, .attempts = {}};
  const auto say = [&](const char* key, const std::string& value, auto set) {
    JobCheck wrong = blank;
    set(wrong);
    bent.add(std::move(wrong), std::string(key) + " of " + check.job + " -> " + value);
  };
  if (check.start) {
    for (const Span& span : spans_beside(*check.start, seen.first_start, facts.scenario.end)) {
      say("start", text_of_span(span), [&](JobCheck& wrong) { wrong.start = span; });
    }
  }
  if (check.end) {
    for (const Span& span : spans_beside(*check.end, seen.end, facts.scenario.end)) {
      say("end", text_of_span(span), [&](JobCheck& wrong) { wrong.end = span; });
    }
  }
  if (check.outcome) {
    const JobState lie = other_outcome(seen.outcome);
    say("outcome", lie == JobState::Done ? "done" : "failed", [&](JobCheck& wrong) { wrong.outcome = lie; });
    if (seen.outcome != JobState::Cancelled) {
      say("outcome", "cancelled", [](JobCheck& wrong) { wrong.outcome = JobState::Cancelled; });
    }
  }
  if (!check.attempts) return;
  for (const std::int64_t lie : {seen.attempts - 1, seen.attempts + 1}) {
    if (lie < 0) continue;
    say("attempts", std::to_string(lie), [&](JobCheck& wrong) { wrong.attempts = exactly(lie); });
  }
}

void bend(const Facts& facts, const ExperimentCheck& check, Bent& bent) {
  const auto found = facts.tape.experiments.find(check.experiment);
  if (found == facts.tape.experiments.end()) return;
  const ExperimentHistory& seen = found->second;
  const auto say = [&](const std::string& what, auto set) {
    ExperimentCheck wrong{.experiment = check.experiment, .outcome = {}, .end = {}, .best = {}, .work = {}};
    set(wrong);
    bent.add(std::move(wrong), check.experiment + " " + what);
  };
  if (check.outcome) {
    const JobState lie = other_outcome(seen.outcome);
    say(lie == JobState::Done ? "outcome -> done" : "outcome -> failed",
        [&](ExperimentCheck& wrong) { wrong.outcome = lie; });
  }
  if (check.end) {
    for (const Span& span : spans_beside(*check.end, seen.end, facts.scenario.end)) {
      say("end -> " + text_of_span(span), [&](ExperimentCheck& wrong) { wrong.end = span; });
    }
  }
  if (check.best) {
    say("best -> " + std::to_string(seen.best + 1),
        [&](ExperimentCheck& wrong) { wrong.best = seen.best + 1; });
  }
  if (!check.work) return;
  for (const Duration shift : {seconds(1), -seconds(1)}) {
    const Duration lie = seen.work + shift;
    say("work -> " + format_milli(millis(lie)) + "s", [&](ExperimentCheck& wrong) { wrong.work = lie; });
  }
}

void bend(const Facts& facts, const scenario::EndsCheck& /*check*/, Bent& bent) {
  if (!facts.tape.ended) bent.add(scenario::EndsCheck{}, "sim_ends");
}

std::vector<Mutation> bend_one(const Facts& facts, const scenario::Check& check);

/// Every part of every alternative by itself, and alternatives none of which holds.
std::vector<Mutation> bend_any_of(const Facts& facts, const scenario::Check& check,
                                  const scenario::AnyOfCheck& any_of) {
  std::vector<Mutation> all;
  scenario::AnyOfCheck wrong;
  for (const auto& alternative : any_of.alternatives) {
    const std::size_t before = all.size();
    for (const auto& part : alternative) {
      for (auto& mutation : bend_one(facts, part)) all.push_back(std::move(mutation));
    }
    if (all.size() > before) wrong.alternatives.push_back({all[before].check});
  }
  if (wrong.alternatives.empty()) return all;
  const std::string text = "any_of: all alternatives bent";
  all.push_back({.check = {.what = std::move(wrong), .line = check.line, .text = text}, .what = text});
  return all;
}

std::vector<Mutation> bend_one(const Facts& facts, const scenario::Check& check) {
  return match(
      check.what, [&](const scenario::AnyOfCheck& any_of) { return bend_any_of(facts, check, any_of); },
      [&](const auto& what) {
        Bent bent(check.line);
        bend(facts, what, bent);
        return bent.take();
      });
}

}  // namespace

std::vector<Mutation> mutations(const scenario::Scenario& scenario, const Tape& tape) {
  const Facts facts{.scenario = scenario, .tape = tape};
  std::vector<Mutation> all;
  for (const auto& check : scenario.expect) {
    for (auto& mutation : bend_one(facts, check)) all.push_back(std::move(mutation));
  }
  return all;
}

std::vector<scenario::Check> falsified(const scenario::Scenario& scenario, const Tape& tape) {
  std::vector<scenario::Check> checks;
  for (auto& mutation : mutations(scenario, tape)) checks.push_back(std::move(mutation.check));
  return checks;
}

}  // namespace muster::sim
