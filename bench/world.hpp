// The cluster, queues and backlog that the decision benchmarks run on, seeded: N nodes of 8 GPUs in racks
// of 32 and blocks of 16 racks, 3 GPU models, 5 label classes, one node in ten drained; queues three
// levels deep with 100 leaves and 10 users each; jobs of 1, 2, 4, 8 GPUs (50/15/15/20 %), one in twenty a
// gang of 2 to 64 whole nodes.
//
// A world is kept as the log that made it: folding that log is quick, so one world serves every row and
// every policy, and no row sees what another one did.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "engine/engine.hpp"
#include "model/event.hpp"

namespace muster::bench {

struct WorldSpec {
  std::size_t nodes = 1000;
  std::size_t jobs = 1'000'000;  ///< submitted, those that start at once included
  std::uint64_t seed = 1;

  friend bool operator==(const WorldSpec&, const WorldSpec&) = default;
};

/// A little more than `pending` wait once the cluster is full: about two jobs start on every three nodes.
WorldSpec with_pending(std::size_t nodes, std::size_t pending);

/// Levels, queues and nodes.
std::vector<Event> cluster_events(const WorldSpec& spec);

/// Draws jobs one by one.
class JobStream {
 public:
  JobStream(std::uint64_t seed, std::string_view purpose) : random_(seed, purpose), purpose_(purpose) {}
  JobSpec next();

 private:
  Random random_;
  std::string purpose_;
  std::uint64_t count_ = 0;
};

/// Node "n17", with eight devices, 128 CPUs and 2 TiB; of no model and in no domain yet.
NodeSpec node_of_eight(std::size_t n);

/// A role of `count` workers with so many GPUs each, and with each GPU 12 CPUs and 120 GiB.
RoleSpec workers(std::int32_t count, std::int32_t gpus);
/// Each takes a node of eight.
RoleSpec whole_nodes(std::int32_t count);

/// The log of a full cluster with jobs waiting, and the time of its last record.
struct World {
  WorldSpec spec;
  std::vector<Record> log;
  Instant now{};
};
World make_world(const WorldSpec& spec);

/// The same, step by step into an engine that forgets its log; returns the time of the last step.
Instant fill(Engine& engine, const WorldSpec& spec, std::vector<Record>* log);

enum class Rules : std::uint8_t {
  Full,    ///< the recipe "muster" as users get it
  Reduced  ///< without EASY backfill, reclaim of guarantees and the protected minimum run time
};
Knobs knobs_of(Rules rules);
const char* name_of(Rules rules);

/// How long every attempt of a world has run before a row begins: nobody is under protection any more.
inline constexpr Duration kRest = seconds(61);

}  // namespace muster::bench
