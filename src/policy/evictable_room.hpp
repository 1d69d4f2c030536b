// How much room there would be if everything less important were gone: an upper bound kept up to date, so
// that a hopeless search for victims costs a few additions. Per importance that runs, and per node class,
// it counts nodes by the devices that are idle or held by work of at most that importance.
#pragma once

#include <cstdint>
#include <vector>

#include "core/state.hpp"
#include "policy/importance.hpp"

namespace muster {

class EvictableRoom {
 public:
  /// Take in the nodes whose guests changed; `levels` are the importances that run, ascending.
  void sync(const State& state, const std::vector<Importance>& levels, const std::vector<NodeId>& touched);

  /// Could the shape's gang fit if all work less important than `bound` were gone, as far as whole devices
  /// tell? True where they tell nothing.
  [[nodiscard]] bool might_fit(const State& state, ShapeId shape, const Importance& bound) const;

 private:
  void recount(const State& state, NodeId node);
  void rebuild(const State& state);

  std::vector<Importance> levels_;
  std::size_t nodes_ = 0;
  std::vector<std::uint8_t> row_;                   ///< node-major, one row a level and one without eviction
  std::vector<std::vector<std::uint32_t>> counts_;  ///< by level + 1, then class-major rows
};

}  // namespace muster
