// Who makes a unit wait that would fit now: a job ahead of it that the rules of the order protect.
#pragma once

#include <optional>

#include "engine/what_if.hpp"

namespace muster {

/// The rule and whom it protects; nothing where no rule keeps the unit from starting. The names are the
/// protected job, then others ahead. `until`: with EASY backfill, the start that must not be put off. A name
/// of a queue: its first job blocks it. Else the job has waited beyond the starvation guard.
/// REQUIRES: what_if.starts(View::Now).
std::optional<Why> ahead_why(WhatIf& what_if, JobId job);

/// Jobs that were tried before this one and wait, in the policy's order: the first of each lane.
std::vector<JobId> jobs_ahead(WhatIf& what_if, JobId job);

}  // namespace muster
