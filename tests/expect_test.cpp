// The judge of scenario runs on a tape written by hand: every kind of check once met and once missed, the
// edges of windows, the wording of failures; and the falsifier, whose every product must be noticed.
#include "sim/expect.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "sim/falsify.hpp"

namespace muster::sim {
namespace {

using scenario::AnyOfCheck;
using scenario::AtCheck;
using scenario::AtomicCheck;
using scenario::Check;
using scenario::DuringCheck;
using scenario::EndsCheck;
using scenario::ExperimentCheck;
using scenario::JobCheck;
using scenario::Moment;
using scenario::Range;
using scenario::ReasonCheck;
using scenario::Scenario;
using scenario::Span;

constexpr Range just(std::int64_t n) { return {.low = n, .high = n}; }
constexpr Span between(std::int64_t a, std::int64_t b) {
  return {.from = at_seconds(a), .to = at_seconds(b)};
}

scenario::Job job(const std::string& name, std::int32_t workers) {
  scenario::Job made;
  made.spec.name = name;
  made.base = name;
  RoleSpec role;
  role.count.min = workers;
  role.count.max = workers;
  made.spec.roles = {role};
  return made;
}

Seat seat(std::uint32_t node, std::uint32_t worker, std::size_t device) {
  Seat made{.node = NodeId(node), .worker = worker, .role = 0, .devices = {}};
  made.devices.insert(device);
  return made;
}

JobView waiting() { return {.state = JobState::Pending, .submitted = true, .seats = {}, .copies = 0}; }
JobView over(JobState state) { return {.state = state, .submitted = true, .seats = {}, .copies = 0}; }
JobView running(Placement seats) {
  return {.state = JobState::Running, .submitted = true, .seats = std::move(seats), .copies = 1};
}

/// Jobs low (2 workers), high (2), tiny (1); low runs, gives way to high at 10, runs again from 30 to 60,
/// then tiny shares a device with late from 70 on.
Scenario sample() {
  Scenario made;
  made.id = "C900";
  made.levels.levels = {"block", "rack"};
  made.levels.extended = {"fpga"};
  made.jobs = {job("low", 2), job("high", 2), job("tiny", 1), job("late", 1)};
  made.queues.resize(2);
  made.queues[0].name = "q";
  made.queues[1].name = "other";
  scenario::Experiment experiment;
  experiment.spec.name = "e";
  made.experiments = {experiment};
  made.end = at_seconds(100);
  return made;
}

Frame frame(std::int64_t at, std::vector<JobView> jobs, std::int64_t gpus) {
  Frame made;
  made.at = at_seconds(at);
  made.jobs = std::move(jobs);
  made.experiments = {{.running = 1, .done = 2, .failed = 0, .created = 3}};
  made.queue_use["q"][kGpu] = gpus * kDevice;
  made.queue_use["q"][kFirstExtended] = gpus;
  made.queue_use["other"] = {};
  return made;
}

Tape sample_tape() {
  Tape tape;
  tape.node_names = {"n1", "n2", "n3", "n4"};
  tape.levels = {"block", "rack", "node"};
  tape.domains = {
      {0, {"b1", "r1", "n1"}}, {1, {"b1", "r1", "n2"}}, {2, {"b1", "r2", "n3"}}, {3, {"b1", "", "n4"}}};
  const JobView absent;
  const JobView spread = running({seat(0, 0, 0), seat(2, 1, 0)});
  const JobView packed = running({seat(0, 0, 0), seat(1, 1, 3)});
  const JobView shared = running({seat(3, 0, 70)});
  const JobView done = over(JobState::Done);
  tape.frames = {frame(0, {spread, absent, absent, absent}, 2),
                 frame(10, {spread, waiting(), absent, absent}, 2),  // lasts no time
                 frame(10, {waiting(), packed, absent, absent}, 2),
                 frame(30, {spread, done, absent, absent}, 2),
                 frame(60, {done, done, waiting(), absent}, 0),
                 frame(70, {done, done, shared, shared}, 1)};
  tape.moves = {{at_seconds(0), Move::Start, "low", "low starts: fits"},
                {at_seconds(10), Move::Evict, "low", "low stops: made room for high"},
                {at_seconds(10), Move::Start, "high", "high starts: preempts low"},
                {at_seconds(30), Move::End, "high", ""},
                {at_seconds(30), Move::Start, "low", "low starts again"},
                {at_seconds(60), Move::End, "low", ""},
                {at_seconds(70), Move::Start, "tiny", ""},
                {at_seconds(70), Move::Start, "late", ""}};
  tape.jobs["low"] = {at_seconds(0), at_seconds(60), JobState::Done, 2};
  tape.jobs["high"] = {at_seconds(10), at_seconds(30), JobState::Done, 1};
  tape.jobs["tiny"] = {at_seconds(70), std::nullopt, JobState::Pending, 1};
  tape.jobs["late"] = {at_seconds(70), std::nullopt, JobState::Pending, 1};
  tape.experiments["e"] = {at_seconds(80), JobState::Done, 2, seconds(40)};
  tape.explained = {
      {.job = "low",
       .at = at_seconds(20),
       .kind = "capacity",
       .sentence = "needs 2 GPUs where the rack n1-2 has only 1 free",
       .whys = {Why{.reason = Reason::Capacity,
                    .names = {{Named::Resource, "device"}, {Named::Value, "Big"}, {Named::Job, "w-1"}}},
                Why{.reason = Reason::QueueLimit, .names = {{Named::Queue, "q"}}}}}};
  tape.ended = true;
  tape.last = at_seconds(80);
  return tape;
}

std::vector<Failure> failures_of(Check check, const Tape& tape = sample_tape()) {
  Scenario scenario = sample();
  scenario.expect = {std::move(check)};
  return judge(scenario, tape);
}

template <class What>
Check line7(What what) {
  return {.what = std::move(what), .line = 7, .text = "the check"};
}

template <class What>
bool met(What what) {
  return failures_of(line7(std::move(what))).empty();
}

/// "expected | seen" of the only failure.
template <class What>
std::string missed(What what) {
  const auto failures = failures_of(line7(std::move(what)));
  if (failures.size() != 1) return std::to_string(failures.size()) + " failures";
  return failures[0].expected + " | " + failures[0].seen;
}

template <class Set>
AtCheck at(std::int64_t t, Set set) {
  AtCheck check{.at = at_seconds(t), .moment = {}};
  set(check.moment);
  return check;
}

template <class Set>
DuringCheck during(std::int64_t a, std::int64_t b, Set set) {
  DuringCheck check;
  check.during = between(a, b);
  set(check);
  return check;
}

AtCheck in_state(std::int64_t t, JobState state, const std::string& job) {
  return at(t, [&](Moment& m) { m.states[state] = {job}; });
}

// ---- moments

TEST(ExpectAt, States) {
  EXPECT_TRUE(met(in_state(5, JobState::Running, "low")));
  EXPECT_TRUE(met(in_state(29, JobState::Pending, "low")));
  EXPECT_TRUE(met(in_state(99, JobState::Done, "low")));
  EXPECT_EQ(missed(in_state(13, JobState::Running, "low")), "running: low | low pending");
  EXPECT_EQ(missed(in_state(5, JobState::Pending, "high")), "pending: high | high not submitted");
  EXPECT_EQ(missed(in_state(99, JobState::TimedOut, "low")), "timeout: low | low done");
}

TEST(ExpectAt, LastFrameOfAnInstantCounts) {
  EXPECT_TRUE(met(in_state(10, JobState::Running, "high")));
  EXPECT_FALSE(met(in_state(10, JobState::Running, "low")));
}

TEST(ExpectAt, EveryJobOfAListFailsByItself) {
  const auto check = at(13, [](Moment& m) { m.states[JobState::Done] = {"low", "high"}; });
  EXPECT_EQ(failures_of(line7(check)).size(), 2U);
}

TEST(ExpectAt, BeforeTheFirstFrame) {
  Tape tape = sample_tape();
  tape.frames.erase(tape.frames.begin());
  EXPECT_EQ(failures_of(line7(in_state(5, JobState::Running, "low")), tape).size(), 1U);
}

AtCheck low_workers(Range is) {
  return at(5, [&](Moment& m) { m.workers["low"] = is; });
}

TEST(ExpectAt, Workers) {
  EXPECT_TRUE(met(low_workers(just(2))));
  EXPECT_TRUE(met(low_workers({.low = 1, .high = 2})));
  EXPECT_TRUE(met(at(15, [](Moment& m) { m.workers["low"] = just(0); }))) << "waits";
  EXPECT_TRUE(met(at(5, [](Moment& m) { m.workers["high"] = just(0); }))) << "not submitted";
  EXPECT_FALSE(met(at(15, [](Moment& m) { m.workers["low"] = just(2); })));
}

TEST(ExpectAt, RangesAreWorded) {
  EXPECT_EQ(missed(low_workers(just(3))), "workers: low 3 | low 2");
  EXPECT_EQ(missed(low_workers({.low = 3, .high = 4})), "workers: low 3..4 | low 2");
  EXPECT_EQ(missed(low_workers({.low = 0, .high = 1})), "workers: low at most 1 | low 2");
  EXPECT_EQ(missed(low_workers({.low = 3, .high = kUnlimited})), "workers: low at least 3 | low 2");
}

TEST(ExpectAt, Nodes) {
  const auto nodes = [](std::vector<std::string> names) {
    return at(5, [&](Moment& m) { m.nodes["low"] = std::move(names); });
  };
  EXPECT_TRUE(met(nodes({"n3", "n1"})));
  EXPECT_EQ(missed(nodes({"n1", "n2"})), "nodes: low [n1 n2] | low [n1 n3]");
  EXPECT_FALSE(met(nodes({"n1", "n1", "n3"})));
  EXPECT_FALSE(met(nodes({"n1"})));
}

TEST(ExpectAt, Within) {
  const auto within = [](std::int64_t t, const char* job, const char* level) {
    return at(t, [&](Moment& m) { m.within[job] = level; });
  };
  EXPECT_TRUE(met(within(15, "high", "rack")));
  EXPECT_TRUE(met(within(5, "low", "block")));
  EXPECT_EQ(missed(within(5, "low", "rack")), "within: low one rack | low on [n1 n3]");
  EXPECT_EQ(missed(within(15, "high", "node")), "within: high one node | high on [n1 n2]");
  EXPECT_EQ(missed(within(15, "low", "rack")), "within: low one rack | low pending");
  EXPECT_FALSE(met(within(75, "tiny", "rack"))) << "n4 is in no rack";
  EXPECT_FALSE(met(within(5, "low", "row")));
}

TEST(ExpectAt, SameDomainNameUnderAnotherParentIsAnotherDomain) {
  Tape tape = sample_tape();
  tape.domains[1] = {"b2", "r1", "n2"};
  const auto check = at(15, [](Moment& m) { m.within["high"] = "rack"; });
  EXPECT_EQ(failures_of(line7(check), tape).size(), 1U);
}

TEST(ExpectAt, Span) {
  const auto span = [](std::int64_t t, const char* job, const char* level, std::int64_t most) {
    return at(t, [&](Moment& m) { m.span[job][level] = most; });
  };
  EXPECT_TRUE(met(span(5, "low", "rack", 2)));
  EXPECT_TRUE(met(span(5, "low", "rack", 3)));
  EXPECT_TRUE(met(span(5, "low", "block", 1)));
  EXPECT_EQ(missed(span(5, "low", "rack", 1)), "span: low at most 1 rack | low over 2 on [n1 n3]");
  EXPECT_FALSE(met(span(15, "low", "rack", 2))) << "not running";
}

TEST(ExpectAt, DistinctNodes) {
  const auto distinct = [](std::int64_t n) { return at(5, [&](Moment& m) { m.distinct_nodes["low"] = n; }); };
  EXPECT_TRUE(met(distinct(2)));
  EXPECT_EQ(missed(distinct(1)), "distinct_nodes: low 1 | low 2 on [n1 n3]");
  EXPECT_FALSE(met(distinct(3)));
}

TEST(ExpectAt, Count) {
  const auto count = [](Range is) {
    return at(75, [&](Moment& m) {
      m.counts = {{.state = JobState::Running, .of = {"low", "high", "tiny", "late"}, .is = is}};
    });
  };
  EXPECT_TRUE(met(count(just(2))));
  EXPECT_EQ(missed(count(just(1))), "count: 1 running of [low high tiny late] | 2 [tiny late]");
  EXPECT_FALSE(met(count({.low = 3, .high = 4})));
}

TEST(ExpectAt, QueueUse) {
  const auto use = [](const char* queue, const char* resource, std::int64_t amount) {
    return at(5, [&](Moment& m) { m.queue_use[queue][resource] = amount; });
  };
  EXPECT_TRUE(met(use("q", "gpu", 2000)));
  EXPECT_TRUE(met(use("q", "fpga", 2)));
  EXPECT_TRUE(met(use("other", "cpu", 0)));
  EXPECT_EQ(missed(use("q", "gpu", 2001)), "queue_use: q gpu 2.001 | q gpu 2");
  EXPECT_EQ(missed(use("q", "cpu", 1000)), "queue_use: q cpu 1 | q cpu 0");
  EXPECT_EQ(missed(use("q", "tpu", 0)), "queue_use: q tpu 0 | no resource tpu");
}

TEST(ExpectAt, Copies) {
  const auto copies = [](Range is) { return at(5, [&](Moment& m) { m.copies["low"] = is; }); };
  EXPECT_TRUE(met(copies(just(1))));
  EXPECT_EQ(missed(copies(just(2))), "copies: low 2 | low 1");
}

TEST(ExpectAt, PerDevice) {
  const auto per_device = [](std::int64_t n) { return at(75, [&](Moment& m) { m.jobs_per_device = n; }); };
  EXPECT_TRUE(met(per_device(2)));
  EXPECT_EQ(missed(per_device(1)), "per_device: at most 1 jobs | [late tiny] on device 70 of n4");
}

TEST(ExpectAt, Trials) {
  const auto trials = [](Moment::Trials is) { return at(5, [&](Moment& m) { m.trials["e"] = is; }); };
  EXPECT_TRUE(met(trials({.running = just(1), .done = just(2), .failed = just(0), .created = just(3)})));
  EXPECT_EQ(missed(trials({.running = just(2), .done = {}, .failed = {}, .created = {}})),
            "trials: e running 2 | running 1");
  EXPECT_FALSE(met(trials({.running = {}, .done = just(3), .failed = {}, .created = {}})));
  EXPECT_FALSE(met(trials({.running = {}, .done = {}, .failed = just(1), .created = {}})));
  EXPECT_FALSE(met(trials({.running = {}, .done = {}, .failed = {}, .created = just(4)})));
  EXPECT_FALSE(met(at(5, [](Moment& m) { m.trials["f"] = {}; })));
}

// ---- windows

TEST(ExpectDuring, Evictions) {
  const auto evictions = [](std::int64_t a, std::int64_t b, const char* job, Range is) {
    return during(a, b, [&](DuringCheck& c) { c.evictions[job] = is; });
  };
  EXPECT_TRUE(met(evictions(5, 15, "low", just(1))));
  EXPECT_TRUE(met(evictions(5, 15, "high", just(0))));
  EXPECT_EQ(missed(evictions(5, 15, "low", just(0))), "evictions: low 0 inside 5s..15s | low 1 (at 10s)");
  EXPECT_EQ(missed(evictions(20, 90, "low", just(1))), "evictions: low 1 inside 20s..90s | low 0");
}

TEST(ExpectDuring, EvictionsTotal) {
  const auto total = [](Range is) { return during(0, 100, [&](DuringCheck& c) { c.evictions_total = is; }); };
  EXPECT_TRUE(met(total(just(1))));
  EXPECT_TRUE(met(total({.low = 0, .high = 1})));
  EXPECT_EQ(missed(total(just(0))), "evictions_total: 0 inside 0s..100s | 1 (low at 10s)");
}

TEST(ExpectDuring, Starts) {
  const auto starts = [](std::int64_t n) {
    return during(5, 100, [&](DuringCheck& c) { c.starts["low"] = just(n); });
  };
  EXPECT_TRUE(met(starts(1)));
  EXPECT_FALSE(met(starts(0)));
  EXPECT_FALSE(met(starts(2)));
}

TEST(ExpectDuring, Steady) {
  const auto steady = [](std::int64_t a, std::int64_t b) {
    return during(a, b, [](DuringCheck& c) { c.steady = true; });
  };
  EXPECT_TRUE(met(steady(31, 59)));
  EXPECT_EQ(missed(steady(29, 31)), "steady inside 29s..31s | high ended and 1 more moves");
  for (const Move what : {Move::Start, Move::Evict, Move::End, Move::Grow, Move::Shrink, Move::OtherStop}) {
    Tape tape = sample_tape();
    tape.moves = {{at_seconds(40), what, "low", "why"}};
    EXPECT_EQ(failures_of(line7(steady(31, 59)), tape).size(), 1U);
  }
}

TEST(ExpectDuring, WindowsAreOpen) {
  EXPECT_TRUE(met(during(10, 30, [](DuringCheck& c) { c.steady = true; })));
  EXPECT_TRUE(met(during(10, 20, [](DuringCheck& c) { c.evictions["low"] = just(0); })));
  EXPECT_TRUE(met(during(5, 10, [](DuringCheck& c) { c.evictions["low"] = just(0); })));
  EXPECT_TRUE(met(during(10, 30, [](DuringCheck& c) { c.never_running = {"low"}; })));
  DuringCheck wider = during(10, 30, [](DuringCheck& c) { c.never_running = {"low"}; });
  wider.during.from -= Duration{1};
  EXPECT_FALSE(met(wider));
  wider = during(10, 30, [](DuringCheck& c) { c.never_running = {"low"}; });
  wider.during.to += Duration{1};
  EXPECT_FALSE(met(wider));
}

TEST(ExpectDuring, NeverRunning) {
  const auto never = [](std::int64_t a, std::int64_t b, const char* job) {
    return during(a, b, [&](DuringCheck& c) { c.never_running = {job}; });
  };
  EXPECT_TRUE(met(never(30, 100, "high")));
  EXPECT_EQ(missed(never(15, 100, "high")), "never running: high inside 15s..100s | high running");
  EXPECT_FALSE(met(never(90, 100, "late"))) << "the last frame goes on";
}

TEST(ExpectDuring, NeverWorkers) {
  const auto never = [](std::vector<std::int64_t> sizes) {
    return during(0, 50, [&](DuringCheck& c) { c.never_workers["low"] = std::move(sizes); });
  };
  EXPECT_TRUE(met(never({1, 3})));
  EXPECT_EQ(missed(never({1, 2})), "never workers: low 2 inside 0s..50s | low 2");
}

TEST(ExpectDuring, NeverTogether) {
  const auto never = [](scenario::Jobs jobs) {
    return during(0, 100, [&](DuringCheck& c) { c.never_together = {std::move(jobs)}; });
  };
  EXPECT_TRUE(met(never({"low", "high"})));
  EXPECT_EQ(missed(never({"tiny", "late"})),
            "never together: [tiny late] inside 0s..100s | [tiny late] running");
}

TEST(ExpectDuring, NeverState) {
  const auto never = [](std::int64_t workers_of_low) {
    Moment moment;
    moment.workers["low"] = just(workers_of_low);
    moment.states[JobState::Pending] = {"high"};
    return during(0, 100, [&](DuringCheck& c) { c.never_state = {moment}; });
  };
  EXPECT_TRUE(met(never(2))) << "only in a frame that lasted no time";
  Moment moment;
  moment.workers["low"] = just(2);
  moment.states[JobState::Done] = {"high"};
  const auto check = during(0, 100, [&](DuringCheck& c) { c.never_state = {moment}; });
  const auto failures = failures_of(line7(check));
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].at, at_seconds(30));
}

TEST(ExpectAtomic, PartOfAGang) {
  EXPECT_TRUE(met(AtomicCheck{.jobs = {"low", "high"}}));
  Tape tape = sample_tape();
  tape.frames[2].jobs[1].seats.pop_back();
  const auto failures = failures_of(line7(AtomicCheck{.jobs = {"low", "high"}}), tape);
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].at, at_seconds(10));
  EXPECT_EQ(failures[0].seen, "high 1");
}

TEST(ExpectAtomic, FinishedWorkersMayBeMissing) {
  Tape tape = sample_tape();
  tape.frames[3].jobs[0].seats.pop_back();
  Scenario scenario = sample();
  scenario.expect = {line7(AtomicCheck{.jobs = {"low"}})};
  EXPECT_EQ(judge(scenario, tape).size(), 1U);
  scenario::Event exit;
  exit.what = scenario::Do::WorkerExit;
  exit.job = "low";
  exit.workers = 1;
  exit.at = at_seconds(5);
  scenario.events = {exit};
  EXPECT_TRUE(judge(scenario, tape).empty());
  scenario.events[0].code = 3;
  EXPECT_EQ(judge(scenario, tape).size(), 1U) << "a failed worker has not finished";
  scenario.events[0].code = 0;
  scenario.events[0].at = at_seconds(31);
  EXPECT_EQ(judge(scenario, tape).size(), 1U) << "it finished only later";
  scenario.events[0].at = at_seconds(20);
  EXPECT_EQ(judge(scenario, tape).size(), 1U) << "low had no worker then";
}

// ---- histories

template <class Set>
JobCheck history(const char* name, Set set) {
  JobCheck check{.job = name, .start = {}, .end = {}, .outcome = {}, .attempts = {}};
  set(check);
  return check;
}

TEST(ExpectJob, StartEndOutcomeAttempts) {
  EXPECT_TRUE(met(history("low", [](JobCheck& c) { c.start = between(0, 0); })));
  EXPECT_TRUE(met(history("high", [](JobCheck& c) { c.start = between(8, 10); })));
  EXPECT_TRUE(met(history("low", [](JobCheck& c) { c.end = between(60, 64); })));
  EXPECT_TRUE(met(history("low", [](JobCheck& c) { c.outcome = JobState::Done; })));
  EXPECT_TRUE(met(history("low", [](JobCheck& c) { c.attempts = just(2); })));
  EXPECT_EQ(missed(history("high", [](JobCheck& c) { c.start = between(11, 13); })),
            "high start: 11s..13s | 10s");
  EXPECT_EQ(missed(history("low", [](JobCheck& c) { c.end = between(59, 59); })), "low end: 59s | 60s");
  EXPECT_EQ(missed(history("tiny", [](JobCheck& c) { c.end = between(0, 100); })),
            "tiny end: 0s..100s | never");
  EXPECT_EQ(missed(history("low", [](JobCheck& c) { c.outcome = JobState::Failed; })),
            "low outcome: failed | done");
  EXPECT_EQ(missed(history("low", [](JobCheck& c) { c.attempts = just(1); })), "low attempts: 1 | 2");
  EXPECT_EQ(missed(history("ghost", [](JobCheck& c) { c.attempts = just(1); })),
            "ghost to exist | no job ghost");
}

template <class Set>
ExperimentCheck trial_run(const char* name, Set set) {
  ExperimentCheck check{.experiment = name, .outcome = {}, .end = {}, .best = {}, .work = {}};
  set(check);
  return check;
}

TEST(ExpectExperiment, OutcomeEndBestWork) {
  EXPECT_TRUE(met(trial_run("e", [](ExperimentCheck& c) {
    c.outcome = JobState::Done;
    c.end = between(80, 85);
    c.best = 2;
    c.work = seconds(40);
  })));
  EXPECT_EQ(missed(trial_run("e", [](ExperimentCheck& c) { c.outcome = JobState::Failed; })),
            "e outcome: failed | done");
  EXPECT_EQ(missed(trial_run("e", [](ExperimentCheck& c) { c.end = between(81, 85); })),
            "e end: 81s..85s | 80s");
  EXPECT_EQ(missed(trial_run("e", [](ExperimentCheck& c) { c.best = 1; })), "e best: 1 | 2");
  EXPECT_EQ(missed(trial_run("e", [](ExperimentCheck& c) { c.work = seconds(41); })), "e work: 41s | 40s");
  EXPECT_FALSE(met(trial_run("f", [](ExperimentCheck&) {})));
}

TEST(ExpectEnds, OnlyWhereNothingIsLeft) {
  EXPECT_TRUE(met(EndsCheck{}));
  Tape tape = sample_tape();
  tape.ended = false;
  EXPECT_EQ(failures_of(line7(EndsCheck{}), tape).size(), 1U);
}

// ---- reasons

ReasonCheck reason(const char* kind, std::vector<std::string> names) {
  return {.job = "low", .at = at_seconds(20), .kind = kind, .names = std::move(names)};
}

TEST(ExpectReason, Kind) {
  EXPECT_TRUE(met(reason("capacity", {})));
  EXPECT_FALSE(met(reason("quota", {})));
  ReasonCheck unasked = reason("capacity", {});
  unasked.at = at_seconds(21);
  EXPECT_EQ(missed(unasked), "reason: low capacity | no explanation");
}

TEST(ExpectReason, NamesAreArgumentsOfTheFirstReason) {
  EXPECT_TRUE(met(reason("capacity", {"big"}))) << "case does not matter";
  EXPECT_TRUE(met(reason("capacity", {"W-1"})));
  EXPECT_FALSE(met(reason("capacity", {"w"}))) << "not a whole name";
  EXPECT_FALSE(met(reason("capacity", {"bi"})));
  EXPECT_FALSE(met(reason("capacity", {"rack"}))) << "in the sentence, but no argument";
  EXPECT_FALSE(met(reason("capacity", {"n1"})));
  EXPECT_FALSE(met(reason("capacity", {"q"}))) << "an argument of the second reason";
  EXPECT_EQ(missed(reason("capacity", {"big", "nothing"})).substr(0, 28), "reason: low naming nothing |");
}

TEST(ExpectReason, LabelKeysAreMadeOfWords) {
  Tape tape = sample_tape();
  tape.explained[0].whys[0].names = {{Named::Key, "example.com/zone"}};
  EXPECT_TRUE(failures_of(line7(reason("capacity", {"zone"})), tape).empty());
  EXPECT_FALSE(failures_of(line7(reason("capacity", {"example"})), tape).empty());
}

TEST(ExpectReason, ResourcesMayBeWordedInTheSentence) {
  EXPECT_TRUE(met(reason("capacity", {"gpu"}))) << "2 GPUs";
  EXPECT_FALSE(met(reason("capacity", {"cpu"})));
  EXPECT_FALSE(met(reason("capacity", {"fpga"})));
  Tape tape = sample_tape();
  tape.explained[0].whys[0].names = {{Named::Queue, "q"}};
  EXPECT_FALSE(failures_of(line7(reason("capacity", {"gpu"})), tape).empty()) << "not about a resource";
  tape.explained[0].whys[0].names = {{Named::Resource, "gpu_mem"}};
  EXPECT_TRUE(failures_of(line7(reason("capacity", {"gpu", "memory"})), tape).empty());
  tape.explained[0].whys.clear();
  EXPECT_FALSE(failures_of(line7(reason("capacity", {"gpu"})), tape).empty());
}

TEST(ExpectReason, MemberIsNotMemory) {
  Tape tape = sample_tape();
  tape.explained[0].sentence = "a member is missing";
  EXPECT_FALSE(failures_of(line7(reason("capacity", {"mem"})), tape).empty());
}

// ---- any_of, implied checks, wording

TEST(ExpectAnyOf, OneAlternativeIsEnough) {
  const Check right = line7(in_state(5, JobState::Running, "low"));
  const Check wrong = line7(in_state(5, JobState::Done, "low"));
  EXPECT_TRUE(met(AnyOfCheck{.alternatives = {{wrong, wrong}, {right}}}));
  EXPECT_FALSE(met(AnyOfCheck{.alternatives = {{wrong, right}, {right, wrong}}}));
  EXPECT_TRUE(
      met(AnyOfCheck{.alternatives = {{wrong}, {line7(AnyOfCheck{.alternatives = {{wrong}, {right}}})}}}));
  EXPECT_FALSE(met(AnyOfCheck{}));
}

TEST(ExpectAnyOf, ReportsTheNearestMiss) {
  Check wrong = line7(in_state(5, JobState::Done, "low"));
  Check other = line7(in_state(5, JobState::Held, "low"));
  other.line = 9;
  const auto failures = failures_of(line7(AnyOfCheck{.alternatives = {{wrong, wrong}, {other}}}));
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].line, 9);
}

TEST(Expect, BrokenInvariantsFailUnasked) {
  Tape tape = sample_tape();
  tape.broken = {"node n1 holds 5 of 4 devices", "queue q is over its limit"};
  const auto failures = judge(sample(), tape);
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(to_string(failures[0]),
            "C900: at 80s expected every invariant to hold, seen node n1 holds 5 of 4 devices");
}

TEST(Expect, FailureReadsAsOneLine) {
  const auto failures = failures_of(line7(in_state(13, JobState::Running, "low")));
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].check, "the check");
  EXPECT_EQ(
      to_string(failures[0]),
      "C900:7: at 13s expected running: low, seen low pending; decision: low stops: made room for high");
}

TEST(Expect, DecisionIsTheLastOneUntilThen) {
  const auto decision = [](const AtCheck& check) { return failures_of(line7(check)).at(0).decision; };
  EXPECT_EQ(decision(in_state(9, JobState::Done, "low")), "low starts: fits");
  EXPECT_EQ(decision(in_state(10, JobState::Done, "low")), "low stops: made room for high");
  EXPECT_EQ(decision(in_state(9, JobState::Done, "high")), "");
}

// ---- the falsifier

/// A scenario that asks every kind of question.
Scenario asking_everything() {
  Scenario scenario = sample();
  Moment all;
  all.states[JobState::Running] = {"low"};
  all.states[JobState::Pending] = {"high"};
  all.workers["low"] = just(2);
  all.nodes["low"] = {"n1", "n3"};
  all.within["low"] = "block";
  all.span["high"]["rack"] = 1;
  all.distinct_nodes["low"] = 2;
  all.counts = {{.state = JobState::Running, .of = {"low", "high"}, .is = just(1)}};
  all.queue_use["q"] = {{"gpu", 2000}, {"cpu", 0}, {"fpga", 2}};
  all.copies["low"] = just(1);
  all.jobs_per_device = 2;
  all.trials["e"].running = just(1);
  for (const std::int64_t t : {0, 5, 10, 13, 30, 65, 75})
    scenario.expect.push_back(line7(AtCheck{at_seconds(t), all}));
  for (const Span window :
       {between(0, 100), between(5, 15), between(10, 30), between(30, 31), between(62, 65)}) {
    DuringCheck check;
    check.during = window;
    check.evictions["low"] = just(1);
    check.evictions_total = just(1);
    check.starts["low"] = just(1);
    check.steady = true;
    check.never_running = {"high"};
    scenario.expect.push_back(line7(check));
  }
  scenario.expect.push_back(line7(AtomicCheck{.jobs = {"low"}}));
  for (const char* name : {"low", "high", "tiny"}) {
    scenario.expect.push_back(line7(history(name, [](JobCheck& c) {
      c.start = between(0, 4);
      c.end = between(0, 4);
      c.outcome = JobState::Done;
      c.attempts = just(1);
    })));
  }
  scenario.expect.push_back(line7(reason("capacity", {"gpu"})));
  scenario.expect.push_back(line7(trial_run("e", [](ExperimentCheck& c) {
    c.outcome = JobState::Done;
    c.end = between(80, 81);
    c.best = 2;
    c.work = seconds(40);
  })));
  scenario.expect.push_back(line7(EndsCheck{}));
  const Check right = line7(in_state(5, JobState::Running, "low"));
  scenario.expect.push_back(line7(AnyOfCheck{.alternatives = {{right}, {right, right}}}));
  return scenario;
}

/// What the judge lets pass of the falsified checks.
std::vector<std::string> unnoticed(const Scenario& scenario, const Tape& tape) {
  std::vector<std::string> passed;
  for (const Mutation& mutation : mutations(scenario, tape)) {
    Scenario bent = scenario;
    bent.expect = {mutation.check};
    if (judge(bent, tape).empty()) passed.push_back(mutation.what);
  }
  return passed;
}

bool bends(const std::vector<Mutation>& all, const std::string& start) {
  return std::any_of(all.begin(), all.end(), [&](const Mutation& m) { return m.what.starts_with(start); });
}

TEST(Falsify, EveryMutationIsNoticed) {
  EXPECT_EQ(unnoticed(asking_everything(), sample_tape()), std::vector<std::string>{});
}

TEST(Falsify, BendsEveryKindOfCheck) {
  const auto all = mutations(asking_everything(), sample_tape());
  for (const char* start : {"state of low -> pending",
                            "state of low -> running",
                            "workers of low -> 3",
                            "workers of low -> 1",
                            "nodes of low with one other",
                            "nodes of low with one fewer",
                            "within of low -> one rack",
                            "span of low -> rack 1",
                            "distinct nodes of low -> 1",
                            "count -> 0",
                            "use of q -> gpu 1999",
                            "use of q -> fpga 3",
                            "copies of low -> 2",
                            "jobs per device -> 1",
                            "trials of e -> created 4",
                            "evictions of low -> 0",
                            "evictions of all -> 2",
                            "starts of low -> 2",
                            "steady around",
                            "steady where",
                            "never running: low",
                            "never that many workers: high",
                            "never together: tiny late",
                            "never the state at",
                            "start of high -> 11s",
                            "end of low -> 61s",
                            "outcome of low -> failed",
                            "attempts of low -> 3",
                            "reason of low -> held",
                            "reason of low naming cpu",
                            "reason of low naming no-such-thing",
                            "reason of low naming the mere word needs",
                            "reason of low naming q",
                            "e outcome -> failed",
                            "e end -> 81s",
                            "e best -> 3",
                            "e work -> 41s",
                            "any_of"}) {
    EXPECT_TRUE(bends(all, start)) << start;
  }
  EXPECT_GT(all.size(), 200U);
  EXPECT_EQ(falsified(asking_everything(), sample_tape()).size(), all.size());
}

TEST(Falsify, KeepsTheLineOfItsCheck) {
  for (const Mutation& mutation : mutations(asking_everything(), sample_tape())) {
    EXPECT_EQ(mutation.check.line, 7) << mutation.what;
    EXPECT_EQ(mutation.check.text, mutation.what);
  }
}

TEST(Falsify, AnEndAndAPartGangOnlyWhereFalse) {
  const auto sound = mutations(asking_everything(), sample_tape());
  EXPECT_FALSE(bends(sound, "sim_ends"));
  EXPECT_FALSE(bends(sound, "atomic"));
  Tape tape = sample_tape();
  tape.ended = false;
  tape.frames[3].jobs[0].seats.pop_back();
  const auto unsound = mutations(asking_everything(), tape);
  EXPECT_TRUE(bends(unsound, "sim_ends"));
  EXPECT_TRUE(bends(unsound, "atomic: low"));
  EXPECT_EQ(unnoticed(asking_everything(), tape), std::vector<std::string>{});
}

TEST(Falsify, NoTapeNoMutationsNoCrash) {
  EXPECT_EQ(unnoticed(asking_everything(), Tape{}), std::vector<std::string>{});
  EXPECT_FALSE(judge(asking_everything(), Tape{}).empty());
}

}  // namespace
}  // namespace muster::sim
