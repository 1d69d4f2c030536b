// What a unit asks for, summed over its jobs, and which nodes could give it: the vocabulary of reasons.
//
// A worker that asks for device memory alone is charged no part of a device; there the amounts of "gpu" count
// MiB of device memory, and are named so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/what_if.hpp"

namespace muster {

inline constexpr const char* kDeviceMemory = "gpu_mem";

/// One role of one of its jobs.
struct RoleAsked {
  JobId job;
  std::size_t role = 0;
  std::int64_t workers = 0;  ///< that must start
  const RoleSpec* spec = nullptr;
};
std::vector<RoleAsked> roles_of(const State& state, const Unit& unit);

/// Resources that some worker asks for.
std::vector<std::size_t> asked_resources(const State& state, const Unit& unit);
/// Device memory is all that the unit asks of devices.
bool by_device_memory(const State& state, const Unit& unit);
std::int64_t asked_of(const State& state, const Unit& unit, std::size_t resource);
/// Of one worker of the role.
std::int64_t asked_each(const State& state, const Unit& unit, const RoleSpec& role, std::size_t resource);
std::string resource_name(const State& state, const Unit& unit, std::size_t resource);

/// Names of the resource, as reasons list them: device memory is also a matter of the device.
void name_resource(const State& state, const Unit& unit, std::size_t resource, std::vector<WhyName>& names);

/// Does any role of the unit accept the node?
bool accepts_node(const State& state, const Unit& unit, NodeId node);

enum class Which : std::uint8_t { All, Unmet };
/// Selectors of the unit: those no node meets, or all.
void name_selectors(const State& state, const Unit& unit, Which which, std::vector<WhyName>& names);
/// Required levels; spread as level "node" and key "spread".
void name_levels(const State& state, const Unit& unit, std::vector<WhyName>& names);

}  // namespace muster
