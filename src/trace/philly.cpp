#include "trace/philly.hpp"

#include <array>
#include <utility>

#include "trace/intake.hpp"
#include "trace/table.hpp"

namespace muster {
namespace {

constexpr std::int64_t kMostGpus = 100'000;

namespace philly {
enum Column : std::size_t { Submitted, Run, Gpus, GpuTime, Cluster };
constexpr std::array<ColumnSpec, 5> columns{
    {{"timestamp"}, {"duration"}, {"num_gpus"}, {"gpu_time", Need::Optional}, {"cluster", Need::Optional}}};
}  // namespace philly

namespace muri {
enum Column : std::size_t { Id, Gpus, Submitted, Run, Model, Priority };
constexpr std::array<ColumnSpec, 6> columns{{{"job_id"},
                                             {"num_gpu"},
                                             {"submit_time"},
                                             {"duration"},
                                             {"model_name", Need::Optional},
                                             {"priority", Need::Optional}}};
}  // namespace muri

void set_gpus(TraceJob& job, std::int64_t gpus, const ReadOptions& options) {
  const Cut cut = cut_evenly(static_cast<std::int32_t>(gpus), options.gpus_per_node);
  job.workers = cut.workers;
  job.each.gpus = cut.each;
}

RawJob philly_job(CsvTable& table, Intake& intake, std::int64_t number) {
  RawJob raw;
  raw.job.line = table.line();
  raw.job.name = "philly-" + std::to_string(number);
  raw.column = table.column_of(philly::Submitted);
  const auto submitted = parse_civil(table.name(philly::Submitted));
  if (!submitted) table.blame(philly::Submitted, "timestamp is no time", "YYYY-MM-DD HH:MM:SS");
  raw.job.submit = submitted.value_or(Instant{});
  const Duration run = table.must_seconds(philly::Run);
  if (run < Duration{0}) table.blame(philly::Run, "negative duration");
  raw.job.run = run;
  const std::int64_t gpus = table.whole(philly::Gpus, 1, kMostGpus);
  set_gpus(raw.job, gpus, intake.options());
  raw.job.queue = table.text(philly::Cluster);
  const auto gpu_time = table.maybe_seconds(philly::GpuTime);
  if (!table.fault() && gpu_time && *gpu_time != run * gpus) {
    intake.flag("gpu_time is not duration x num_gpus", table.line(), table.column_of(philly::GpuTime),
                table.text(philly::GpuTime));
  }
  return raw;
}

Duration must_millis(CsvTable& table, std::size_t column) {
  const auto value = parse_millis(table.name(column));
  if (!value || *value < Duration{0}) table.blame(column, "no time in milliseconds");
  return value.value_or(Duration{0});
}

RawJob muri_job(CsvTable& table, const ReadOptions& options) {
  RawJob raw;
  raw.job.line = table.line();
  raw.column = table.column_of(muri::Id);
  raw.job.name = table.name(muri::Id);
  raw.job.submit = Instant{must_millis(table, muri::Submitted)};
  raw.job.run = must_millis(table, muri::Run);
  set_gpus(raw.job, table.whole(muri::Gpus, 1, kMostGpus), options);
  raw.job.model = table.text(muri::Model);
  if (options.importance == TraceRanks::Read && table.has(muri::Priority)) {
    raw.job.priority = static_cast<std::int32_t>(table.whole(muri::Priority, -kMostGpus, kMostGpus));
  }
  return raw;
}

}  // namespace

Result<Workload> read_philly_csv(std::string_view bytes, const std::string& file,
                                 const ReadOptions& options) {
  auto table = CsvTable::open(bytes, file, philly::columns);
  if (!table) return fail(std::move(table).error());
  Intake intake(file, options);
  for (std::int64_t number = 1; table->next(); ++number) {
    RawJob raw = philly_job(*table, intake, number);
    if (!table->fault()) {
      intake.keep(std::move(raw));
    } else if (auto dropped = intake.drop(*table->fault()); !dropped) {
      return fail(std::move(dropped).error());
    }
  }
  return intake.finish();
}

Result<Workload> read_muri_csv(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  auto table = CsvTable::open(bytes, file, muri::columns);
  if (!table) return fail(std::move(table).error());
  Intake intake(file, options);
  while (table->next()) {
    RawJob raw = muri_job(*table, options);
    if (!table->fault()) {
      intake.keep(std::move(raw));
    } else if (auto dropped = intake.drop(*table->fault()); !dropped) {
      return fail(std::move(dropped).error());
    }
  }
  return intake.finish();
}

}  // namespace muster
