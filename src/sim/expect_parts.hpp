// What the parts of the judge share: the tape with its names looked up, and the words of the schema.
// Each part takes a check and returns findings; only expect.cpp turns them into failures with a line and
// a decision, so that a part can be used inside another (a moment at one instant, or as a `never`).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/tape.hpp"
#include "wire/scenario.hpp"

namespace muster::sim {

/// One thing that is not as expected.
struct Finding {
  Instant at{};
  std::string job;  ///< whose last decision explains it; empty where no job is concerned
  std::string expected;
  std::string seen;
};
using Findings = std::vector<Finding>;

/// The tape, asked by name. REQUIRES: scenario and tape outlive it.
class Watch {
 public:
  Watch(const scenario::Scenario& scenario, const Tape& tape);

  [[nodiscard]] const scenario::Scenario& scenario() const { return *scenario_; }
  [[nodiscard]] const Tape& tape() const { return *tape_; }

  /// The frame valid at `t`; none before the first.
  [[nodiscard]] const Frame* frame_at(Instant t) const;
  /// The frames valid at some instant strictly inside; a frame that lasted no time was never seen.
  [[nodiscard]] std::vector<const Frame*> frames_inside(const scenario::Span& span) const;
  /// The entries with span.from < at < span.to.
  [[nodiscard]] std::vector<const Moved*> moves_inside(const scenario::Span& span) const;

  /// A view that says "not submitted" where the frame does not know the job.
  [[nodiscard]] const JobView& job(const Frame& frame, const std::string& name) const;
  /// None where the job is not submitted yet.
  [[nodiscard]] std::optional<JobState> state(const Frame& frame, const std::string& name) const;
  [[nodiscard]] bool is_running(const Frame& frame, const std::string& name) const;
  /// 0 unless running.
  [[nodiscard]] std::int64_t workers(const Frame& frame, const std::string& name) const;
  /// Empty unless running.
  [[nodiscard]] const Placement& seats(const Frame& frame, const std::string& name) const;
  [[nodiscard]] const ExperimentView* experiment(const Frame& frame, const std::string& name) const;
  [[nodiscard]] const scenario::Job* job_named(const std::string& name) const;

  [[nodiscard]] std::string node_name(NodeId node) const;
  [[nodiscard]] std::optional<std::size_t> level(const std::string& name) const;
  /// Domain names from the outermost level down to `level`; empty where the node lacks that level.
  [[nodiscard]] std::vector<std::string> domain(NodeId node, std::size_t level) const;

  /// The sentence of the last decision about `job` at or before `t`.
  [[nodiscard]] std::string decision_before(const std::string& job, Instant t) const;

 private:
  const scenario::Scenario* scenario_;
  const Tape* tape_;
  std::map<std::string, std::size_t> jobs_;
  std::map<std::string, std::size_t> experiments_;
  JobView absent_;
  Placement nowhere_;
};

// ---- the parts

/// What of `moment` does not hold in `frame`; `at` is when the question was put.
Findings unmet(const Watch& watch, const Frame& frame, const scenario::Moment& moment, Instant at);
Findings unmet(const Watch& watch, const scenario::DuringCheck& check);
Findings unmet(const Watch& watch, const scenario::AtomicCheck& check);
Findings unmet(const Watch& watch, const scenario::ReasonCheck& check);

// ---- the schema's words

std::string_view word_of(JobState state);
std::string text_of(Instant t);                     ///< "13s", "13.25s"
std::string text_of(const scenario::Range& range);  ///< "3", "2..4", "at most 3", "at least 2"
std::string text_of(const scenario::Span& span);    ///< "13s", "13s..15s"

}  // namespace muster::sim
