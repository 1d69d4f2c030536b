#include "world.hpp"

#include <iterator>

#include "policy/recipes.hpp"

namespace muster::bench {
namespace {

constexpr std::size_t kRack = 32;
constexpr std::size_t kBlock = 16 * kRack;
constexpr std::size_t kLeaves = 100;

NodeSpec node_spec(std::size_t n) {
  NodeSpec spec = node_of_eight(n);
  // One model a rack, as clusters are bought; labels vary inside it.
  constexpr const char* kModels[] = {"A", "B", "C"};
  spec.gpu_type = kModels[n / kRack % 3];
  spec.labels = {{"pool", "p" + std::to_string(n / 8 % 5)}};
  for (std::size_t d = 0; d < 8; ++d)
    spec.devices[d] = {.numa = static_cast<std::uint16_t>(d / 4), .island = 0};
  spec.domains = {"b" + std::to_string(n / kBlock), "r" + std::to_string(n / kRack)};
  return spec;
}

std::string leaf_name(std::size_t leaf) { return "q" + std::to_string(leaf); }

}  // namespace

WorldSpec with_pending(std::size_t nodes, std::size_t pending) {
  return {.nodes = nodes, .jobs = pending + nodes};
}

NodeSpec node_of_eight(std::size_t n) {
  NodeSpec spec;
  spec.name = "n" + std::to_string(n);
  spec.cpu = 128'000;
  spec.mem = std::int64_t{2048} << 30;
  spec.devices.resize(8);
  return spec;
}

RoleSpec workers(std::int32_t count, std::int32_t gpus) {
  RoleSpec role{.name = "worker", .count = {}, .each = {}, .select = {}, .near = {}};
  role.each = {.cpu = gpus * 12'000, .mem = gpus * (std::int64_t{120} << 30), .gpus = gpus};
  role.count = {.min = count, .max = count, .legal = {}};
  return role;
}

RoleSpec whole_nodes(std::int32_t count) { return workers(count, 8); }

std::vector<Event> cluster_events(const WorldSpec& spec) {
  std::vector<Event> events;
  LevelsSet levels;
  levels.levels = {"block", "rack"};
  events.emplace_back(levels);
  for (std::size_t n = 0; n < spec.nodes; ++n) {
    events.emplace_back(
        NodeJoined{.spec = node_spec(n), .state = n % 10 == 9 ? NodeState::Drained : NodeState::Up});
  }
  const std::int64_t gpus = static_cast<std::int64_t>(spec.nodes) * 8 * kDevice * 9 / 10;
  for (std::size_t org = 0; org < 2; ++org) {
    QueueSpec queue;
    queue.name = "org" + std::to_string(org);
    events.emplace_back(QueueSet{.spec = queue});
    for (std::size_t team = 0; team < 5; ++team) {
      QueueSpec child;
      child.name = "team" + std::to_string(org * 5 + team);
      child.parent = queue.name;
      events.emplace_back(QueueSet{.spec = child});
    }
  }
  for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
    QueueSpec queue;
    queue.name = leaf_name(leaf);
    queue.parent = "team" + std::to_string(leaf % 10);
    queue.guarantee[kGpu] = gpus / 8 / static_cast<std::int64_t>(kLeaves);
    queue.limit[kGpu] = gpus / 10;
    events.emplace_back(QueueSet{.spec = queue});
  }
  return events;
}

JobSpec JobStream::next() {
  JobSpec spec;
  spec.name = purpose_ + std::to_string(count_++);
  const std::size_t leaf = random_.below(kLeaves);
  spec.queue = leaf_name(leaf);
  spec.user = "u" + std::to_string(leaf * 10 + random_.below(10));
  spec.priority = random_.chance(1, 10) ? 1 : 0;
  const std::uint64_t size = random_.below(100);
  RoleSpec role = workers(1, size < 50 ? 1 : size < 65 ? 2 : size < 80 ? 4 : 8);
  if (random_.chance(1, 20)) role = whole_nodes(2 << random_.below(6));
  if (random_.chance(1, 2)) {
    role.select.push_back(
        {.key = "gpu_type", .values = {std::string(1, static_cast<char>('A' + random_.below(3)))}});
  } else if (random_.chance(1, 5)) {
    role.select.push_back({.key = "pool", .values = {"p" + std::to_string(random_.below(5))}});
  }
  spec.roles.push_back(std::move(role));
  spec.limit = seconds(random_.between(600, 6 * 3600));
  spec.expect = *spec.limit / 2;
  return spec;
}

Instant fill(Engine& engine, const WorldSpec& spec, std::vector<Record>* log) {
  Instant now{};
  const auto advance = [&](const std::vector<Event>& news) {
    now += Duration{1};
    Step step = engine.advance(now, news);
    if (log != nullptr) std::move(step.log.begin(), step.log.end(), std::back_inserter(*log));
  };
  // The nodes come last, so that everything starts in order and nothing is evicted on the way.
  std::vector<Event> queues;
  std::vector<Event> nodes;
  for (Event& event : cluster_events(spec)) {
    (std::holds_alternative<NodeJoined>(event) ? nodes : queues).push_back(std::move(event));
  }
  advance(queues);
  JobStream jobs(spec.seed, "jobs");
  std::vector<Event> batch;
  for (std::size_t submitted = 0; submitted < spec.jobs;) {
    batch.clear();
    for (; batch.size() < 1000 && submitted < spec.jobs; ++submitted)
      batch.emplace_back(JobSubmitted{.spec = jobs.next()});
    advance(batch);
  }
  advance(nodes);
  return now;
}

World make_world(const WorldSpec& spec) {
  World world{.spec = spec, .log = {}, .now = {}};
  Engine engine(knobs_of(Rules::Reduced));
  world.now = fill(engine, spec, &world.log);
  return world;
}

Knobs knobs_of(Rules rules) {
  Knobs knobs = *recipe("muster");
  if (rules == Rules::Full) return knobs;
  knobs.backfill = Backfill::Off;
  knobs.reclaim = false;
  knobs.protected_run = Duration{0};
  return knobs;
}

const char* name_of(Rules rules) {
  return rules == Rules::Full ? "recipe muster" : "muster without EASY, reclaim, protection";
}

}  // namespace muster::bench
