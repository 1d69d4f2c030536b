// The falsifier on the hand-written tape: it bends every kind of check, and the judge must notice each
// product.
#include <algorithm>
#include <gtest/gtest.h>

#include "expect_sample.hpp"
#include "sim/falsify.hpp"

namespace muster::sim {
namespace {

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
