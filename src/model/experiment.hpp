// AutoML experiments: one account that submits trial jobs over time.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "base/time.hpp"
#include "model/job.hpp"

namespace muster {

/// `List` runs `trials` points as given; `Random` draws them; `Grid` visits each of `points` once;
/// `Halving` is synchronous successive halving (Jamieson and Talwalkar, AISTATS 2016): a whole rung ends,
/// then the best 1/eta of it, rounded down but at least one, go on to the next.
enum class Search : std::uint8_t { List, Random, Grid, Halving };

struct ExperimentSpec {
  std::string name;
  std::int32_t trials = 1;    ///< in total; a failed trial uses one up
  std::int32_t parallel = 1;  ///< at most this many unfinished at once
  std::int32_t points = 0;    ///< of a grid; 0 = as many as trials
  std::int32_t fail_at = 0;   ///< the experiment fails at this many failed trials; 0 = never
  Search search = Search::List;
  std::int32_t eta = 2;
  std::int32_t rungs = 1;
  JobSpec trial;  ///< template; name, family and trial are filled in per trial

  friend bool operator==(const ExperimentSpec&, const ExperimentSpec&) = default;
  static constexpr auto fields =
      std::make_tuple(&ExperimentSpec::name, &ExperimentSpec::trials, &ExperimentSpec::parallel,
                      &ExperimentSpec::points, &ExperimentSpec::fail_at, &ExperimentSpec::search,
                      &ExperimentSpec::eta, &ExperimentSpec::rungs, &ExperimentSpec::trial);
};

}  // namespace muster
