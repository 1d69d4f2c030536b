// A moment of a past run: the state folded from the log up to then, and what can be asked of it about one
// job. The explanations are the engine's own, from the state alone; nothing of the run is remembered but its
// log.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/explain.hpp"

namespace muster {

/// One line of a job's story: what happened to it, and the reason of a decision.
struct Happened {
  Instant at{};
  enum class What : std::uint8_t { Submitted, Waits, Started, Evicted, Stopped, Ended, Cancelled, Resized };
  What what = What::Submitted;
  std::optional<Why> why;
};

class Lookback {
 public:
  /// The moment after everything of `at` was decided.
  Lookback(const Knobs& knobs, std::span<const Record> log, Instant at);

  [[nodiscard]] const State& state() const { return engine_->state(); }
  [[nodiscard]] const Policy& policy() const { return engine_->policy(); }
  [[nodiscard]] Instant at() const { return at_; }

  /// The job of that name, or none.
  [[nodiscard]] std::optional<JobId> find(std::string_view name) const;
  /// All reasons why it waits, blockers first.
  [[nodiscard]] std::vector<Why> reasons(JobId job) const;

  struct Position {
    std::size_t place = 0;  ///< from 1
    std::size_t of = 0;     ///< waiting jobs of the queue
  };
  /// Where it stands among the waiting jobs of its queue, by the policy's order.
  [[nodiscard]] std::optional<Position> position(JobId job) const;

  [[nodiscard]] std::vector<Happened> story(JobId job) const;

 private:
  std::unique_ptr<Engine> engine_;
  std::span<const Record> log_;
  Instant at_;
};

}  // namespace muster
