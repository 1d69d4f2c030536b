// The judge at one moment: every kind of condition once met and once missed, and how a miss is worded.
#include <gtest/gtest.h>

#include "expect_sample.hpp"

namespace muster::sim {
namespace {

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

}  // namespace
}  // namespace muster::sim
