// Reports for programs: seconds, shares from 0 to 1, GPU-hours. Everything but "measured" is the same the
// next time.
#include "cli/report_text.hpp"
#include "cli/words.hpp"
#include "sim/knobs_text.hpp"
#include "wire/json_writer.hpp"

namespace muster::cli {
namespace {

void write_spread(JsonWriter& json, std::string_view name, const Spread& spread) {
  json.member(name).open('{').member("count", spread.count);
  json.member("mean", spread.mean).member("median", spread.median).member("p95", spread.p95);
  json.member("p99", spread.p99).member("max", spread.max).close();
}

void write_shares(JsonWriter& json, std::string_view name, const Shares& shares) {
  json.member(name).open('{').member("loaded", shares.loaded).member("whole", shares.whole).close();
}

void write_source(JsonWriter& json, std::string_view name, const Loaded& source) {
  json.member(name).open('{').member("name", source.name).member("format", source.format);
  json.member("digest", source.digest).close();
}

void write_outcomes(JsonWriter& json, const RunReport& report) {
  json.member("jobs").open('{').member("all", report.jobs).member("done", report.done);
  json.member("failed", report.failed).member("cancelled", report.cancelled);
  json.member("timed_out", report.timed_out).member("refused", report.refused);
  json.member("never_fit", report.never_fit).member("left_waiting", report.waiting);
  json.member("left_running", report.running).member("not_arrived", report.not_arrived).close();
}

void write_run(JsonWriter& json, const Finished& run) {
  const RunReport& report = run.report;
  json.open('{').member("policy", run.knobs.name);
  write_outcomes(json, report);
  write_spread(json, "completion_seconds", report.completion);
  write_spread(json, "waiting_seconds", report.waited);
  write_spread(json, "rho", report.rho);
  json.member("rho_above_1", report.unfair).member("makespan_seconds", report.makespan);
  write_shares(json, "gpu_used", report.gpu_used);
  write_shares(json, "cpu_used", report.cpu_used);
  json.member("fragmentation").open('{');
  for (const LevelShares& level : report.fragmentation) write_shares(json, level.level, level.shares);
  json.close();
  json.member("evictions", report.evictions).member("evicted_jobs", report.evicted_jobs);
  json.member("lost_gpu_hours", report.lost_gpu_hours).member("used_gpu_hours", report.used_gpu_hours);
  json.member("records", report.records)
      .member("decisions", report.decisions)
      .member("digest", report.digest);
  json.member("knobs").open('{');
  for (const auto& [name, value] : describe(run.knobs)) json.member(name, value);
  json.close();
  json.member("measured").open('{').member("seconds", run.wall_seconds);
  json.member("decisions_per_second",
              static_cast<double>(report.decisions) / std::max(run.wall_seconds, 1e-9));
  json.close().close();
}

std::string number(std::optional<double> value) { return value ? fixed(*value, 6) : ""; }

std::vector<Column> csv_columns() {
  std::vector<Column> columns;
  for (const char* title : {"policy",
                            "jobs",
                            "done",
                            "failed",
                            "cancelled",
                            "timed_out",
                            "never_fit",
                            "jct_mean_s",
                            "jct_median_s",
                            "jct_p95_s",
                            "jct_p99_s",
                            "wait_mean_s",
                            "wait_median_s",
                            "wait_p95_s",
                            "wait_p99_s",
                            "makespan_s",
                            "gpu_used_loaded",
                            "gpu_used_whole",
                            "node_fragmentation",
                            "rho_mean",
                            "rho_p95",
                            "rho_max",
                            "evictions",
                            "lost_gpu_hours",
                            "decisions",
                            "digest"}) {
    columns.push_back({.title = title});
  }
  return columns;
}

std::vector<std::string> csv_row(const Finished& run) {
  const RunReport& report = run.report;
  const Shares node = report.fragmentation.empty() ? Shares{} : report.fragmentation.back().shares;
  return {run.knobs.name,
          std::to_string(report.jobs),
          std::to_string(report.done),
          std::to_string(report.failed),
          std::to_string(report.cancelled),
          std::to_string(report.timed_out),
          std::to_string(report.never_fit),
          fixed(report.completion.mean, 3),
          fixed(report.completion.median, 3),
          fixed(report.completion.p95, 3),
          fixed(report.completion.p99, 3),
          fixed(report.waited.mean, 3),
          fixed(report.waited.median, 3),
          fixed(report.waited.p95, 3),
          fixed(report.waited.p99, 3),
          fixed(report.makespan, 3),
          number(report.gpu_used.loaded),
          number(report.gpu_used.whole),
          number(node.loaded ? node.loaded : node.whole),
          fixed(report.rho.mean, 4),
          fixed(report.rho.p95, 4),
          fixed(report.rho.max, 4),
          std::to_string(report.evictions),
          fixed(report.lost_gpu_hours, 3),
          std::to_string(report.decisions),
          report.digest};
}

}  // namespace

std::string report_json(const Scene& scene, const std::vector<Finished>& runs) {
  JsonWriter json;
  json.open('{').member("schema_version", 1);
  write_source(json, "cluster", scene.cluster_source);
  write_source(json, "jobs", scene.jobs_source);
  if (scene.seed != 0) json.member("seed", scene.seed);
  json.member("assumptions").open('{');
  for (const auto& [name, value] : scene.assumptions) json.member(name, value);
  json.close();
  json.member("runs").open('[');
  for (const Finished& run : runs) write_run(json, run);
  json.close().close();
  return json.take();
}

std::string report_csv(const std::vector<Finished>& runs) {
  Table table(csv_columns());
  for (const Finished& run : runs) table.add(csv_row(run));
  return table.csv();
}

std::string report_csv(const std::vector<SeedRuns>& rounds) {
  std::vector<Column> columns = csv_columns();
  columns.insert(columns.begin(), Column{.title = "seed"});
  Table table(std::move(columns));
  for (const SeedRuns& round : rounds) {
    for (const Finished& run : round.runs) {
      std::vector<std::string> row = csv_row(run);
      row.insert(row.begin(), std::to_string(round.seed));
      table.add(std::move(row));
    }
  }
  return table.csv();
}

}  // namespace muster::cli
