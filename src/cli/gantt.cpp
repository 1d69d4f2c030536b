// `muster sim gantt`: the schedule of a saved run in the terminal.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "cli/chart.hpp"
#include "cli/commands.hpp"
#include "cli/saved_run.hpp"
#include "cli/words.hpp"

namespace muster::cli {
namespace {

constexpr std::size_t kMostRows = 64;

struct GanttOptions {
  std::string run;
  std::string from;
  std::string to;
  std::string nodes;
  std::size_t width = 0;  ///< of the whole chart; 0 = the terminal's, or 100
  std::size_t jobs = 8;
};

/// What is left of the line after the names of the nodes.
std::size_t cells_for(const State& state, const std::vector<NodeId>& nodes, std::size_t width,
                      const Paint& paint) {
  if (width == 0) width = paint.width < Paint::kUnbounded ? paint.width : 100;
  std::size_t names = 4;
  for (const NodeId node : nodes) names = std::max(names, letters_in(state.ledger.node(node).spec.name));
  return std::clamp<std::size_t>(width > names + 2 ? width - names - 2 : 0, 10, 1000);
}

int draw(const GanttOptions& options, const Common& common) {
  const auto saved = load_run(options.run);
  if (!saved) return complain(saved.error(), kNotFound);
  ChartOptions window{.from = {}, .to = end_of(*saved), .nodes = {}};
  for (const auto& [text, flag, out] :
       {std::tuple{options.from, "--from", &window.from}, std::tuple{options.to, "--to", &window.to}}) {
    if (text.empty()) continue;
    const auto at = parse_instant(text, flag);
    if (!at) return complain(at.error(), kUsage);
    *out = *at;
  }
  if (window.to <= window.from) {
    return complain({.where = {}, .field = "--to", .message = "must come after --from", .hint = {}}, kUsage);
  }
  const Timeline timeline = timeline_of(saved->log);
  window.nodes = nodes_named(timeline.state, options.nodes);
  if (window.nodes.empty()) {
    return complain({.where = {},
                     .field = "--nodes",
                     .message = "no node is named like \"" + options.nodes + "\"",
                     .hint = "* stands for any letters"},
                    kNotFound);
  }
  const std::size_t all = window.nodes.size();
  window.nodes.resize(std::min(all, kMostRows));
  const Paint paint = common.paint();
  window.cells = cells_for(timeline.state, window.nodes, options.width, paint);
  std::cout << chart(timeline, window, paint);
  if (all > window.nodes.size()) {
    std::cout << "the first " << window.nodes.size() << " of " << grouped(static_cast<std::int64_t>(all))
              << " nodes; choose with --nodes 'r1-*'\n";
  }
  std::cout << "\n" << legend(timeline, window, options.jobs, paint);
  return kOk;
}

}  // namespace

void add_gantt(CLI::App& sim, const Common& common, int& exit_code) {
  auto options = std::make_shared<GanttOptions>();
  CLI::App* command =
      sim.add_subcommand("gantt",
                         "draw the schedule of a saved run\n\n"
                         "  muster sim gantt --run runs/1\n"
                         "  muster sim gantt --run runs/1 --from 2h --to 6h --nodes 'r1-*'\n");
  command->add_option("-r,--run", options->run, "folder of a saved run")->type_name("DIR")->required();
  command->add_option("--from", options->from, "begin, since the start of the run (0)")->type_name("TIME");
  command->add_option("--to", options->to, "end (the end of the run)")->type_name("TIME");
  command->add_option("--nodes", options->nodes, "only nodes named like this")->type_name("PATTERN");
  command->add_option("--width", options->width, "columns in all (the terminal's)")->type_name("N");
  command->add_option("--legend", options->jobs, "jobs in the legend (8)")->type_name("N");
  command->callback([options, &common, &exit_code] { exit_code = draw(*options, common); });
}

}  // namespace muster::cli
