// Properties of the engine in random worlds, with every recipe and any combination of the switches, under
// random trouble. Each property is stated as it should be; what it needs to know it works out itself from
// the seats and the records, not from the accounts that it checks. Seeds are fixed: every run is the same.
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include "core/allowance.hpp"
#include "core/audit.hpp"
#include "core/fingerprint.hpp"
#include "random_run.hpp"
#include "random_show.hpp"
#include "wire/record_bytes.hpp"

namespace muster {
namespace {

using Bytes8 = std::vector<std::uint8_t>;

rc::Gen<Bytes8> choices() {
  return rc::gen::withSize([](int size) {
    return rc::gen::resize(100, rc::gen::container<Bytes8>(static_cast<std::size_t>(80 + size * 10),
                                                           rc::gen::arbitrary<std::uint8_t>()));
  });
}

/// A run takes milliseconds. One that decides for ever inside a single call can only be ended from outside.
void watch_the_clock() {
  std::signal(SIGALRM, [](int) {
    constexpr std::string_view text = "one call of advance does not come to an end\n";
    static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
    _exit(1);
  });
  alarm(10);
}

/// Runs the world and fails with its log in words when the check objects to a step.
void for_every_step(const Bytes8& bytes, const std::function<std::vector<std::string>(const Seen&)>& check) {
  RandomRun run(bytes, {.watch = [&](const Seen& seen) {
                  const std::vector<std::string> problems = check(seen);
                  if (problems.empty()) return;
                  RC_LOG() << shown(seen.engine.knobs()) << shown(seen.log);
                  RC_FAIL(problems.front());
                }});
  watch_the_clock();
  if (run.play()) return;
  RC_LOG() << shown(run.world().knobs) << shown(run.log());
  RC_FAIL("it does not come to rest");
}

// ---- accounts

/// What is taken on one node, added up from the seats alone.
struct Taken {
  std::int64_t cpu = 0;
  std::int64_t mem = 0;
  std::int64_t soft_cpu = 0;
  struct Device {
    std::int64_t share = 0;  ///< thousandths; a whole use counts 1000
    std::int64_t mem = 0;
    bool whole = false;
    int sharers = 0;
  };
  std::map<std::size_t, Device> devices;
};

void take_seat(const State& state, const Job& job, const Seat& seat, std::vector<Taken>& nodes) {
  const Shape& asked = state.ledger.catalogue().shape(job.asked);
  const Demand& each = asked.roles[seat.role].each;
  Taken& node = nodes[seat.node.index()];
  (asked.best_effort ? node.soft_cpu : node.cpu) += each.cpu;
  if (!asked.best_effort) node.mem += each.mem;
  for (std::size_t d = 0; d < kMaxDevices; ++d) {
    if (!seat.devices.has(d)) continue;
    Taken::Device& device = node.devices[d];
    if (each.shares_device()) {
      device.share += each.share;
      device.mem += each.gpu_mem;
      ++device.sharers;
    } else {
      device.whole = true;
      device.share += kDevice;
    }
  }
}

std::vector<Taken> taken_of(const State& state) {
  std::vector<Taken> nodes(state.ledger.nodes().size());
  for (const Job& job : state.jobs) {
    for (const Seat& seat : job.seats) take_seat(state, job, seat, nodes);
    if (!job.extra) continue;
    for (const auto& leaving : job.extra->leaving) {
      for (const Seat& seat : leaving.seats) take_seat(state, job, seat, nodes);
    }
  }
  return nodes;
}

void overbooked_devices(const NodeSpec& spec, const Taken& taken, std::vector<std::string>& problems) {
  for (const auto& [index, device] : taken.devices) {
    const std::string what = spec.name + " device " + std::to_string(index);
    if (index >= spec.devices.size() || !spec.devices[index].healthy) {
      problems.push_back(what + " is broken or missing but used");
      continue;
    }
    if (device.share > kDevice || (device.whole && device.sharers > 0))
      problems.push_back(what + " is overbooked");
    if (device.mem > spec.devices[index].mem) problems.push_back(what + " has too little memory");
  }
}

std::vector<std::string> overbooked(const Seen& seen) {
  std::vector<std::string> problems = audit(seen.engine.state());
  const State& state = seen.engine.state();
  const std::vector<Taken> nodes = taken_of(state);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const NodeEntry& entry = state.ledger.nodes()[n];
    if (nodes[n].cpu > entry.spec.cpu) problems.push_back(entry.spec.name + " has too little CPU");
    if (nodes[n].mem > entry.spec.mem) problems.push_back(entry.spec.name + " has too little memory");
    overbooked_devices(entry.spec, nodes[n], problems);
    const Allowance allowed = allowance(state, NodeId{n}, seen.engine.knobs().colocation);
    if (state.cleanup == Duration{0} && nodes[n].soft_cpu > allowed.cpu) {
      problems.push_back(entry.spec.name + " carries best-effort work beyond its allowance");
    }
  }
  return problems;
}

RC_GTEST_PROP(Property, NoNodeOrDeviceIsOverbooked, ()) { for_every_step(*choices(), overbooked); }

// ---- limits

void check_limits(const State& state, JobId id, const Placement& added, std::vector<std::string>& problems) {
  const Job& job = state.job(id);
  Amounts charge;
  for (const Seat& seat : added)
    charge += state.ledger.catalogue().shape(job.asked).roles[seat.role].each.charge();
  for (const QueueId q : state.ledger.queue(job.queue).path) {
    const QueueEntry& entry = state.ledger.queue(q);
    for (std::size_t r = 0; r < kResources; ++r) {
      if (charge[r] > 0 && entry.use[r] > entry.spec.limit[r]) {
        problems.push_back("queue " + entry.spec.name + " is beyond its limit once " + job.name + " starts");
      }
    }
  }
}

void check_cap(const State& state, JobId id, std::vector<std::string>& problems) {
  const UserEntry& user = state.ledger.user(state.job(id).user);
  if (user.spec.max_running >= 0 && user.running > user.spec.max_running) {
    problems.push_back("user " + user.spec.name + " is beyond the cap once " + state.job(id).name +
                       " starts");
  }
}

RC_GTEST_PROP(Property, NoStartGoesBeyondALimit, ()) {
  State fold = initial_state();
  for_every_step(*choices(), [&](const Seen& seen) {
    std::vector<std::string> problems;
    for (const Record& record : seen.step.log) {
      const auto* decided = std::get_if<Decided>(&record.event);
      const auto* start = decided == nullptr ? nullptr : std::get_if<Start>(&decided->decision.what);
      const auto* grow = decided == nullptr ? nullptr : std::get_if<Grow>(&decided->decision.what);
      const bool fact = start != nullptr && fold.to_place.count(start->job) > 0;
      apply(fold, record);
      fold.ledger.lay_out();
      if (start != nullptr && !fact) check_limits(fold, start->job, start->seats, problems);
      if (start != nullptr && !fact) check_cap(fold, start->job, problems);
      if (grow != nullptr) check_limits(fold, grow->job, grow->seats, problems);
    }
    return problems;
  });
}

// ---- gangs

std::vector<std::string> torn_gangs(const Seen& seen) {
  std::vector<std::string> problems;
  const State& state = seen.engine.state();
  for (const Job& job : state.jobs) {
    if (!job.running() || state.shape(job).kind == JobKind::Service) continue;
    const Shape& shape = state.shape(job);
    std::map<std::uint32_t, int> seen_workers;
    for (const Seat& seat : job.seats) ++seen_workers[seat.worker];
    for (const auto& [worker, times] : seen_workers) {
      if (times > 1) problems.push_back(job.name + " has worker " + std::to_string(worker) + " twice");
    }
    for (std::size_t role = 0; role < shape.roles.size(); ++role) {
      const auto has =
          std::count_if(job.seats.begin(), job.seats.end(), [&](const Seat& s) { return s.role == role; });
      const auto finished = job.extra ? static_cast<std::int64_t>(job.extra->finished.size()) : 0;
      const Count& count = shape.roles[role].count;
      if (has + finished < count.min)
        problems.push_back(job.name + " runs with fewer workers than its minimum");
      if (has > count.max) problems.push_back(job.name + " runs with more workers than its maximum");
    }
    if (job.seats.empty()) problems.push_back(job.name + " runs without a worker");
  }
  return problems;
}

RC_GTEST_PROP(Property, GangsAreAllOrNothing, ()) { for_every_step(*choices(), torn_gangs); }

// ---- the log

RC_GTEST_PROP(Property, TheLogFoldsToTheState, ()) {
  State fold = initial_state();
  std::vector<std::uint8_t> bytes;
  for_every_step(*choices(), [&](const Seen& seen) -> std::vector<std::string> {
    std::vector<std::uint8_t> written;
    for (const Record& record : seen.step.log) encode(record, written);
    std::span<const std::uint8_t> in(written);
    while (!in.empty()) {
      const auto record = decode(in);
      if (!record) return {to_string(record.error())};
      apply(fold, *record);
    }
    if (fingerprint(fold) == fingerprint(seen.engine.state())) return {};
    return {"the fold differs from the live state"};
  });
}

RC_GTEST_PROP(Property, WithoutNewsThereIsNothingToDecide, ()) {
  for_every_step(*choices(), [&](const Seen& seen) -> std::vector<std::string> {
    const Step again = seen.engine.advance(seen.now, {});
    if (again.log.empty() && again.plan.decisions.empty()) return {};
    return {"without news it records: " + shown(again.log)};
  });
}

// ---- reasons

RC_GTEST_PROP(Property, EveryReasonIsTrueAndEveryWaitingJobHasOne, ()) {
  for_every_step(*choices(), [&](const Seen& seen) {
    std::vector<std::string> problems;
    const State& state = seen.engine.state();
    for (std::size_t j = 0; j < state.jobs.size(); ++j) {
      const Job& job = state.jobs[j];
      const auto whys = explain(state, seen.engine.policy(), JobId{j}, seen.now);
      const bool waits = job.state == JobState::Held || (!is_over(job.state) && wants_workers(state, job));
      if (waits && whys.empty()) problems.push_back(job.name + " waits without a reason");
      for (const Why& why : whys) {
        if (!holds(why, state, seen.engine.policy(), seen.now))
          problems.push_back(job.name + ": not true: " + sentence(why));
      }
    }
    return problems;
  });
}

// ---- evictions

std::string named_job(const Why& why) {
  for (const WhyName& name : why.names) {
    if (name.kind == Named::Job) return name.name;
  }
  return {};
}

/// Does a later decision of the step give the job named its room?
bool is_served(const Seen& seen, std::size_t from, const std::string& name) {
  const auto& decisions = seen.step.plan.decisions;
  const State& state = seen.engine.state();
  return std::any_of(
      decisions.begin() + static_cast<std::ptrdiff_t>(from), decisions.end(), [&](const Decision& d) {
        const auto* start = std::get_if<Start>(&d.what);
        const auto* grow = std::get_if<Grow>(&d.what);
        const auto* reserve = std::get_if<Reserve>(&d.what);
        return (start != nullptr && state.job(start->job).name == name) ||
               (grow != nullptr && state.job(grow->job).name == name) ||
               (state.cleanup > Duration{0} && reserve != nullptr && state.job(reserve->job).name == name);
      });
}

RC_GTEST_PROP(Property, NobodyIsEvictedButForAStart, ()) {
  for_every_step(*choices(), [&](const Seen& seen) {
    std::vector<std::string> problems;
    const auto& decisions = seen.step.plan.decisions;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      const auto* stop = std::get_if<Stop>(&decisions[i].what);
      const auto* shrink = std::get_if<Shrink>(&decisions[i].what);
      const bool taken = (stop != nullptr && stop->cause == StopCause::Preempted) ||
                         (shrink != nullptr && shrink->cause == StopCause::Preempted);
      if (!taken) continue;
      const std::string name = named_job(decisions[i].why);
      if (name.empty()) problems.push_back("an eviction names no preemptor: " + shown(decisions[i]));
      if (!is_served(seen, i + 1, name)) problems.push_back("evicted for nothing: " + shown(decisions[i]));
      const JobId victim = stop != nullptr ? stop->job : shrink->job;
      if (seen.engine.state().job(victim).evictable == Evictable::Never)
        problems.push_back("a job that nothing evicts was taken from");
    }
    return problems;
  });
}

bool is_placed(const std::vector<Record>& log, JobId job) {
  std::size_t submitted = 0;
  for (const Record& record : log) {
    const auto* submission = std::get_if<JobSubmitted>(&record.event);
    if (submission != nullptr && submitted++ == job.index()) return !submission->spec->placed.empty();
  }
  return false;
}

RC_GTEST_PROP(Property, NoJobIsEvictedTwiceOrStartedAndEvictedInOneStep, ()) {
  for_every_step(*choices(), [&](const Seen& seen) {
    std::vector<std::string> problems;
    std::map<JobId, int> started;
    std::map<JobId, int> evicted;
    for (const Decision& decision : seen.step.plan.decisions) {
      const auto* start = std::get_if<Start>(&decision.what);
      // Work that is said to run already starts as a fact, and may have to go at once.
      if (start != nullptr && !(start->attempt == 1 && is_placed(seen.log, start->job)))
        ++started[start->job];
      const auto* stop = std::get_if<Stop>(&decision.what);
      if (stop == nullptr || stop->cause != StopCause::Preempted) continue;
      if (++evicted[stop->job] > 1) problems.push_back("evicted twice in one step: " + shown(decision));
      if (started[stop->job] > 0) problems.push_back("started and evicted in one step: " + shown(decision));
    }
    return problems;
  });
}

// ---- the promise of EASY, two ways

/// Do both promises name the same time, and mind the same candidates?
std::vector<std::string> differences(const Scene& scene, const Backlog::Ends& ends, JobId head) {
  const Promise counted(scene, ends, {head});
  const Promise drafted(scene, ends, {head}, Promise::By::Draft);
  const std::string who = scene.state.job(head).name;
  if (counted.at(scene.now) != drafted.at(scene.now)) return {"another start for " + who};
  std::vector<std::string> problems;
  for (std::size_t j = 0; j < scene.state.jobs.size() && counted.at(scene.now) < kNever; ++j) {
    const auto unit = unit_of(scene.state, JobId{j});
    if (JobId{j} == head || !wants_workers(scene.state, scene.state.job(JobId{j})) || !unit) continue;
    Draft draft = view_for(scene, *unit);
    const auto seating = seat_unit(draft, scene, *unit);
    if (!seating) continue;
    if (counted.delayed_by(scene, ends, *unit, *seating) != drafted.delayed_by(scene, ends, *unit, *seating))
      problems.push_back(who + " minds " + scene.state.job(JobId{j}).name +
                         " in one way and not in the other");
  }
  return problems;
}

RC_GTEST_PROP(Property, ThePromiseByCountsIsThePromiseByDrafts, ()) {
  for_every_step(*choices(), [&](const Seen& seen) {
    const State& state = seen.engine.state();
    const Policy& policy = seen.engine.policy();
    if (policy.knobs().backfill != Backfill::Easy) return std::vector<std::string>{};
    Entitlements entitlements;
    const Scene scene = entitlements.scene(state, policy.knobs(), policy.backlog(), seen.now);
    for (std::size_t j = 0; j < state.jobs.size(); ++j) {
      const bool waits = state.jobs[j].state == JobState::Pending;
      if (!waits || !Shadow::serves(state, {JobId{j}})) continue;
      auto problems = differences(scene, policy.backlog().ends(), JobId{j});
      if (!problems.empty()) return problems;
    }
    return std::vector<std::string>{};
  });
}

// ---- two engines, one log

/// What happened, but for Holds: they note the first blocker of a job that was looked at, and who is looked
/// at may differ where who waits does not.
std::vector<std::pair<Instant, Event>> happened(const std::vector<Record>& log) {
  std::vector<std::pair<Instant, Event>> events;
  for (const Record& record : log) {
    const auto* decided = std::get_if<Decided>(&record.event);
    const bool hold = decided != nullptr && std::holds_alternative<Hold>(decided->decision.what);
    if (!hold) events.emplace_back(record.at, record.event);
  }
  return events;
}

void expect_same(const Bytes8& bytes, const RunOptions& other) {
  watch_the_clock();
  RandomRun plain(bytes, {});
  plain.play();
  RandomRun changed(bytes, other);
  changed.play();
  const auto a = happened(plain.log());
  const auto b = happened(changed.log());
  for (std::size_t i = 0; i < a.size() || i < b.size(); ++i) {
    if (i < a.size() && i < b.size() && a[i] == b[i]) continue;
    RC_LOG() << shown(plain.world().knobs) << shown(plain.log());
    RC_FAIL("difference: " + (i < a.size() ? shown(a[i].second) : "nothing") + " against " +
            (i < b.size() ? shown(b[i].second) : "nothing"));
  }
}

RC_GTEST_PROP(Property, ACrashAfterEveryStepChangesNoDecision, ()) {
  expect_same(*choices(), {.crash_every = 1});
}

RC_GTEST_PROP(Property, ACrashNowAndThenChangesNoDecision, ()) {
  const auto every = *rc::gen::inRange<std::size_t>(1, 40);
  expect_same(*choices(), {.crash_every = every});
}

RC_GTEST_PROP(Property, RetryingEveryWaitingJobDecidesTheSame, ()) {
  const auto forget = [](Engine& engine) { engine.policy().forget(engine.state()); };
  expect_same(*choices(), {.before_step = forget});
}

RC_GTEST_PROP(Property, TheSameInputGivesTheSameLog, ()) { expect_same(*choices(), {}); }

}  // namespace
}  // namespace muster

int main(int argc, char** argv) {
  setenv("RC_PARAMS", "seed=20260314 max_success=4000 max_size=100", 0);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
