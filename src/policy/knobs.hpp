// The switches every policy is made of. A recipe (policy/recipes.hpp) is a named set of them, and a
// scenario's `policy` sets the same ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.hpp"
#include "core/allowance.hpp"

namespace muster {

enum class Order : std::uint8_t {
  Submit,     ///< submit time only
  Priority,   ///< class, priority, then submit time
  Attained,   ///< class, priority, then discretised attained service, then submit time (Tiresias)
  Remaining,  ///< class, priority, then remaining time
  Service,    ///< class, priority, then remaining time times accelerators
  Weighted    ///< class, priority, then the weighted sum of policy/factors.hpp
};

enum class Blocking : std::uint8_t {
  None,  ///< a job that cannot start holds nothing and delays nobody
  Head   ///< the first job of a queue that cannot start delays the rest of that queue
};

enum class Backfill : std::uint8_t { Off, Easy };

enum class Preemption : std::uint8_t {
  Off,
  Priority,  ///< strictly less important work: class, then priority
  Order      ///< also work of equal class and priority that the order ranks strictly behind
};

/// Among victims that are equal otherwise, who goes first.
enum class VictimRule : std::uint8_t {
  Recency,  ///< the most recently submitted
  LostWork  ///< whoever loses least accelerator time
};

/// Weights of the factors, in parts per thousand; see policy/factors.hpp for each factor's scale.
struct Weights {
  std::int64_t age = 1000;
  std::int64_t queue = 600;
  std::int64_t user = 400;
  std::int64_t size = 0;
  std::int64_t remaining = 300;
  std::int64_t attained = 100;
  std::int64_t deadline = 500;
};

struct Knobs {
  std::string name = "priority";
  Order order = Order::Priority;
  Blocking blocking = Blocking::None;
  Backfill backfill = Backfill::Off;
  Preemption preemption = Preemption::Off;
  VictimRule victims = VictimRule::Recency;
  bool reclaim = false;        ///< a queue below its guarantee takes it back
  bool fair_share = false;     ///< what is beyond the guarantees is divided by weight
  bool elastic_yield = false;  ///< surplus workers give way to an equal's minimum in the same queue
  Duration starvation_guard = kForever;
  Duration lost_after{0};       ///< how long a node may be unreachable before its work is replaced
  Duration protected_run{0};    ///< no attempt is evicted before it ran this long
  Duration restart_backoff{0};  ///< wait after an own failure before the next start, times the restarts
  Duration cool_down{0};        ///< an elastic job is resized at most this often
  std::optional<Colocation> colocation{};
  Weights weights{};
};

}  // namespace muster
