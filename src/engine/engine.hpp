// The pure engine: news in, records and a plan out. It calls nobody, reads no clock, and the same events
// at the same times give the same decisions in every driver, bit for bit.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "core/apply.hpp"
#include "core/state.hpp"
#include "model/event.hpp"
#include "model/plan.hpp"
#include "policy/knobs.hpp"
#include "policy/policy.hpp"

namespace muster {

/// What a call of `advance` gives: persist `log` first, then act on `plan`.
struct Step {
  std::vector<Record> log;
  Plan plan;
};

enum class Audit : std::uint8_t { Off, EveryStep };

class Engine {
 public:
  explicit Engine(const Knobs& knobs, Audit audit = Audit::Off);
  /// Continues from a log: the state is its fold, and nothing else is remembered.
  Engine(const Knobs& knobs, std::span<const Record> log, Audit audit = Audit::Off);

  /// Take in the news of one instant and decide. `now` never goes back.
  Step advance(Instant now, std::span<const Event> news);

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Knobs& knobs() const { return policy_.knobs(); }
  [[nodiscard]] const Policy& policy() const { return policy_; }
  Policy& policy() { return policy_; }

 private:
  enum class Timer : std::uint8_t { Limit, Cleaned, Unreachable };
  struct Alarm {
    Instant at{};
    Timer timer = Timer::Limit;
    std::uint32_t subject = 0;  ///< job or node
    std::uint32_t attempt = 0;
    friend auto operator<=>(const Alarm&, const Alarm&) = default;
  };

  void record(Instant now, Event event, Step& step);
  void decide(Instant now, Decision decision, Step& step);
  /// One gang after the other until nothing more can be done.
  void decide_all(Instant now, Step& step);
  void set_alarms_after(const Event& event, Instant at);
  void set_alarms_of_job(JobId id);
  /// The attempt whose limit it watches is over.
  [[nodiscard]] bool is_stale(const Alarm& alarm) const;
  void ring_alarms(Instant now, Step& step);
  bool do_duties(Instant now, Step& step);
  void check_audit() const;

  State state_;
  Policy policy_;
  Audit audit_;
  std::set<Alarm> alarms_;
  std::vector<JobId> resized_;  ///< jobs whose cap was lowered in this step
};

}  // namespace muster
