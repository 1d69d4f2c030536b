// Named sets of the switches in policy/knobs.hpp.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "policy/knobs.hpp"

namespace muster {

struct Recipe {
  std::string_view name;
  std::string_view summary;
  Knobs knobs;
};

/// fifo, backfill, fair, las, srtf, srsf and the default, muster.
const std::vector<Recipe>& recipes();
std::optional<Knobs> recipe(std::string_view name);

}  // namespace muster
