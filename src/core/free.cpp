#include "core/free.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/short_list.hpp"

namespace muster {
namespace {

std::int64_t device_mem(const NodeSpec& spec, std::size_t device) { return spec.devices[device].mem; }

/// Sharers that fit on a device with this much left; a device has 1000 thousandths.
std::int64_t sharers_that_fit(std::int64_t share_free, std::int64_t mem_free, const Demand& demand) {
  std::int64_t fit = kUnlimited;
  if (demand.share > 0) fit = std::min(fit, share_free / demand.share);
  if (demand.gpu_mem > 0) fit = std::min(fit, mem_free / demand.gpu_mem);
  return std::max<std::int64_t>(fit, 0);
}

/// Idle devices with enough memory for a worker that takes whole ones.
DeviceSet roomy(const Free& free, const NodeSpec& spec, const Demand& demand) {
  if (demand.gpu_mem == 0) return free.idle;
  DeviceSet set;
  for (DeviceSet rest = free.idle; !rest.empty();) {
    const std::size_t device = rest.first();
    rest.erase(device);
    if (device_mem(spec, device) >= demand.gpu_mem) set.insert(device);
  }
  return set;
}

std::int64_t device_capacity(const Free& free, const NodeSpec& spec, const Demand& demand,
                             std::int64_t enough) {
  if (demand.gpus > 0) return roomy(free, spec, demand).size() / demand.gpus;
  std::int64_t fit = 0;
  for (const SharedDevice& device : free.shared) {
    fit += sharers_that_fit(device.share_free, device.mem_free, demand);
    if (fit >= enough) return enough;
  }
  for (DeviceSet rest = free.idle; !rest.empty();) {
    const std::size_t device = rest.first();
    rest.erase(device);
    fit += sharers_that_fit(kDevice, device_mem(spec, device), demand);
    if (fit >= enough) return enough;
  }
  return fit;
}

DeviceSet choose_shared(const Free& free, const NodeSpec& spec, const Demand& demand) {
  const SharedDevice* best = nullptr;
  for (const SharedDevice& device : free.shared) {
    if (sharers_that_fit(device.share_free, device.mem_free, demand) == 0) continue;
    const bool fuller = best == nullptr || device.share_free < best->share_free ||
                        (device.share_free == best->share_free && device.mem_free < best->mem_free);
    if (fuller) best = &device;
  }
  DeviceSet chosen;
  if (best != nullptr) {
    chosen.insert(best->device);
    return chosen;
  }
  for (DeviceSet rest = free.idle; !rest.empty();) {
    const std::size_t device = rest.first();
    rest.erase(device);
    if (sharers_that_fit(kDevice, device_mem(spec, device), demand) == 0) continue;
    chosen.insert(device);
    return chosen;
  }
  CHECK(false);
  return chosen;
}

/// Devices of one NUMA node and island.
struct Group {
  DeviceSet devices;
  std::uint16_t numa = 0;
  std::uint16_t island = 0;
};
using Groups = ShortList<Group, 8>;

/// The devices by NUMA node and island, in the order of their first members.
Groups groups_of(const DeviceSet& devices, const NodeSpec& spec) {
  Groups groups;
  for (DeviceSet rest = devices; !rest.empty();) {
    const std::size_t device = rest.first();
    rest.erase(device);
    const Device& d = spec.devices[device];
    std::size_t g = 0;
    while (g < groups.size() && (groups[g].numa != d.numa || groups[g].island != d.island)) ++g;
    if (g == groups.size()) groups.push_back({.devices = {}, .numa = d.numa, .island = d.island});
    groups[g].devices.insert(device);
  }
  return groups;
}

DeviceSet choose_whole(const Free& free, const NodeSpec& spec, const Demand& demand) {
  const DeviceSet usable = roomy(free, spec, demand);
  auto wanted = demand.gpus;
  if (usable.size() == wanted) return usable;
  DeviceSet chosen;
  Groups groups = groups_of(usable, spec);
  while (wanted > 0) {
    CHECK(!groups.empty());
    // The smallest group that suffices, else the largest one: fewest groups, least breakage.
    std::size_t best = 0;
    int best_size = groups[0].devices.size();
    for (std::size_t g = 1; g < groups.size(); ++g) {
      const int size = groups[g].devices.size();
      const bool better =
          size >= wanted ? best_size < wanted || size < best_size : best_size < wanted && size > best_size;
      if (!better) continue;
      best = g;
      best_size = size;
    }
    for (DeviceSet rest = groups[best].devices; !rest.empty() && wanted > 0; --wanted) {
      const std::size_t device = rest.first();
      rest.erase(device);
      chosen.insert(device);
    }
    groups.erase(best);
  }
  return chosen;
}

void take_share(Free& free, const NodeSpec& spec, const Demand& demand, std::size_t device) {
  auto at = std::lower_bound(free.shared.begin(), free.shared.end(), device,
                             [](const SharedDevice& d, std::size_t id) { return d.device < id; });
  if (at == free.shared.end() || at->device != device) {
    free.idle.erase(device);
    at = free.shared.insert(at, SharedDevice{.device = static_cast<std::uint32_t>(device),
                                             .share_free = static_cast<std::int32_t>(kDevice),
                                             .mem_free = device_mem(spec, device),
                                             .sharers = 0});
  }
  at->share_free -= demand.share;
  at->mem_free -= demand.gpu_mem;
  ++at->sharers;
}

void give_back_share(Free& free, const NodeSpec& spec, const Demand& demand, std::size_t device) {
  const auto at = std::lower_bound(free.shared.begin(), free.shared.end(), device,
                                   [](const SharedDevice& d, std::size_t id) { return d.device < id; });
  CHECK(at != free.shared.end() && at->device == device);
  at->share_free += demand.share;
  at->mem_free += demand.gpu_mem;
  if (--at->sharers > 0) return;
  free.shared.erase(at);
  if (spec.devices[device].healthy) free.idle.insert(device);
}

}  // namespace

Free all_free(const NodeSpec& spec) {
  Free free{.cpu = spec.cpu, .mem = spec.mem, .idle = {}, .shared = {}, .extended = spec.extended};
  for (std::size_t i = 0; i < spec.devices.size(); ++i) {
    if (spec.devices[i].healthy) free.idle.insert(i);
  }
  return free;
}

std::int64_t capacity(const Free& free, const NodeSpec& spec, const Demand& demand, Column column,
                      const Allowance& allowance, std::int64_t enough) {
  const std::int64_t cpu = column == Column::Firm ? free.cpu : allowance.cpu - free.soft_cpu;
  const std::int64_t mem = column == Column::Firm ? free.mem : allowance.mem - free.soft_mem;
  std::int64_t fit = enough;
  if (demand.cpu > 0) fit = std::min(fit, cpu / demand.cpu);
  if (demand.mem > 0) fit = std::min(fit, mem / demand.mem);
  for (std::size_t i = 0; i < kExtended; ++i) {
    if (demand.extended[i] > 0) fit = std::min(fit, free.extended[i] / demand.extended[i]);
  }
  if (fit <= 0) return 0;
  if (demand.uses_device()) fit = std::min(fit, device_capacity(free, spec, demand, fit));
  return fit;
}

DeviceSet choose_devices(const Free& free, const NodeSpec& spec, const Demand& demand) {
  if (demand.gpus > 0) return choose_whole(free, spec, demand);
  if (demand.shares_device()) return choose_shared(free, spec, demand);
  return {};
}

void take(Free& free, const NodeSpec& spec, const Demand& demand, Column column, const DeviceSet& devices) {
  (column == Column::Firm ? free.cpu : free.soft_cpu) += column == Column::Firm ? -demand.cpu : demand.cpu;
  (column == Column::Firm ? free.mem : free.soft_mem) += column == Column::Firm ? -demand.mem : demand.mem;
  for (std::size_t i = 0; i < kExtended; ++i) free.extended[i] -= demand.extended[i];
  if (demand.gpus > 0) free.idle = free.idle - devices;
  if (demand.shares_device()) take_share(free, spec, demand, devices.first());
}

void give_back(Free& free, const NodeSpec& spec, const Demand& demand, Column column,
               const DeviceSet& devices) {
  (column == Column::Firm ? free.cpu : free.soft_cpu) += column == Column::Firm ? demand.cpu : -demand.cpu;
  (column == Column::Firm ? free.mem : free.soft_mem) += column == Column::Firm ? demand.mem : -demand.mem;
  for (std::size_t i = 0; i < kExtended; ++i) free.extended[i] += demand.extended[i];
  if (demand.shares_device()) return give_back_share(free, spec, demand, devices.first());
  for (DeviceSet rest = devices; !rest.empty();) {
    const std::size_t device = rest.first();
    rest.erase(device);
    if (spec.devices[device].healthy) free.idle.insert(device);
  }
}

}  // namespace muster
