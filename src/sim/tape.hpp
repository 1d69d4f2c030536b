// What was seen during a run: the states of all jobs over time, and everything that moved. Checks read
// the tape, so one run serves many questions and a falsified expectation needs no second run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/job.hpp"
#include "model/plan.hpp"
#include "model/why.hpp"

namespace muster::sim {

struct JobView {
  JobState state = JobState::Pending;
  bool submitted = false;
  Placement seats;          ///< of workers that count; empty unless running
  std::int64_t copies = 0;  ///< live processes per worker slot, replaced ones included
};

struct ExperimentView {
  std::int32_t running = 0;
  std::int32_t done = 0;
  std::int32_t failed = 0;
  std::int32_t created = 0;
};

/// The world from `at` until the next frame.
struct Frame {
  Instant at{};
  std::vector<JobView> jobs;                 ///< by index in Scenario::jobs
  std::vector<ExperimentView> experiments;   ///< by index in Scenario::experiments
  std::map<std::string, Amounts> queue_use;  ///< subtree included
};

enum class Move : std::uint8_t { Start, Evict, End, Grow, Shrink, OtherStop };

/// One thing that moved. `decision` is the sentence of the decision behind it, for reports.
struct Moved {
  Instant at{};
  Move what = Move::Start;
  std::string job;
  std::string decision;
};

struct JobHistory {
  std::optional<Instant> first_start;
  std::optional<Instant> end;
  JobState outcome = JobState::Pending;
  std::int64_t attempts = 0;
};

struct ExperimentHistory {
  std::optional<Instant> end;
  JobState outcome = JobState::Pending;  ///< Done, Failed, or Pending while it goes on
  std::int32_t best = 0;
  Duration work{0};
};

/// What the engine said about a waiting job when a check asked.
struct Explained {
  std::string job;
  Instant at{};
  std::string kind;  ///< one of the schema's kinds
  std::string sentence;
  std::vector<Why> whys;  ///< blockers first
};

struct Tape {
  std::vector<Frame> frames;  ///< ascending; the first at 0
  std::vector<Moved> moves;   ///< ascending
  std::map<std::string, JobHistory> jobs;
  std::map<std::string, ExperimentHistory> experiments;
  std::vector<Explained> explained;
  std::map<std::uint32_t, std::vector<std::string>>
      domains;                      ///< node index -> domain path per level, then its name
  std::vector<std::string> levels;  ///< of `domains`, "node" last
  std::vector<std::string> node_names;
  std::vector<std::string> broken;  ///< implied invariants that failed, one sentence each
  bool ended = false;               ///< nothing was left to happen before `end`
  Instant last{};                   ///< when the last thing happened
  std::string digest;
};

}  // namespace muster::sim
