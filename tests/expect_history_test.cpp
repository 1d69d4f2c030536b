// The judge on whole histories of jobs and searches, on reasons, on alternatives, and the wording of
// failures.
#include <gtest/gtest.h>

#include "expect_sample.hpp"

namespace muster::sim {
namespace {

// ---- histories

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

}  // namespace
}  // namespace muster::sim
