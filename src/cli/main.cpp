// The command line: reads flags, opens files, prints. Start reading here; each subcommand has its file.
#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/commands.hpp"

int main(int argc, char** argv) {
  CLI::App app{"muster: schedules machine-learning work, and says why"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "muster 0.1.0");
  int exit_code = 0;
  CLI::App* sim = app.add_subcommand("sim", "simulate: check scenarios, replay traces, compare policies");
  sim->require_subcommand(1);
  muster::cli::add_check(*sim, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : muster::cli::kUsage;
  }
  return exit_code;
}
