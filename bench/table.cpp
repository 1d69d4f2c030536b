// `muster_bench_table`: prints the rows of docs/benchmarks.md. CPU time of this process, medians of five.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "world.hpp"

namespace muster::bench {
namespace {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// A1: each step one running job ends; decisions are what starts.
void decisions(std::size_t nodes, std::size_t pending) {
  Loaded loaded = load({.nodes = nodes, .pending = pending}, bench_knobs());
  Random random(7, "ends");
  std::vector<double> rates;
  std::size_t most_running = loaded.running.size();
  for (int round = 0; round < 5; ++round) {
    std::size_t decided = 0;
    const double start = cpu_seconds();
    for (int i = 0; i < 20'000; ++i) {
      if (loaded.running.empty()) break;
      const std::size_t pick = random.below(loaded.running.size());
      const auto [job, attempt] = loaded.running[pick];
      loaded.running[pick] = loaded.running.back();
      loaded.running.pop_back();
      loaded.now += Duration{1};
      const Event news[] = {TaskExited{.job = job, .attempt = attempt, .workers = {}, .code = 0}};
      const Step step = loaded.engine.advance(loaded.now, news);
      const std::size_t before = loaded.running.size();
      loaded.note(step);
      decided += loaded.running.size() - before;
    }
    rates.push_back(static_cast<double>(decided) / (cpu_seconds() - start));
  }
  std::printf("A1  %7zu nodes  %8zu pending  %8zu running  %10.0f decisions/s\n", nodes, pending,
              most_running, median(rates));
}

}  // namespace
}  // namespace muster::bench

int main(int argc, char** argv) {
  const std::size_t pending = argc > 1 ? static_cast<std::size_t>(std::atoll(argv[1])) : 1'000'000;
  const std::size_t nodes = argc > 2 ? static_cast<std::size_t>(std::atoll(argv[2])) : 1000;
  muster::bench::decisions(nodes, pending);
}
