#include "trace/swf.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/text.hpp"
#include "trace/intake.hpp"
#include "trace/number.hpp"

namespace muster {
namespace {

enum Field : std::size_t {
  Job,
  Submit,
  Wait,
  Run,
  Procs,
  CpuTime,
  UsedMem,
  AskedProcs,
  AskedTime,
  AskedMem,
  Status,
  User,
  Group,
  Program,
  Queue,
  Partition,
  Preceding,
  Think,
  Nodes,
  QueueName,
  Shape
};

constexpr std::size_t kStandard = 18;
constexpr std::size_t kExtendedLine = 21;
constexpr std::int64_t kMostProcs = 10'000'000;
constexpr std::int64_t kMostKib = 1'000'000'000'000;

std::string field_name(std::size_t field) { return "field " + std::to_string(field + 1); }

/// The fields of one line. The first fault is remembered, later ones are not.
struct SwfLine {
  std::vector<std::string_view> fields;
  std::vector<int> columns;
  int line = 0;
  std::optional<RowFault> fault;

  void cut(std::string_view text) {
    fields.clear();
    columns.clear();
    fault.reset();
    constexpr std::string_view blanks = " \t\r";
    for (std::size_t at = text.find_first_not_of(blanks); at < text.size();) {
      const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
      fields.push_back(text.substr(at, end - at));
      columns.push_back(static_cast<int>(std::min<std::size_t>(at + 1, std::numeric_limits<int>::max())));
      at = std::min(text.find_first_not_of(blanks, end), text.size());
    }
    if (fields.size() != kStandard && fields.size() != kExtendedLine) {
      fault = RowFault{.cause = "not 18 (or 21) fields",
                       .field = {},
                       .value = std::to_string(fields.size()),
                       .line = line,
                       .column = 1,
                       .hint = {}};
    }
  }

  void blame(std::size_t field, std::string cause) {
    if (fault) return;
    fault = RowFault{.cause = std::move(cause),
                     .field = field_name(field),
                     .value = std::string(fields[field]),
                     .line = line,
                     .column = columns[field],
                     .hint = {}};
  }

  /// A count, or nullopt for -1.
  std::optional<std::int64_t> count(std::size_t field, std::int64_t most) {
    if (fields[field] == "-1") return std::nullopt;
    const auto value = parse_scaled(fields[field], 1);
    if (!value || *value < 0 || *value > most) {
      blame(field, field_name(field) + " is no whole number in range");
      return std::nullopt;
    }
    return value;
  }

  /// Seconds, or nullopt for -1.
  std::optional<Duration> time(std::size_t field) {
    if (fields[field] == "-1") return std::nullopt;
    const auto value = parse_seconds(fields[field]);
    if (!value || *value < Duration{0}) {
      blame(field, field_name(field) + " is no time in seconds");
      return std::nullopt;
    }
    return value;
  }

  /// The number as text, empty for -1.
  std::string label(std::size_t field) {
    const auto value = count(field, std::numeric_limits<std::int32_t>::max());
    return value ? std::to_string(*value) : std::string{};
  }
};

std::optional<JobState> outcome_of(SwfLine& line) {
  const std::string_view status = line.fields[Status];
  if (status == "1") return JobState::Done;
  if (status == "0") return JobState::Failed;
  if (status == "5") return JobState::Cancelled;
  if (status != "-1") line.blame(Status, "unknown status");
  return std::nullopt;
}

bool is_part(const SwfLine& line) {
  const std::string_view status = line.fields[Status];
  return status == "2" || status == "3" || status == "4";
}

/// "3:ppn=8:brno" on a job of 24 processors: 3 workers of 8. Nullopt where it says nothing that adds up.
std::optional<Cut> shape_of(std::string_view text, std::int64_t procs) {
  const auto colon = text.find(":ppn=");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(colon + 5);
  const auto nodes = parse_int(text.substr(0, colon));
  const auto each = parse_int(rest.substr(0, rest.find_first_of(":#")));
  if (!nodes || !each || *nodes < 1 || *each < 1 || *nodes > procs || *each > procs) return std::nullopt;
  if (*nodes * *each != procs) return std::nullopt;
  return Cut{.workers = static_cast<std::int32_t>(*nodes), .each = static_cast<std::int32_t>(*each)};
}

void set_size(SwfLine& line, TraceJob& job, const ReadOptions& options, SwfMemory memory) {
  const auto used = line.count(Procs, kMostProcs);
  const auto asked = line.count(AskedProcs, kMostProcs);
  const std::int64_t procs = asked.value_or(0) > 0 ? *asked : used.value_or(0);
  if (procs <= 0) return line.blame(Procs, "number of processors unknown");
  const bool extended = line.fields.size() == kExtendedLine;
  const auto shape = extended ? shape_of(line.fields[Shape], procs) : std::nullopt;
  const Cut cut = shape ? *shape : cut_evenly(static_cast<std::int32_t>(procs), options.cpus_per_node);
  job.workers = cut.workers;
  job.each.cpu = std::int64_t{cut.each} * 1000;
  if (memory == SwfMemory::Ignore || (memory == SwfMemory::Standard && extended)) return;
  if (memory == SwfMemory::BytesPerJob) {
    const auto total = line.count(AskedMem, kMostKib * 1024);
    if (total) job.each.mem = (*total + cut.workers - 1) / cut.workers;
  } else if (const auto each = line.count(AskedMem, kMostKib)) {
    job.each.mem = *each * 1024 * cut.each;
  }
}

RawJob job_of(SwfLine& line, Intake& intake, SwfMemory memory) {
  RawJob raw;
  TraceJob& job = raw.job;
  job.line = line.line;
  raw.column = line.columns.front();
  job.name = line.label(Job);
  if (job.name.empty()) line.blame(Job, "job number unknown");
  const auto submit = line.time(Submit);
  if (!submit) line.blame(Submit, "submit time unknown");
  job.submit = Instant{submit.value_or(Duration{0})};
  job.wait_seen = line.time(Wait);
  job.run = line.time(Run);
  set_size(line, job, intake.options(), memory);
  job.limit = line.time(AskedTime);
  if (job.limit == Duration{0}) {
    intake.flag("a requested time of 0: taken as no limit", line.line, line.columns[AskedTime], "0");
    job.limit.reset();
  }
  job.outcome_seen = outcome_of(line);
  job.user = line.label(User);
  job.group = line.label(Group);
  job.queue = line.fields.size() == kExtendedLine ? std::string(line.fields[QueueName]) : line.label(Queue);
  return raw;
}

void read_comment(std::string_view text, Workload& out) {
  text.remove_prefix(1);
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view key = trim(text.substr(0, colon));
  if (key.empty() || key.find(' ') != std::string_view::npos) return;
  out.header.emplace_back(key, trim(text.substr(colon + 1)));
}

}  // namespace

Result<Workload> read_swf(std::string_view bytes, const std::string& file, const ReadOptions& options,
                          SwfMemory memory) {
  Intake intake(file, options);
  Workload extra;
  SwfLine line;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view text = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (line.line < std::numeric_limits<int>::max()) ++line.line;
    const std::string_view content = trim(text);
    if (content.empty()) continue;
    if (content.front() == ';') {
      read_comment(content, extra);
      continue;
    }
    line.cut(text);
    if (!line.fault && is_part(line)) {
      intake.skip("part of a job that has its own line", line.line, line.columns[Status],
                  line.fields[Status]);
      continue;
    }
    RawJob raw = line.fault ? RawJob{} : job_of(line, intake, memory);
    if (!line.fault) {
      intake.keep(std::move(raw));
    } else if (auto dropped = intake.drop(*line.fault); !dropped) {
      return fail(std::move(dropped).error());
    }
  }
  return intake.finish(std::move(extra));
}

}  // namespace muster
