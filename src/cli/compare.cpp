// `muster sim compare`: the same workload under several policies, one row each.
#include <CLI/CLI.hpp>
#include <iostream>

#include "base/text.hpp"
#include "cli/report_text.hpp"

namespace muster::cli {
namespace {

struct CompareOptions {
  ReplayFlags flags;
  std::string policies = "fifo,backfill,fair,las,srtf,muster";
};

int compare(const CompareOptions& options, const Common& common) {
  std::vector<Knobs> all;
  for (const std::string_view name : split(options.policies, ',')) {
    auto knobs = load_policy(std::string(trim(name)), options.flags.settings);
    if (!knobs) return complain(knobs.error(), kUsage);
    all.push_back(std::move(*knobs));
  }
  const auto scene = load_scene(options.flags, common);
  if (!scene) return complain(scene.error(), kInvalid);
  std::vector<Finished> runs;
  for (const Knobs& knobs : all) {
    auto finished = play_out(*scene, knobs, KeepLog::No, common);
    if (!finished) return complain(finished.error(), kFailed);
    finished->replay.reset();  // only the numbers are kept
    runs.push_back(std::move(*finished));
  }
  switch (options.flags.output) {
    case Output::Table: std::cout << compare_page(*scene, runs, common.paint()); break;
    case Output::Json: std::cout << report_json(*scene, runs); break;
    case Output::Csv: std::cout << report_csv(runs); break;
  }
  return kOk;
}

}  // namespace

void add_compare(CLI::App& sim, const Common& common, int& exit_code) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      sim.add_subcommand("compare",
                         "replay a workload under several policies and compare\n\n"
                         "  muster sim compare --cluster 8x8 --jobs synth:1000 --policies fifo,muster\n"
                         "  muster sim compare --cluster dc.yaml --jobs trace.csv -o csv\n");
  add_flags(*command, options->flags);
  command->add_option("-p,--policies", options->policies, "policies, the first is the one to compare with")
      ->type_name("A,B,C");
  command->callback([options, &common, &exit_code] { exit_code = compare(*options, common); });
}

}  // namespace muster::cli
