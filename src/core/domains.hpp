// Which domains of a preferred level to use: as few as possible, then as few of each outer level.
#pragma once

#include <cstdint>
#include <vector>

#include "core/topology.hpp"

namespace muster {

struct DomainRoom {
  DomainId id;
  std::int64_t room = 0;
};

/// Domains of `level` to use, in the order to fill them, given those with room; empty where even all of
/// them are too small. First the fewest domains of the level; among those choices one that lies in the
/// fewest domains of the next outer level.
std::vector<DomainRoom> fewest_domains(const Topology& topology, std::vector<DomainRoom> candidates,
                                       std::int64_t workers);

}  // namespace muster
