// `muster sim demo`: a synthetic workload on a cluster of 64 GPUs, told in three parts: the first decisions
// with their reasons, the schedule as a chart, and two policies side by side.
#include <CLI/CLI.hpp>
#include <array>
#include <iostream>

#include "cli/chart.hpp"
#include "cli/report_text.hpp"
#include "cli/saved_run.hpp"
#include "cli/story.hpp"
#include "cli/words.hpp"
#include "trace/synth.hpp"

namespace muster::cli {
namespace {

/// Also the shortest example of a cluster file.
constexpr std::string_view kCluster = R"(kind: Cluster
name: lab
levels: [rack, node]
nodes:
  - {match: "r[1-2]-n[1-4]", gpu: H100, gpus: 8, nvlink: [8], cpus: 128, mem: 2T}
---
{kind: Queue, name: vision, guarantee: {gpu: 24}, weight: 3}
---
{kind: Queue, name: nlp, guarantee: {gpu: 24}, weight: 3}
---
{kind: Queue, name: ads, guarantee: {gpu: 16}, weight: 2}
)";
constexpr std::array<std::string_view, 3> kQueues{"vision", "nlp", "ads"};

struct DemoOptions {
  std::uint64_t seed = 3;
  std::int32_t jobs = 600;
  std::string save;
};

Result<Workload> draw_workload(const DemoOptions& options) {
  SynthSpec spec{.seed = options.seed, .jobs = options.jobs};
  spec.load_permille = 950;
  spec.users = 24;
  spec.queues = static_cast<std::int32_t>(kQueues.size());
  auto workload = synthesize(spec);
  if (!workload) return workload;
  for (TraceJob& job : workload->jobs) {
    const auto number = static_cast<std::size_t>(job.queue.back() - '1');
    job.queue = std::string(kQueues[std::min(number, kQueues.size() - 1)]);
  }
  return workload;
}

Result<Scene> make_scene(const DemoOptions& options) {
  auto cluster = read_cluster(kCluster, "demo cluster");
  if (!cluster) return fail(std::move(cluster.error()));
  auto workload = draw_workload(options);
  if (!workload) return fail(std::move(workload.error()));
  Scene scene{.cluster_source = {.name = "demo cluster", .digest = {}, .format = "yaml"},
              .jobs_source = {.name = "Philly-like workload", .digest = {}, .format = "synth"},
              .cluster = std::move(*cluster),
              .workload = std::move(*workload),
              .options = {.estimates = Estimates::Limit},
              .seed = options.seed,
              .assumptions = {{"checkpoints", "every 30m"}, {"estimates of run time", "from limits"}}};
  return scene;
}

/// The busiest part is the one worth a chart: around the moment when most jobs wait.
ChartOptions busiest(const Timeline& timeline, const Scene& scene) {
  std::map<std::int64_t, std::int64_t> change;
  std::map<JobId, Instant> first;
  for (const Stretch& stretch : timeline.stretches) first.try_emplace(stretch.job, stretch.from);
  for (const auto& [job, from] : first) {
    ++change[millis(timeline.state.job(job).submitted)];
    --change[millis(from)];
  }
  std::int64_t waiting = 0;
  std::int64_t most = -1;
  std::int64_t peak = 0;
  for (const auto& [at, by] : change) {
    waiting += by;
    if (waiting > most) {
      most = waiting;
      peak = at;
    }
  }
  constexpr std::int64_t kHour = 3'600'000;
  const std::int64_t begin = std::max<std::int64_t>(0, peak / kHour - 8) * kHour;
  const Instant end = Instant{Duration{begin + 24 * kHour}};
  return {.from = Instant{Duration{begin}},
          .to = std::min(end, std::max(scene.workload.jobs.back().submit, Instant{Duration{begin + kHour}})),
          .nodes = nodes_named(timeline.state, "")};
}

Result<void> show(const DemoOptions& options, const Common& common) {
  const auto scene = make_scene(options);
  if (!scene) return fail(scene.error());
  const Paint paint = common.paint();
  std::vector<Finished> runs;
  for (const char* policy : {"fifo", "muster"}) {
    const auto knobs = load_policy(policy, {});
    if (!knobs) return fail(knobs.error());
    auto finished = play_out(*scene, *knobs, KeepLog::Yes, common);
    if (!finished) return fail(std::move(finished.error()));
    runs.push_back(std::move(*finished));
  }
  const auto log = runs.back().replay->log().read();
  if (!log) return fail(log.error());
  std::cout << paint(Tint::Bold, "1. Decisions of the policy muster, and why") << "\n\n"
            << story(*log, runs.back().knobs, {}, paint) << "\n";
  const Timeline timeline = timeline_of(*log);
  ChartOptions window = busiest(timeline, *scene);
  window.cells = std::min<std::size_t>(paint.width < Paint::kUnbounded ? paint.width - 8 : 90, 110);
  std::cout << paint(Tint::Bold, "2. The schedule around the longest queue") << "\n\n"
            << chart(timeline, window, paint) << "\n"
            << legend(timeline, window, 5, paint) << "\n";
  std::cout << paint(Tint::Bold, "3. The same jobs under two policies") << "\n\n"
            << compare_page(*scene, runs, paint);
  if (options.save.empty()) return {};
  return save_run(options.save, run_file_of(*scene, runs.back()), *runs.back().replay);
}

}  // namespace

void add_demo(CLI::App& sim, const Common& common, int& exit_code) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command = sim.add_subcommand("demo",
                                         "a day on a cluster of 64 GPUs: decisions, chart, comparison\n\n"
                                         "  muster sim demo\n"
                                         "  muster sim demo --seed 8 --save runs/demo\n");
  command->add_option("--seed", options->seed, "of the workload (3)")->type_name("N");
  command->add_option("-n,--count", options->jobs, "jobs (600)")->type_name("N");
  command->add_option("--save", options->save, "keep the run of the policy muster in this folder")
      ->type_name("DIR");
  command->callback([options, &common, &exit_code] {
    const auto shown = show(*options, common);
    exit_code = shown ? kOk : complain(shown.error(), kFailed);
  });
}

}  // namespace muster::cli
