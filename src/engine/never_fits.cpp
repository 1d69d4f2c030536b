// What makes a start impossible, as questions about the empty cluster: no node of the kind, the limit of a
// queue, a topology level, or a resource.
#include <algorithm>

#include "engine/asked.hpp"
#include "engine/shortage.hpp"
#include "policy/limits.hpp"

namespace muster {
namespace {

bool no_node_accepts(const State& state, const Unit& unit) {
  const auto roles = roles_of(state, unit);
  return std::any_of(roles.begin(), roles.end(), [&](const RoleAsked& role) {
    const auto& classes = state.ledger.catalogue().accepted(state.job(role.job).shape, role.role);
    return std::none_of(state.ledger.nodes().begin(), state.ledger.nodes().end(), [&](const NodeEntry& e) {
      return std::binary_search(classes.begin(), classes.end(), e.node_class) &&
             accepts_name(role.spec->select, e.spec.name);
    });
  });
}

/// The limit of a queue, or what others never lend, is less than the unit asks for.
std::optional<Why> over_a_limit(const Draft& empty, const Unit& unit) {
  const State& state = empty.state();
  for (const JobId id : unit) {
    for (const QueueId queue : state.ledger.queue(state.job(id).queue).path) {
      auto over = over_queue_limit(empty, queue, charge_under(state, unit, queue));
      // What others keep is told from the job's own queue; seen from one above, its own would count.
      if (!over || (over->reason == Reason::QueueShare && queue != state.job(id).queue)) continue;
      if (over->reason == Reason::QueueShare) over->limit = over->available;
      over->reason = Reason::NeverFits;
      over->available = over->limit;
      return over;
    }
  }
  return std::nullopt;
}

std::int64_t whole_of(const NodeSpec& spec, const std::string& name, std::size_t resource) {
  if (resource == kCpu) return spec.cpu;
  if (resource == kMem) return spec.mem;
  if (resource >= kFirstExtended) return spec.extended[resource - kFirstExtended];
  if (name != kDeviceMemory) return static_cast<std::int64_t>(spec.devices.size()) * kDevice;
  std::int64_t sum = 0;
  for (const Device& device : spec.devices) sum = std::min(kUnlimited, sum + device.mem);
  return sum;
}

/// `available` in all, `limit` on the largest node, of those that it accepts.
void measure(const State& state, const Unit& unit, std::size_t resource, Why& why) {
  const std::string name = resource_name(state, unit, resource);
  why.asked = asked_of(state, unit, resource);
  for (std::size_t n = 0; n < state.ledger.nodes().size(); ++n) {
    if (!accepts_node(state, unit, NodeId{n})) continue;
    const std::int64_t here = whole_of(state.ledger.nodes()[n].spec, name, resource);
    why.available = std::min(kUnlimited, why.available + here);
    why.limit = std::max(why.limit, here);
  }
}

}  // namespace

Why never_fits_why(WhatIf& what_if) {
  const State& state = what_if.state();
  const Unit& unit = what_if.unit();
  Why why{.reason = Reason::NeverFits};
  if (no_node_accepts(state, unit)) {
    name_selectors(state, unit, Which::Unmet, why.names);
    if (why.names.empty()) name_selectors(state, unit, Which::All, why.names);
    return why;
  }
  if (auto over = over_a_limit(what_if.view(View::Empty), unit)) return *over;
  if (what_if.starts(View::Empty, {.user_limit = true, .topology = true})) {
    name_levels(state, unit, why.names);
    return why;
  }
  const auto asked = asked_resources(state, unit);
  std::vector<std::size_t> culprits;
  for (const std::size_t r : asked) {
    if (asked.size() == 1 || what_if.starts(View::Empty, {.user_limit = true, .resource = r}))
      culprits.push_back(r);
  }
  if (culprits.empty()) culprits = asked;
  for (const std::size_t r : culprits) name_resource(state, unit, r, why.names);
  if (!culprits.empty()) measure(state, unit, culprits.front(), why);
  name_selectors(state, unit, Which::All, why.names);
  name_levels(state, unit, why.names);
  return why;
}

}  // namespace muster
