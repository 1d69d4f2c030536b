// A schedule drawn in letters: one row a node, one cell a slice of time.
//
//   #  all GPUs of the node are held      1-9  so many of them, on average over the slice (9 = 9 or more)
//   .  idle                               x    drained, down or unreachable
//
// A job that holds a whole node writes its name into the row where there is room.
#pragma once

#include <string>
#include <vector>

#include "cli/paint.hpp"
#include "sim/timeline.hpp"

namespace muster::cli {

struct ChartOptions {
  Instant from{};
  Instant to{};
  std::vector<NodeId> nodes;
  std::size_t cells = 72;
};

std::string chart(const Timeline& timeline, const ChartOptions& options, const Paint& paint);

/// The jobs with most GPU-time in the window, at most `most`, as a table.
std::string legend(const Timeline& timeline, const ChartOptions& options, std::size_t most,
                   const Paint& paint);

/// Nodes whose names match `pattern`, where * stands for any letters; all of them for an empty one.
std::vector<NodeId> nodes_named(const State& state, const std::string& pattern);

}  // namespace muster::cli
