// Which domains of a preferred level to use: as few as possible, then as few of each outer level.
#pragma once

#include <cstdint>
#include <vector>

#include "core/topology.hpp"

namespace muster {

/// Domains of `level` to use, in the order to fill them, given the room in each (by index in
/// Topology::at_level); empty where even all of them are too small. First the fewest domains of the
/// level; among those choices one that lies in the fewest domains of the next outer level.
std::vector<DomainId> fewest_domains(const Topology& topology, std::uint32_t level,
                                     const std::vector<std::int64_t>& room, std::int64_t workers);

}  // namespace muster
