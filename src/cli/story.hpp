// The first decisions of a run in words: when, which job, how many GPUs, where, and why. Uneventful starts
// are left out after the first few; every kind of decision is shown when it first happens.
#pragma once

#include <span>
#include <string>

#include "cli/paint.hpp"
#include "model/event.hpp"
#include "policy/knobs.hpp"

namespace muster::cli {

struct StoryOptions {
  std::size_t plain = 4;  ///< starts that simply fit
  std::size_t each = 2;   ///< of every other kind: a reason to wait, an overtaking start, an eviction
  std::size_t most = 16;  ///< lines in all
};

std::string story(std::span<const Record> log, const Knobs& knobs, const StoryOptions& options,
                  const Paint& paint);

}  // namespace muster::cli
