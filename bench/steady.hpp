// A cluster in steady state: each step ends one running job, drawn at random, and as many new jobs arrive
// as started in the step before, so the number of waiting jobs stays as it is. End and arrivals are the
// news of one `advance`, and all of it is charged: the copy of the new jobs, the fold, the decisions.
#pragma once

#include <cstdint>
#include <vector>

#include "world.hpp"

namespace muster::bench {

enum class Pace : std::uint8_t {
  Millisecond,  ///< a millisecond of the cluster's time a step
  Cluster       ///< mean run time over running jobs: how seldom jobs really end
};

class Steady {
 public:
  Steady(Engine& engine, Instant now, Pace pace) : engine_(&engine), now_(now), pace_(pace) {}

  /// Draws that many jobs ahead, so that a timed part draws none.
  void stock(std::size_t jobs);
  Step step();
  [[nodiscard]] Instant now() const { return now_; }

 private:
  Engine* engine_;
  Instant now_;
  Pace pace_;
  Random ends_{7, "ends"};
  JobStream arrivals_{11, "a"};
  std::vector<JobSpec> stock_;
  std::vector<Event> news_;
  std::int64_t owed_ = 0;  ///< arrivals still to come; negative after preemptions
};

/// The news that a running job has ended, or that a waiting one is not wanted any more.
Event end_of(const State& state, JobId job);

/// What a step's plan did, as far as the rows count it.
struct Done {
  std::size_t starts = 0;
  std::size_t stops = 0;  ///< evictions
};
Done done_in(const Step& step);

std::size_t pending_jobs(const State& state);
/// Accelerators held, in per cent of those on nodes that are up.
int load_percent(const State& state);

}  // namespace muster::bench
