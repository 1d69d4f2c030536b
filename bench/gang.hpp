// What the rows about one gang (A2, A5) share: a plain cluster, one kind of node and one queue, to which the
// same gang comes again and again. Timed is the `advance` that takes in its submission: search, decisions
// and fold. Then it ends, which is not timed, so that the next one finds the cluster as this one did.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure.hpp"
#include "report.hpp"
#include "wire/record_bytes.hpp"
#include "world.hpp"

namespace muster::bench {

/// The levels of the topology, and the one queue.
std::vector<Event> plain_events(const std::vector<std::string>& levels);
/// A node of one GPU model.
NodeSpec plain_node(std::size_t n, std::vector<std::string> domains);
/// A job of the one queue and user "u".
JobSpec plain_job(const std::string& name, RoleSpec role);

struct Visits {
  std::string what;  ///< for the stage
  JobSpec gang;
  std::size_t warm = 0;   ///< the first so many do not count
  std::size_t times = 0;  ///< how many do
  Duration apart{};       ///< from the end of one to the next
  double seconds = 0;     ///< of CPU; once they are spent, none follows
  /// Looks at a visit that counts: the step, and the gang after it.
  std::function<void(const Step&, const Job&)> seen;
};
struct Visited {
  Samples times;
  LogDigest digest;
};
/// Moves `now` to the end of the last one.
Visited visit(Engine& engine, Instant& now, const Visits& visits, const Out& out);

}  // namespace muster::bench
