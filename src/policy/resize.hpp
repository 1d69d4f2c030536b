// Elastic jobs grow into what nobody waiting can use, and shrink when their user lowers their cap.
#pragma once

#include <optional>

#include "policy/promise.hpp"
#include "policy/scene.hpp"

namespace muster {

/// The largest growth the job can have now that harms no promise; nothing if none.
std::optional<Grow> growth_of(const Scene& scene, JobId job, const Promise* promise,
                              const std::optional<ShapeId>& kept_clear);

/// Workers a running job has above its cap, if any.
std::optional<Shrink> overhang_of(const State& state, JobId job);

}  // namespace muster
