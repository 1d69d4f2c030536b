// The judge of a scenario run: compares what a scenario expects with what the tape shows. It reads the
// tape only, so it can neither be helped nor misled by the engine, and one run answers every question.
// `at: t` means the last frame that began at or before t; `during: [a, b]` means a < t < b. A sentence in
// Tape::broken (a broken invariant) is a failure whatever the scenario expects.
#pragma once

#include <string>
#include <vector>

#include "base/time.hpp"
#include "sim/tape.hpp"
#include "wire/scenario.hpp"

namespace muster::sim {

/// One expectation that the run did not meet.
struct Failure {
  std::string scenario;  ///< its id
  int line = 0;          ///< of the check in the scenario's file; 0 = an implied one
  Instant at{};          ///< when the run first differed, or where the question was put
  std::string check;     ///< the whole check as one line
  std::string expected;
  std::string seen;
  std::string decision;  ///< the last one about the job concerned until then; may be empty
};

/// Empty where the run is as expected. Failures come in the order of the checks, implied ones last.
std::vector<Failure> judge(const scenario::Scenario& scenario, const Tape& tape);

/// "C003:14: at 13s expected running: high, seen high pending; decision: ..."
std::string to_string(const Failure& failure);

}  // namespace muster::sim
