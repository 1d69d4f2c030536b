// Elastic jobs grow into what nobody waiting can use, and shrink when their user lowers their cap.
#pragma once

#include <optional>

#include "policy/promise.hpp"
#include "policy/scene.hpp"

namespace muster {

/// What growth must leave alone.
struct Spared {
  const Backlog::Ends* ends = nullptr;
  const Promise* promise = nullptr;  ///< none: nobody was promised a start
  std::optional<ShapeId> clear{};    ///< room of this shape is kept clear
};

/// The largest growth the job can have now that harms no promise; nothing if none.
std::optional<Grow> growth_of(const Scene& scene, JobId job, const Spared& spared);

/// Workers a running job has above its cap, if any.
std::optional<Shrink> overhang_of(const State& state, JobId job);

}  // namespace muster
