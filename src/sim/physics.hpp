// The simulated world: how long work takes, what checkpoints save, when processes exit. It decides
// nothing; it turns the engine's plan into what a cluster would report back, in virtual time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engine/engine.hpp"
#include "model/event.hpp"

namespace muster::sim {

/// How one job behaves once it runs.
struct Behaviour {
  std::optional<Duration> run;          ///< seconds of work; none = until stopped
  std::optional<Duration> fails_after;  ///< of work in an attempt
  std::uint32_t fails_worker = 0;
  std::int32_t fails_code = 1;
  std::int32_t fails_times = 0;         ///< left; -1 = always
  std::optional<Duration> stops_after;  ///< early stopping ends it after that much work
  std::optional<std::int64_t> score;    ///< reported when it completes
  Checkpoint checkpoint;
  bool never_ready = false;
  std::int32_t exit_on_evict = 0;
  bool launch_error = false;  ///< the next launch fails
};

/// Work done and processes alive, for reports.
struct Life {
  Duration work{0};           ///< of all attempts, lost work included
  std::int64_t attempts = 0;  ///< starts that came up
  std::optional<Instant> first_start;
};

class Physics {
 public:
  /// How the next submitted job behaves; call once per JobSubmitted record, in their order.
  void expect(Behaviour behaviour);
  [[nodiscard]] std::size_t known() const { return jobs_.size(); }
  Behaviour& behaviour(JobId job) { return jobs_[job.index()].how; }
  [[nodiscard]] const Life& life(JobId job) const { return jobs_[job.index()].life; }

  /// Act on a plan; what is known at once comes back.
  std::vector<Event> act(const State& state, const Step& step, Instant now);

  /// The earliest instant at which something happens by itself.
  [[nodiscard]] std::optional<Instant> next() const;
  /// Everything that happens by itself up to `now`, in order.
  std::vector<Event> due(Instant now);

  /// Processes of replaced workers die when their node comes back or goes down.
  void node_changed(NodeId node, NodeState to);
  /// Live processes of the worker that has most of them: the running one and replaced ones that live on.
  [[nodiscard]] std::int64_t copies(const Job& job, JobId id) const;

 private:
  enum class What : std::uint8_t { Exit, Fail, StopEarly, GhostEnd };
  struct Item {
    Instant at{};
    JobId job;
    std::uint32_t attempt = 0;
    What what = What::Exit;
    friend auto operator<=>(const Item&, const Item&) = default;
  };
  struct Process {
    Behaviour how;
    Life life;
    Duration kept{0};           ///< saved by checkpoints before the running attempt
    std::uint32_t attempt = 0;  ///< running; 0 = none
    Instant started{};
    std::optional<Instant> exits;
  };
  struct Ghost {
    JobId job;
    std::uint32_t worker = 0;
    std::uint32_t attempt = 0;
    NodeId node;
    friend auto operator<=>(const Ghost&, const Ghost&) = default;
  };

  void act_on(const State& state, const Decision& decision, Instant now, std::vector<Event>& news);
  void start(JobId id, std::uint32_t attempt, Instant now, std::vector<Event>& news);
  void stop(const State& state, const Stop& what, Instant now, std::vector<Event>& news);
  void end_attempt(JobId id, Instant now);
  /// Workers replaced because their node cannot be reached live on there.
  void haunt(const State& state, JobId id, const std::vector<std::uint32_t>* workers);

  std::vector<Process> jobs_;
  std::set<Item> agenda_;
  std::set<Ghost> ghosts_;
  std::map<JobId, Placement> seats_;  ///< of running attempts on nodes that may become unreachable
};

}  // namespace muster::sim
