// Why a job waits: all reasons that apply, blockers first, each with numbers and the names of what is in
// the way. Found by counterfactuals on drafts, on demand; nothing is stored.
#pragma once

#include <string>
#include <vector>

#include "policy/policy.hpp"
#include "policy/scene.hpp"

namespace muster {

/// Reasons of a job that waits, is held, or was refused; empty for a job that runs as it should or is over.
std::vector<Why> explain(const State& state, const Policy& policy, JobId job, Instant now);

/// One sentence in plain words with the numbers and names.
std::string sentence(const Why& why);

/// The scenario schema's kind for a reason: held, dependency-failed, dependency, never-fits, node,
/// user-limit, quota, topology, capacity.
std::string_view kind_of(Reason reason);

/// Is this reason true of its subject in this state? Checked without the search that produced it where a
/// direct test exists.
bool holds(const Why& why, const State& state, const Policy& policy, Instant now);

}  // namespace muster
