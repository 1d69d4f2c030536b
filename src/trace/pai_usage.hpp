// What PAI's sensors saw: which worker sat on which device of which machine, when, and how busy it was.
//
// Use is never demand, so it is read apart from the tasks (pai.hpp). Instances of one task may overlap on
// one machine. Two seats share a device only if machine and device NAME are equal. Use above 100 percent is
// in order up to 100 x the machine's cards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "trace/workload.hpp"

namespace muster {

/// One worker on one device of one machine.
struct PaiSeat {
  std::string job;
  std::string task;
  std::string worker;
  std::string machine;
  std::string device;  ///< may be empty: the sensor table often lacks it
  Instant start{};     ///< as in the file
  std::optional<Instant> end;
  std::optional<std::int64_t> use_milli;  ///< thousandths of a percent of one card
};

struct PaiUsage {
  std::vector<PaiSeat> seats;  ///< in order of the sensor rows
  Report report;               ///< on the sensor rows
  Report instances;            ///< on the instance rows
};

struct PaiTables {
  std::string_view
      instances;  ///< job_name,task_name,inst_name,worker_name,inst_id,status,start_time,end_time,machine
  std::string_view
      sensors;  ///< job_name,task_name,worker_name,inst_id,machine,gpu_name,cpu_usage,gpu_wrk_util,...
  std::string_view machines;  ///< machine,gpu_type,cap_cpu,cap_mem,cap_gpu
};

/// Joins the three tables by worker and machine. A sensor row whose worker has no instance row is dropped.
Result<PaiUsage> read_pai_usage(const PaiTables& tables, const ReadOptions& options = {});

/// Equal machine, equal and known device, overlapping times.
bool share_device(const PaiSeat& a, const PaiSeat& b);

}  // namespace muster
