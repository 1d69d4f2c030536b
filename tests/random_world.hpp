// Worlds, workloads and troubles drawn from bytes: the same bytes give the same run, so rapidcheck can
// shrink them and libFuzzer can mutate them. A byte beyond the end reads as 0, and a run ends with its bytes.
// Small numbers on purpose: few nodes, tight queues and short jobs make conflicts likely.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/event.hpp"
#include "policy/recipes.hpp"
#include "sim/physics.hpp"

namespace muster {

class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool done() const { return at_ >= bytes_.size(); }
  /// A number in [0, bound); bound at most 256.
  std::uint32_t below(std::uint32_t bound) { return byte() % bound; }
  std::int32_t between(std::int32_t low, std::int32_t high) {
    return low + static_cast<std::int32_t>(below(static_cast<std::uint32_t>(high - low + 1)));
  }
  /// True once in `of` times; false at the end of the bytes.
  bool once_in(std::uint32_t of) { return below(of) == of - 1; }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return *(values.begin() + below(static_cast<std::uint32_t>(values.size())));
  }

 private:
  std::uint8_t byte() { return at_ < bytes_.size() ? bytes_[at_++] : std::uint8_t{0}; }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

/// What exists at the start.
struct RandomWorld {
  Knobs knobs;
  Duration cleanup{0};
  std::vector<NodeSpec> nodes;
  std::vector<QueueSpec> queues;
  std::vector<UserSpec> users;
};

inline const std::vector<std::string>& random_levels() {
  static const std::vector<std::string> levels{"row", "rack"};
  return levels;
}

inline Knobs draw_knobs(Choices& choices) {
  if (choices.once_in(3)) return recipes()[choices.below(static_cast<std::uint32_t>(recipes().size()))].knobs;
  Knobs knobs{.name = "drawn"};
  knobs.order = choices.one_of(
      {Order::Priority, Order::Submit, Order::Attained, Order::Remaining, Order::Service, Order::Weighted});
  knobs.blocking = choices.once_in(4) ? Blocking::Head : Blocking::None;
  knobs.backfill = choices.once_in(3) ? Backfill::Easy : Backfill::Off;
  knobs.preemption =
      choices.one_of({Preemption::Off, Preemption::Priority, Preemption::Priority, Preemption::Order});
  knobs.victims = choices.once_in(2) ? VictimRule::LostWork : VictimRule::Recency;
  knobs.reclaim = choices.once_in(2);
  knobs.fair_share = choices.once_in(3);
  knobs.elastic_yield = choices.once_in(2);
  if (choices.once_in(4)) knobs.starvation_guard = seconds(choices.between(0, 20));
  if (choices.once_in(3)) knobs.lost_after = seconds(choices.between(0, 10));
  if (choices.once_in(5)) knobs.protected_run = seconds(choices.between(1, 10));
  if (choices.once_in(5)) knobs.restart_backoff = seconds(choices.between(1, 10));
  if (choices.once_in(5)) knobs.cool_down = seconds(choices.between(1, 10));
  if (choices.once_in(4)) {
    knobs.colocation =
        Colocation{.margin_milli = 100 * choices.between(0, 3), .system_cpu = 500 * choices.between(0, 2)};
  }
  return knobs;
}

inline NodeSpec draw_node(Choices& choices, std::size_t index) {
  NodeSpec node;
  node.name = "n" + std::to_string(index);
  if (choices.once_in(2)) node.cpu = 1000 * choices.between(1, 8);
  if (choices.once_in(3)) node.mem = choices.between(1, 16);
  node.gpu_type = choices.once_in(3) ? "b" : "a";
  const std::int64_t gpu_mem = choices.once_in(2) ? 1000 * choices.between(1, 8) : kUnlimited;
  const auto devices = choices.below(5);
  for (std::uint32_t d = 0; d < devices; ++d) {
    node.devices.push_back({.numa = static_cast<std::uint16_t>(d / 2),
                            .island = static_cast<std::uint16_t>(d / 2),
                            .mem = gpu_mem,
                            .healthy = !choices.once_in(12)});
  }
  if (choices.once_in(3)) node.labels = {{"zone", choices.once_in(2) ? "east" : "west"}};
  node.domains = {choices.once_in(3) ? "row2" : "row1", "rack" + std::to_string(choices.below(3))};
  if (choices.once_in(10)) node.domains.back().clear();
  return node;
}

inline QueueSpec draw_queue(Choices& choices, std::size_t index) {
  QueueSpec queue;
  queue.name = "q" + std::to_string(index);
  if (index > 0 && choices.once_in(3))
    queue.parent = "q" + std::to_string(choices.below(static_cast<std::uint32_t>(index)));
  if (choices.once_in(2)) queue.guarantee[kGpu] = kDevice * choices.between(1, 4);
  if (choices.once_in(2)) queue.limit[kGpu] = queue.guarantee[kGpu] + kDevice * choices.between(0, 4);
  if (choices.once_in(6)) queue.limit[kCpu] = 1000 * choices.between(1, 8);
  queue.weight = choices.between(1, 3);
  queue.priority = choices.between(0, 1);
  queue.lend = !choices.once_in(6);
  return queue;
}

inline RandomWorld draw_world(Choices& choices) {
  RandomWorld world;
  world.knobs = draw_knobs(choices);
  if (choices.once_in(4)) world.cleanup = seconds(choices.between(1, 8));
  const auto nodes = choices.below(6) + 1;
  for (std::uint32_t n = 0; n < nodes; ++n) world.nodes.push_back(draw_node(choices, n));
  const auto queues = choices.below(4);
  for (std::uint32_t q = 0; q < queues; ++q) world.queues.push_back(draw_queue(choices, q));
  for (std::uint32_t u = 0; u < 2; ++u) {
    UserSpec user;
    user.name = "u" + std::to_string(u);
    if (choices.once_in(3)) user.max_running = choices.between(0, 3);
    user.past_use = choices.between(0, 3) * 1'000'000;
    world.users.push_back(user);
  }
  return world;
}

inline Demand draw_demand(Choices& choices) {
  Demand each;
  switch (choices.below(5)) {
    case 0: each.gpus = 1; break;
    case 1: each.gpus = choices.between(1, 3); break;
    case 2: each.share = choices.one_of({250, 300, 500, 999}); break;
    case 3: each.gpu_mem = 500 * choices.between(1, 6); break;
    default: break;
  }
  if (choices.once_in(6) && each.gpus + each.share > 0) each.gpu_mem = 500 * choices.between(1, 6);
  if (choices.once_in(3) || !each.uses_device()) each.cpu = 500 * choices.between(1, 4);
  if (choices.once_in(5)) each.mem = choices.between(1, 4);
  return each;
}

inline Near draw_near(Choices& choices) {
  return {.level = choices.one_of<const char*>({"row", "rack", "node"}),
          .mode = choices.once_in(2) ? Locality::Required : Locality::Preferred};
}

inline RoleSpec draw_role(Choices& choices, std::size_t index) {
  RoleSpec role;
  role.name = "r" + std::to_string(index);
  role.each = draw_demand(choices);
  role.count.min = choices.between(1, 3);
  role.count.max = role.count.min;
  if (choices.once_in(3)) role.count.max += choices.between(1, 3);
  if (choices.once_in(8)) {
    role.count = {.min = 1, .max = 4, .legal = {1, 2, 4}};
  }
  if (choices.once_in(6)) role.select = {{.key = "gpu_type", .values = {choices.once_in(2) ? "b" : "a"}}};
  if (choices.once_in(10)) role.near.push_back(draw_near(choices));
  return role;
}

inline void draw_relations(Choices& choices, JobSpec& job) {
  if (choices.once_in(7)) {
    job.group = "g" + std::to_string(choices.below(3));
    job.group_size = 2;
  }
  if (choices.once_in(4)) {
    job.family = "f" + std::to_string(choices.below(3));
    job.family_size = choices.between(1, 2);
  }
  if (choices.once_in(7)) {
    job.after = {{.family = "f" + std::to_string(choices.below(3)),
                  .when = choices.once_in(2) ? DependencyWhen::Any : DependencyWhen::Ok}};
  }
}

inline JobSpec draw_job(Choices& choices, const RandomWorld& world, std::size_t index, Instant now) {
  JobSpec job;
  job.name = "j" + std::to_string(index);
  const auto queue = choices.below(static_cast<std::uint32_t>(world.queues.size()) + 1);
  if (queue > 0) job.queue = "q" + std::to_string(queue - 1);
  job.user = "u" + std::to_string(choices.below(2));
  if (choices.once_in(8)) job.class_rank = 1;
  job.priority = choices.between(0, 2);
  if (choices.once_in(6)) job.kind = JobKind::Service;
  const std::size_t roles = job.kind == JobKind::Batch && choices.once_in(5) ? 2 : 1;
  for (std::size_t r = 0; r < roles; ++r) job.roles.push_back(draw_role(choices, r));
  if (job.kind == JobKind::Service && choices.once_in(2))
    job.keep = choices.between(0, job.roles.front().count.max);
  if (choices.once_in(5)) job.near.push_back(draw_near(choices));
  job.spread = choices.once_in(8);
  draw_relations(choices, job);
  if (choices.once_in(3)) job.limit = seconds(choices.between(1, 40));
  if (choices.once_in(3)) job.expect = seconds(choices.between(1, 40));
  if (choices.once_in(10)) job.not_before = now + seconds(choices.between(1, 20));
  if (choices.once_in(10)) job.deadline = now + seconds(choices.between(1, 60));
  job.checkpoint = {
      .mode = choices.one_of({CheckpointMode::None, CheckpointMode::Every, CheckpointMode::Always}),
      .every = seconds(choices.between(1, 5))};
  job.max_restarts = choices.between(0, 2);
  job.evictable =
      choices.one_of({Evictable::Yes, Evictable::Yes, Evictable::Yes, Evictable::Avoid, Evictable::Never});
  if (world.knobs.colocation && choices.once_in(4)) {
    job.best_effort = true;
    job.roles.front().each = {.cpu = 500};
  }
  job.held = choices.once_in(15);
  if (roles == 1 && choices.once_in(20))
    job.placed.assign(static_cast<std::size_t>(job.roles.front().count.min), "n0");
  return job;
}

inline sim::Behaviour draw_behaviour(Choices& choices, const JobSpec& job) {
  sim::Behaviour how;
  how.checkpoint = job.checkpoint;
  if (!choices.once_in(8)) how.run = seconds(choices.between(0, 30));
  if (choices.once_in(6)) {
    how.fails_after = seconds(choices.between(0, 10));
    how.fails_times = choices.between(1, 2);
  }
  how.never_ready = choices.once_in(20);
  how.launch_error = choices.once_in(15);
  if (choices.once_in(8)) how.exit_on_evict = 1;
  return how;
}

}  // namespace muster
