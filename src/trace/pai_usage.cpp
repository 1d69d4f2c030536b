#include "trace/pai_usage.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "trace/intake.hpp"
#include "trace/table.hpp"

namespace muster {
namespace {

constexpr std::int64_t kMostCards = 128;
constexpr std::int64_t kOneCard = 100'000;  // 100 percent in thousandths
constexpr std::int64_t kMostUse = kMostCards * kOneCard;

namespace instance {
enum Column : std::size_t { Job, Task, Name, Worker, Id, Status, Start, End, Machine };
constexpr std::array<ColumnSpec, 9> columns{{{"job_name"},
                                             {"task_name"},
                                             {"inst_name"},
                                             {"worker_name"},
                                             {"inst_id"},
                                             {"status"},
                                             {"start_time"},
                                             {"end_time"},
                                             {"machine"}}};
}  // namespace instance

namespace sensor {
enum Column : std::size_t { Job, Task, Worker, Id, Machine, Device, Cpu, Gpu };
constexpr std::array<ColumnSpec, 16> columns{{{"job_name"},
                                              {"task_name"},
                                              {"worker_name"},
                                              {"inst_id"},
                                              {"machine"},
                                              {"gpu_name"},
                                              {"cpu_usage"},
                                              {"gpu_wrk_util"},
                                              {"avg_mem", Need::Optional},
                                              {"max_mem", Need::Optional},
                                              {"avg_gpu_wrk_mem", Need::Optional},
                                              {"max_gpu_wrk_mem", Need::Optional},
                                              {"read", Need::Optional},
                                              {"write", Need::Optional},
                                              {"read_count", Need::Optional},
                                              {"write_count", Need::Optional}}};
}  // namespace sensor

namespace machine {
enum Column : std::size_t { Name, Type, Cpu, Mem, Gpu };
constexpr std::array<ColumnSpec, 5> columns{
    {{"machine"}, {"gpu_type"}, {"cap_cpu"}, {"cap_mem"}, {"cap_gpu"}}};
}  // namespace machine

struct Instance {
  Instant start{};
  std::optional<Instant> end;
};
using Instances = std::map<std::string, Instance, std::less<>>;
using Cards = std::map<std::string, std::int64_t, std::less<>>;

Result<Cards> read_cards(std::string_view bytes) {
  auto table = CsvTable::open(bytes, "machines", machine::columns, HeaderRow::MayLack);
  if (!table) return fail(std::move(table).error());
  Cards cards;
  while (table->next()) {
    const std::string name = table->name(machine::Name);
    const std::int64_t count = table->whole(machine::Gpu, 0, kMostCards);
    if (!table->fault()) cards[name] = count;
  }
  return cards;
}

Result<Instances> read_instances(std::string_view bytes, Intake& intake) {
  auto table = CsvTable::open(bytes, intake.file(), instance::columns, HeaderRow::MayLack);
  if (!table) return fail(std::move(table).error());
  Instances found;
  while (table->next()) {
    table->name(instance::Job);
    table->name(instance::Task);
    table->name(instance::Machine);
    const std::string worker = table->name(instance::Worker);
    Instance one{.start = Instant{table->must_seconds(instance::Start)}, .end = {}};
    const auto end = table->maybe_seconds(instance::End);
    if (end && *end != Duration{0}) one.end = Instant{*end};
    if (!table->fault()) {
      intake.keep_row();
      found.emplace(worker, one);
    } else if (auto dropped = intake.drop(*table->fault()); !dropped) {
      return fail(std::move(dropped).error());
    }
  }
  return found;
}

PaiSeat seat_of(CsvTable& table, const Instances& instances, const Cards& cards) {
  PaiSeat seat;
  seat.job = table.name(sensor::Job);
  seat.task = table.name(sensor::Task);
  seat.worker = table.name(sensor::Worker);
  seat.machine = table.name(sensor::Machine);
  seat.device = table.text(sensor::Device);
  seat.use_milli = table.maybe_decimal(sensor::Gpu, 3, kMostUse);
  const auto known = instances.find(seat.worker);
  if (known == instances.end()) {
    table.blame(sensor::Worker, "no instance row for this worker");
    return seat;
  }
  seat.start = known->second.start;
  seat.end = known->second.end;
  const auto cards_there = cards.find(seat.machine);
  // A machine that the table lacks bounds nothing beyond kMostUse.
  if (cards_there != cards.end() && seat.use_milli.value_or(0) > cards_there->second * kOneCard) {
    table.blame(sensor::Gpu, "busier than all cards of the machine");
  }
  return seat;
}

}  // namespace

Result<PaiUsage> read_pai_usage(const PaiTables& tables, const ReadOptions& options) {
  const auto cards = read_cards(tables.machines);
  if (!cards) return fail(cards.error());
  Intake instances("instances", options);
  const auto known = read_instances(tables.instances, instances);
  if (!known) return fail(known.error());
  auto table = CsvTable::open(tables.sensors, "sensors", sensor::columns, HeaderRow::MayLack);
  if (!table) return fail(std::move(table).error());
  Intake sensors("sensors", options);
  PaiUsage usage;
  while (table->next()) {
    PaiSeat seat = seat_of(*table, *known, *cards);
    if (!table->fault()) {
      sensors.keep_row();
      usage.seats.push_back(std::move(seat));
    } else if (auto dropped = sensors.drop(*table->fault()); !dropped) {
      return fail(std::move(dropped).error());
    }
  }
  auto instance_account = instances.finish();
  auto sensor_account = sensors.finish();
  if (!instance_account) return fail(std::move(instance_account).error());
  if (!sensor_account) return fail(std::move(sensor_account).error());
  usage.instances = std::move(instance_account->report);
  usage.report = std::move(sensor_account->report);
  return usage;
}

bool share_device(const PaiSeat& a, const PaiSeat& b) {
  if (a.machine != b.machine || a.device.empty() || a.device != b.device) return false;
  const Instant a_end = a.end.value_or(kNever);
  const Instant b_end = b.end.value_or(kNever);
  return a.start < b_end && b.start < a_end;
}

}  // namespace muster
