#include "trace/philly_json.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "trace/intake.hpp"
#include "trace/number.hpp"
#include "trace/philly_log.hpp"
#include "trace/table.hpp"

namespace muster {
namespace {

constexpr std::size_t kMostDevicesSeen = 100'000;

/// What the machine list says against what the log shows.
class Machines {
 public:
  explicit Machines(const PhillyCluster& cluster) : from_(cluster.from) {
    for (const PhillyMachine& machine : cluster.machines) {
      table_[machine.ip] = machine.gpus;
      largest_ = std::max(largest_, machine.gpus);
      total_ += machine.gpus;
    }
  }

  void see(const PhillySeat& seat, const JsonToken& place, Intake& intake) {
    auto& devices = seen_[seat.ip];
    devices.insert(seat.devices.begin(), seat.devices.end());
    if (table_.empty()) return;
    const auto known = table_.find(seat.ip);
    if (known == table_.end()) {
      intake.flag("machine is not in the machine list", place.line, place.column, seat.ip);
    } else if (static_cast<std::int64_t>(seat.devices.size()) > known->second) {
      intake.flag("machine " + shown(seat.ip) + " has fewer GPUs in the machine list than a job used there",
                  place.line, place.column,
                  std::to_string(seat.devices.size()) + " of " + std::to_string(known->second));
    }
  }

  [[nodiscard]] bool never_fits(const TraceJob& job) const {
    if (from_ == ClusterFrom::Jobs || table_.empty()) return false;
    return job.each.gpus > largest_ || std::int64_t{job.each.gpus} * job.workers > total_;
  }

  [[nodiscard]] std::vector<NodeSpec> nodes(Intake& intake) const {
    std::vector<NodeSpec> nodes;
    const auto add = [&](const std::string& ip, std::size_t devices) {
      if (devices > kMaxDevices) intake.flag("machine with more devices than a node can have", 0, 0, ip);
      NodeSpec& node = nodes.emplace_back();
      node.name = ip;
      node.devices.resize(std::min(devices, kMaxDevices));
    };
    if (from_ == ClusterFrom::Table) {
      for (const auto& [ip, gpus] : table_) add(ip, static_cast<std::size_t>(gpus));
    } else {
      for (const auto& [ip, devices] : seen_) add(ip, devices.size());
    }
    return nodes;
  }

 private:
  ClusterFrom from_;
  std::map<std::string, std::int32_t> table_;
  std::map<std::string, std::set<std::string>> seen_;
  std::int32_t largest_ = 0;
  std::int64_t total_ = 0;
};

std::optional<JobState> outcome_of(const std::string& status) {
  if (status == "Pass") return JobState::Done;
  if (status == "Failed") return JobState::Failed;
  if (status == "Killed") return JobState::Cancelled;
  if (status == "Running") return JobState::Running;
  return std::nullopt;
}

/// Equal workers that use exactly the devices of the attempt: the greatest common divisor of its parts.
void set_demand(const PhillyAttempt& attempt, TraceJob& job, Intake& intake, const JsonToken& place) {
  std::int32_t each = 0;
  std::size_t parts = 0;
  for (const PhillySeat& seat : attempt.seats) {
    if (seat.devices.empty()) continue;
    each = std::gcd(each, static_cast<std::int32_t>(seat.devices.size()));
    ++parts;
  }
  const auto total = static_cast<std::int32_t>(devices_of(attempt));
  job.each.gpus = each;
  job.workers = total / each;
  if (parts != static_cast<std::size_t>(job.workers)) {
    intake.flag("uneven placement: cut into equal workers", place.line, place.column, job.name);
  }
}

/// The run is the sum of the attempts: the last one's end, counted from a start that lies earlier by the
/// length of the attempts before it.
void set_times(const PhillyRow& row, RawJob& raw, Intake& intake, PhillyLog& reader) {
  TraceJob& job = raw.job;
  const JsonToken& place = reader.place();
  Duration before{0};
  std::optional<Instant> first;
  for (std::size_t i = 0; i < row.attempts.size(); ++i) {
    const PhillyAttempt& attempt = row.attempts[i];
    if (!attempt.start) continue;
    if (!first) first = attempt.start;
    raw.start = *attempt.start - before;
    raw.end = attempt.end;
    raw.open_end = !attempt.end;
    if (i + 1 == row.attempts.size()) break;
    if (!attempt.end) {
      intake.flag("an attempt before the last has no end: not counted", place.line, place.column, job.name);
      raw.start.reset();
      raw.open_end = false;
      continue;
    }
    before += *attempt.end - *attempt.start;
    if (before > kLongest) return reader.blame(place, "attempts too long in sum", "attempts", job.name);
  }
  if (!first) return;
  if (*first < job.submit) {
    intake.flag("started before it was submitted: wait unknown", place.line, place.column, job.name);
  } else {
    job.wait_seen = *first - job.submit;
  }
}

RawJob job_of(const PhillyRow& row, PhillyLog& reader, Intake& intake) {
  const JsonToken& place = reader.place();
  RawJob raw;
  raw.column = place.column;
  TraceJob& job = raw.job;
  job.line = place.line;
  job.name = row.id;
  job.user = row.user;
  job.queue = row.vc;
  job.outcome_seen = outcome_of(row.status);
  job.attempts_seen = static_cast<std::int32_t>(std::min<std::size_t>(row.attempts.size(), 1'000'000));
  if (row.id.empty()) reader.blame(place, "blank jobid", "jobid", {});
  if (!row.submitted) reader.blame(place, "blank submitted_time", "submitted_time", row.id);
  if (row.attempts.empty()) reader.blame(place, "no attempts: demand unknown", "attempts", row.id);
  const auto placed = std::find_if(row.attempts.begin(), row.attempts.end(),
                                   [](const PhillyAttempt& attempt) { return devices_of(attempt) > 0; });
  if (placed == row.attempts.end()) {
    reader.blame(place, "no attempt lists devices: demand unknown", "attempts", row.id);
  } else if (devices_of(*placed) > kMostDevicesSeen) {
    reader.blame(place, "too many devices", "attempts", std::to_string(devices_of(*placed)));
  }
  if (reader.fault()) return raw;
  job.submit = *row.submitted;
  set_demand(*placed, job, intake, place);
  set_times(row, raw, intake, reader);
  for (const PhillyAttempt& attempt : row.attempts) {
    if (devices_of(attempt) == 0 || devices_of(attempt) == devices_of(*placed)) continue;
    intake.flag("attempts differ in their number of GPUs: the first one counts", place.line, place.column,
                row.id);
    break;
  }
  return raw;
}

namespace machine {
enum Column : std::size_t { Ip, Gpus };
constexpr std::array<ColumnSpec, 3> columns{
    {{"machineId"}, {"number of GPUs"}, {"single GPU mem", Need::Optional}}};
}  // namespace machine

}  // namespace

Result<Workload> read_philly_json(std::string_view bytes, const std::string& file, const ReadOptions& options,
                                  const PhillyCluster& cluster) {
  PhillyLog reader(bytes, file);
  Intake intake(file, options);
  Machines machines(cluster);
  if (!reader.begin()) {
    if (!reader.error().message.empty()) return fail(reader.error());
    return fail(Error{.where = {.file = file, .line = 1, .column = 1},
                      .field = {},
                      .message = "not a list of jobs",
                      .hint = "the log is one JSON list"});
  }
  while (const auto row = reader.next()) {
    RawJob raw = job_of(*row, reader, intake);
    if (reader.fault()) {
      if (auto dropped = intake.drop(*reader.fault()); !dropped) return fail(std::move(dropped).error());
      continue;
    }
    for (const PhillyAttempt& attempt : row->attempts) {
      for (const PhillySeat& seat : attempt.seats) machines.see(seat, reader.place(), intake);
    }
    if (machines.never_fits(raw.job)) {
      intake.flag("never fits on the machines of the list", raw.job.line, raw.column, raw.job.name);
    }
    intake.keep(std::move(raw));
  }
  if (reader.broken()) return fail(reader.error());
  Workload extra;
  extra.nodes = machines.nodes(intake);
  return intake.finish(std::move(extra));
}

Result<std::vector<PhillyMachine>> read_philly_machines(std::string_view bytes, const std::string& file) {
  auto table = CsvTable::open(bytes, file, machine::columns, HeaderRow::MayLack);
  if (!table) return fail(std::move(table).error());
  std::vector<PhillyMachine> machines;
  while (table->next()) {
    PhillyMachine one{.ip = table->name(machine::Ip), .gpus = 0};
    one.gpus =
        static_cast<std::int32_t>(table->whole(machine::Gpus, 0, static_cast<std::int64_t>(kMaxDevices)));
    if (table->fault()) {
      const RowFault& fault = *table->fault();
      return fail(Error{.where = {.file = file, .line = fault.line, .column = fault.column},
                        .field = fault.field,
                        .message = fault.cause + ": '" + shown(fault.value) + "'",
                        .hint = fault.hint});
    }
    machines.push_back(std::move(one));
  }
  return machines;
}

}  // namespace muster
