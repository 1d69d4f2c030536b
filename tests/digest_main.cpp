// One line a run: its name and the digest of its log. Plays our scenarios (or the files named) and a drawn
// workload of 2,000 jobs under three recipes. digest.sh compares these lines between compilers.
#include <cstdio>

#include "policy/recipes.hpp"
#include "scenario_files.hpp"
#include "sim/play.hpp"
#include "sim/replay.hpp"
#include "trace/synth.hpp"

namespace {

using muster::Result;

Result<void> play_file(const std::string& file) {
  const auto scenario = muster::scenario_in(file);
  if (!scenario) return muster::fail(scenario.error());
  const auto run = muster::sim::play(*scenario);
  if (!run) return muster::fail(run.error());
  std::printf("%s %s\n", scenario->id.c_str(), run->tape.digest.c_str());
  return {};
}

Result<void> replay(const muster::Workload& workload, const char* recipe) {
  muster::Cluster cluster = muster::cluster_of(workload, "drawn");
  muster::add_missing_queues(cluster, workload);
  muster::Replay run(cluster, workload, *muster::recipe(recipe));
  while (true) {
    const auto more = run.step();
    if (!more) return muster::fail(more.error());
    if (!*more) break;
  }
  std::printf("synth-2000-%s %s %llu records\n", recipe, run.log().digest().c_str(),
              static_cast<unsigned long long>(run.log().records()));
  return {};
}

Result<void> print_all(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (auto done = play_file(file); !done) return done;
  }
  const auto workload = muster::synthesize({.seed = 7, .jobs = 2000, .load_permille = 1100});
  if (!workload) return muster::fail(workload.error());
  for (const char* recipe : {"fifo", "fair", "muster"}) {
    if (auto done = replay(*workload, recipe); !done) return done;
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files(argv + 1, argv + argc);
  if (files.empty()) files = muster::own_scenario_files();
  const auto done = print_all(files);
  if (done) return 0;
  std::fprintf(stderr, "%s\n", to_string(done.error()).c_str());
  return 1;
}
