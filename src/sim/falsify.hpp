// Expectations bent so that they contradict a recorded run: a judge that lets one of them pass is blind
// there. Each is false BY CONSTRUCTION from a reading of the tape that shares no code with the judge;
// what is not surely false is not made. So for every mutation m, and a tape whose `broken` is empty,
//   judge(scenario with expect = {m.check}, tape) must report a failure.
#pragma once

#include <string>
#include <vector>

#include "sim/tape.hpp"
#include "wire/scenario.hpp"

namespace muster::sim {

struct Mutation {
  scenario::Check check;
  std::string what;  ///< what was bent, for reports: "running: high -> pending"
};

/// Bends every expectation of the scenario in every way that the tape allows.
std::vector<Mutation> mutations(const scenario::Scenario& scenario, const Tape& tape);

/// The checks of `mutations`.
std::vector<scenario::Check> falsified(const scenario::Scenario& scenario, const Tape& tape);

}  // namespace muster::sim
