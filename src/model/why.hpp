// Reasons as typed values with numbers. One list serves decisions ("why did this start or stop") and
// waiting jobs ("why does it wait"); engine/holds.hpp checks each against the state.
//
// `Answer<T>` is the refusal kind of "no": normal, carries the reason.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <tuple>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"

namespace muster {

enum class Reason : std::uint8_t {
  // why a job waits, in the order in which blockers are listed
  Held,
  NotBefore,
  BackingOff,  ///< restarts too fast
  DependencyFailed,
  Dependency,
  Gang,       ///< other members of its group are not there yet
  NeverFits,  ///< not even on the empty cluster, under the limits of now
  Draining,   ///< would start if down, drained or unreachable nodes were usable
  Unhealthy,  ///< would start if broken devices were usable
  UserLimit,
  QueueLimit,
  Topology,       ///< would start without its topology wish or spread
  Capacity,       ///< the cluster has too little of a resource free
  Fragmentation,  ///< enough free in sum, but not where a worker could use it
  GpuType,        ///< the asked device type or label is full, others are free
  Reserved,       ///< free, but kept for a more important job
  QueueShare,     ///< its queue is at its share and others are under theirs
  Ahead,          ///< would delay a job ahead of it
  Budget,         ///< best-effort allowance is used up
  // why a decision was taken
  Fits,
  Preempts,  ///< takes room from less important work
  Reclaims,  ///< its queue takes back its guarantee or share
  Yields,    ///< surplus workers gave way
  MadeRoom,  ///< stopped or shrunk for the named job
  NodeLost,
  TimeLimit,
  OwnFailure,
  LaunchFailed,
  ByUser,
  OverAllowance,
  ExperimentOver,
  EarlyStop,
  GrowsIntoFree
};

std::string_view name_of(Reason reason);

/// What kind of thing a name in a reason names.
enum class Named : std::uint8_t { Resource, Queue, User, Node, Key, Value, Level, Job };

struct WhyName {
  Named kind = Named::Resource;
  std::string name;

  friend auto operator<=>(const WhyName&, const WhyName&) = default;
  static constexpr auto fields = std::make_tuple(&WhyName::kind, &WhyName::name);
};

/// The numbers' unit follows from the reason: see `sentence` in engine/explain.hpp.
struct Why {
  Reason reason = Reason::Fits;
  JobId subject{};               ///< the waiting job it speaks of; none for reasons of decisions
  std::int64_t asked = 0;        ///< what the job needs
  std::int64_t available = 0;    ///< what there is for it
  std::int64_t limit = 0;        ///< the bound that binds, if any
  Instant until = kNever;        ///< when it may change by itself, if known
  std::vector<WhyName> names{};  ///< what is in the way

  friend bool operator==(const Why&, const Why&) = default;
  static constexpr auto fields = std::make_tuple(&Why::reason, &Why::subject, &Why::asked, &Why::available,
                                                 &Why::limit, &Why::until, &Why::names);
};

template <class T>
using Answer = tl::expected<T, Why>;

inline tl::unexpected<Why> refuse(Why why) { return tl::unexpected<Why>(std::move(why)); }

}  // namespace muster
