#include "engine/shortage.hpp"

#include <algorithm>

#include "core/room.hpp"
#include "engine/asked.hpp"
#include "engine/binding.hpp"
#include "engine/elsewhere.hpp"

namespace muster {
namespace {

bool best_effort(const State& state, const Unit& unit) {
  return std::any_of(unit.begin(), unit.end(),
                     [&](JobId id) { return state.shape(state.job(id)).best_effort; });
}

/// Resources without which it would start; all that it asks for where no single one explains it.
std::vector<std::size_t> short_resources(WhatIf& what_if) {
  auto asked = asked_resources(what_if.state(), what_if.unit());
  if (asked.size() < 2) return asked;
  std::vector<std::size_t> culprits;
  for (const std::size_t r : asked) {
    Waive waive = kNoLimits;
    waive.resource = r;
    if (what_if.starts(View::Now, waive)) culprits.push_back(r);
  }
  return culprits.empty() ? asked : culprits;
}

std::int64_t free_devices(const Free& free, const NodeSpec& spec, bool by_memory) {
  if (!by_memory) {
    std::int64_t sum = free.idle.size() * kDevice;
    for (const SharedDevice& device : free.shared) sum += device.share_free;
    return sum;
  }
  std::int64_t sum = 0;
  for (std::size_t d = 0; d < spec.devices.size(); ++d) {
    if (free.idle.has(d)) sum = std::min(kUnlimited, sum + spec.devices[d].mem);
  }
  for (const SharedDevice& device : free.shared) sum = std::min(kUnlimited, sum + device.mem_free);
  return sum;
}

/// What co-location leaves of the node's allowance.
std::int64_t allowance_left(WhatIf& what_if, NodeId node, std::size_t resource) {
  const Free& free = what_if.view(View::Now).free(node);
  const Allowance all = allowance(what_if.state(), node, what_if.policy().knobs().colocation);
  return resource == kCpu ? all.cpu - free.soft_cpu : all.mem - free.soft_mem;
}

std::int64_t free_on(WhatIf& what_if, NodeId node, std::size_t resource) {
  const State& state = what_if.state();
  const Free& free = what_if.view(View::Now).free(node);
  if (resource >= kFirstExtended) return free.extended[resource - kFirstExtended];
  if (resource == kGpu)
    return free_devices(free, state.ledger.node(node).spec, by_device_memory(state, what_if.unit()));
  if (best_effort(state, what_if.unit())) return allowance_left(what_if, node, resource);
  return resource == kCpu ? free.cpu : free.mem;
}

enum class Nodes : std::uint8_t { Accepted, Others };

std::int64_t sum_free(WhatIf& what_if, std::size_t resource, Nodes which) {
  const State& state = what_if.state();
  std::int64_t sum = 0;
  for (std::size_t n = 0; n < state.ledger.nodes().size(); ++n) {
    const NodeId node{n};
    if (!what_if.view(View::Now).usable(node)) continue;
    if (accepts_node(state, what_if.unit(), node) != (which == Nodes::Accepted)) continue;
    sum = std::min(kUnlimited, sum + std::max<std::int64_t>(free_on(what_if, node, resource), 0));
  }
  return sum;
}

/// Workers of the role that find room in the range, at most as many as must start.
std::int64_t seatable(WhatIf& what_if, const RoleAsked& role, const Range& range) {
  const State& state = what_if.state();
  const Placing what = gang_of(state, role.job, what_if.policy().knobs().colocation);
  const RoleRoom room(what_if.view(View::Now), what, role.role);
  const bool spread = what.shape->spread;
  std::int64_t workers = 0;
  for (const NodeRoom& node : collect(
           room, {.workers = spread ? kUnlimited / 2 : role.workers, .area = {.range = range, .domain = {}}},
           Fill::EmptiestFirst))
    workers += spread ? 1 : node.workers;
  return std::min(workers, role.workers);
}

/// The most of the resource that workers could be given where it is free; not known (kUnlimited) where
/// several roles compete for it, or where all of them find room by themselves.
std::int64_t usable_of(WhatIf& what_if, std::size_t resource) {
  const State& state = what_if.state();
  std::vector<RoleAsked> roles = roles_of(state, what_if.unit());
  std::erase_if(roles, [&](const RoleAsked& role) {
    return asked_each(state, what_if.unit(), *role.spec, resource) == 0 || role.workers == 0;
  });
  if (roles.size() != 1) return kUnlimited;
  const std::int64_t fit = seatable(what_if, roles.front(), state.ledger.topology().everything());
  if (fit >= roles.front().workers) return kUnlimited;
  return fit * asked_each(state, what_if.unit(), *roles.front().spec, resource);
}

/// One reason a resource that is short in sum; if none is, the one that is in the wrong places.
void resource_whys(WhatIf& what_if, std::vector<Why>& found) {
  const State& state = what_if.state();
  const Unit& unit = what_if.unit();
  const auto culprits = short_resources(what_if);
  const auto why_of = [&](Reason reason, std::size_t r) {
    Why why{.reason = reason,
            .asked = asked_of(state, unit, r),
            .available = sum_free(what_if, r, Nodes::Accepted)};
    name_resource(state, unit, r, why.names);
    return why;
  };
  const bool soft = best_effort(state, unit);
  std::vector<Why> whys;
  for (const std::size_t r : culprits) {
    Why why = why_of(soft && r < kGpu ? Reason::Budget : Reason::Capacity, r);
    if (why.asked > why.available) whys.push_back(std::move(why));
  }
  if (whys.empty() && !culprits.empty()) {
    const std::size_t r = culprits.front();
    Why why = why_of(soft && r < kGpu ? Reason::Budget : Reason::Fragmentation, r);
    why.limit = usable_of(what_if, r);
    whys.push_back(std::move(why));
  }
  for (Why& why : whys) {
    for (const std::size_t r : culprits) name_resource(state, unit, r, why.names);
    name_selectors(state, unit, Which::All, why.names);
    found.push_back(std::move(why));
  }
}

/// Nodes that are down, drained or unreachable, or broken devices, without which it waits.
void node_why(WhatIf& what_if, std::vector<Why>& found) {
  if (!what_if.starts(View::Intact, kNoLimits)) return;
  const State& state = what_if.state();
  const bool up_suffices = what_if.starts(View::NodesUp, kNoLimits);
  Why why{.reason = up_suffices ? Reason::Draining : Reason::Unhealthy};
  constexpr std::size_t kMostNames = 16;
  for (std::size_t n = 0; n < state.ledger.nodes().size(); ++n) {
    const NodeEntry& entry = state.ledger.nodes()[n];
    const bool broken = std::any_of(entry.spec.devices.begin(), entry.spec.devices.end(),
                                    [](const Device& device) { return !device.healthy; });
    const bool unusable = entry.state != NodeState::Up || (!up_suffices && broken);
    if (!unusable || !accepts_node(state, what_if.unit(), NodeId{n})) continue;
    ++why.available;
    if (why.names.size() < kMostNames) why.names.push_back({Named::Node, entry.spec.name});
  }
  if (why.names.empty()) return;
  if (!up_suffices) why.names.insert(why.names.begin(), {Named::Resource, state.resources.name(kGpu)});
  found.push_back(std::move(why));
}

/// Workers that find room in the best domain of the one level required; kUnlimited where it is not so simple.
std::int64_t best_domain(WhatIf& what_if, const std::vector<WhyName>& names) {
  const State& state = what_if.state();
  const Topology& topology = state.ledger.topology();
  const auto roles = roles_of(state, what_if.unit());
  const auto levels = std::count_if(names.begin(), names.end(),
                                    [](const WhyName& name) { return name.kind == Named::Level; });
  if (roles.size() != 1 || levels != 1 || state.job(roles.front().job).running()) return kUnlimited;
  const bool spread = state.shape(state.job(roles.front().job)).spread;
  if (spread) return seatable(what_if, roles.front(), topology.everything());
  const std::uint32_t level = topology.level_index(names.front().name);
  std::int64_t best = 0;
  if (level == topology.depth()) {
    for (std::uint32_t p = 0; p < topology.everything().end; ++p)
      best = std::max(best, seatable(what_if, roles.front(), {p, p + 1}));
    return best;
  }
  if (level > topology.depth()) return kUnlimited;
  for (const DomainId id : topology.at_level(level)) {
    if (!topology.domain(id).name.empty())
      best = std::max(best, seatable(what_if, roles.front(), topology.domain(id).range));
  }
  return best;
}

/// The levels (or spread) without which it would start.
void topology_why(WhatIf& what_if, std::vector<Why>& found) {
  const State& state = what_if.state();
  Why why{.reason = Reason::Topology};
  name_levels(state, what_if.unit(), why.names);
  Waive waive = kNoLimits;
  waive.topology = true;
  if (why.names.empty() || !what_if.starts(View::Now, waive)) return;
  for (const RoleAsked& role : roles_of(state, what_if.unit())) why.asked += role.workers;
  why.available = best_domain(what_if, why.names);
  found.push_back(std::move(why));
}

/// Nodes of another kind, by device type or label, have room.
void kind_why(WhatIf& what_if, std::vector<Why>& found) {
  const State& state = what_if.state();
  Why why{.reason = Reason::GpuType};
  name_selectors(state, what_if.unit(), Which::All, why.names);
  std::erase_if(why.names,
                [](const WhyName& name) { return name.kind == Named::Node || name.name == "node"; });
  const auto asked = asked_resources(state, what_if.unit());
  if (why.names.empty() || asked.empty()) return;
  const std::size_t r = std::find(asked.begin(), asked.end(), kGpu) != asked.end() ? kGpu : asked.front();
  why.limit = free_elsewhere(what_if, r);
  if (why.limit == 0 || !fits_instead(what_if, {})) return;
  why.asked = asked_of(state, what_if.unit(), r);
  why.available = free_of(what_if, r);
  why.names.insert(why.names.begin(), {Named::Resource, resource_name(state, what_if.unit(), r)});
  found.push_back(std::move(why));
}

/// What is free is kept for others.
void reserved_why(WhatIf& what_if, std::vector<Why>& found) {
  const State& state = what_if.state();
  if (state.reserving.empty() || !what_if.starts(View::Unreserved, kNoLimits)) return;
  Why why{.reason = Reason::Reserved};
  for (const JobId id : state.reserving) {
    const Placement& kept = state.job(id).extra->reserved;
    const bool held_back = std::any_of(kept.begin(), kept.end(), [&](const Seat& seat) {
      return what_if.view(View::Now).is_touched(seat.node);
    });
    const Unit& unit = what_if.unit();
    if (!held_back || std::find(unit.begin(), unit.end(), id) != unit.end()) continue;
    why.names.push_back({Named::Job, state.job(id).name});
    why.asked += static_cast<std::int64_t>(kept.size());
  }
  found.push_back(std::move(why));
}

}  // namespace

std::vector<Why> room_whys(WhatIf& what_if) {
  std::vector<Why> found;
  node_why(what_if, found);
  topology_why(what_if, found);
  resource_whys(what_if, found);
  kind_why(what_if, found);
  reserved_why(what_if, found);
  return found;
}

std::int64_t free_of(WhatIf& what_if, std::size_t resource) {
  return sum_free(what_if, resource, Nodes::Accepted);
}

std::int64_t free_elsewhere(WhatIf& what_if, std::size_t resource) {
  return sum_free(what_if, resource, Nodes::Others);
}

}  // namespace muster
