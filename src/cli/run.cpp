// `muster sim run`: one policy over one workload, and a report. With --save the run is kept for `why` and
// `gantt`.
#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/report_text.hpp"
#include "cli/saved_run.hpp"

namespace muster::cli {
namespace {

struct RunOptions {
  ReplayFlags flags;
  std::string policy = "muster";
  std::string save;
};

void print(const Scene& scene, std::vector<Finished> runs, Output output, const Paint& paint) {
  switch (output) {
    case Output::Table: std::cout << report_page(scene, runs.front(), paint); break;
    case Output::Json: std::cout << report_json(scene, runs); break;
    case Output::Csv: std::cout << report_csv(runs); break;
  }
}

int run(const RunOptions& options, const Common& common) {
  const auto knobs = load_policy(options.policy, options.flags.settings);
  if (!knobs) return complain(knobs.error(), kUsage);
  const auto scene = load_scene(options.flags, common);
  if (!scene) return complain(scene.error(), kInvalid);
  auto finished = play_out(*scene, *knobs, options.save.empty() ? KeepLog::No : KeepLog::Yes, common);
  if (!finished) return complain(finished.error(), kFailed);
  if (!options.save.empty()) {
    const RunFile run = run_file_of(*scene, *finished);
    if (auto saved = save_run(options.save, run, *finished->replay); !saved)
      return complain(saved.error(), kFailed);
  }
  std::vector<Finished> runs;
  runs.push_back(std::move(*finished));
  print(*scene, std::move(runs), options.flags.output, common.paint());
  if (!options.save.empty() && options.flags.output == Output::Table) {
    const std::string hint = "saved. Next: muster sim gantt --run " + options.save +
                             "   or   muster why JOB --run " + options.save + " --at 2h";
    remark(common, hint.c_str());
  }
  return kOk;
}

}  // namespace

void add_run(CLI::App& sim, const Common& common, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = sim.add_subcommand(
      "run",
      "replay a workload under one policy and report\n\n"
      "  muster sim run --cluster 8x8 --jobs synth:1000\n"
      "  muster sim run --cluster dc.yaml --jobs trace.csv.gz --policy backfill --save runs/1\n"
      "  muster sim run --cluster dc.yaml --jobs log.swf --set backfill=off -o json\n");
  add_flags(*command, options->flags);
  command
      ->add_option("-p,--policy", options->policy, "fifo, backfill, fair, las, srtf, srsf or muster (muster)")
      ->type_name("NAME");
  command->add_option("--save", options->save, "keep the run in this folder")->type_name("DIR");
  command->callback([options, &common, &exit_code] { exit_code = run(*options, common); });
}

}  // namespace muster::cli
