// How long it takes to find seats: one worker, and gangs of whole nodes, on clusters that are mostly full.
// The searches run in drafts, which are made and dropped inside the measured loop as a policy does it.
#include <benchmark/benchmark.h>
#include <map>
#include <memory>

#include "core/place.hpp"
#include "policy/limits.hpp"
#include "steady.hpp"

namespace muster::bench {
namespace {

/// About three quarters full and nothing waiting.
struct Cluster {
  explicit Cluster(std::size_t nodes) : engine(knobs_of(Rules::Reduced)) {
    now = fill(engine, {.nodes = nodes, .jobs = nodes / 2}, nullptr);
  }

  /// A job that waits because it is held: the searches place it, the policy never does.
  JobId held(RoleSpec role) {
    JobSpec spec;
    spec.name = "probe";
    spec.queue = "q0";
    spec.user = "u";
    spec.roles.push_back(std::move(role));
    spec.held = true;
    const Event news[] = {JobSubmitted{.spec = std::move(spec)}};
    now += Duration{1};
    engine.advance(now, news);
    return JobId{engine.state().jobs.size() - 1};
  }

  Engine engine;
  Instant now{};
};

/// Made once a size: the library calls a benchmark several times until it has run long enough.
Cluster& cluster_of(std::int64_t nodes) {
  static std::map<std::int64_t, std::unique_ptr<Cluster>> clusters;
  auto& cluster = clusters[nodes];
  if (!cluster) cluster = std::make_unique<Cluster>(static_cast<std::size_t>(nodes));
  return *cluster;
}

void place_one_worker(benchmark::State& bench) {
  Cluster& cluster = cluster_of(bench.range(0));
  const JobId job = cluster.held(workers(1, 1));
  const State& state = cluster.engine.state();
  const Placing what = gang_of(state, job, std::nullopt);
  for (auto _ : bench) {
    Draft draft(state);
    auto seats = place_alone(draft, what);
    if (!seats) bench.SkipWithError("no room");
    benchmark::DoNotOptimize(seats);
  }
}
BENCHMARK(place_one_worker)->Arg(1000)->Arg(10'000)->Arg(100'000);

void place_gang(benchmark::State& bench) {
  Cluster& cluster = cluster_of(bench.range(0));
  const JobId job = cluster.held(whole_nodes(static_cast<std::int32_t>(bench.range(1))));
  const State& state = cluster.engine.state();
  const Placing what = gang_of(state, job, std::nullopt);
  for (auto _ : bench) {
    Draft draft(state);
    auto seats = place(draft, what);
    if (!seats) bench.SkipWithError("no room");
    benchmark::DoNotOptimize(seats);
  }
}
BENCHMARK(place_gang)->Args({1000, 4})->Args({10'000, 4})->Args({10'000, 64})->Args({100'000, 64});

void release_in_a_draft(benchmark::State& bench) {
  Cluster& cluster = cluster_of(bench.range(0));
  const State& state = cluster.engine.state();
  std::size_t next = 0;
  for (auto _ : bench) {
    Draft draft(state);
    draft.remove(state.running[next]);
    next = (next + 1) % state.running.size();
    benchmark::DoNotOptimize(draft);
  }
}
BENCHMARK(release_in_a_draft)->Arg(1000)->Arg(100'000);

void check_queue_limits(benchmark::State& bench) {
  Cluster& cluster = cluster_of(1000);
  const JobId job = cluster.held(workers(1, 1));
  const State& state = cluster.engine.state();
  const Amounts& charge = state.ledger.catalogue().charge(state.job(job).shape);
  const Draft draft(state);
  for (auto _ : bench) {
    auto refusal = over_queue_limit(draft, state.job(job).queue, charge);
    benchmark::DoNotOptimize(refusal);
  }
}
BENCHMARK(check_queue_limits);

}  // namespace
}  // namespace muster::bench
