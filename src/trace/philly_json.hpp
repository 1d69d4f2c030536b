// Philly's original job log: one JSON list of
//   {"status", "vc", "jobid", "user", "submitted_time",
//    "attempts": [{"start_time", "end_time", "detail": [{"ip", "gpus": [...]}]}]}
// Times are civil, without zone, or null / "None". A row of the report is one element of the list.
//
// wait = first start - submit; run = sum of all attempts; demand = the devices of the first attempt that
// lists any (later ones are retries of the same job). A job whose attempts list no device was never placed:
// its demand is unknown and it is dropped. Uneven placements (8 + 4) become equal workers (3 x 4), so
// that the sum stays exact.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "trace/workload.hpp"

namespace muster {

/// One line of the trace's machine list.
struct PhillyMachine {
  std::string ip;
  std::int32_t gpus = 0;
};

/// Where Workload::nodes come from. The log and the machine list contradict each other in places; the demand
/// always follows the log, each contradiction is flagged by machine, and `Table` also flags the jobs that
/// no machine of the list can hold.
enum class ClusterFrom : std::uint8_t {
  Jobs,  ///< each machine has the devices that jobs were seen on
  Table
};

struct PhillyCluster {
  std::vector<PhillyMachine> machines;  ///< may be empty
  ClusterFrom from = ClusterFrom::Jobs;
};

Result<Workload> read_philly_json(std::string_view bytes, const std::string& file,
                                  const ReadOptions& options = {}, const PhillyCluster& cluster = {});

/// The machine list: machineId,number of GPUs,single GPU mem.
Result<std::vector<PhillyMachine>> read_philly_machines(std::string_view bytes, const std::string& file);

}  // namespace muster
