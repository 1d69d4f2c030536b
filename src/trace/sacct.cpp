#include "trace/sacct.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "base/text.hpp"
#include "trace/intake.hpp"
#include "trace/table.hpp"

namespace muster {
namespace {

enum Column : std::size_t {
  Number,
  Submit,
  Start,
  End,
  Limit,
  State,
  Asked,
  Given,
  User,
  Account,
  Partition,
  Priority
};
constexpr std::array<ColumnSpec, 12> kColumns{{{"JobID"},
                                               {"Submit"},
                                               {"Start"},
                                               {"End"},
                                               {"Timelimit"},
                                               {"State"},
                                               {"ReqTRES", Need::Optional},
                                               {"AllocTRES", Need::Optional},
                                               {"User", Need::Optional},
                                               {"Account", Need::Optional},
                                               {"Partition", Need::Optional},
                                               {"Priority", Need::Optional}}};

constexpr std::int64_t kMostUnits = 10'000'000;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 60;

/// Sums over the whole job.
struct Tres {
  std::int64_t cpus = 0;
  std::int64_t nodes = 1;
  std::int64_t gpus = 0;
  std::int64_t typed_gpus = 0;
  std::int64_t bytes = 0;
  std::string gpu_type;
};

/// "128G", "4000M", "1.5T", "512" (MiB).
std::optional<std::int64_t> parse_bytes(std::string_view text) {
  constexpr std::string_view units = "KMGTP";
  std::int64_t scale = std::int64_t{1} << 20;
  if (const auto at = text.empty() ? std::string_view::npos : units.find(text.back());
      at != std::string_view::npos) {
    scale = std::int64_t{1} << (10 * (at + 1));
    text.remove_suffix(1);
  }
  const auto value = parse_scaled(text, scale);
  return value && *value >= 0 && *value <= kMostBytes ? value : std::nullopt;
}

/// False where an amount that matters is no number. Kinds of resource that we do not know are passed over.
bool read_one(std::string_view key, std::string_view value, Tres& sum) {
  if (key == "mem") {
    const auto bytes = parse_bytes(value);
    sum.bytes = bytes.value_or(0);
    return bytes.has_value();
  }
  const bool typed = key.starts_with("gres/gpu:");
  if (key != "cpu" && key != "node" && key != "gres/gpu" && !typed) return true;
  const auto count = parse_int(value);
  if (!count || *count < 0 || *count > kMostUnits) return false;
  if (key == "cpu") sum.cpus = *count;
  if (key == "node") sum.nodes = std::max<std::int64_t>(*count, 1);
  if (key == "gres/gpu") sum.gpus = *count;
  if (typed) {
    sum.typed_gpus += *count;
    sum.gpu_type = std::string(key.substr(9));
  }
  return true;
}

std::optional<Tres> parse_tres(std::string_view text) {
  Tres sum;
  for (const std::string_view part : split(text, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    if (!read_one(trim(part.substr(0, equals)), trim(part.substr(equals + 1)), sum)) return std::nullopt;
  }
  if (sum.gpus == 0) sum.gpus = sum.typed_gpus;
  return sum;
}

/// One worker a node where processors and devices divide evenly, else as many as divide all three.
void set_demand(CsvTable& table, Intake& intake, TraceJob& job) {
  const Column column = table.text(Asked).empty() ? Given : Asked;
  const std::string text = table.has(column) ? table.text(column) : std::string{};
  if (text.empty()) return table.blame(Asked, "blank ReqTRES and AllocTRES: demand unknown");
  const auto tres = parse_tres(text);
  if (!tres) return table.blame(column, "resources cannot be read", "cpu=16,mem=128G,node=2,gres/gpu=8");
  const std::int64_t workers = std::gcd(std::gcd(tres->nodes, tres->cpus), tres->gpus);
  if (workers != tres->nodes) {
    intake.flag("resources do not divide by the nodes: fewer, larger workers", table.line(),
                table.column_of(column), text);
  }
  job.workers = static_cast<std::int32_t>(workers);
  job.each.cpu = tres->cpus / workers * 1000;
  job.each.gpus = static_cast<std::int32_t>(tres->gpus / workers);
  job.each.mem = (tres->bytes + workers - 1) / workers;
  if (!tres->gpu_type.empty() && tres->gpus > 0) {
    job.select = {Selector{.key = "gpu_type", .values = {tres->gpu_type}}};
  }
}

std::optional<JobState> outcome_of(std::string_view state) {
  const std::string_view word = state.substr(0, state.find(' '));  // "CANCELLED by 1000"
  if (word == "COMPLETED") return JobState::Done;
  if (word == "TIMEOUT" || word == "DEADLINE") return JobState::TimedOut;
  if (word == "CANCELLED" || word == "REVOKED") return JobState::Cancelled;
  if (word == "RUNNING" || word == "COMPLETING" || word == "SUSPENDED") return JobState::Running;
  if (word == "PENDING" || word == "REQUEUED") return JobState::Pending;
  if (word == "FAILED" || word == "NODE_FAIL" || word == "OUT_OF_MEMORY" || word == "BOOT_FAIL")
    return JobState::Failed;
  return std::nullopt;
}

std::optional<Instant> time_of(CsvTable& table, Column column) {
  const std::string text = table.text(column);
  if (text.empty() || text == "Unknown" || text == "None") return std::nullopt;
  const auto time = parse_civil(text);
  if (!time) table.blame(column, std::string(kColumns[column].name) + " is no time", "YYYY-MM-DDTHH:MM:SS");
  return time;
}

void set_limit(CsvTable& table, Intake& intake, TraceJob& job) {
  const std::string text = table.text(Limit);
  const auto limit = parse_time_limit(text);
  if (!limit) return table.blame(Limit, "Timelimit cannot be read", limit.error().hint);
  job.limit = limit->value;
  if (limit->assumed)
    intake.flag("Timelimit not stated: taken as none", table.line(), table.column_of(Limit), text);
}

void set_times(CsvTable& table, RawJob& raw) {
  const auto submit = time_of(table, Submit);
  if (!submit) table.blame(Submit, "Submit unknown");
  raw.job.submit = submit.value_or(Instant{});
  const auto start = time_of(table, Start);
  raw.end = time_of(table, End);
  if (!start) {
    raw.end.reset();
    return;
  }
  if (*start < raw.job.submit) table.blame(Start, "starts before it was submitted");
  raw.job.wait_seen = *start - raw.job.submit;
  raw.start = start;
  raw.open_end = !raw.end;
}

RawJob job_of(CsvTable& table, Intake& intake) {
  RawJob raw;
  TraceJob& job = raw.job;
  job.line = table.line();
  raw.column = table.column_of(Number);
  job.name = table.name(Number);
  job.user = table.text(User);
  job.group = table.text(Account);
  job.queue = table.text(Partition);
  job.outcome_seen = outcome_of(table.text(State));
  set_times(table, raw);
  set_demand(table, intake, job);
  set_limit(table, intake, job);
  if (intake.options().importance == TraceRanks::Read && !table.text(Priority).empty()) {
    job.priority =
        static_cast<std::int32_t>(table.whole(Priority, 0, std::numeric_limits<std::int32_t>::max()));
  }
  return raw;
}

}  // namespace

Result<Workload> read_sacct(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  auto table = CsvTable::open(bytes, file, kColumns, HeaderRow::Required, '|');
  if (!table) return fail(std::move(table).error());
  Intake intake(file, options);
  while (table->next()) {
    const std::string id = table->text(Number);
    if (!table->fault() && id.find('.') != std::string::npos) {
      intake.skip("step of a job that has its own row", table->line(), table->column_of(Number), id);
      continue;
    }
    RawJob raw = job_of(*table, intake);
    if (!table->fault()) {
      intake.keep(std::move(raw));
    } else if (auto dropped = intake.drop(*table->fault()); !dropped) {
      return fail(std::move(dropped).error());
    }
  }
  return intake.finish();
}

}  // namespace muster
