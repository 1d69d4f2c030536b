// One thing that can be taken from a running job: some of its workers, or all of it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"

namespace muster {

struct Prey {
  JobId job;
  std::vector<std::uint32_t> workers;  ///< ascending; empty = the whole job
};

}  // namespace muster
