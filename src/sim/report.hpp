// The numbers of one replay, typed. All times are of the simulated cluster.
//
//   completion (JCT)  end - submission, of jobs that came to their own end: done, failed or cancelled as in
//   the
//                     trace. Jobs killed by their limit, refused, or never ended are counted apart.
//   waiting           the part of it without seats; waits after an eviction count too.
//   percentile p      the smallest value that at least p of 100 values do not exceed (nearest rank).
//   makespan          first submission to last end.
//   utilisation       resource-time with a holder / resource-time of nodes that are up.
//   fragmentation     of a level: of all accelerator-time that was free, the part that lay in domains of that
//                     level that were not entirely free, where a gang that wants a whole domain cannot use
//                     it: 1 - integral(free in entirely free domains) / integral(free). Level "node" asks for
//                     whole nodes.
//   rho               finish-time fairness (Themis, NSDI 2020): completion time / time alone on 1/n of the
//                     cluster, n = the mean number of contending jobs while the job was there. A job that
//                     asks for the part s of the cluster (of its scarcest resource) takes run x max(1, s n)
//                     alone. 1 is fair, above 1 the job did worse than with its own share.
//   lost              accelerator-time of work that evictions threw away since the last checkpoint.
//
// "Loaded" values end with the last submission: what comes after is the tail of a workload that nobody adds
// to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/replay.hpp"

namespace muster {

/// Of no values, all are 0.
struct Spread {
  std::size_t count = 0;
  double mean = 0;
  double median = 0;
  double p95 = 0;
  double p99 = 0;
  double max = 0;
};

Spread spread_of(std::vector<double> values);

/// Shares in 0..1; no value where there was no such time or no such resource.
struct Shares {
  std::optional<double> loaded;
  std::optional<double> whole;
};

struct LevelShares {
  std::string level;
  Shares shares;
};

struct RunReport {
  std::size_t jobs = 0;
  std::size_t done = 0;
  std::size_t failed = 0;
  std::size_t cancelled = 0;
  std::size_t timed_out = 0;
  std::size_t refused = 0;      ///< no valid job
  std::size_t never_fit = 0;    ///< could not start even on the empty cluster
  std::size_t waiting = 0;      ///< left over, waiting for something else
  std::size_t running = 0;      ///< left over, with seats
  std::size_t not_arrived = 0;  ///< the replay was stopped before
  Spread completion;            ///< seconds
  Spread waited;                ///< seconds
  Spread rho;
  double unfair = 0;    ///< share of jobs with rho above 1
  double makespan = 0;  ///< seconds
  Shares gpu_used;
  Shares cpu_used;
  std::vector<LevelShares> fragmentation;  ///< outermost level first, the node last
  std::int64_t evictions = 0;
  std::size_t evicted_jobs = 0;
  double lost_gpu_hours = 0;
  double used_gpu_hours = 0;
  std::uint64_t records = 0;
  std::uint64_t decisions = 0;
  std::string digest;
};

RunReport report_of(const Replay& replay);

/// One line of a list of jobs.
struct JobReport {
  JobId id;
  JobState state = JobState::Pending;
  Instant submitted{};
  std::optional<Instant> first_start;
  std::optional<Instant> ended;
  double completion = 0;  ///< seconds; of ended jobs
  double waited = 0;
  std::optional<double> rho;
  std::int32_t evictions = 0;
  std::int64_t milli_gpus = 0;
};

std::vector<JobReport> jobs_of(const Replay& replay);

}  // namespace muster
