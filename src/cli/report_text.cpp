#include "cli/report_text.hpp"

#include <algorithm>

#include "cli/words.hpp"

namespace muster::cli {
namespace {

std::string count_text(std::size_t count) { return grouped(static_cast<std::int64_t>(count)); }

void add_spread(Table& table, const std::string& name, const Spread& spread, std::string (*show)(double)) {
  if (spread.count == 0) return table.add({name, "-", "-", "-", "-", "-"});
  table.add(
      {name, show(spread.mean), show(spread.median), show(spread.p95), show(spread.p99), show(spread.max)});
}

std::string two_digits(double value) { return fixed(value, 2); }

/// "395 done, 3 failed": what is not zero.
std::string outcomes(const RunReport& report) {
  const std::vector<std::pair<std::size_t, std::string_view>> counts{{report.done, "done"},
                                                                     {report.failed, "failed"},
                                                                     {report.cancelled, "cancelled"},
                                                                     {report.timed_out, "timed out"},
                                                                     {report.refused, "refused"},
                                                                     {report.never_fit, "never fit"},
                                                                     {report.waiting, "left waiting"},
                                                                     {report.running, "left running"},
                                                                     {report.not_arrived, "not arrived"}};
  std::string text;
  for (const auto& [count, word] : counts) {
    if (count == 0) continue;
    if (!text.empty()) text += ", ";
    text += count_text(count) + " " + std::string(word);
  }
  return text.empty() ? "none" : text;
}

std::string shares_text(const Shares& shares) {
  if (!shares.loaded) return percent(shares.whole);
  return percent(shares.loaded) + " until the last submission, " + percent(shares.whole) + " over all";
}

std::string fragmentation_text(const RunReport& report) {
  if (!report.gpu_used.whole) return "";
  std::string text;
  for (const LevelShares& level : report.fragmentation) {
    if (!text.empty()) text += ", ";
    text += level.level + " " + percent(level.shares.loaded ? level.shares.loaded : level.shares.whole);
  }
  return text + " of the free GPU time is in domains that are not entirely free";
}

std::string evictions_text(const RunReport& report) {
  if (report.evictions == 0) return "none";
  return grouped(report.evictions) + " of " + count_text(report.evicted_jobs) + " jobs, " +
         fixed(report.lost_gpu_hours, 1) + " GPU-hours of work lost";
}

std::string speed_text(const Finished& finished) {
  const double seconds = std::max(finished.wall_seconds, 1e-9);
  const auto rate = static_cast<std::int64_t>(static_cast<double>(finished.report.decisions) / seconds);
  return grouped(static_cast<std::int64_t>(finished.report.decisions)) + " in " +
         fixed(finished.wall_seconds, 2) + " s of real time, " + grouped(rate) + " a second";
}

std::string digest_text(const Scene& scene, const RunReport& report) {
  std::string text = report.digest + " of " + grouped(static_cast<std::int64_t>(report.records)) + " records";
  if (scene.seed != 0) text += ", seed " + std::to_string(scene.seed);
  return text;
}

double gpu_share(const RunReport& report) {
  return report.gpu_used.loaded.value_or(report.gpu_used.whole.value_or(0));
}

}  // namespace

std::string report_page(const Scene& scene, const Finished& finished, const Paint& paint) {
  const RunReport& report = finished.report;
  std::string out = paint(Tint::Bold, finished.knobs.name + " on " + cluster_line(scene)) + "\n";
  out += jobs_line(scene) + "\n\n";
  Table times({{"", Align::Left},
               {"mean", Align::Right},
               {"median", Align::Right},
               {"p95", Align::Right},
               {"p99", Align::Right},
               {"max", Align::Right}});
  add_spread(times, "completion", report.completion, span_text);
  add_spread(times, "waiting", report.waited, span_text);
  add_spread(times, "rho", report.rho, two_digits);
  out += times.text(paint) + "\n";
  const std::vector<std::pair<std::string, std::string>> lines{
      {"jobs", outcomes(report)},
      {"makespan", span_text(report.makespan)},
      {"GPUs used", report.gpu_used.whole ? shares_text(report.gpu_used) : "the cluster has none"},
      {"CPUs used", report.cpu_used.whole ? shares_text(report.cpu_used) : "not stated by the nodes"},
      {"fragmented", fragmentation_text(report)},
      {"fairness", percent(report.unfair) + " of the jobs end later than alone on their share (rho > 1)"},
      {"evictions", evictions_text(report)},
      {"decisions", speed_text(finished)},
      {"knobs", knobs_line(finished.knobs)},
      {"weights", weights_line(finished.knobs)},
      {"assumed", assumptions_line(scene)},
      {"digest", digest_text(scene, report)}};
  for (const auto& [name, text] : lines) {
    if (text.empty()) continue;
    out += cut(name + std::string(12 - name.size(), ' ') + text, paint.width, paint) + "\n";
  }
  return out;
}

std::string compare_page(const Scene& scene, const std::vector<Finished>& runs, const Paint& paint) {
  std::string out = paint(Tint::Bold, cluster_line(scene)) + "\n" + jobs_line(scene) + "\n\n";
  Table table({{"policy", Align::Left},
               {"JCT mean", Align::Right},
               {"vs " + runs.front().knobs.name + "  ", Align::Right},
               {"median", Align::Right},
               {"p99", Align::Right},
               {"wait mean", Align::Right},
               {"makespan", Align::Right},
               {"GPU use", Align::Right},
               {"rho p95", Align::Right},
               {"evict", Align::Right},
               {"lost GPU-h", Align::Right}});
  const auto better = [](const Finished& a, const Finished& b) {
    return a.report.completion.mean < b.report.completion.mean;
  };
  const auto best = std::min_element(runs.begin(), runs.end(), better) - runs.begin();
  const double base = runs.front().report.completion.mean;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunReport& report = runs[i].report;
    const double change = base > 0 ? report.completion.mean / base - 1 : 0;
    const bool is_best = runs.size() > 1 && static_cast<std::ptrdiff_t>(i) == best;
    std::string versus = i == 0 ? "-" : (change >= 0 ? "+" : "") + fixed(change * 100, 1) + "%";
    versus += is_best ? " *" : "  ";
    table.add(
        {runs[i].knobs.name, span_text(report.completion.mean), versus, span_text(report.completion.median),
         span_text(report.completion.p99), span_text(report.waited.mean), span_text(report.makespan),
         fixed(gpu_share(report) * 100, 1) + "%", fixed(report.rho.p95, 2), grouped(report.evictions),
         fixed(report.lost_gpu_hours, 1)},
        is_best ? Tint::Good : Tint::None);
  }
  out += table.text(paint);
  out += paint(Tint::Dim, "* best mean completion time (JCT); GPU use is until the last submission") + "\n";
  out += "\nassumed     " + assumptions_line(scene) + "\n";
  for (const Finished& run : runs) {
    const std::string& name = run.knobs.name;
    out += "digest      " + name + std::string(name.size() < 10 ? 10 - name.size() : 1, ' ') +
           digest_text(scene, run.report) + "\n";
    const RunReport& report = run.report;
    if (report.done + report.failed + report.cancelled == report.jobs) continue;
    out += "            " + std::string(10, ' ') + outcomes(report) + "\n";
  }
  return out;
}

}  // namespace muster::cli
