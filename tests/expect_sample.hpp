// What the tests of the judge share: a small scenario, a tape of it written by hand, and words for checks.
// `met` and `missed` judge one check against that tape.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/expect.hpp"
#include "sim/tape.hpp"

namespace muster::sim {

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

inline scenario::Job job(const std::string& name, std::int32_t workers) {
  scenario::Job made;
  made.spec.name = name;
  made.base = name;
  RoleSpec role;
  role.count.min = workers;
  role.count.max = workers;
  made.spec.roles = {role};
  return made;
}

inline Seat seat(std::uint32_t node, std::uint32_t worker, std::size_t device) {
  Seat made{.node = NodeId(node), .worker = worker, .role = 0, .devices = {}};
  made.devices.insert(device);
  return made;
}

inline JobView waiting() { return {.state = JobState::Pending, .submitted = true, .seats = {}, .copies = 0}; }
inline JobView over(JobState state) { return {.state = state, .submitted = true, .seats = {}, .copies = 0}; }
inline JobView running(Placement seats) {
  return {.state = JobState::Running, .submitted = true, .seats = std::move(seats), .copies = 1};
}

/// Jobs low (2 workers), high (2), tiny (1); low runs, gives way to high at 10, runs again from 30 to 60,
/// then tiny shares a device with late from 70 on.
inline Scenario sample() {
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

inline Frame frame(std::int64_t at, std::vector<JobView> jobs, std::int64_t gpus) {
  Frame made;
  made.at = at_seconds(at);
  made.jobs = std::move(jobs);
  made.experiments = {{.running = 1, .done = 2, .failed = 0, .created = 3}};
  made.queue_use["q"][kGpu] = gpus * kDevice;
  made.queue_use["q"][kFirstExtended] = gpus;
  made.queue_use["other"] = {};
  return made;
}

inline Tape sample_tape() {
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

inline std::vector<Failure> failures_of(Check check, const Tape& tape = sample_tape()) {
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

inline AtCheck in_state(std::int64_t t, JobState state, const std::string& job) {
  return at(t, [&](Moment& m) { m.states[state] = {job}; });
}

template <class Set>
JobCheck history(const char* name, Set set) {
  JobCheck check{.job = name, .start = {}, .end = {}, .outcome = {}, .attempts = {}};
  set(check);
  return check;
}

template <class Set>
ExperimentCheck trial_run(const char* name, Set set) {
  ExperimentCheck check{.experiment = name, .outcome = {}, .end = {}, .best = {}, .work = {}};
  set(check);
  return check;
}

inline ReasonCheck reason(const char* kind, std::vector<std::string> names) {
  return {.job = "low", .at = at_seconds(20), .kind = kind, .names = std::move(names)};
}

}  // namespace muster::sim
