// Queues form a tree; users are charged across it.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "model/resources.hpp"

namespace muster {

struct QueueSpec {
  std::string name;
  std::string parent;                    ///< empty = below the root
  Amounts guarantee;                     ///< entitled to; 0 = nothing
  Amounts limit = Amounts::unlimited();  ///< hard cap of the whole subtree
  std::int64_t weight = 1;               ///< share of what is beyond the guarantees
  std::int32_t priority = 0;             ///< between queues that may take the same free capacity
  bool lend = true;                      ///< false: others may not use what this queue leaves idle

  friend bool operator==(const QueueSpec&, const QueueSpec&) = default;
  static constexpr auto fields =
      std::make_tuple(&QueueSpec::name, &QueueSpec::parent, &QueueSpec::guarantee, &QueueSpec::limit,
                      &QueueSpec::weight, &QueueSpec::priority, &QueueSpec::lend);
};

struct UserSpec {
  std::string name;
  std::int32_t max_running = -1;  ///< jobs at once; -1 = no cap
  std::int64_t past_use = 0;      ///< consumption before the run, in GPU-milliseconds times thousandths

  friend bool operator==(const UserSpec&, const UserSpec&) = default;
  static constexpr auto fields =
      std::make_tuple(&UserSpec::name, &UserSpec::max_running, &UserSpec::past_use);
};

}  // namespace muster
