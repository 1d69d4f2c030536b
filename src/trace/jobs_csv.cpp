#include "trace/jobs_csv.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"
#include "trace/csv.hpp"
#include "trace/intake.hpp"
#include "trace/table.hpp"

namespace muster {
namespace {

enum Column : std::size_t {
  Name,
  Submit,
  Run,
  Limit,
  Workers,
  Gpus,
  Share,
  GpuType,
  Cpus,
  Memory,
  Queue,
  User,
  Class,
  Priority,
  Outcome
};
constexpr std::array<ColumnSpec, 15> kColumns{{{"name", Need::Optional},
                                               {"submit_s"},
                                               {"run_s"},
                                               {"limit_s", Need::Optional},
                                               {"workers", Need::Optional},
                                               {"gpus", Need::Optional},
                                               {"gpu_share", Need::Optional},
                                               {"gpu_type", Need::Optional},
                                               {"cpus", Need::Optional},
                                               {"mem_mib", Need::Optional},
                                               {"queue", Need::Optional},
                                               {"user", Need::Optional},
                                               {"class", Need::Optional},
                                               {"priority", Need::Optional},
                                               {"outcome", Need::Optional}}};

constexpr std::int64_t kMostGpus = 1024;
constexpr std::int64_t kMostWorkers = 100'000;
constexpr std::int64_t kMostMillicores = 1'000'000'000;
constexpr std::int64_t kMostMebibytes = std::int64_t{1} << 30;
constexpr std::int64_t kMostRank = 1'000'000;
constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;

constexpr std::array<std::pair<std::string_view, JobState>, 3> kOutcomes{
    {{"done", JobState::Done}, {"failed", JobState::Failed}, {"cancelled", JobState::Cancelled}}};

/// The number in an optional column; `otherwise` where it is blank or missing.
std::int64_t whole_or(CsvTable& table, std::size_t column, std::int64_t otherwise, std::int64_t low,
                      std::int64_t high) {
  return table.text(column).empty() ? otherwise : table.whole(column, low, high);
}

std::optional<Duration> maybe_time(CsvTable& table, std::size_t column) {
  const auto time = table.maybe_seconds(column);
  if (time && *time < Duration{0}) table.blame(column, "negative " + std::string(kColumns[column].name));
  return time;
}

void read_demand(CsvTable& table, TraceJob& job) {
  job.workers = static_cast<std::int32_t>(whole_or(table, Workers, 1, 1, kMostWorkers));
  job.each.gpus = static_cast<std::int32_t>(whole_or(table, Gpus, 0, 0, kMostGpus));
  job.each.share = static_cast<std::int32_t>(whole_or(table, Share, 0, 0, kDevice - 1));
  if (job.each.gpus > 0 && job.each.share > 0) table.blame(Share, "both whole devices and a share of one");
  job.each.cpu = table.maybe_decimal(Cpus, 3, kMostMillicores).value_or(0);
  job.each.mem = table.maybe_decimal(Memory, 0, kMostMebibytes).value_or(0) * kMebibyte;
  const std::string types = table.text(GpuType);
  if (types.empty()) return;
  Selector& selector = job.select.emplace_back(Selector{.key = "gpu_type", .values = {}});
  for (const std::string_view type : split(types, '|')) selector.values.emplace_back(type);
}

RawJob job_of(CsvTable& table, std::int64_t number) {
  RawJob raw;
  TraceJob& job = raw.job;
  job.line = table.line();
  raw.column = table.column_of(Submit);
  job.name = table.text(Name);
  if (job.name.empty()) job.name = "job-" + std::to_string(number);
  job.submit = Instant{table.must_seconds(Submit)};
  if (job.submit < Instant{}) table.blame(Submit, "negative submit_s");
  job.run = maybe_time(table, Run);
  job.limit = maybe_time(table, Limit);
  read_demand(table, job);
  job.queue = table.text(Queue);
  job.user = table.text(User);
  job.class_rank = static_cast<std::int32_t>(whole_or(table, Class, 0, -kMostRank, kMostRank));
  job.priority = static_cast<std::int32_t>(whole_or(table, Priority, 0, -kMostRank, kMostRank));
  const std::string outcome = table.text(Outcome);
  for (const auto& [word, state] : kOutcomes) {
    if (outcome == word) job.outcome_seen = state;
  }
  if (!outcome.empty() && !job.outcome_seen) {
    table.blame(Outcome, "outcome is no end of a job", "done, failed or cancelled");
  }
  return raw;
}

std::string seconds_text(Duration duration) { return format_milli(millis(duration)); }
std::string seconds_text(const std::optional<Duration>& duration) {
  return duration ? seconds_text(*duration) : "";
}

std::string types_of(const TraceJob& job) {
  for (const Selector& selector : job.select) {
    if (selector.key == "gpu_type") return join(selector.values, "|");
  }
  return "";
}

std::string outcome_of(const TraceJob& job) {
  for (const auto& [word, state] : kOutcomes) {
    if (job.outcome_seen == state) return std::string(word);
  }
  return "";
}

}  // namespace

Result<Workload> read_jobs_csv(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  auto table = CsvTable::open(bytes, file, kColumns);
  if (!table) return fail(std::move(table).error());
  Intake intake(file, options);
  for (std::int64_t number = 1; table->next(); ++number) {
    RawJob raw = job_of(*table, number);
    if (!table->fault()) {
      intake.keep(std::move(raw));
    } else if (auto dropped = intake.drop(*table->fault()); !dropped) {
      return fail(std::move(dropped).error());
    }
  }
  return intake.finish();
}

std::string write_jobs_csv(const Workload& workload) {
  std::vector<std::string> titles;
  for (const ColumnSpec& column : kColumns) titles.emplace_back(column.name);
  std::string out;
  add_csv_row(out, titles);
  for (const TraceJob& job : workload.jobs) {
    const std::array<std::string, kColumns.size()> fields{job.name,
                                                          seconds_text(job.submit.time_since_epoch()),
                                                          seconds_text(job.run),
                                                          seconds_text(job.limit),
                                                          std::to_string(job.workers),
                                                          std::to_string(job.each.gpus),
                                                          std::to_string(job.each.share),
                                                          types_of(job),
                                                          format_milli(job.each.cpu),
                                                          std::to_string(job.each.mem / kMebibyte),
                                                          job.queue,
                                                          job.user,
                                                          std::to_string(job.class_rank),
                                                          std::to_string(job.priority),
                                                          outcome_of(job)};
    add_csv_row(out, fields);
  }
  return out;
}

}  // namespace muster
