// A report as a page for people, as JSON, and as one row of a table.
#pragma once

#include <string>
#include <vector>

#include "cli/replaying.hpp"
#include "cli/table.hpp"

namespace muster {
class JsonWriter;
}

namespace muster::cli {

std::string report_page(const Scene& scene, const Finished& finished, const Paint& paint);

/// All finished runs of one scene.
std::string report_json(const Scene& scene, const std::vector<Finished>& runs);

/// All numbers, one row a run: seconds, shares from 0 to 1.
std::string report_csv(const std::vector<Finished>& runs);

/// All policies on one drawn workload, the replays themselves dropped.
struct SeedRuns {
  std::uint64_t seed = 0;
  std::vector<Finished> runs;
};

/// The same rows for several seeds, with the seed in front.
std::string report_csv(const std::vector<SeedRuns>& rounds);

/// One row a policy: medians over the seeds with the best and the worst seed, differences seed by seed.
std::string compare_seeds_page(const Scene& scene, const std::vector<SeedRuns>& rounds, const Paint& paint);

/// One row a run: the best mean completion time is marked, differences are against the first.
std::string compare_page(const Scene& scene, const std::vector<Finished>& runs, const Paint& paint);

}  // namespace muster::cli
