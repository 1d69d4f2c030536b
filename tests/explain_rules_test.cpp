// One small world for each reason that comes of a rule (times, dependencies, limits, shares, order): it is
// given where it should be, with its numbers and names, and is true; once its cause is gone the very same
// reason is no longer true, and is not given.
#include <gtest/gtest.h>

#include "explain_world.hpp"

namespace muster {
namespace {

TEST(ExplainRules, Held) {
  World world({node("n", 2)});
  JobSpec held = job("a", 1, 1);
  held.held = true;
  world.submit(held);
  const Why why = world.why("a", Reason::Held);
  EXPECT_EQ(world.whys("a").size(), 1U);
  world.expect_gone((world.say(JobReleased{.job = JobId{0U}}), why));
}

TEST(ExplainRules, NotBefore) {
  World world({node("n", 2)});
  JobSpec late = job("a", 1, 1);
  late.not_before = at_seconds(60);
  world.submit(late);
  const Why why = world.why("a", Reason::NotBefore);
  EXPECT_EQ(why.until, at_seconds(60));
  world.expect_gone((world.pass(60), why));
}

TEST(ExplainRules, BackingOff) {
  World world({node("n", 2)}, {.restart_backoff = seconds(10)});
  JobSpec failing = job("a", 1, 1);
  failing.max_restarts = 3;
  world.submit(failing).say(TaskExited{.job = JobId{0U}, .attempt = 1, .workers = {}, .code = 1});
  const Why why = world.why("a", Reason::BackingOff);
  EXPECT_EQ(why.until, at_seconds(10));
  world.expect_gone((world.pass(10), why));
}

TEST(ExplainRules, DependencyCountsItsFamily) {
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

TEST(ExplainRules, DependencyFailedNamesWhoFailed) {
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

TEST(ExplainRules, GangCountsThoseReady) {
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

TEST(ExplainRules, UserLimit) {
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

TEST(ExplainRules, QueueLimitOfAnAncestor) {
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
TEST(ExplainRules, QueueLimitOfAGroupInTwoQueues) {
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

TEST(ExplainRules, QueueShareThatIsNotLent) {
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

TEST(ExplainRules, QueueShareUsedUp) {
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

TEST(ExplainRules, AheadWithEasyBackfillTellsThePromise) {
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

TEST(ExplainRules, AheadBehindABlockingHead) {
  World world({node("n", 4)}, {.blocking = Blocking::Head});
  world.submit(job("running", 1, 3)).submit(job("wide", 1, 4)).submit(job("small", 1, 1));
  const Why why = world.why("small", Reason::Ahead);
  EXPECT_EQ(names(why, Named::Job), Names{"wide"});
  EXPECT_EQ(names(why, Named::Queue), Names{"default"});
  world.expect_gone((world.say(JobCancelled{.job = JobId{1U}}), why));
}

TEST(ExplainRules, AheadOfWhomTheGuardProtects) {
  World world({node("n", 4)}, {.starvation_guard = seconds(50)});
  world.submit(job("running", 1, 3)).submit(job("wide", 1, 4)).pass(50).submit(job("small", 1, 1));
  const Why why = world.why("small", Reason::Ahead);
  EXPECT_EQ(names(why, Named::Job), Names{"wide"});
  world.expect_gone((world.say(JobCancelled{.job = JobId{1U}}), why));
}

TEST(ExplainRules, ARunningJobHasNone) {
  World world({node("n", 4)});
  world.submit(job("a", 1, 1));
  EXPECT_TRUE(world.whys("a").empty());
}

TEST(ExplainRules, EveryReasonWasSeen) { expect_seen(kOfRules); }

}  // namespace
}  // namespace muster
