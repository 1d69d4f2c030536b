// Fills the tape of a scenario run: who was where when, what moved, and whether the invariants that every
// scenario implies held.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "sim/physics.hpp"
#include "sim/tape.hpp"
#include "wire/scenario.hpp"

namespace muster::sim {

class Recorder {
 public:
  explicit Recorder(const scenario::Scenario& scenario);

  /// Behaviour of a job as it is submitted; also learns its id.
  Behaviour behaviour_of(const JobSpec& spec);
  void experiment_submitted(std::size_t index) { submitted_experiments_.push_back(index); }
  void launch_error_before_submit(const std::string& job) { launch_errors_.insert(job); }
  [[nodiscard]] JobId job_named(const std::string& name) const;

  /// What one step moved.
  void watch(const State& state, const Step& step, const Physics& physics, Instant now);
  /// The state at the end of an instant.
  void frame(const State& state, const Physics& physics, Instant now);
  void explained(Explained explained) { tape_.explained.push_back(std::move(explained)); }
  void broken(std::string sentence) { tape_.broken.push_back(std::move(sentence)); }

  Tape finish(const State& state, const Physics& physics, bool ended);

 private:
  void moved(Instant now, Move what, const State& state, JobId job, const Why& why);
  void watch_decision(const State& state, const Decision& decision, Instant now);
  void watch_users(const State& state, const Event& event, Instant now);
  void check_invariants(const State& state, Instant now);
  [[nodiscard]] JobView view_of(const State& state, const Physics& physics, std::size_t index) const;
  [[nodiscard]] ExperimentView view_of(const Experiment& experiment, const State& state) const;
  Behaviour trial_behaviour(const JobSpec& spec);

  const scenario::Scenario& scenario_;
  Tape tape_;
  std::map<std::string, std::size_t> index_of_;  ///< scenario jobs by name
  std::vector<JobId> ids_;                       ///< by index in the scenario
  std::map<std::string, JobId> by_name_;
  std::uint32_t submitted_ = 0;
  std::vector<std::size_t> submitted_experiments_;  ///< scenario index by ExperimentId
  std::set<std::string> launch_errors_;
  std::set<JobId> over_;
};

}  // namespace muster::sim
