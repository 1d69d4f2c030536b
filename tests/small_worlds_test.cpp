// Small worlds, all of them: every cluster of three nodes with one or two devices, every pair or triple of
// jobs from a short list, in every submit order. What the engine does is compared with an oracle that tries
// everything by brute force: who starts on free room, who is evicted for whom, and that no smaller price
// would have done. The oracle counts devices per node and knows nothing of the engine's indices or searches.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>

#include "engine/engine.hpp"

namespace muster {
namespace {

constexpr std::size_t kNodes = 3;
using Devices = std::array<int, kNodes>;  ///< free per node

/// A kind of job: identical workers, each on one node.
struct Kind {
  int workers = 1;
  int gpus = 1;
  int priority = 0;
  bool avoid = false;

  [[nodiscard]] std::string text() const {
    return std::to_string(workers) + "x" + std::to_string(gpus) + " prio " + std::to_string(priority) +
           (avoid ? " avoid" : "");
  }
};

/// Can so many workers of that size sit on these nodes? Workers are alike, so counting per node is exact.
bool fits(const Devices& free, const Kind& kind) {
  int room = 0;
  for (const int devices : free) room += devices / kind.gpus;
  return room >= kind.workers;
}

JobSpec spec_of(const Kind& kind, std::size_t index) {
  JobSpec spec;
  spec.name = "j" + std::to_string(index);
  spec.priority = kind.priority;
  if (kind.avoid) spec.evictable = Evictable::Avoid;
  RoleSpec role;
  role.name = "worker";
  role.count = {.min = kind.workers, .max = kind.workers, .legal = {}};
  role.each.gpus = kind.gpus;
  spec.roles = {role};
  return spec;
}

/// One world: an engine, and the kinds of the jobs in it by id.
class World {
 public:
  World(const Devices& devices, Preemption preemption) : devices_(devices), engine_(knobs_of(preemption)) {
    std::vector<Event> news{LevelsSet{}};
    for (std::size_t n = 0; n < kNodes; ++n) {
      NodeSpec node;
      node.name = "n" + std::to_string(n);
      node.devices.resize(static_cast<std::size_t>(devices[n]));
      news.emplace_back(NodeJoined{.spec = node});
    }
    engine_.advance(now_, news);
  }

  Step submit(const std::vector<Kind>& kinds) {
    std::vector<Event> news;
    for (const Kind& kind : kinds) {
      news.emplace_back(JobSubmitted{.spec = spec_of(kind, kinds_.size())});
      kinds_.push_back(kind);
    }
    now_ += seconds(1);
    return engine_.advance(now_, news);
  }

  [[nodiscard]] const State& state() const { return engine_.state(); }
  [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }

  /// Free devices per node when these jobs are gone.
  [[nodiscard]] Devices free_without(const std::vector<JobId>& gone) const {
    Devices free = devices_;
    for (std::size_t j = 0; j < state().jobs.size(); ++j) {
      if (std::find(gone.begin(), gone.end(), JobId{j}) != gone.end()) continue;
      for (const Seat& seat : state().jobs[j].seats) free[seat.node.index()] -= kinds_[j].gpus;
    }
    return free;
  }

  [[nodiscard]] std::vector<JobId> running() const {
    std::vector<JobId> jobs;
    for (std::size_t j = 0; j < state().jobs.size(); ++j) {
      if (state().jobs[j].running()) jobs.emplace_back(j);
    }
    return jobs;
  }

  [[nodiscard]] std::string text() const {
    std::string text = "nodes";
    for (const int devices : devices_) text += " " + std::to_string(devices);
    for (const Kind& kind : kinds_) text += ", " + kind.text();
    return text;
  }

 private:
  static Knobs knobs_of(Preemption preemption) {
    Knobs knobs;
    knobs.preemption = preemption;
    return knobs;
  }

  Devices devices_;
  Engine engine_;
  std::vector<Kind> kinds_;
  Instant now_{};
};

std::vector<Devices> all_clusters() {
  std::vector<Devices> clusters;
  for (int a = 1; a <= 2; ++a) {
    for (int b = 1; b <= 2; ++b) {
      for (int c = 1; c <= 3; ++c) clusters.push_back({a, b, c});
    }
  }
  return clusters;
}

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (int workers = 1; workers <= 3; ++workers) {
    for (int gpus = 1; gpus <= 2; ++gpus) {
      for (int priority = 0; priority <= 2; ++priority) {
        kinds.push_back({.workers = workers, .gpus = gpus, .priority = priority, .avoid = false});
      }
    }
  }
  kinds.push_back({.workers = 1, .gpus = 1, .priority = 0, .avoid = true});
  kinds.push_back({.workers = 2, .gpus = 1, .priority = 1, .avoid = true});
  return kinds;
}

/// Calls `use` with every triple of kinds, every order included.
template <class Use>
void for_all_triples(const Use& use) {
  const std::vector<Kind> kinds = all_kinds();
  for (const Kind& a : kinds) {
    for (const Kind& b : kinds) {
      for (const Kind& c : kinds) use(std::vector<Kind>{a, b, c});
    }
  }
}

/// Indices by priority, then listing order.
std::vector<std::size_t> in_order(const std::vector<Kind>& kinds) {
  std::vector<std::size_t> order(kinds.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return kinds[a].priority > kinds[b].priority; });
  return order;
}

// ---- free room

TEST(SmallWorlds, WhateverFitsInOrderStarts) {
  std::size_t worlds = 0;
  for (const Devices& devices : all_clusters()) {
    for_all_triples([&](const std::vector<Kind>& kinds) {
      World world(devices, Preemption::Off);
      world.submit(kinds);
      ++worlds;
      // Walk in order over the seats the engine chose: whoever could not start must not have fitted then.
      Devices free = devices;
      for (const std::size_t j : in_order(kinds)) {
        const Job& job = world.state().jobs[j];
        ASSERT_EQ(job.running(), fits(free, kinds[j])) << job.name << " in " << world.text();
        ASSERT_EQ(job.seats.size(), job.running() ? static_cast<std::size_t>(kinds[j].workers) : 0U);
        for (const Seat& seat : job.seats) free[seat.node.index()] -= kinds[j].gpus;
        for (const int left : free) ASSERT_GE(left, 0) << world.text();
      }
    });
  }
  RecordProperty("worlds", static_cast<int>(worlds));
}

// ---- eviction

/// What a set of victims costs, most important victim first: compared as a whole, smaller is better.
using Price = std::vector<std::array<std::int64_t, 4>>;

Price price_of(const World& world, const std::vector<JobId>& victims) {
  Price price;
  for (const JobId id : victims) {
    const Kind& kind = world.kinds()[id.index()];
    // Older first where all else is equal: the most recently submitted goes first.
    price.push_back({kind.priority, kind.avoid ? 1 : 0, -millis(world.state().job(id).submitted),
                     -static_cast<std::int64_t>(id.value())});
  }
  std::sort(price.rbegin(), price.rend());
  return price;
}

/// The cheapest set of strictly less important running jobs without which `kind` fits, tried one by one.
std::optional<std::vector<JobId>> cheapest(const World& world, const Kind& kind) {
  std::vector<JobId> candidates = world.running();
  std::erase_if(candidates, [&](JobId id) { return world.kinds()[id.index()].priority >= kind.priority; });
  std::optional<std::vector<JobId>> best;
  for (std::size_t set = 0; set < (std::size_t{1} << candidates.size()); ++set) {
    std::vector<JobId> victims;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (((set >> i) & 1U) != 0) victims.push_back(candidates[i]);
    }
    if (!fits(world.free_without(victims), kind)) continue;
    if (!best || price_of(world, victims) < price_of(world, *best)) best = std::move(victims);
  }
  return best;
}

/// Evicted for this job; a victim that waits again may evict others for itself.
std::vector<JobId> victims_for(const std::string& name, const Step& step) {
  std::vector<JobId> victims;
  for (const Decision& decision : step.plan.decisions) {
    const auto* stop = std::get_if<Stop>(&decision.what);
    if (stop == nullptr || stop->cause != StopCause::Preempted) continue;
    if (decision.why.names == std::vector<WhyName>{{Named::Job, name}}) victims.push_back(stop->job);
  }
  std::sort(victims.begin(), victims.end());
  return victims;
}

bool starts(const Step& step, JobId job) {
  return std::any_of(step.plan.decisions.begin(), step.plan.decisions.end(), [&](const Decision& decision) {
    const auto* start = std::get_if<Start>(&decision.what);
    return start != nullptr && start->job == job;
  });
}

/// The newcomer starts if any set of victims allows it, at the lowest price; a victim may find room
/// elsewhere.
void submit_and_compare(World& world, const Kind& newcomer, std::size_t& evictions) {
  const auto best = cheapest(world, newcomer);
  const JobId id{world.state().jobs.size()};
  const Step step = world.submit({newcomer});
  const std::vector<JobId> victims = victims_for(world.state().job(id).name, step);
  evictions += victims.size();
  ASSERT_EQ(starts(step, id), best.has_value()) << "newcomer of " << world.text();
  if (best) {
    ASSERT_EQ(victims, *best) << "victims in " << world.text();
  } else {
    ASSERT_TRUE(victims.empty()) << "evicted for nothing in " << world.text();
  }
}

TEST(SmallWorlds, TheCheapestVictimsGo) {
  std::size_t evictions = 0;
  for (const Devices& devices : all_clusters()) {
    for_all_triples([&](const std::vector<Kind>& kinds) {
      World world(devices, Preemption::Priority);
      for (const Kind& kind : kinds) {
        submit_and_compare(world, kind, evictions);
        if (testing::Test::HasFatalFailure()) return;
      }
    });
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(evictions, 1000U) << "the worlds are too roomy to say much";
}

/// Four small jobs of all importances first, then one large: many sets to choose from.
TEST(SmallWorlds, TheCheapestOfManySetsGoes) {
  std::size_t evictions = 0;
  for (const Devices& devices : std::vector<Devices>{{2, 2, 2}, {1, 2, 3}, {4, 1, 2}}) {
    for (int pattern = 0; pattern < 1024; ++pattern) {
      World world(devices, Preemption::Priority);
      for (int j = 0; j < 5; ++j) {
        const int bits = (pattern >> (2 * j)) & 3;
        world.submit(
            {{.workers = 1 + (bits == 3 ? 1 : 0), .gpus = 1, .priority = bits & 1, .avoid = bits == 2}});
      }
      for (const Kind& newcomer : {Kind{1, 2, 2, false}, Kind{2, 2, 2, false}, Kind{3, 1, 1, false}}) {
        World copy(devices, Preemption::Priority);
        for (const Kind& kind : world.kinds()) copy.submit({kind});
        submit_and_compare(copy, newcomer, evictions);
        ASSERT_FALSE(testing::Test::HasFatalFailure()) << pattern;
      }
    }
  }
  EXPECT_GT(evictions, 1000U);
}

}  // namespace
}  // namespace muster
