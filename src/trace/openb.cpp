#include "trace/openb.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "trace/intake.hpp"
#include "trace/table.hpp"

namespace muster {
namespace {

constexpr std::int64_t kMostCpu = 1'000'000'000;     // millicores
constexpr std::int64_t kMostMemory = 1'000'000'000;  // MiB
constexpr std::int64_t kMebibyte = 1 << 20;

namespace pod {
enum Column : std::size_t { Name, Cpu, Mem, Gpus, GpuMilli, Spec, Qos, Phase, Created, Deleted, Scheduled };
constexpr std::array<ColumnSpec, 11> columns{{{"name"},
                                              {"cpu_milli"},
                                              {"memory_mib"},
                                              {"num_gpu"},
                                              {"gpu_milli"},
                                              {"gpu_spec", Need::Optional},
                                              {"qos", Need::Optional},
                                              {"pod_phase", Need::Optional},
                                              {"creation_time", Need::Optional},
                                              {"deletion_time", Need::Optional},
                                              {"scheduled_time", Need::Optional}}};
}  // namespace pod

namespace machine {
enum Column : std::size_t { Name, Cpu, Mem, Gpus, Model };
constexpr std::array<ColumnSpec, 5> columns{
    {{"sn"}, {"cpu_milli"}, {"memory_mib"}, {"gpu"}, {"model", Need::Optional}}};
}  // namespace machine

Demand demand_of(CsvTable& table) {
  Demand each;
  each.cpu = table.whole(pod::Cpu, 0, kMostCpu);
  each.mem = table.whole(pod::Mem, 0, kMostMemory) * kMebibyte;
  const std::int64_t gpus = table.whole(pod::Gpus, 0, static_cast<std::int64_t>(kMaxDevices));
  const std::int64_t milli = table.whole(pod::GpuMilli, 0, kDevice);
  if (gpus == 1 && milli > 0 && milli < kDevice) {
    each.share = static_cast<std::int32_t>(milli);
  } else if (gpus == 0 ? milli != 0 : milli != kDevice) {
    table.blame(pod::GpuMilli, "num_gpu and gpu_milli do not agree", "a share is of exactly one GPU");
  } else {
    each.gpus = static_cast<std::int32_t>(gpus);
  }
  return each;
}

std::optional<JobState> outcome_of(CsvTable& table) {
  const std::string phase = table.text(pod::Phase);
  if (phase == "Pending") return JobState::Pending;
  if (phase == "Running") return JobState::Running;
  if (phase == "Succeeded") return JobState::Done;
  if (phase == "Failed") return JobState::Failed;
  if (!phase.empty() && phase != "Unknown") table.blame(pod::Phase, "unknown pod_phase");
  return std::nullopt;
}

std::vector<Selector> selectors_of(const std::string& spec) {
  if (spec.empty()) return {};
  Selector types{.key = "gpu_type", .values = {}};
  for (const std::string_view type : split(spec, '|')) {
    if (!trim(type).empty()) types.values.emplace_back(trim(type));
  }
  std::sort(types.values.begin(), types.values.end());
  types.values.erase(std::unique(types.values.begin(), types.values.end()), types.values.end());
  if (types.values.empty()) return {};
  return {std::move(types)};
}

std::int32_t class_of(std::string_view qos) {
  constexpr std::array<std::string_view, 4> ranks{"BE", "Burstable", "LS", "Guaranteed"};
  const auto at = std::find(ranks.begin(), ranks.end(), qos);
  return at == ranks.end() ? 0 : static_cast<std::int32_t>(at - ranks.begin());
}

void read_times(CsvTable& table, RawJob& raw) {
  raw.untimed = !table.has(pod::Created);
  if (raw.untimed) return;
  const Duration created = table.must_seconds(pod::Created);
  const auto scheduled = table.maybe_seconds(pod::Scheduled);
  const auto deleted = table.maybe_seconds(pod::Deleted);
  raw.job.submit = Instant{created};
  raw.before_window = created == Duration{0};
  if (!scheduled || raw.job.outcome_seen == JobState::Pending) return;
  if (*scheduled < created) table.blame(pod::Scheduled, "scheduled before it was created");
  raw.job.wait_seen = *scheduled - created;
  raw.start = Instant{*scheduled};
  // 0 or blank: it was still there when the trace ends.
  raw.open_end = !deleted || *deleted == Duration{0};
  if (!raw.open_end) raw.end = Instant{*deleted};
}

RawJob pod_of(CsvTable& table, const ReadOptions& options) {
  RawJob raw;
  TraceJob& job = raw.job;
  job.line = table.line();
  raw.column = table.column_of(pod::Name);
  job.name = table.name(pod::Name);
  job.each = demand_of(table);
  job.select = selectors_of(table.text(pod::Spec));
  job.qos = table.text(pod::Qos);
  if (options.importance == TraceRanks::Read) job.class_rank = class_of(job.qos);
  job.outcome_seen = outcome_of(table);
  read_times(table, raw);
  return raw;
}

NodeSpec node_of(CsvTable& table) {
  NodeSpec node;
  node.name = table.name(machine::Name);
  node.cpu = table.whole(machine::Cpu, 0, kMostCpu);
  node.mem = table.whole(machine::Mem, 0, kMostMemory) * kMebibyte;
  const std::int64_t gpus = table.whole(machine::Gpus, 0, static_cast<std::int64_t>(kMaxDevices));
  node.devices.resize(static_cast<std::size_t>(gpus));
  node.gpu_type = table.text(machine::Model);
  if (gpus > 0 && node.gpu_type.empty()) table.blame(machine::Model, "GPUs without a model");
  return node;
}

}  // namespace

Result<Workload> read_openb_pods(std::string_view bytes, const std::string& file,
                                 const ReadOptions& options) {
  auto table = CsvTable::open(bytes, file, pod::columns);
  if (!table) return fail(std::move(table).error());
  Intake intake(file, options);
  while (table->next()) {
    RawJob raw = pod_of(*table, options);
    if (!table->fault()) {
      intake.keep(std::move(raw));
    } else if (auto dropped = intake.drop(*table->fault()); !dropped) {
      return fail(std::move(dropped).error());
    }
  }
  return intake.finish();
}

Result<Workload> read_openb_nodes(std::string_view bytes, const std::string& file,
                                  const ReadOptions& options) {
  auto table = CsvTable::open(bytes, file, machine::columns);
  if (!table) return fail(std::move(table).error());
  Intake intake(file, options);
  while (table->next()) {
    NodeSpec node = node_of(*table);
    if (!table->fault()) {
      intake.keep(std::move(node));
    } else if (auto dropped = intake.drop(*table->fault()); !dropped) {
      return fail(std::move(dropped).error());
    }
  }
  return intake.finish();
}

}  // namespace muster
