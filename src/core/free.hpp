// What is free on one node, and the arithmetic of one worker on it: does it fit, how many fit, which
// devices it gets. Used for the real nodes and for the copies a Draft changes.
//
// Two columns: firm work uses `cpu` and `mem`; best-effort work uses the allowance that co-location
// leaves (`soft_cpu`, `soft_mem` count what it holds). Devices are shared by both columns.
#pragma once

#include <cstdint>
#include <vector>

#include "model/node.hpp"
#include "model/plan.hpp"

namespace muster {

/// A healthy device that sharers use.
struct SharedDevice {
  std::uint32_t device = 0;
  std::int32_t share_free = 0;  ///< thousandths
  std::int64_t mem_free = 0;    ///< MiB
  std::uint32_t sharers = 0;
  friend bool operator==(const SharedDevice&, const SharedDevice&) = default;
};

struct Free {
  std::int64_t cpu = 0;  ///< may be negative in a draft only: reserved beyond what is free yet
  std::int64_t mem = 0;
  DeviceSet idle;                    ///< healthy devices nobody uses
  std::vector<SharedDevice> shared;  ///< ascending by device
  std::array<std::int64_t, kExtended> extended{};
  std::int64_t soft_cpu = 0;  ///< millicores held by best-effort work
  std::int64_t soft_mem = 0;
  friend bool operator==(const Free&, const Free&) = default;
};

enum class Column : std::uint8_t { Firm, BestEffort };

/// Allowance of best-effort work on a node: what it may hold in all, in the units of `soft_*`.
struct Allowance {
  std::int64_t cpu = 0;
  std::int64_t mem = kUnlimited;
};

Free all_free(const NodeSpec& spec);

/// How many workers of this demand fit beside each other, at most `enough`.
std::int64_t capacity(const Free& free, const NodeSpec& spec, const Demand& demand, Column column,
                      const Allowance& allowance, std::int64_t enough);

/// Devices for one worker: whole devices from the fewest islands and NUMA nodes, leaving the largest
/// islands intact; a sharer goes to the fullest device that can take it. REQUIRES: it fits.
DeviceSet choose_devices(const Free& free, const NodeSpec& spec, const Demand& demand);

void take(Free& free, const NodeSpec& spec, const Demand& demand, Column column, const DeviceSet& devices);
void give_back(Free& free, const NodeSpec& spec, const Demand& demand, Column column,
               const DeviceSet& devices);

}  // namespace muster
