// `muster sim synth`: a seeded workload in the shape of a shared training cluster, as CSV.
#include "trace/synth.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <map>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "trace/jobs_csv.hpp"
#include "wire/units.hpp"

namespace muster::cli {
namespace {

struct SynthOptions {
  SynthSpec spec;
  double load = 0.8;
  std::string span;
  std::string out = "-";
};

int synth(SynthOptions options) {
  options.spec.load_permille =
      static_cast<std::int32_t>(std::lround(std::min(std::max(options.load, 0.0), 1e6) * 1000));
  if (!options.span.empty()) {
    options.spec.span = parse_duration(options.span);
    if (!options.spec.span) {
      return complain({.where = {},
                       .field = "--span",
                       .message = "want a duration; got \"" + options.span + "\"",
                       .hint = "for example 7d or 36h"},
                      kUsage);
    }
  }
  const auto workload = synthesize(options.spec);
  if (!workload) return complain(workload.error(), kUsage);
  const std::string text = write_jobs_csv(*workload);
  if (options.out == "-") {
    std::cout << text;
    return kOk;
  }
  const auto written = write_file(options.out, std::string_view(text));
  return written ? kOk : complain(written.error(), kFailed);
}

}  // namespace

void add_synth(CLI::App& sim, const Common&, int& exit_code) {
  auto options = std::make_shared<SynthOptions>();
  SynthSpec& spec = options->spec;
  CLI::App* command = sim.add_subcommand("synth",
                                         "draw a workload in the shape of a shared training cluster\n\n"
                                         "  muster sim synth --count 2000 --gpus 64 --seed 7 --out jobs.csv\n"
                                         "  muster sim run --cluster 8x8 --jobs jobs.csv\n");
  command->add_option("-n,--count", spec.jobs, "jobs (1000)")->type_name("N");
  command->add_option("--seed", spec.seed, "equal seeds give equal jobs (1)")->type_name("N");
  command->add_option("--gpus", spec.gpus, "of the cluster (64)")->type_name("N");
  command
      ->add_option("--gpus-per-node", spec.gpus_per_node,
                   "larger jobs are cut into workers of at most this (8)")
      ->type_name("N");
  command->add_option("--load", options->load, "GPU-time asked for / GPU-time there is (0.8)")
      ->type_name("F");
  command->add_option("--span", options->span, "first to last submission (follows from the load)")
      ->type_name("TIME");
  command->add_option("--users", spec.users, "users (50)")->type_name("N");
  command->add_option("--queues", spec.queues, "queues (4)")->type_name("N");
  command->add_option("--limits", spec.limits, "time limits: none, ample or as-seen (ample)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, SynthLimits>{
          {"none", SynthLimits::None}, {"ample", SynthLimits::Ample}, {"as-seen", SynthLimits::AsSeen}}))
      ->type_name("KIND")
      ->option_text("KIND");
  command->add_option("--failed", spec.failed_permille, "thousandths of jobs that fail (0; Philly: 305)")
      ->type_name("N");
  command
      ->add_option("--cancelled", spec.cancelled_permille, "thousandths that are cancelled (0; Philly: 90)")
      ->type_name("N");
  command->add_option("--out", options->out, "file (standard output)")->type_name("FILE");
  command->callback([options, &exit_code] { exit_code = synth(*options); });
}

}  // namespace muster::cli
