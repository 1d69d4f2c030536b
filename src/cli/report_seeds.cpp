// Policies compared over several drawn workloads. One seed can favour a policy by luck, so each figure is the
// median over the seeds, with the best and the worst of them; differences are taken seed by seed, where both
// policies had the same jobs, and only then summed up.
#include <algorithm>

#include "cli/report_text.hpp"
#include "cli/words.hpp"

namespace muster::cli {
namespace {

using Figure = double (*)(const RunReport& report);

double completion(const RunReport& report) { return report.completion.mean; }
double waiting(const RunReport& report) { return report.waited.mean; }
double rho(const RunReport& report) { return report.rho.p95; }
double gpu_use(const RunReport& report) {
  return report.gpu_used.loaded.value_or(report.gpu_used.whole.value_or(0));
}
double evictions(const RunReport& report) { return static_cast<double>(report.evictions); }
double lost(const RunReport& report) { return report.lost_gpu_hours; }

/// One figure of one policy, a value a seed, in rising order.
std::vector<double> over_seeds(const std::vector<SeedRuns>& rounds, std::size_t policy, Figure figure) {
  std::vector<double> values;
  for (const SeedRuns& round : rounds) values.push_back(figure(round.runs[policy].report));
  std::sort(values.begin(), values.end());
  return values;
}

/// Completion relative to the first policy's on the same jobs; 0.1 = 10 % longer.
std::vector<double> changes(const std::vector<SeedRuns>& rounds, std::size_t policy) {
  std::vector<double> values;
  for (const SeedRuns& round : rounds) {
    const double base = completion(round.runs.front().report);
    values.push_back(base > 0 ? completion(round.runs[policy].report) / base - 1 : 0);
  }
  std::sort(values.begin(), values.end());
  return values;
}

/// Of a sorted list that is not empty.
double median(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

std::string change_text(double change) { return (change >= 0 ? "+" : "") + fixed(change * 100, 1) + "%"; }

std::vector<std::string> row_of(const std::vector<SeedRuns>& rounds, std::size_t policy) {
  const auto mid = [&](Figure figure) { return median(over_seeds(rounds, policy, figure)); };
  const std::vector<double> jct = over_seeds(rounds, policy, completion);
  std::vector<std::string> row{rounds.front().runs[policy].knobs.name, span_text(median(jct)),
                               span_text(jct.front()), span_text(jct.back())};
  if (policy == 0) {
    row.insert(row.end(), {"-", "-", "-", "-"});
  } else {
    const std::vector<double> change = changes(rounds, policy);
    const auto better = std::lower_bound(change.begin(), change.end(), 0.0) - change.begin();
    row.insert(row.end(),
               {change_text(median(change)), change_text(change.front()), change_text(change.back()),
                std::to_string(better) + " of " + std::to_string(change.size())});
  }
  row.insert(row.end(), {span_text(mid(waiting)), fixed(mid(gpu_use) * 100, 1) + "%", fixed(mid(rho), 2),
                         fixed(mid(evictions), 0), fixed(mid(lost), 1)});
  return row;
}

}  // namespace

std::string compare_seeds_page(const Scene& scene, const std::vector<SeedRuns>& rounds, const Paint& paint) {
  const std::string seeds =
      "seeds " + std::to_string(rounds.front().seed) + " to " + std::to_string(rounds.back().seed);
  std::string out = paint(Tint::Bold, cluster_line(scene)) + "\n" +
                    grouped(static_cast<std::int64_t>(scene.workload.jobs.size())) + " jobs drawn, " + seeds +
                    "\n\n";
  std::vector<Column> columns{{"policy", Align::Left}};
  const std::string versus = "vs " + rounds.front().runs.front().knobs.name;
  for (const std::string& title :
       {std::string("JCT mean"), std::string("best"), std::string("worst"), versus, std::string("best"),
        std::string("worst"), std::string("better"), std::string("wait mean"), std::string("GPU use"),
        std::string("rho p95"), std::string("evict"), std::string("lost GPU-h")}) {
    columns.push_back({title, Align::Right});
  }
  Table table(std::move(columns));
  const std::size_t policies = rounds.front().runs.size();
  std::size_t best = 0;
  const auto middle = [&](std::size_t policy) { return median(over_seeds(rounds, policy, completion)); };
  for (std::size_t p = 1; p < policies; ++p) best = middle(p) < middle(best) ? p : best;
  for (std::size_t p = 0; p < policies; ++p) {
    table.add(row_of(rounds, p), p == best && policies > 1 ? Tint::Good : Tint::None);
  }
  out += table.text(paint);
  out += paint(Tint::Dim,
               "medians over the seeds; best, worst: of one seed; better: seeds with a shorter mean "
               "completion time (JCT)") +
         "\n";
  out += "\nassumed     " + assumptions_line(scene) + "\n";
  for (const SeedRuns& round : rounds) {
    out += "digest      seed " + std::to_string(round.seed);
    for (const Finished& run : round.runs) out += "  " + run.knobs.name + " " + run.report.digest;
    out += "\n";
  }
  return out;
}

}  // namespace muster::cli
