// The judge over windows of time: what may and may not happen in them, where they begin and end, and gangs
// that are whole at every moment.
#include <gtest/gtest.h>

#include "expect_sample.hpp"

namespace muster::sim {
namespace {

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

}  // namespace
}  // namespace muster::sim
