// Why a job waits: all reasons that apply, blockers first, each with numbers and the names of what is in
// the way. Found by counterfactuals on drafts, on demand; nothing is stored.
//
// The order: what the job itself waits for (a hold, others, time), then limits that bind, then room: nodes,
// topology, what is short and where, what is kept for others; then shares. Who is ahead counts only where
// nothing else is in the way.
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

/// Is this reason true of its subject in this state, its numbers and names included? Checked without the
/// search that produced it where a direct test exists.
bool holds(const Why& why, const State& state, const Policy& policy, Instant now);

/// It waits for workers, or would if it were not held. (A service scaled to nothing wants none.)
bool wants_room(const State& state, const Job& job);
/// When the last of the job's workers that made room for others has cleaned up. REQUIRES: makes_room(job).
Instant cleaned_at(const State& state, const Job& job);
/// A member of a group that could start now if the others could.
bool ready_for_group(const State& state, const Knobs& knobs, JobId member, Instant now);

}  // namespace muster
