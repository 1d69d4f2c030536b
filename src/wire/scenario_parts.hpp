// Inside the reader of scenario files: the names a file defines, what it may cost, and one function for each
// part of the schema. A part reads into values and reports problems through its `Field`; the caller looks at
// `Problems` once, at the end.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wire/scenario.hpp"
#include "wire/yaml/walk.hpp"

namespace muster::scenario {

using yaml::Bounds;
using yaml::Field;

inline constexpr std::int32_t kMaxWorkers = 100'000;      ///< of one job
inline constexpr std::int32_t kMaxCopies = 200'000;       ///< of one job
inline constexpr std::int64_t kMaxCount = 1'000'000'000;  ///< of anything else that is counted

/// The names of one kind of thing, in the order of the file.
class Roll {
 public:
  explicit Roll(std::string what) : what_(std::move(what)) {}

  /// A name that is already there is a problem at `where`.
  void add(const Field& where, const std::string& name);
  /// A name that exists without being written.
  void imply(const std::string& name) { index_.emplace(name, names_.size()), names_.push_back(name); }
  [[nodiscard]] bool has(std::string_view name) const { return index_.find(name) != index_.end(); }
  /// Reads a name that must be in the roll.
  void refer(const Field& where, std::string& out) const;
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::string what_;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

/// What a file may cost after its lists of names, repeats and `*` are written out, in values. Keeps a small
/// file from asking for more memory than any machine has.
class Budget {
 public:
  /// False, and a problem at `where`, once the file has asked for too much.
  bool spend(const Field& where, std::int64_t values);

 private:
  std::int64_t left_ = 4'000'000;
};

/// Sums of all that is asked for or promised, so that later sums of the parts cannot overflow.
class Totals {
 public:
  void add(const Field& where, const Amounts& amounts, std::int64_t times);

 private:
  std::array<__int128, kResources> sum_{};
};

struct Names {
  Roll nodes{"node"};
  Roll levels{"level"};       ///< with `node`: where checks look
  Roll near_levels{"level"};  ///< with the levels inside a node too: where `near` may point
  Roll queues{"queue"};       ///< "default" included
  Roll users{"user"};
  Roll jobs{"job"};
  Roll families{"job"};  ///< base names
  Roll experiments{"experiment"};
  std::map<std::string, std::vector<std::string>, std::less<>> copies;  ///< base name -> its jobs
};

/// What all parts share.
struct Reading {
  Names names;
  Budget budget;
  Totals demand;
  Totals promised;
};

// ---- parts of the file, in the order in which they are read
void read_policy(const Field& policy, Policy& out);
void read_cluster(const Field& cluster, Reading& reading, Scenario& out);
void read_queues(const Field& queues, Reading& reading, Scenario& out);
void read_users(const Field& users, Reading& reading, Scenario& out);
void read_jobs(const Field& jobs, Reading& reading, Scenario& out);
void read_experiments(const Field& experiments, Reading& reading, Scenario& out);
void read_events(const Field& events, const Names& names, Scenario& out);
void read_expect(const Field& expect, Reading& reading, Scenario& out);

// ---- values that several parts share (scenario_values.cpp)

/// `{gpu: 4, mem: 0.5}` into the amounts named; the others keep their value.
void read_amounts(const Field& amounts, Amounts& out);
/// One amount of the resource in its unit.
void read_amount(const Field& amount, std::size_t resource, std::int64_t& out);
/// CPUs into millicores, GiB into bytes.
void read_cpu(const Field& cpus, std::int64_t& out);
void read_mem(const Field& gibibytes, std::int64_t& out);
void read_demand(const Field& each, Demand& out);
/// `4`, `{min: 2, max: 8}`, `[2, 4, 8]` or `{min: 2, max: 8, legal: [2, 4, 8]}`.
void read_count(const Field& workers, Count& out);
/// One wish or a list of them.
void read_near(const Field& near, const Names& names, std::vector<Near>& out);
/// `{key: value}` or `{key: [values]}`, merged into `out`, where a key given here wins.
void read_select(const Field& select, std::vector<Selector>& out);
/// `3`, `[2, 4]`, `{min: 2, max: 4}`, `{max: 4}`, `{min: 2}`.
void read_range(const Field& range, Range& out);
/// A time or `[from, to]`.
void read_span(const Field& span, Instant end, Span& out);

// ---- the conditions of one moment (scenario_moment.cpp)

/// The keys of a moment, for `Field::only`.
std::vector<std::string_view> moment_keys();
/// `running`, `done`, ... as a state of jobs.
void read_state(const Field& state, JobState& out);
void read_moment(const Field& moment, Reading& reading, Moment& out);
/// A list of job names, with `x*` written out as the copies of x.
void read_job_names(const Field& list, Reading& reading, Jobs& out);
/// The name of one job.
void read_job_name(const Field& name, const Names& names, std::string& out);
/// Calls `read(job, value)` for every entry of a map from jobs.
void for_each_job(const Field& map, const Names& names,
                  const std::function<void(const std::string&, const Field&)>& read);

}  // namespace muster::scenario
