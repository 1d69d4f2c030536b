// Places a whole gang, or says that it cannot: the tightest domain that fits, then as few nodes as
// possible, the last of them as full as possible; the devices inside a node by links and NUMA.
// The seats come in rank order: along the topology.
#pragma once

#include <optional>
#include <vector>

#include "base/short_list.hpp"
#include "core/allowance.hpp"
#include "core/draft.hpp"

namespace muster {

/// What to place. `shape` may be a relaxed copy (no `near`, no `spread`) of the interned `id`.
struct Placing {
  JobId job;
  const Shape* shape = nullptr;
  ShapeId id;
  ShortList<std::int32_t, 4> counts;  ///< workers to add, per role
  std::optional<Colocation> colocation;
};

/// The level inside which all workers have to be; depth() for one node; nothing where none is required.
std::optional<std::uint32_t> required_level(const Topology& topology, const Shape& shape);

/// The gang of a waiting job: the minimum of every role (of a service: one replica).
Placing gang_of(const State& state, JobId job, const std::optional<Colocation>& colocation);

/// Seats for all of it, or nothing. On success the draft holds the seats as taken and charged; on failure
/// its content is unspecified, so give it a copy.
std::optional<Placement> place(Draft& draft, const Placing& what);

/// The same where the caller has no further use for the draft: it may or may not hold the seats then.
std::optional<Placement> place_alone(Draft& draft, const Placing& what);

/// The free workers of a role: indices not finished and not seated, ascending, at most `count`.
std::vector<std::uint32_t> free_workers(const State& state, const Job& job, std::size_t role,
                                        std::int32_t count);

}  // namespace muster
