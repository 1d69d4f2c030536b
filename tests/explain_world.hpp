// What the tests of reasons share: a small world told event by event, and the check that each reason given is
// true and goes when its cause goes. One program tests the reasons of rules, one those of room; the lists
// here say which reason is whose, and cover all.
#pragma once

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <set>
#include <span>

#include "engine/engine.hpp"
#include "engine/explain.hpp"
#include "engine/outlook.hpp"

namespace muster {

inline constexpr std::array kOfRules = {
    Reason::Held, Reason::NotBefore, Reason::BackingOff, Reason::DependencyFailed, Reason::Dependency,
    Reason::Gang, Reason::UserLimit, Reason::QueueLimit, Reason::QueueShare,       Reason::Ahead};
inline constexpr std::array kOfRoom = {
    Reason::NeverFits,     Reason::Draining, Reason::Unhealthy, Reason::Topology, Reason::Capacity,
    Reason::Fragmentation, Reason::GpuType,  Reason::Reserved,  Reason::Budget,   Reason::Preempted};

constexpr bool one_has_it(Reason reason) {
  return std::count(kOfRules.begin(), kOfRules.end(), reason) +
             std::count(kOfRoom.begin(), kOfRoom.end(), reason) ==
         1;
}
constexpr bool one_has_each() {
  for (int r = static_cast<int>(Reason::Held); r <= static_cast<int>(Reason::Budget); ++r) {
    if (!one_has_it(static_cast<Reason>(r))) return false;
  }
  return one_has_it(Reason::Preempted);
}
static_assert(one_has_each(), "a reason of waiting jobs is tested by no program, or by both");

/// The reasons that some test of this program saw; its last test compares with the list of its own.
inline std::set<Reason>& seen() {
  static std::set<Reason> reasons;
  return reasons;
}

inline NodeSpec node(const std::string& name, std::size_t gpus, const std::string& type = "") {
  NodeSpec spec;
  spec.name = name;
  spec.gpu_type = type;
  spec.devices.resize(gpus);
  return spec;
}

inline JobSpec job(const std::string& name, std::int32_t workers, std::int32_t gpus) {
  JobSpec spec;
  spec.name = name;
  RoleSpec role;
  role.name = "worker";
  role.count = {.min = workers, .max = workers, .legal = {}};
  role.each.gpus = gpus;
  spec.roles = {role};
  return spec;
}

inline QueueSpec queue(const std::string& name, const std::string& parent = "") {
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

inline void expect_numbers(const Why& why, std::int64_t asked, std::int64_t available, std::int64_t limit) {
  EXPECT_EQ(why.asked, asked) << sentence(why);
  EXPECT_EQ(why.available, available) << sentence(why);
  EXPECT_EQ(why.limit, limit) << sentence(why);
}

inline std::vector<std::string> names(const Why& why, Named kind) {
  std::vector<std::string> found;
  for (const WhyName& name : why.names) {
    if (name.kind == kind) found.push_back(name.name);
  }
  return found;
}

using Names = std::vector<std::string>;

/// For a program's last test: gtest keeps the order of definition within a suite.
inline void expect_seen(std::span<const Reason> reasons) {
  if (testing::UnitTest::GetInstance()->test_to_run_count() <
      testing::UnitTest::GetInstance()->total_test_count())
    GTEST_SKIP() << "only some tests run";
  for (const Reason reason : reasons) EXPECT_TRUE(seen().count(reason) > 0) << name_of(reason);
}

}  // namespace muster
