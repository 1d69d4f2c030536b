// The checks. A check's kind follows from the key that only this kind has; every kind takes its own keys and
// no others.
#include "base/text.hpp"
#include "wire/scenario_parts.hpp"

namespace muster::scenario {
namespace {

void read_at(const Field& at, Instant end, Instant& out) {
  at.time(out);
  if (out > end) at.problem("after the scenario's end at " + format_milli(millis(end)));
}

void read_at_check(const Field& check, Reading& reading, Instant end, AtCheck& out) {
  std::vector<std::string_view> keys = moment_keys();
  keys.push_back("at");
  check.only(keys);
  read_at(check["at"], end, out.at);
  if (check && check.entries().size() == 1) check.problem("says nothing about that time");
  read_moment(check, reading, out.moment);
}

void read_never(const Field& never, Reading& reading, DuringCheck& out) {
  never.only({"running", "workers", "together", "state"});
  read_job_names(never["running"], reading, out.never_running);
  for_each_job(never["workers"], reading.names, [&](const std::string& job, const Field& value) {
    for (const Field& count : value.one_or_more()) {
      count.whole(out.never_workers[job].emplace_back(), {.low = 0, .high = kMaxWorkers});
    }
  });
  for (const Field& jobs : never["together"].items()) {
    read_job_names(jobs, reading, out.never_together.emplace_back());
    if (jobs && out.never_together.back().size() < 2) jobs.problem("want two jobs or more");
  }
  for (const Field& state : never["state"].one_or_more()) {
    state.only(moment_keys());
    read_moment(state, reading, out.never_state.emplace_back());
    if (state && state.entries().empty()) state.problem("an empty condition");
  }
}

void read_window(const Field& during, Instant end, Span& out) {
  if (during && !during.is(yaml::Kind::List)) return during.wrong_type("two times [from, to]");
  read_span(during, end, out);
  if (out.from == out.to) during.problem("an empty time range");
  if (out.to > end) during.problem("goes on after the scenario's end at " + format_milli(millis(end)));
}

void read_during_check(const Field& check, Reading& reading, Instant end, DuringCheck& out) {
  check.only({"during", "evictions", "evictions_total", "starts", "steady", "never"});
  read_window(check["during"], end, out.during);
  for_each_job(check["evictions"], reading.names,
               [&](const std::string& job, const Field& value) { read_range(value, out.evictions[job]); });
  for_each_job(check["starts"], reading.names,
               [&](const std::string& job, const Field& value) { read_range(value, out.starts[job]); });
  if (check["evictions_total"]) read_range(check["evictions_total"], out.evictions_total.emplace());
  check["steady"].flag(out.steady);
  if (check["steady"] && !out.steady) check["steady"].problem("only `steady: true` is a check");
  if (check["never"]) read_never(check["never"], reading, out);
  if (check && check.entries().size() == 1) check.problem("says nothing about that time");
}

void read_job_check(const Field& check, const Names& names, Instant end, JobCheck& out) {
  check.only({"job", "start", "end", "outcome", "attempts"});
  read_job_name(check["job"], names, out.job);
  if (check["start"]) read_span(check["start"], end, out.start.emplace());
  if (check["end"]) read_span(check["end"], end, out.end.emplace());
  if (check["outcome"]) read_state(check["outcome"], out.outcome.emplace());
  if (check["attempts"]) read_range(check["attempts"], out.attempts.emplace());
  if (check && check.entries().size() == 1) check.problem("says nothing about the job");
}

void read_reason_check(const Field& check, const Names& names, Instant end, ReasonCheck& out) {
  check.only({"reason", "at", "kind", "names"});
  read_job_name(check["reason"], names, out.job);
  read_at(check.need("at"), end, out.at);
  check.need("kind").choice<std::string>(out.kind, {{"held", "held"},
                                                    {"dependency-failed", "dependency-failed"},
                                                    {"dependency", "dependency"},
                                                    {"never-fits", "never-fits"},
                                                    {"node", "node"},
                                                    {"user-limit", "user-limit"},
                                                    {"quota", "quota"},
                                                    {"topology", "topology"},
                                                    {"capacity", "capacity"}});
  for (const Field& name : check["names"].items()) name.name(out.names.emplace_back());
}

void read_experiment_check(const Field& check, const Names& names, Instant end, ExperimentCheck& out) {
  check.only({"experiment", "outcome", "end", "best", "work"});
  names.experiments.refer(check["experiment"], out.experiment);
  if (check["outcome"]) {
    check["outcome"].choice<JobState>(out.outcome.emplace(),
                                      {{"done", JobState::Done}, {"failed", JobState::Failed}});
  }
  if (check["end"]) read_span(check["end"], end, out.end.emplace());
  if (check["best"]) check["best"].whole(out.best.emplace(), {.low = 1, .high = kMaxCount});
  check["work"].time(out.work);
  if (check && check.entries().size() == 1) check.problem("says nothing about the experiment");
}

void read_check(const Field& check, Reading& reading, Instant end, Check& out);

void read_any_of(const Field& check, Reading& reading, Instant end, AnyOfCheck& out) {
  check.only({"any_of"});
  for (const Field& alternative : check["any_of"].items()) {
    std::vector<Check>& checks = out.alternatives.emplace_back();
    for (const Field& item : alternative.one_or_more()) read_check(item, reading, end, checks.emplace_back());
    if (alternative && checks.empty()) alternative.problem("an alternative without checks always holds");
  }
  if (check && out.alternatives.empty()) check["any_of"].problem("an empty list of alternatives never holds");
}

void read_sim_ends(const Field& check) {
  check.only({"sim_ends"});
  bool ends = false;
  check["sim_ends"].flag(ends);
  if (!ends) check["sim_ends"].problem("only `sim_ends: true` is a check");
}

void no_kind(const Field& check) {
  if (!check.is(yaml::Kind::Map)) return check.wrong_type("a map");
  const std::vector<std::string> kinds{"at",     "during",     "atomic",   "job",
                                       "reason", "experiment", "sim_ends", "any_of"};
  std::string hint;
  for (const yaml::Tree& key : check.tree().keys) {
    if (hint.empty()) hint = yaml::did_you_mean(key.text, kinds);
  }
  check.problem("no check has these keys", hint.empty() ? "a check has one of: " + join(kinds, ", ") : hint);
}

void read_check(const Field& check, Reading& reading, Instant end, Check& out) {
  if (!check) return;
  out.line = check.tree().line;
  out.text = yaml::one_line(check.tree());
  if (check["any_of"]) {
    read_any_of(check, reading, end, out.what.emplace<AnyOfCheck>());
  } else if (check["sim_ends"]) {
    out.what.emplace<EndsCheck>();
    read_sim_ends(check);
  } else if (check["atomic"]) {
    check.only({"atomic"});
    read_job_names(check["atomic"], reading, out.what.emplace<AtomicCheck>().jobs);
  } else if (check["experiment"]) {
    read_experiment_check(check, reading.names, end, out.what.emplace<ExperimentCheck>());
  } else if (check["reason"]) {
    read_reason_check(check, reading.names, end, out.what.emplace<ReasonCheck>());
  } else if (check["during"]) {
    read_during_check(check, reading, end, out.what.emplace<DuringCheck>());
  } else if (check["job"]) {
    read_job_check(check, reading.names, end, out.what.emplace<JobCheck>());
  } else if (check["at"]) {
    read_at_check(check, reading, end, out.what.emplace<AtCheck>());
  } else {
    no_kind(check);
  }
}

}  // namespace

void read_expect(const Field& expect, Reading& reading, Scenario& out) {
  for (const Field& item : expect.items()) read_check(item, reading, out.end, out.expect.emplace_back());
  if (expect && out.expect.empty()) expect.problem("an empty list: a scenario expects something");
}

}  // namespace muster::scenario
