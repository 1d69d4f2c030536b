// How much best-effort work a node may carry beside its services:
//   capacity * (1 - margin) - system - sum of service use, never below 0
// where a service's use on the node is its last sample spread over its replicas, or its request while
// there is none. Without co-location there is no allowance.
#pragma once

#include <optional>

#include "core/state.hpp"

namespace muster {

struct Colocation {
  std::int64_t margin_milli = 0;  ///< thousandths of the capacity kept back
  std::int64_t system_cpu = 0;    ///< millicores
};

enum class Services : std::uint8_t { Counted, Gone };

Allowance allowance(const State& state, NodeId node, const std::optional<Colocation>& colocation,
                    Services services = Services::Counted);

}  // namespace muster
