// One small world a reason: the reason is given where it should be, with its numbers and names, and is true;
// once its cause is gone the very same reason is no longer true, and is not given.
#include "engine/explain.hpp"

#include <gtest/gtest.h>
#include <set>

#include "engine/engine.hpp"
#include "engine/outlook.hpp"

namespace muster {
namespace {

/// The reasons that some test below saw; the last test compares with the list of all.
std::set<Reason>& seen() {
  static std::set<Reason> reasons;
  return reasons;
}

NodeSpec node(const std::string& name, std::size_t gpus, const std::string& type = "") {
  NodeSpec spec;
  spec.name = name;
  spec.gpu_type = type;
  spec.devices.resize(gpus);
  return spec;
}

JobSpec job(const std::string& name, std::int32_t workers, std::int32_t gpus) {
  JobSpec spec;
  spec.name = name;
  RoleSpec role;
  role.name = "worker";
  role.count = {.min = workers, .max = workers, .legal = {}};
  role.each.gpus = gpus;
  spec.roles = {role};
  return spec;
}

QueueSpec queue(const std::string& name, const std::string& parent = "") {
  QueueSpec spec;
  spec.name = name;
  spec.parent = parent;
  return spec;
}

class World {
 public:
  explicit World(const std::vector<NodeSpec>& nodes, const Knobs& knobs = {}, const LevelsSet& levels = {})
      : engine_(knobs, Audit::EveryStep) {
    std::vector<Event> news{levels};
    for (const NodeSpec& spec : nodes) news.emplace_back(NodeJoined{.spec = spec});
    engine_.advance(now_, news);
  }

  World& say(Event event) {
    engine_.advance(now_, std::vector<Event>{std::move(event)});
    return *this;
  }
  World& submit(JobSpec spec) { return say(JobSubmitted{.spec = std::move(spec)}); }
  World& pass(std::int64_t s) {
    now_ += seconds(s);
    engine_.advance(now_, {});
    return *this;
  }

  [[nodiscard]] JobId id(const std::string& name) const {
    for (std::size_t j = 0; j < state().jobs.size(); ++j) {
      if (state().jobs[j].name == name) return JobId{j};
    }
    return {};
  }
  [[nodiscard]] const State& state() const { return engine_.state(); }
  [[nodiscard]] const Engine& engine() const { return engine_; }
  [[nodiscard]] Instant now() const { return now_; }

  [[nodiscard]] std::vector<Why> whys(const std::string& name) const {
    auto all = explain(state(), engine_.policy(), id(name), now_);
    for (const Why& why : all) EXPECT_TRUE(is_true(why)) << name << ": " << sentence(why);
    return all;
  }
  /// The reason of that kind, which must be given.
  [[nodiscard]] Why why(const std::string& name, Reason reason) const {
    for (const Why& why : whys(name)) {
      if (why.reason != reason) continue;
      seen().insert(reason);
      return why;
    }
    ADD_FAILURE() << name << " is not given the reason " << name_of(reason);
    return {};
  }
  [[nodiscard]] bool is_true(const Why& why) const { return holds(why, state(), engine_.policy(), now_); }
  void expect_gone(const Why& why) const {
    EXPECT_FALSE(is_true(why)) << sentence(why);
    for (const Why& now : explain(state(), engine_.policy(), why.subject, now_)) EXPECT_FALSE(now == why);
  }
  [[nodiscard]] std::vector<std::string> advice(const std::string& name) const {
    WhatIf what_if(state(), engine_.policy(), unit_or_alone(state(), id(name)), now_);
    std::vector<std::string> changes;
    for (const Advice& advice : muster::advice(what_if, whys(name))) changes.push_back(advice.change);
    return changes;
  }

 private:
  Engine engine_;
  Instant now_{};
};

void expect_numbers(const Why& why, std::int64_t asked, std::int64_t available, std::int64_t limit) {
  EXPECT_EQ(why.asked, asked) << sentence(why);
  EXPECT_EQ(why.available, available) << sentence(why);
  EXPECT_EQ(why.limit, limit) << sentence(why);
}

std::vector<std::string> names(const Why& why, Named kind) {
  std::vector<std::string> found;
  for (const WhyName& name : why.names) {
    if (name.kind == kind) found.push_back(name.name);
  }
  return found;
}

using Names = std::vector<std::string>;

TEST(Explain, Held) {
  World world({node("n", 2)});
  JobSpec held = job("a", 1, 1);
  held.held = true;
  world.submit(held);
  const Why why = world.why("a", Reason::Held);
  EXPECT_EQ(world.whys("a").size(), 1U);
  world.expect_gone((world.say(JobReleased{.job = JobId{0U}}), why));
}

TEST(Explain, NotBefore) {
  World world({node("n", 2)});
  JobSpec late = job("a", 1, 1);
  late.not_before = at_seconds(60);
  world.submit(late);
  const Why why = world.why("a", Reason::NotBefore);
  EXPECT_EQ(why.until, at_seconds(60));
  world.expect_gone((world.pass(60), why));
}

TEST(Explain, BackingOff) {
  World world({node("n", 2)}, {.restart_backoff = seconds(10)});
  JobSpec failing = job("a", 1, 1);
  failing.max_restarts = 3;
  world.submit(failing).say(TaskExited{.job = JobId{0U}, .attempt = 1, .workers = {}, .code = 1});
  const Why why = world.why("a", Reason::BackingOff);
  EXPECT_EQ(why.until, at_seconds(10));
  world.expect_gone((world.pass(10), why));
}

TEST(Explain, DependencyCountsItsFamily) {
  World world({node("n", 4)});
  for (const char* name : {"a", "b"}) {
    JobSpec member = job(name, 1, 1);
    member.family = "f";
    member.family_size = 2;
    world.submit(member);
  }
  JobSpec last = job("c", 1, 1);
  last.after = {{.family = "f", .when = DependencyWhen::Ok}};
  world.submit(last).say(TaskExited{.job = JobId{0U}, .attempt = 1, .workers = {}, .code = 0});
  const Why why = world.why("c", Reason::Dependency);
  expect_numbers(why, 2, 1, 0);
  EXPECT_EQ(sentence(why), "waits for f: 1 of 2 jobs ended");
  world.expect_gone((world.say(TaskExited{.job = JobId{1U}, .attempt = 1, .workers = {}, .code = 0}), why));
}

TEST(Explain, DependencyFailedNamesWhoFailed) {
  World world({node("n", 1)});
  JobSpec first = job("a", 1, 1);
  first.family = "a";
  JobSpec last = job("b", 1, 1);
  last.after = {{.family = "a", .when = DependencyWhen::Ok}};
  JobSpec any = job("c", 1, 1);
  any.after = {{.family = "a", .when = DependencyWhen::Any}};
  world.submit(first).submit(last).submit(any);
  EXPECT_EQ(world.whys("b").front().reason, Reason::Dependency);
  Why early = world.why("b", Reason::Dependency);
  early.reason = Reason::DependencyFailed;
  EXPECT_FALSE(world.is_true(early));
  world.say(TaskExited{.job = JobId{0U}, .attempt = 1, .workers = {}, .code = 1});
  const Why why = world.why("b", Reason::DependencyFailed);
  EXPECT_EQ(names(why, Named::Job), Names{"a"});
  EXPECT_TRUE(world.state().job(JobId{2U}).running());
}

TEST(Explain, GangCountsThoseReady) {
  World world({node("n", 4)});
  JobSpec a = job("a", 1, 1);
  a.group = "g";
  a.group_size = 2;
  JobSpec b = a;
  b.name = "b";
  b.held = true;
  world.submit(a);
  expect_numbers(world.why("a", Reason::Gang), 2, 1, 0);
  world.submit(b);
  const Why why = world.why("a", Reason::Gang);
  expect_numbers(why, 2, 1, 0);
  EXPECT_EQ(names(why, Named::Job), Names{"b"});
  world.expect_gone((world.say(JobReleased{.job = JobId{1U}}), why));
  EXPECT_TRUE(world.state().job(JobId{0U}).running());
}

TEST(Explain, NeverFitsByAmountAndByKind) {
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

TEST(Explain, DrainingNamesTheNodes) {
  World world({node("n", 2), node("m", 2)});
  world.say(NodeChanged{.node = NodeId{1U}, .state = NodeState::Drained}).submit(job("a", 2, 2));
  const Why why = world.why("a", Reason::Draining);
  EXPECT_EQ(names(why, Named::Node), Names{"m"});
  expect_numbers(why, 0, 1, 0);
  expect_numbers(world.why("a", Reason::Capacity), 4000, 2000, 0);
  EXPECT_EQ(world.advice("a"), Names{"workers=1"});
  world.expect_gone((world.say(NodeChanged{.node = NodeId{1U}, .state = NodeState::Up}), why));
}

TEST(Explain, UnhealthyNamesTheNodesOfBrokenDevices) {
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

TEST(Explain, UserLimit) {
  World world({node("n", 4)});
  world.say(UserSet{.spec = UserSpec{.name = "ana", .max_running = 1}});
  for (const char* name : {"a", "b"}) {
    JobSpec mine = job(name, 1, 1);
    mine.user = "ana";
    world.submit(mine);
  }
  const Why why = world.why("b", Reason::UserLimit);
  expect_numbers(why, 1, 0, 1);
  EXPECT_EQ(world.advice("b"), Names{"user ana max_running=2"});
  world.expect_gone((world.say(UserSet{.spec = UserSpec{.name = "ana", .max_running = 2}}), why));
}

TEST(Explain, QueueLimitOfAnAncestor) {
  World world({node("n", 8)});
  QueueSpec top = queue("top");
  top.limit[kGpu] = 3000;
  world.say(QueueSet{.spec = top}).say(QueueSet{.spec = queue("sub", "top")});
  for (const char* name : {"a", "b"}) {
    JobSpec mine = job(name, 1, 2);
    mine.queue = "sub";
    world.submit(mine);
  }
  const Why why = world.why("b", Reason::QueueLimit);
  expect_numbers(why, 2000, 1000, 3000);
  EXPECT_EQ(names(why, Named::Queue), Names{"top"});
  EXPECT_EQ(world.advice("b"), Names{"queue top limit gpu=4"});
  top.limit[kGpu] = 4000;
  world.expect_gone((world.say(QueueSet{.spec = top}), why));
}

/// Two jobs that start together go beyond a limit that each alone would keep.
TEST(Explain, QueueLimitOfAGroupInTwoQueues) {
  World world({node("n", 8)});
  QueueSpec top = queue("top");
  top.limit[kGpu] = 3000;
  world.say(QueueSet{.spec = top});
  for (const char* side : {"left", "right"}) {
    world.say(QueueSet{.spec = queue(side, "top")});
    JobSpec mine = job(side, 1, 1);
    mine.queue = side;
    mine.group = "g";
    mine.group_size = 2;
    world.submit(mine);
  }
  EXPECT_TRUE(world.state().job(JobId{0U}).running());
  World full({node("n", 8)});
  full.say(QueueSet{.spec = top});
  JobSpec first = job("first", 1, 2);
  first.queue = "top";
  full.submit(first);
  for (const char* side : {"left", "right"}) {
    full.say(QueueSet{.spec = queue(side, "top")});
    JobSpec mine = job(side, 1, 1);
    mine.queue = side;
    mine.group = "g";
    mine.group_size = 2;
    full.submit(mine);
  }
  expect_numbers(full.why("left", Reason::QueueLimit), 2000, 1000, 3000);
  expect_numbers(full.why("right", Reason::QueueLimit), 2000, 1000, 3000);
}

TEST(Explain, TopologyCountsTheBestDomain) {
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

TEST(Explain, TopologyOfASpreadJob) {
  World world({node("n", 2), node("m", 2)});
  JobSpec wide = job("a", 2, 1);
  wide.spread = true;
  JobSpec filler = job("f", 1, 2);
  world.submit(filler).submit(wide);
  const Why why = world.why("a", Reason::Topology);
  expect_numbers(why, 2, 1, 0);
  world.expect_gone((world.say(JobCancelled{.job = JobId{0U}}), why));
}

TEST(Explain, CapacityOnlyOfWhatIsShort) {
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

TEST(Explain, CapacityInDeviceMemory) {
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

TEST(Explain, FragmentationCountsWhatIsUsable) {
  World world({node("n", 3), node("m", 3)});
  world.submit(job("f", 2, 1)).submit(job("a", 2, 2));
  const Why why = world.why("a", Reason::Fragmentation);
  expect_numbers(why, 4000, 4000, 2000);
  world.expect_gone((world.say(JobCancelled{.job = JobId{0U}}), why));
}

TEST(Explain, GpuTypeFullWhileOthersAreFree) {
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
TEST(Explain, ReservedNamesForWhomAndPreemptedUntilWhen) {
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

TEST(Explain, QueueShareThatIsNotLent) {
  World world({node("n", 4)});
  QueueSpec own = queue("own");
  own.lend = false;
  own.guarantee[kGpu] = 3000;
  world.say(QueueSet{.spec = own}).submit(job("a", 1, 2));
  const Why why = world.why("a", Reason::QueueShare);
  expect_numbers(why, 2000, 1000, 0);
  EXPECT_EQ(names(why, Named::Queue), Names{"own"});
  EXPECT_EQ(world.advice("a"), (Names{"queue own lend=true"}));
  own.lend = true;
  world.expect_gone((world.say(QueueSet{.spec = own}), why));
}

TEST(Explain, QueueShareUsedUp) {
  World world({node("n", 4)}, {.reclaim = true});
  QueueSpec left = queue("left");
  left.guarantee[kGpu] = 2000;
  world.say(QueueSet{.spec = left});
  JobSpec a = job("a", 1, 2);
  a.queue = "left";
  JobSpec c = a;
  c.name = "c";
  world.submit(a).submit(job("b", 1, 2)).submit(c);
  const Why why = world.why("c", Reason::QueueShare);
  expect_numbers(why, 2000, 0, 2000);
  left.guarantee[kGpu] = 4000;
  world.expect_gone((world.say(QueueSet{.spec = left}), why));
}

TEST(Explain, AheadWithEasyBackfillTellsThePromise) {
  World world({node("n", 4)}, {.backfill = Backfill::Easy});
  JobSpec running = job("running", 1, 3);
  running.limit = seconds(100);
  JobSpec small = job("small", 1, 1);
  small.limit = seconds(500);
  world.submit(running).submit(job("wide", 1, 4)).submit(small);
  const Why why = world.why("small", Reason::Ahead);
  EXPECT_EQ(why.until, at_seconds(100));
  EXPECT_EQ(names(why, Named::Job), Names{"wide"});
  EXPECT_EQ(why.asked, 1);
  EXPECT_EQ(world.advice("small"), Names{"limit=100s"});
  world.expect_gone((world.say(JobCancelled{.job = JobId{1U}}), why));
}

TEST(Explain, AheadBehindABlockingHead) {
  World world({node("n", 4)}, {.blocking = Blocking::Head});
  world.submit(job("running", 1, 3)).submit(job("wide", 1, 4)).submit(job("small", 1, 1));
  const Why why = world.why("small", Reason::Ahead);
  EXPECT_EQ(names(why, Named::Job), Names{"wide"});
  EXPECT_EQ(names(why, Named::Queue), Names{"default"});
  world.expect_gone((world.say(JobCancelled{.job = JobId{1U}}), why));
}

TEST(Explain, AheadOfWhomTheGuardProtects) {
  World world({node("n", 4)}, {.starvation_guard = seconds(50)});
  world.submit(job("running", 1, 3)).submit(job("wide", 1, 4)).pass(50).submit(job("small", 1, 1));
  const Why why = world.why("small", Reason::Ahead);
  EXPECT_EQ(names(why, Named::Job), Names{"wide"});
  world.expect_gone((world.say(JobCancelled{.job = JobId{1U}}), why));
}

TEST(Explain, BudgetOfBestEffortWork) {
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

TEST(Explain, ALimitAndRoomAreBothTold) {
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

TEST(Explain, ARunningJobHasNone) {
  World world({node("n", 4)});
  world.submit(job("a", 1, 1));
  EXPECT_TRUE(world.whys("a").empty());
}

TEST(Explain, ForecastByLimitsAndByExpectations) {
  World world({node("n", 4)});
  JobSpec a = job("a", 1, 4);
  a.limit = seconds(100);
  a.expect = seconds(40);
  world.submit(a).submit(job("b", 1, 2));
  WhatIf what_if(world.state(), world.engine().policy(), {world.id("b")}, world.now());
  const Forecast bounded = forecast(what_if);
  EXPECT_EQ(bounded.by_limits, at_seconds(100));
  EXPECT_EQ(bounded.by_guess, at_seconds(40));
  World endless({node("n", 4)});
  endless.submit(job("a", 1, 4)).submit(job("b", 1, 2));
  WhatIf without(endless.state(), endless.engine().policy(), {endless.id("b")}, endless.now());
  const Forecast unknown = forecast(without);
  EXPECT_FALSE(unknown.by_limits);
  EXPECT_EQ(unknown.needs, "a");
}

/// Runs last: gtest keeps the order of definition within a suite.
TEST(Explain, EveryReasonOfAWaitingJobWasSeen) {
  if (testing::UnitTest::GetInstance()->test_to_run_count() <
      testing::UnitTest::GetInstance()->total_test_count())
    GTEST_SKIP() << "only some tests run";
  std::vector<Reason> all{Reason::Preempted};
  for (int r = static_cast<int>(Reason::Held); r <= static_cast<int>(Reason::Budget); ++r)
    all.push_back(static_cast<Reason>(r));
  for (const Reason reason : all) EXPECT_TRUE(seen().count(reason) > 0) << name_of(reason);
}

}  // namespace
}  // namespace muster
