// One small world for each reason that comes of room (capacity, topology, kinds and health of nodes, kept
// places): it is given where it should be, with its numbers and names, and is true; once its cause is gone
// the very same reason is no longer true, and is not given.
#include <gtest/gtest.h>

#include "explain_world.hpp"

namespace muster {
namespace {

TEST(ExplainRoom, NeverFitsByAmountAndByKind) {
  World world({node("n", 2, "a"), node("m", 4, "b")});
  world.submit(job("large", 1, 8));
  const Why why = world.why("large", Reason::NeverFits);
  expect_numbers(why, 8000, 6000, 4000);
  JobSpec other = job("other", 1, 1);
  other.roles.front().select = {{.key = "gpu_type", .values = {"c"}}};
  world.submit(other);
  EXPECT_EQ(names(world.why("other", Reason::NeverFits), Named::Value), Names{"c"});
  EXPECT_EQ(world.advice("other"), (Names{"gpu_type=a", "gpu_type=b"}));
  world.expect_gone((world.say(NodeJoined{.spec = node("l", 8)}), why));
}

TEST(ExplainRoom, DrainingNamesTheNodes) {
  World world({node("n", 2), node("m", 2)});
  world.say(NodeChanged{.node = NodeId{1U}, .state = NodeState::Drained}).submit(job("a", 2, 2));
  const Why why = world.why("a", Reason::Draining);
  EXPECT_EQ(names(why, Named::Node), Names{"m"});
  expect_numbers(why, 0, 1, 0);
  expect_numbers(world.why("a", Reason::Capacity), 4000, 2000, 0);
  EXPECT_EQ(world.advice("a"), Names{"workers=1"});
  world.expect_gone((world.say(NodeChanged{.node = NodeId{1U}, .state = NodeState::Up}), why));
}

TEST(ExplainRoom, UnhealthyNamesTheNodesOfBrokenDevices) {
  NodeSpec bad = node("n", 2);
  bad.devices[1].healthy = false;
  World world({bad});
  world.submit(job("a", 1, 2));
  const Why why = world.why("a", Reason::Unhealthy);
  EXPECT_EQ(names(why, Named::Node), Names{"n"});
  Why drained = why;
  drained.reason = Reason::Draining;
  EXPECT_FALSE(world.is_true(drained));
  world.expect_gone((world.say(NodeJoined{.spec = node("m", 2)}), why));
}

TEST(ExplainRoom, TopologyCountsTheBestDomain) {
  std::vector<NodeSpec> nodes;
  for (const char* name : {"n0", "n1", "n2", "n3"}) {
    nodes.push_back(node(name, 1));
    nodes.back().domains = {nodes.size() <= 2 ? "left" : "right"};
  }
  World world(nodes, {}, {.levels = {"rack"}, .extended = {}, .cleanup = {}});
  JobSpec near = job("a", 2, 1);
  near.near = {{.level = "rack", .mode = Locality::Required}};
  JobSpec filler = job("f", 1, 1);
  filler.roles.front().select = {{.key = "node", .values = {"n0"}}};
  world.submit(filler);
  filler.name = "g";
  filler.roles.front().select = {{.key = "node", .values = {"n2"}}};
  world.submit(filler).submit(near);
  const Why why = world.why("a", Reason::Topology);
  expect_numbers(why, 2, 1, 0);
  EXPECT_EQ(sentence(why),
            "needs a single rack, and the best has room for 1 of 2 workers; it would start without that");
  EXPECT_EQ(world.advice("a"), (Names{"near.mode=preferred", "workers=1"}));
  world.expect_gone((world.say(JobCancelled{.job = JobId{0U}}), why));
}

TEST(ExplainRoom, TopologyOfASpreadJob) {
  World world({node("n", 2), node("m", 2)});
  JobSpec wide = job("a", 2, 1);
  wide.spread = true;
  JobSpec filler = job("f", 1, 2);
  world.submit(filler).submit(wide);
  const Why why = world.why("a", Reason::Topology);
  expect_numbers(why, 2, 1, 0);
  world.expect_gone((world.say(JobCancelled{.job = JobId{0U}}), why));
}

TEST(ExplainRoom, CapacityOnlyOfWhatIsShort) {
  NodeSpec spec = node("n", 4);
  spec.cpu = 8000;
  World world({spec});
  JobSpec a = job("a", 1, 1);
  a.roles.front().each.cpu = 6000;
  JobSpec b = a;
  b.name = "b";
  world.submit(a).submit(b);
  const Why why = world.why("b", Reason::Capacity);
  expect_numbers(why, 6000, 2000, 0);
  EXPECT_EQ(names(why, Named::Resource), Names{"cpu"});
  EXPECT_EQ(world.advice("b"), Names{"each.cpu=2"});
  world.expect_gone((world.say(JobCancelled{.job = JobId{0U}}), why));
}

TEST(ExplainRoom, CapacityInDeviceMemory) {
  NodeSpec spec = node("n", 1);
  spec.devices[0].mem = 1000;
  World world({spec});
  JobSpec a = job("a", 1, 0);
  a.roles.front().each.gpu_mem = 600;
  JobSpec b = a;
  b.name = "b";
  world.submit(a).submit(b);
  const Why why = world.why("b", Reason::Capacity);
  expect_numbers(why, 600, 400, 0);
  EXPECT_EQ(sentence(why), "needs 600 MiB gpu memory, 400 MiB gpu memory free");
}

TEST(ExplainRoom, FragmentationCountsWhatIsUsable) {
  World world({node("n", 3), node("m", 3)});
  world.submit(job("f", 2, 1)).submit(job("a", 2, 2));
  const Why why = world.why("a", Reason::Fragmentation);
  expect_numbers(why, 4000, 4000, 2000);
  world.expect_gone((world.say(JobCancelled{.job = JobId{0U}}), why));
}

TEST(ExplainRoom, GpuTypeFullWhileOthersAreFree) {
  World world({node("n", 2, "a"), node("m", 4, "b")});
  JobSpec picky = job("f", 1, 2);
  picky.roles.front().select = {{.key = "gpu_type", .values = {"a"}}};
  world.submit(picky);
  picky.name = "p";
  world.submit(picky);
  const Why why = world.why("p", Reason::GpuType);
  expect_numbers(why, 2000, 0, 4000);
  expect_numbers(world.why("p", Reason::Capacity), 2000, 0, 0);
  EXPECT_EQ(world.advice("p"), Names{"gpu_type=b"});
  world.say(NodeChanged{.node = NodeId{1U}, .state = NodeState::Drained});
  world.expect_gone(why);
}

/// With a clean-up time, a more important job gets its place kept while its victim leaves.
TEST(ExplainRoom, ReservedNamesForWhomAndPreemptedUntilWhen) {
  World world({node("n", 2)}, {.preemption = Preemption::Priority},
              {.levels = {}, .extended = {}, .cleanup = seconds(30)});
  JobSpec low = job("low", 1, 1);
  JobSpec high = job("high", 1, 2);
  high.priority = 5;
  world.submit(low).pass(1).submit(high).submit(job("late", 1, 1));
  const Why kept = world.why("late", Reason::Reserved);
  EXPECT_EQ(names(kept, Named::Job), Names{"high"});
  expect_numbers(kept, 1, 0, 0);
  const Why leaving = world.why("low", Reason::Preempted);
  EXPECT_EQ(leaving.until, at_seconds(31));
  world.pass(30);
  world.expect_gone(kept);
  world.expect_gone(leaving);
  EXPECT_TRUE(world.state().job(world.id("high")).running());
}

TEST(ExplainRoom, BudgetOfBestEffortWork) {
  NodeSpec spec = node("n", 0);
  spec.cpu = 4000;
  World world({spec}, {.colocation = Colocation{.margin_milli = 500}});
  JobSpec a = job("a", 1, 0);
  a.roles.front().each.cpu = 1500;
  a.best_effort = true;
  JobSpec b = a;
  b.name = "b";
  world.submit(a).submit(b);
  const Why why = world.why("b", Reason::Budget);
  expect_numbers(why, 1500, 500, 0);
  world.expect_gone((world.say(JobCancelled{.job = JobId{0U}}), why));
}

TEST(ExplainRoom, ALimitAndRoomAreBothTold) {
  World world({node("n", 4)});
  QueueSpec tight = queue("q");
  tight.limit[kGpu] = 3000;
  JobSpec a = job("a", 1, 3);
  a.queue = "q";
  JobSpec b = job("b", 1, 2);
  b.queue = "q";
  world.say(QueueSet{.spec = tight}).submit(a).submit(b);
  const auto whys = world.whys("b");
  ASSERT_EQ(whys.size(), 2U);
  EXPECT_EQ(whys[0].reason, Reason::QueueLimit);
  EXPECT_EQ(whys[1].reason, Reason::Capacity);
}

TEST(ExplainRoom, EveryReasonWasSeen) { expect_seen(kOfRoom); }

}  // namespace
}  // namespace muster
