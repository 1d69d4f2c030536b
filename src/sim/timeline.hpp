// Who sat where and when, read from a log: the matter of a Gantt chart and of a story told in words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/state.hpp"
#include "model/event.hpp"

namespace muster {

/// A job holding a part of a node for a while.
struct Stretch {
  JobId job;
  NodeId node;
  std::uint32_t attempt = 0;
  std::int64_t milli_gpus = 0;
  Instant from{};
  Instant to{};  ///< the end of the log where it still runs then
};

/// A node that takes no new work for a while, or is gone.
struct Closed {
  NodeId node;
  NodeState state = NodeState::Drained;
  Instant from{};
  Instant to{};
};

struct Timeline {
  State state;                     ///< at the end of the log: names, nodes, queues
  std::vector<Stretch> stretches;  ///< by begin, then job
  std::vector<Closed> closed;
};

Timeline timeline_of(std::span<const Record> log);

/// The records up to and including `at`.
std::span<const Record> up_to(std::span<const Record> log, Instant at);

}  // namespace muster
