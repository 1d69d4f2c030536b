// Reasons as typed values with numbers. One list serves decisions ("why did this start or stop") and
// waiting jobs ("why does it wait"). What `explain` (engine/explain.hpp) tells of a waiting job, `holds`
// checks against the state; its numbers are those of the table below. A recorded `Hold` names the first
// blocker and has no numbers where that is room. Amounts count as model/resources.hpp does.
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
  // why a job waits                asked              available            limit
  Held,
  NotBefore,         ///<                                                            `until`
  BackingOff,        ///< restarts too fast                                          `until`
  DependencyFailed,  ///< jobs        how many there are how many failed
  Dependency,        ///< jobs        that must end      that have ended
  Gang,              ///< members     of the group       ready
  NeverFits,      ///< amount      asked              in all, all free      on the largest node, or the limit
  Draining,       ///< would start if these nodes were usable: how many in `available`
  Unhealthy,      ///< would start if broken devices were usable: nodes in `available`
  UserLimit,      ///< jobs        more               left                  at once
  QueueLimit,     ///< amount      asked              left                  of the queue
  Topology,       ///< workers     to seat            in the best domain
  Capacity,       ///< amount      asked              free, and too little
  Fragmentation,  ///< amount      asked              free                  that its workers could use
  GpuType,        ///< amount      asked              free of this kind     free of other kinds
  Reserved,       ///< workers whose place is kept, in `asked`; for whom, in the names
  QueueShare,     ///< amount      asked              left of the share     the share; 0: not lent to it
  Ahead,          ///< jobs ahead of it, in `asked`; the first named is the one that it would delay
  Budget,         ///< amount      asked              left of the allowance that its workers could use
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
  GrowsIntoFree,
  // why a job waits, once more: at the end, so that logs written before it keep their meaning
  Preempted  ///< made room for others, and its stopped workers still clean up; `until`
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
