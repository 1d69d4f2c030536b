#include "engine/asked.hpp"

#include <algorithm>
#include <set>

namespace muster {
namespace {

const Shape& shape_of(const State& state, JobId id) { return state.shape(state.job(id)); }

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

void name_once(const WhyName& name, std::vector<WhyName>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

std::vector<RoleAsked> roles_of(const State& state, const Unit& unit) {
  std::vector<RoleAsked> roles;
  for (const JobId id : unit) {
    const Shape& shape = shape_of(state, id);
    for (std::size_t r = 0; r < shape.roles.size(); ++r) {
      const Count& count = shape.roles[r].count;
      const bool service = shape.kind == JobKind::Service;
      roles.push_back({.job = id,
                       .role = r,
                       .workers = service ? std::min(1, count.max) : count.min,
                       .spec = &shape.roles[r]});
    }
  }
  return roles;
}

std::vector<std::size_t> asked_resources(const State& state, const Unit& unit) {
  std::vector<std::size_t> resources;
  const auto roles = roles_of(state, unit);
  for (std::size_t r = 0; r < kResources; ++r) {
    const bool asked = std::any_of(roles.begin(), roles.end(), [&](const RoleAsked& role) {
      return role.spec->each.charge()[r] > 0 || (r == kGpu && role.spec->each.uses_device());
    });
    if (asked) resources.push_back(r);
  }
  return resources;
}

bool by_device_memory(const State& state, const Unit& unit) { return charge_of(state, unit)[kGpu] == 0; }

std::int64_t asked_of(const State& state, const Unit& unit, std::size_t resource) {
  if (resource != kGpu || !by_device_memory(state, unit)) return charge_of(state, unit)[resource];
  std::int64_t sum = 0;
  for (const RoleAsked& role : roles_of(state, unit)) sum += role.workers * role.spec->each.gpu_mem;
  return sum;
}

std::int64_t asked_each(const State& state, const Unit& unit, const RoleSpec& role, std::size_t resource) {
  if (resource != kGpu || !by_device_memory(state, unit)) return role.each.charge()[resource];
  return role.each.gpu_mem;
}

std::string resource_name(const State& state, const Unit& unit, std::size_t resource) {
  return resource == kGpu && by_device_memory(state, unit) ? kDeviceMemory : state.resources.name(resource);
}

void name_resource(const State& state, const Unit& unit, std::size_t resource, std::vector<WhyName>& names) {
  name_once({Named::Resource, resource_name(state, unit, resource)}, names);
  if (names.back().name == kDeviceMemory) name_once({Named::Resource, state.resources.name(kGpu)}, names);
}

bool accepts_node(const State& state, const Unit& unit, NodeId node) {
  const NodeEntry& entry = state.ledger.node(node);
  return std::any_of(unit.begin(), unit.end(), [&](JobId id) {
    const Job& job = state.job(id);
    const Shape& shape = state.shape(job);
    for (std::size_t r = 0; r < shape.roles.size(); ++r) {
      const auto& classes = state.ledger.catalogue().accepted(job.shape, r);
      if (std::binary_search(classes.begin(), classes.end(), entry.node_class) &&
          accepts_name(shape.roles[r].select, entry.spec.name)) {
        return true;
      }
    }
    return false;
  });
}

void name_selectors(const State& state, const Unit& unit, Which which, std::vector<WhyName>& names) {
  std::set<Selector> seen;
  for (const RoleAsked& role : roles_of(state, unit))
    seen.insert(role.spec->select.begin(), role.spec->select.end());
  for (const Selector& selector : seen) {
    if (which == Which::All || !met(state, selector)) name_selector(selector, names);
  }
}

void name_levels(const State& state, const Unit& unit, std::vector<WhyName>& names) {
  const auto add = [&](const std::vector<Near>& wishes) {
    for (const Near& near : wishes) {
      if (near.mode == Locality::Required) name_once({Named::Level, near.level}, names);
    }
  };
  for (const JobId id : unit) {
    const Shape& shape = shape_of(state, id);
    add(shape.near);
    for (const RoleSpec& role : shape.roles) add(role.near);
    if (!shape.spread) continue;
    name_once({Named::Level, "node"}, names);
    name_once({Named::Key, "spread"}, names);
  }
}

}  // namespace muster
