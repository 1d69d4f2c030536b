// A seeded workload with the shape of a shared training cluster, for experiments where no trace fits.
//
// Equal specs give equal jobs on every machine and compiler (draw.hpp). The shape and where it is from:
// - GPUs: 82.4 % of jobs use one, 98.9 % at most 8 (Philly, Jeon and others, ATC 2019, as digitised by
//   AcmeTrace); 2, 4 and 8 in the proportions of Gavel's copy of that trace.
// - Run: lognormal by size. Medians and deviations are ours, chosen so that one-GPU jobs take 16 % and
//   jobs above 8 GPUs 12 % of the GPU time, the overall median is about 900 s and the mean near 18,000 s, as
//   those sources report.
// - Arrivals: bursts of 1 to 399 jobs of one user and alike in run, over the week and day of the 82,247-job
//   Philly subset (weekend 0.6 of the mean day).
// - Users: weight 1/rank, each in one queue; queues likewise.
// - Limits: run x lognormal with median 13.5 (asked/actual in MetaCentrum's 2013 log); its deviation makes
//   3.9 % of them shorter than the run, as there.
//
// Load = sum of GPUs x run / (cluster GPUs x span). Without a span the span follows from the load; with one,
// all runs are stretched to meet the load.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "trace/workload.hpp"

namespace muster {

/// `Ample`: never shorter than the run. `AsSeen`: some users ask for too little, and a replay kills them.
enum class SynthLimits : std::uint8_t { None, Ample, AsSeen };

struct SynthSpec {
  std::uint64_t seed = 1;
  std::int32_t jobs = 1000;
  std::int32_t gpus = 64;  ///< of the cluster; sizes above it are not drawn
  std::int32_t gpus_per_node = 8;
  std::int32_t load_permille = 800;
  std::optional<Duration> span{};  ///< first to last submit, about
  std::int32_t users = 50;
  std::int32_t queues = 4;
  SynthLimits limits = SynthLimits::Ample;
  std::int32_t limit_factor_milli = 13'500;  ///< median of limit / run
  std::int32_t failed_permille = 0;          ///< Philly: 305
  std::int32_t cancelled_permille = 0;       ///< Philly: 90
};

/// Jobs by submit time, and the cluster they were drawn for. An Error names a knob out of range.
Result<Workload> synthesize(const SynthSpec& spec);

}  // namespace muster
