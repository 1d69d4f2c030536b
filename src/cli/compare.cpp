// `muster sim compare`: the same workload under several policies, one row each; or several drawn workloads,
// the rows then being medians over them.
#include <CLI/CLI.hpp>
#include <iostream>

#include "base/text.hpp"
#include "cli/report_text.hpp"

namespace muster::cli {
namespace {

struct CompareOptions {
  ReplayFlags flags;
  std::string policies = "fifo,backfill,fair,las,srtf,muster";
  std::uint32_t seeds = 1;
};

Result<std::vector<Finished>> play_all(const Scene& scene, const std::vector<Knobs>& all,
                                       const Common& common) {
  std::vector<Finished> runs;
  for (const Knobs& knobs : all) {
    auto finished = play_out(scene, knobs, KeepLog::No, common);
    if (!finished) return fail(std::move(finished.error()));
    finished->replay.reset();  // only the numbers are kept
    runs.push_back(std::move(*finished));
  }
  return runs;
}

int compare_once(const CompareOptions& options, const std::vector<Knobs>& all, const Common& common) {
  const auto scene = load_scene(options.flags, common);
  if (!scene) return complain(scene.error(), kInvalid);
  const auto runs = play_all(*scene, all, common);
  if (!runs) return complain(runs.error(), kFailed);
  switch (options.flags.output) {
    case Output::Table: std::cout << compare_page(*scene, *runs, common.paint()); break;
    case Output::Json: std::cout << report_json(*scene, *runs); break;
    case Output::Csv: std::cout << report_csv(*runs); break;
  }
  return kOk;
}

/// As JSON: a list of what each seed alone would print.
int compare_seeds(const CompareOptions& options, const std::vector<Knobs>& all, const Common& common) {
  std::vector<SeedRuns> rounds;
  std::optional<Scene> first;
  std::string json;
  ReplayFlags flags = options.flags;
  for (std::uint32_t i = 0; i < options.seeds; ++i) {
    flags.seed = options.flags.seed + i;
    auto scene = load_scene(flags, common);
    if (!scene) return complain(scene.error(), kInvalid);
    auto runs = play_all(*scene, all, common);
    if (!runs) return complain(runs.error(), kFailed);
    json += (json.empty() ? "" : ",\n") + report_json(*scene, *runs);
    rounds.push_back({.seed = flags.seed, .runs = std::move(*runs)});
    if (!first) first = std::move(*scene);
  }
  switch (options.flags.output) {
    case Output::Table: std::cout << compare_seeds_page(*first, rounds, common.paint()); break;
    case Output::Json: std::cout << "[\n" << json << "]\n"; break;
    case Output::Csv: std::cout << report_csv(rounds); break;
  }
  return kOk;
}

int compare(const CompareOptions& options, const Common& common) {
  std::vector<Knobs> all;
  for (const std::string_view name : split(options.policies, ',')) {
    auto knobs = load_policy(std::string(trim(name)), options.flags.settings);
    if (!knobs) return complain(knobs.error(), kUsage);
    all.push_back(std::move(*knobs));
  }
  if (options.seeds == 1) return compare_once(options, all, common);
  if (draws_jobs(options.flags)) return compare_seeds(options, all, common);
  return complain({.where = {},
                   .field = "--seeds",
                   .message = "a seed changes nothing where the jobs come from a file",
                   .hint = "draw the jobs, for example --jobs synth:1000"},
                  kUsage);
}

}  // namespace

void add_compare(CLI::App& sim, const Common& common, int& exit_code) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      sim.add_subcommand("compare",
                         "replay a workload under several policies and compare\n\n"
                         "  muster sim compare --cluster 8x8 --jobs synth:1000 --policies fifo,muster\n"
                         "  muster sim compare --cluster 8x8 --jobs synth:1000 --seeds 9\n"
                         "  muster sim compare --cluster dc.yaml --jobs trace.csv -o csv\n");
  add_flags(*command, options->flags);
  command->add_option("-p,--policies", options->policies, "policies, the first is the one to compare with")
      ->type_name("A,B,C");
  command->add_option("--seeds", options->seeds, "with synth:N: draw with so many seeds, from --seed on (1)")
      ->check(CLI::Range(1U, 1000U, "1 - 1000"))
      ->type_name("K");
  command->callback([options, &common, &exit_code] { exit_code = compare(*options, common); });
}

}  // namespace muster::cli
