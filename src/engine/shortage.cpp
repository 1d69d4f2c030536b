#include "engine/shortage.hpp"

#include <algorithm>
#include <set>

#include "policy/limits.hpp"

namespace muster {
namespace {

const Shape& shape_of(const State& state, JobId id) { return state.shape(state.job(id)); }

bool starts(Draft draft, const Scene& scene, const Unit& unit, const Waive& waive) {
  return seat_unit(draft, scene, unit, waive).has_value();
}

bool accepted(const State& state, const Unit& unit, NodeId node) {
  const NodeEntry& entry = state.ledger.node(node);
  for (const JobId id : unit) {
    const Job& job = state.job(id);
    const Shape& shape = shape_of(state, id);
    for (std::size_t r = 0; r < shape.roles.size(); ++r) {
      const auto& classes = state.ledger.catalogue().accepted(job.shape, r);
      if (std::binary_search(classes.begin(), classes.end(), entry.node_class) &&
          accepts_name(shape.roles[r].select, entry.spec.name)) {
        return true;
      }
    }
  }
  return false;
}

/// Does some node of the cluster satisfy this selector by itself?
bool met(const State& state, const Selector& selector) {
  return std::any_of(state.ledger.nodes().begin(), state.ledger.nodes().end(), [&](const NodeEntry& entry) {
    return accepts({selector}, class_of(entry.spec)) && accepts_name({selector}, entry.spec.name);
  });
}

void name_selector(const Selector& selector, std::vector<WhyName>& names) {
  names.push_back({Named::Key, selector.key});
  for (const std::string& value : selector.values) {
    names.push_back({selector.key == "node" ? Named::Node : Named::Value, value});
  }
}

enum class Which : std::uint8_t { All, Unmet };

/// Selectors of the unit: those no node meets, or all.
void name_selectors(const State& state, const Unit& unit, Which which, std::vector<WhyName>& names) {
  std::set<Selector> seen;
  for (const JobId id : unit) {
    for (const RoleSpec& role : shape_of(state, id).roles)
      seen.insert(role.select.begin(), role.select.end());
  }
  for (const Selector& selector : seen) {
    if (which == Which::All || !met(state, selector)) name_selector(selector, names);
  }
}

bool no_node_accepts(const State& state, const Unit& unit) {
  for (const JobId id : unit) {
    const Shape& shape = shape_of(state, id);
    for (std::size_t r = 0; r < shape.roles.size(); ++r) {
      const auto& classes = state.ledger.catalogue().accepted(state.job(id).shape, r);
      const bool any =
          std::any_of(state.ledger.nodes().begin(), state.ledger.nodes().end(), [&](const NodeEntry& e) {
            return std::binary_search(classes.begin(), classes.end(), e.node_class) &&
                   accepts_name(shape.roles[r].select, e.spec.name);
          });
      if (!any) return true;
    }
  }
  return false;
}

std::vector<std::size_t> asked_resources(const State& state, const Unit& unit) {
  std::vector<std::size_t> resources;
  for (std::size_t r = 0; r < kResources; ++r) {
    const auto demands = demands_of(state, unit);
    const bool asked = std::any_of(demands.begin(), demands.end(), [&](const Demand& each) {
      return each.charge()[r] > 0 || (r == kGpu && each.uses_device());
    });
    if (asked) resources.push_back(r);
  }
  return resources;
}

/// Resources without which it would start; all that it asks for where no single one explains it.
std::vector<std::size_t> short_resources(const Draft& draft, const Scene& scene, const Unit& unit,
                                         Waive waive) {
  const auto asked = asked_resources(scene.state, unit);
  std::vector<std::size_t> culprits;
  for (const std::size_t r : asked) {
    waive.resource = r;
    if (starts(draft, scene, unit, waive)) culprits.push_back(r);
  }
  return culprits.empty() ? asked : culprits;
}

void name_levels(const State& state, const Unit& unit, std::vector<WhyName>& names) {
  const auto add = [&](const std::string& level) {
    const WhyName name{Named::Level, level};
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const JobId id : unit) {
    const Shape& shape = shape_of(state, id);
    for (const Near& near : shape.near) {
      if (near.mode == Locality::Required) add(near.level);
    }
    for (const RoleSpec& role : shape.roles) {
      for (const Near& near : role.near) {
        if (near.mode == Locality::Required) add(near.level);
      }
    }
    if (shape.spread) add("node");
  }
}

Draft empty_draft(const State& state) {
  Draft empty(state);
  empty.assume_empty();
  return empty;
}

}  // namespace

std::vector<Demand> demands_of(const State& state, const Unit& unit) {
  std::vector<Demand> demands;
  for (const JobId id : unit) {
    for (const RoleSpec& role : shape_of(state, id).roles) demands.push_back(role.each);
  }
  return demands;
}

std::int64_t asked_of(const State& state, const Unit& unit, std::size_t resource) {
  return charge_of(state, unit)[resource];
}

std::int64_t free_of(const Scene& scene, const Unit& unit, std::size_t resource) {
  const Draft draft = view_for(scene, unit);
  std::int64_t sum = 0;
  for (std::size_t n = 0; n < scene.state.ledger.nodes().size(); ++n) {
    const NodeId node{n};
    if (!draft.usable(node) || !accepted(scene.state, unit, node)) continue;
    const Free& free = draft.free(node);
    std::int64_t here = 0;
    if (resource == kCpu) here = free.cpu;
    if (resource == kMem) here = free.mem;
    if (resource == kGpu) {
      here = free.idle.size() * kDevice;
      for (const SharedDevice& device : free.shared) here += device.share_free;
    }
    if (resource >= kFirstExtended) here = free.extended[resource - kFirstExtended];
    sum = std::min(kUnlimited, sum + std::max<std::int64_t>(here, 0));
  }
  return sum;
}

Why never_fits_why(const Scene& scene, const Unit& unit) {
  const State& state = scene.state;
  Why why{.reason = Reason::NeverFits};
  if (no_node_accepts(state, unit)) {
    name_selectors(state, unit, Which::Unmet, why.names);
    if (why.names.empty()) name_selectors(state, unit, Which::All, why.names);
    return why;
  }
  const Draft empty = empty_draft(state);
  const QueueId queue = state.job(unit.front()).queue;
  if (auto over = over_queue_limit(empty, queue, charge_of(state, unit))) {
    over->reason = Reason::NeverFits;
    over->available = over->limit;
    return *over;
  }
  if (starts(empty, scene, unit, {.user_limit = true, .topology = true})) {
    name_levels(state, unit, why.names);
    return why;
  }
  const auto resources = short_resources(empty, scene, unit, {.user_limit = true});
  for (const std::size_t r : resources) why.names.push_back({Named::Resource, state.resources.name(r)});
  if (!resources.empty()) {
    why.asked = asked_of(state, unit, resources.front());
    why.available = total_capacity(state)[resources.front()];
  }
  name_selectors(state, unit, Which::All, why.names);
  name_levels(state, unit, why.names);
  return why;
}

Why node_why(const Scene& scene, const Unit& unit) {
  const State& state = scene.state;
  Draft up = view_for(scene, unit);
  up.assume_nodes_up();
  const bool nodes_suffice = starts(up, scene, unit, {});
  Why why{.reason = nodes_suffice ? Reason::Draining : Reason::Unhealthy};
  constexpr std::size_t kMostNames = 16;
  for (std::size_t n = 0; n < state.ledger.nodes().size() && why.names.size() < kMostNames; ++n) {
    const NodeEntry& entry = state.ledger.nodes()[n];
    const bool broken = std::any_of(entry.spec.devices.begin(), entry.spec.devices.end(),
                                    [](const Device& device) { return !device.healthy; });
    const bool unusable = entry.state != NodeState::Up || (!nodes_suffice && broken);
    if (!unusable || !accepted(state, unit, NodeId{n})) continue;
    why.names.push_back({Named::Node, entry.spec.name});
    ++why.available;
  }
  if (!nodes_suffice) why.names.insert(why.names.begin(), {Named::Resource, state.resources.name(kGpu)});
  return why;
}

Why topology_why(const Scene& scene, const Unit& unit) {
  Why why{.reason = Reason::Topology};
  name_levels(scene.state, unit, why.names);
  for (const JobId id : unit) why.asked += shape_of(scene.state, id).gang();
  return why;
}

Why shortage_why(const Scene& scene, const Unit& unit) {
  const State& state = scene.state;
  const bool soft =
      std::any_of(unit.begin(), unit.end(), [&](JobId id) { return shape_of(state, id).best_effort; });
  const auto resources =
      short_resources(view_for(scene, unit), scene, unit, {.user_limit = true, .queue_limit = true});
  Why why{.reason = soft ? Reason::Budget : Reason::Fragmentation};
  for (const std::size_t r : resources) {
    const std::int64_t asked = asked_of(state, unit, r);
    const std::int64_t free = free_of(scene, unit, r);
    if (why.names.empty() || asked > free) {
      why.asked = asked;
      why.available = free;
    }
    if (!soft && asked > free) why.reason = Reason::Capacity;
    why.names.push_back({Named::Resource, state.resources.name(r)});
  }
  name_selectors(state, unit, Which::All, why.names);
  return why;
}

}  // namespace muster
