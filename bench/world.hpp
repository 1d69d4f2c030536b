// The cluster, queues and backlog that the decision benchmarks run on, seeded: N nodes of 8 GPUs in racks
// of 32 and blocks of 16 racks, 3 GPU models, 5 label classes, one node in ten drained; queues three
// levels deep with 100 leaves and 10 users each; jobs of 1, 2, 4, 8 GPUs (50/15/15/20 %), one in twenty a
// gang of 2 to 64 whole nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "engine/engine.hpp"
#include "model/event.hpp"

namespace muster::bench {

struct WorldSpec {
  std::size_t nodes = 1000;
  std::size_t pending = 1'000'000;
  std::uint64_t seed = 1;
};

std::vector<Event> cluster_events(const WorldSpec& spec);

/// Draws jobs one by one.
class JobStream {
 public:
  explicit JobStream(std::uint64_t seed) : random_(seed, "jobs") {}
  JobSpec next();

 private:
  Random random_;
  std::uint64_t count_ = 0;
};

/// An engine with the cluster full and `pending` jobs waiting, and the ids of what runs.
struct Loaded {
  explicit Loaded(const Knobs& knobs) : engine(knobs) {}
  Engine engine;
  std::vector<std::pair<JobId, std::uint32_t>> running;  ///< with attempts
  Instant now{};

  void note(const Step& step);
};
Loaded load(const WorldSpec& spec, const Knobs& knobs);

/// The default recipe without what needs a clock of its own; see docs/benchmarks.md for what is measured.
Knobs bench_knobs();

}  // namespace muster::bench
