#include "trace/pai.hpp"

#include <array>
#include <utility>

#include "trace/intake.hpp"
#include "trace/table.hpp"

namespace muster {
namespace {

constexpr std::int64_t kMostPercent = 100'000'000;
constexpr std::int64_t kMostInstances = 1'000'000;
constexpr std::int64_t kMostMemory = 1'000'000'000'000'000;  // bytes
constexpr std::int64_t kMostCards = 128;

namespace task {
enum Column : std::size_t { Job, Task, Instances, Status, Start, End, Cpu, Mem, Gpu, Type };
constexpr std::array<ColumnSpec, 10> columns{{{"job_name"},
                                              {"task_name"},
                                              {"inst_num"},
                                              {"status"},
                                              {"start_time"},
                                              {"end_time"},
                                              {"plan_cpu"},
                                              {"plan_mem"},
                                              {"plan_gpu"},
                                              {"gpu_type"}}};
}  // namespace task

/// A required amount: unlike zero, a blank is a fault.
std::int64_t must_decimal(CsvTable& table, std::size_t column, int digits, std::int64_t high) {
  const auto value = table.maybe_decimal(column, digits, high);
  if (!value) table.blame(column, "blank " + std::string(task::columns[column].name));
  return value.value_or(0);
}

void set_gpus(CsvTable& table, Demand& each) {
  const std::int64_t milli = table.maybe_decimal(task::Gpu, 1, kMostPercent).value_or(0);
  if (milli > kMostCards * kDevice) {
    table.blame(task::Gpu, "more GPUs than a machine can have", "plan_gpu is in percent of one GPU");
  } else if (milli < kDevice) {
    each.share = static_cast<std::int32_t>(milli);
  } else if (milli % kDevice == 0) {
    each.gpus = static_cast<std::int32_t>(milli / kDevice);
  } else {
    table.blame(task::Gpu, "neither a share of one GPU nor whole GPUs");
  }
}

std::optional<JobState> outcome_of(const std::string& status) {
  if (status == "Terminated") return JobState::Done;
  if (status == "Failed") return JobState::Failed;
  if (status == "Running") return JobState::Running;
  if (status == "Waiting") return JobState::Pending;
  return std::nullopt;
}

RawJob task_of(CsvTable& table) {
  RawJob raw;
  TraceJob& job = raw.job;
  job.line = table.line();
  raw.column = table.column_of(task::Job);
  job.name = table.name(task::Job);
  job.name += "/" + table.name(task::Task);
  job.workers = static_cast<std::int32_t>(table.whole(task::Instances, 1, kMostInstances));
  job.outcome_seen = outcome_of(table.text(task::Status));
  const Duration start = table.must_seconds(task::Start);
  const auto end = table.maybe_seconds(task::End);
  job.submit = Instant{start};
  raw.start = job.submit;
  raw.before_window = start == Duration{0};
  raw.open_end = !end || *end == Duration{0};
  if (!raw.open_end) raw.end = Instant{*end};
  job.each.cpu = must_decimal(table, task::Cpu, 1, kMostPercent);
  job.each.mem = must_decimal(table, task::Mem, 9, kMostMemory);
  set_gpus(table, job.each);
  const std::string type = table.text(task::Type);
  if (!type.empty() && job.each.uses_device()) job.select = {Selector{.key = "gpu_type", .values = {type}}};
  return raw;
}

}  // namespace

Result<Workload> read_pai_tasks(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  auto table = CsvTable::open(bytes, file, task::columns, HeaderRow::MayLack);
  if (!table) return fail(std::move(table).error());
  Intake intake(file, options);
  while (table->next()) {
    RawJob raw = task_of(*table);
    if (!table->fault()) {
      intake.keep(std::move(raw));
    } else if (auto dropped = intake.drop(*table->fault()); !dropped) {
      return fail(std::move(dropped).error());
    }
  }
  return intake.finish();
}

}  // namespace muster
