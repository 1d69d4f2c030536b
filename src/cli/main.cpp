// The command line: reads flags, opens files, prints. Start reading here; each subcommand has its file.
#include <CLI/CLI.hpp>
#include <iostream>
#include <span>

#include "base/result.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"

namespace muster::cli {

int complain(const Error& error, int code) {
  Error told = error;
  told.hint.clear();
  std::cerr << "muster: " << to_string(told) << "\n";
  if (!error.hint.empty()) std::cerr << "  hint: " << error.hint << "\n";
  return code;
}

void remark(const Common& common, const char* text) {
  if (!common.quiet) std::cerr << text << "\n";
}

namespace {

/// The deepest command that was named, and the first word that is no command of it.
const CLI::App* deepest(const CLI::App* app) {
  while (true) {
    const auto chosen = app->get_subcommands();
    if (chosen.empty()) return app;
    app = chosen.front();
  }
}

/// "did you mean" for a mistyped command or flag among the words of the command line.
std::string near_word(const CLI::App& root, std::span<const std::string> words) {
  const CLI::App* app = deepest(&root);
  std::vector<std::string> known;
  for (const CLI::App* at = app; at != nullptr; at = at->get_parent()) {
    for (const CLI::Option* option : at->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  }
  std::vector<std::string> commands;
  for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(command->get_name());
  }
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    const auto& candidates = name.starts_with("--") ? known : commands;
    if (std::find(candidates.begin(), candidates.end(), name) != candidates.end()) continue;
    if (const auto near = nearest(name, std::span<const std::string>(candidates))) return *near;
  }
  return "";
}

int usage(const CLI::App& root, const CLI::ParseError& error, std::span<const std::string> words) {
  std::string what = error.what();
  while (!what.empty() && what.back() == '\n') what.pop_back();
  std::cerr << "muster: " << what << "\n";
  const std::string near = near_word(root, words);
  if (!near.empty()) std::cerr << "  hint: did you mean " << near << "?\n";
  std::string path;
  for (const CLI::App* at = deepest(&root); at != nullptr; at = at->get_parent()) {
    path.insert(0, at->get_name() + (path.empty() ? "" : " "));
  }
  std::cerr << "  see: " << path << " --help\n";
  return kUsage;
}

void add_common(CLI::App& app, Common& common) {
  app.add_option("--color", common.colour, "colours: auto, always or never (NO_COLOR is honoured)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Colour>{
              {"auto", Colour::Auto}, {"always", Colour::Always}, {"never", Colour::Never}},
          CLI::ignore_case))
      ->type_name("WHEN")
      ->option_text("WHEN");
  app.add_flag_callback(
      "--ascii", [&common] { common.letters = Letters::Ascii; }, "draw with ASCII letters only");
  app.add_flag("-q,--quiet", common.quiet, "no progress, notes or hints");
}

int run(int argc, char** argv) {
  CLI::App app{
      "muster schedules machine-learning work, and says why.\n\n"
      "  muster sim demo                              a small cluster at work\n"
      "  muster sim run --cluster 8x8 --jobs FILE     replay a trace\n"
      "  muster why JOB --run DIR --at 2h             why a job waits",
      "muster"};
  app.require_subcommand(1);
  app.fallthrough();
  app.set_version_flag("--version", "muster 0.1.0");
  Common common;
  add_common(app, common);
  int exit_code = kOk;
  CLI::App* sim = app.add_subcommand("sim", "simulate: check scenarios, replay traces, compare policies");
  sim->require_subcommand(1);
  add_demo(*sim, common, exit_code);
  add_run(*sim, common, exit_code);
  add_compare(*sim, common, exit_code);
  add_synth(*sim, common, exit_code);
  add_gantt(*sim, common, exit_code);
  add_check(*sim, exit_code);
  add_why(app, common, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    return usage(app, error, words);
  }
  std::cout.flush();
  return std::cout.good() ? exit_code : kFailed;
}

}  // namespace
}  // namespace muster::cli

int main(int argc, char** argv) { return muster::cli::run(argc, argv); }
