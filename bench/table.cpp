// `muster_bench_table`: one command, all rows of docs/benchmarks.md. The table goes to standard output,
// progress to standard error. A world is made once for each pair of nodes and jobs and serves every row that
// runs on it; each row runs in a process of its own (report.hpp).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>

#include "measure.hpp"
#include "rows.hpp"

namespace muster::bench {
namespace {

const std::vector<std::string> kRows{"A1", "A2", "A3", "A4", "A5", "A6", "A9", "A10"};

struct Options {
  std::vector<std::string> rows = kRows;
  std::vector<std::size_t> nodes{1000, 10'000, 100'000};
  std::size_t pending = 1'000'000;
  double scale = 1;  ///< of the clusters of A2, A4, A5, A9 and A10
  Effort effort;
  unsigned limit = 120;
  std::string openb = "../shared/data/benchmarks/fgd-openb";
  bool markdown = false;
};

class Table {
 public:
  explicit Table(const Options& options) : options_(options) {}

  void run() {
    // First, while this process is small: its children inherit what it holds.
    if (wants("A10")) apart(a10_line(), [&](const Out& out) { a10_memory(grown_spec(), out); });
    if (wants("A2"))
      apart(a2_line(), [&](const Out& out) { a2_gang(scaled(196) * 512, options_.effort, out); });
    if (wants("A4")) backfill();
    if (wants("A5"))
      apart(a5_line(), [&](const Out& out) { a5_victims(scaled(100) * 100, options_.effort, out); });
    if (wants("A6")) openb();
    for (const std::size_t nodes : options_.nodes) decisions(nodes);
    if (wants("A9")) {
      const World& world = world_of(grown_spec());
      apart(a9_line(), [&](const Out& out) { a9_restart(world, options_.effort, out); });
    }
  }

  [[nodiscard]] std::string text() const {
    std::vector<Line> sorted = lines_;
    const auto place = [](const Line& line) { return std::find(kRows.begin(), kRows.end(), line.row); };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const Line& a, const Line& b) { return place(a) < place(b); });
    return table_text(sorted, options_.markdown ? Format::Markdown : Format::Text);
  }

 private:
  [[nodiscard]] bool wants(const std::string& row) const {
    return std::find(options_.rows.begin(), options_.rows.end(), row) != options_.rows.end();
  }
  [[nodiscard]] std::size_t scaled(std::size_t count) const {
    return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(count) * options_.scale));
  }
  [[nodiscard]] WorldSpec grown_spec() const { return {.nodes = scaled(100'000), .jobs = scaled(1'000'000)}; }

  void apart(const Line& otherwise, const std::function<void(const Out&)>& work) {
    std::fprintf(stderr, "%s: %s, %s\n", otherwise.row.c_str(), otherwise.measure.c_str(),
                 otherwise.conditions.c_str());
    for (Line& line : run_apart({.otherwise = otherwise, .limit_seconds = options_.limit, .work = work})) {
      std::fprintf(stderr, "  %s %s %s\n", line.figure.c_str(), line.spread.c_str(), line.conditions.c_str());
      lines_.push_back(std::move(line));
    }
  }

  const World& world_of(const WorldSpec& spec) {
    if (!world_ || !(world_->spec == spec)) {
      world_.reset();
      std::fprintf(stderr, "making a world of %zu nodes and %zu jobs\n", spec.nodes, spec.jobs);
      world_ = make_world(spec);
    }
    return *world_;
  }

  void decisions(std::size_t nodes) {
    const WorldSpec spec = with_pending(nodes, options_.pending);
    if (wants("A1")) {
      const World& world = world_of(spec);
      for (const Variant& variant :
           {Variant{}, Variant{.rules = Rules::Reduced}, Variant{.pace = Pace::Cluster}}) {
        apart(a1_line(spec, options_.pending, variant),
              [&](const Out& out) { a1_decisions(world, variant, options_.effort, out); });
      }
    }
    if (wants("A3")) {
      const World& world = world_of(spec);
      for (const Rules rules : {Rules::Full, Rules::Reduced}) {
        apart(a3_line(spec, options_.pending, rules),
              [&](const Out& out) { a3_release(world, rules, options_.effort, out); });
      }
    }
  }

  /// 15,100 nodes run about 10,000 jobs of this mix.
  void backfill() {
    const World& world = world_of({.nodes = scaled(15'100), .jobs = scaled(110'000)});
    for (const std::string recipe : {"muster", "backfill"}) {
      apart(a4_line(recipe), [&](const Out& out) { a4_easy(world, recipe, options_.effort, out); });
    }
    lines_.push_back(a4_conservative());
  }

  void openb() {
    for (const std::size_t clones : {1, 9}) {
      apart(a6_line(), [&](const Out& out) { a6_openb(options_.openb, clones, options_.effort, out); });
    }
  }

  Options options_;
  std::optional<World> world_;
  std::vector<Line> lines_;
};

int main_table(int argc, char** argv) {
  Options options;
  CLI::App app("Prints the decision benchmarks of docs/benchmarks.md.");
  app.add_option("--rows", options.rows, "which rows")->delimiter(',')->check(CLI::IsMember(kRows));
  app.add_option("--nodes", options.nodes, "cluster sizes of A1 and A3")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--pending", options.pending, "waiting jobs of A1 and A3")->capture_default_str();
  app.add_option("--scale", options.scale, "of the clusters of A2, A4, A5, A9, A10; bars hold for 1")
      ->capture_default_str();
  app.add_option("--steps", options.effort.steps, "of a round of A1")->capture_default_str();
  app.add_option("--seconds", options.effort.seconds, "of CPU that a line may measure for")
      ->capture_default_str();
  app.add_option("--limit", options.limit, "CPU seconds after which a row is ended")->capture_default_str();
  app.add_option("--openb", options.openb, "folder of the openb lists, for A6")->capture_default_str();
  app.add_flag("--markdown", options.markdown, "as a table of a page");
  CLI11_PARSE(app, argc, argv);
  const auto machine = machine_lines();
  Table table(options);
  table.run();
  for (const std::string& line : machine) std::printf("%s%s\n", options.markdown ? "- " : "", line.c_str());
  std::printf("\n%s", table.text().c_str());
  return 0;
}

}  // namespace
}  // namespace muster::bench

int main(int argc, char** argv) { return muster::bench::main_table(argc, argv); }
