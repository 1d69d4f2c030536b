// `muster sim check FILE...`: plays scenarios and judges them. One line per check that fails, then the
// plain line "N passed, N failed".
#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "sim/expect.hpp"
#include "sim/play.hpp"

namespace muster::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  bool verbose = false;
};

/// Plays the scenario twice: the same input must give the same log.
Result<std::vector<sim::Failure>> check_twice(const scenario::Scenario& scenario) {
  auto first = sim::play(scenario);
  if (!first) return fail(std::move(first.error()));
  auto second = sim::play(scenario);
  if (!second) return fail(std::move(second.error()));
  if (first->tape.digest != second->tape.digest) first->tape.broken.emplace_back("two runs differ");
  return sim::judge(scenario, first->tape);
}

bool check_file(const std::string& path, bool verbose) {
  const auto text = read_file(path);
  if (!text) {
    std::cout << to_string(text.error()) << "\n";
    return false;
  }
  const auto scenario = scenario::read(*text, path);
  if (!scenario) {
    std::cout << to_string(scenario.error()) << "\n";
    return false;
  }
  const auto failures = check_twice(*scenario);
  if (!failures) {
    std::cout << scenario->id << ": " << to_string(failures.error()) << "\n";
    return false;
  }
  for (const sim::Failure& failure : *failures) std::cout << sim::to_string(failure) << "\n";
  if (verbose && failures->empty()) std::cout << scenario->id << ": ok: " << scenario->title << "\n";
  return failures->empty();
}

int run(const CheckOptions& options) {
  int passed = 0;
  int failed = 0;
  for (const std::string& path : options.files) ++(check_file(path, options.verbose) ? passed : failed);
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 ? kOk : kFailed;
}

}  // namespace

void add_check(CLI::App& sim, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = sim.add_subcommand("check", "play scenario files and check what they expect");
  command->add_option("files", options->files, "scenario files")->required();
  command->add_flag("-v,--verbose", options->verbose, "name the scenarios that pass too");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace muster::cli
