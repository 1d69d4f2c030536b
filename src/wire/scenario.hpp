// A scenario file (`sched-case/1`) as values: a cluster, what happens when, and what must be seen.
// The schema is described in docs/scenarios.md. Reading is strict: an unknown key, a duplicate key, a
// wrong type or a dangling name is an error with file, line, column and field.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "model/event.hpp"

namespace muster::scenario {

/// The operator's wishes, as the schema words them; policy/knobs.hpp turns them into switches.
struct Policy {
  std::string order = "priority";  ///< priority | submit
  std::string blocking = "none";   ///< none | head
  std::string backfill = "off";    ///< off | easy
  std::string preemption = "off";  ///< off | priority
  bool reclaim = false;
  bool fair_share = false;
  bool elastic_yield = false;
  std::optional<Duration> starvation_guard;
  Duration lost_after{0};
  Duration cleanup{0};
  Duration settle = seconds(2);
  struct Colocate {
    std::int64_t margin_milli = 0;  ///< thousandths of the capacity kept back
    std::int64_t system_cpu = 0;    ///< millicores
  };
  std::optional<Colocate> colocate;
};

struct Node {
  NodeSpec spec;
  NodeState state = NodeState::Up;
};

/// The job's failure plan: worker `worker` exits with `code` after `after` of work.
struct Fails {
  Duration after{0};
  std::uint32_t worker = 0;
  std::int32_t code = 1;
  std::int32_t times = 1;  ///< -1 = always
};

/// One job after `repeat` was expanded; listing order is the order in `Scenario::jobs`.
struct Job {
  JobSpec spec;
  std::string base;  ///< name before the copy's number; equals spec.name without `repeat`
  Instant submit{};
  std::optional<Duration> run;  ///< seconds of work; none = until stopped
  std::optional<Fails> fails;
  bool never_ready = false;
  std::int32_t exit_on_evict = 0;
};

struct Experiment {
  ExperimentSpec spec;
  Instant submit{};
  std::optional<Duration> run;                 ///< of every trial
  std::map<std::int32_t, Duration> runs;       ///< per trial override
  std::map<std::int32_t, Duration> fails;      ///< trial i exits non-zero after that
  std::optional<Duration> all_fail;            ///< every trial does
  std::map<std::int32_t, Duration> stop;       ///< early stopping ends trial i after that
  std::map<std::int32_t, std::int64_t> score;  ///< millionths; larger is better
  Duration unit{0};                            ///< halving: rung k trains to unit * eta^k in total
};

enum class Do : std::uint8_t {
  NodeDown,
  NodeUp,
  Drain,
  DrainNow,
  Undrain,
  NodeUnreachable,
  NodeReachable,
  Cancel,
  Hold,
  Release,
  LaunchError,
  Resize,
  WorkerExit,
  SetQueue,
  SchedulerRestart,
  Observe,
  Remove
};

struct Event {
  Instant at{};
  Do what = Do::Cancel;
  std::string node;
  std::string job;
  std::string queue;
  std::int32_t workers = -1;            ///< of resize; of worker_exit: how many exit
  std::optional<std::uint32_t> worker;  ///< of worker_exit: which one
  std::int32_t code = 0;
  std::int64_t cpu = 0;          ///< of observe: millicores
  std::optional<Amounts> limit;  ///< of set_queue: the whole new limit
  std::optional<Amounts> guarantee;
};

/// A whole number or a range, both ends included.
struct Range {
  std::int64_t low = 0;
  std::int64_t high = 0;
  [[nodiscard]] bool has(std::int64_t value) const { return low <= value && value <= high; }
};

struct Span {
  Instant from{};
  Instant to{};
};

// ---- checks: names in `jobs` lists are expanded ("x*" becomes all copies of x)

using Jobs = std::vector<std::string>;

/// Conditions on one moment; an empty member says nothing.
struct Moment {
  std::map<JobState, Jobs> states;  ///< each job is in that state
  std::map<std::string, Range> workers;
  std::map<std::string, std::vector<std::string>> nodes;            ///< one per worker, any order
  std::map<std::string, std::string> within;                        ///< job -> level: all in one domain of it
  std::map<std::string, std::map<std::string, std::int64_t>> span;  ///< job -> level -> at most
  std::map<std::string, std::int64_t> distinct_nodes;
  struct CountOf {
    JobState state = JobState::Running;
    Jobs of;
    Range is;
  };
  std::vector<CountOf> counts;
  std::map<std::string, std::map<std::string, std::int64_t>> queue_use;  ///< units as in Amounts
  std::map<std::string, Range> copies;
  std::optional<std::int64_t> jobs_per_device;
  struct Trials {
    std::optional<Range> running, done, failed, created;
  };
  std::map<std::string, Trials> trials;
};

struct AtCheck {
  Instant at{};
  Moment moment;
};

struct DuringCheck {
  Span during;
  std::map<std::string, Range> evictions;
  std::optional<Range> evictions_total;
  std::map<std::string, Range> starts;
  bool steady = false;
  Jobs never_running;
  std::map<std::string, std::vector<std::int64_t>> never_workers;
  std::vector<Jobs> never_together;  ///< these never all run at one time
  std::vector<Moment> never_state;
};

struct AtomicCheck {
  Jobs jobs;
};

struct JobCheck {
  std::string job;
  std::optional<Span> start;
  std::optional<Span> end;
  std::optional<JobState> outcome;
  std::optional<Range> attempts;
};

struct ReasonCheck {
  std::string job;
  Instant at{};
  std::string kind;
  std::vector<std::string> names;
};

struct ExperimentCheck {
  std::string experiment;
  std::optional<JobState> outcome;  ///< Done or Failed
  std::optional<Span> end;
  std::optional<std::int32_t> best;
  std::optional<Duration> work;
};

struct EndsCheck {};

struct Check;
struct AnyOfCheck {
  std::vector<std::vector<Check>> alternatives;
};

struct Check {
  std::variant<AtCheck, DuringCheck, AtomicCheck, JobCheck, ReasonCheck, ExperimentCheck, EndsCheck,
               AnyOfCheck>
      what;
  int line = 0;
  std::string text;  ///< the check as one line, for reports
};

struct Scenario {
  std::string file;
  std::string id;
  std::string title;
  std::string theme;
  Policy policy;
  LevelsSet levels;
  std::vector<Node> nodes;
  std::vector<QueueSpec> queues;  ///< without the implied "default"
  std::vector<UserSpec> users;
  std::vector<Job> jobs;
  std::vector<Experiment> experiments;
  std::vector<Event> events;  ///< stable order of time
  Instant end{};
  std::vector<Check> expect;
};

/// `text` is the content of `file` (the name is for messages only).
Result<Scenario> read(std::string_view text, const std::string& file);

}  // namespace muster::scenario
