#include "sim/play.hpp"

#include <algorithm>
#include <map>

#include "core/fingerprint.hpp"
#include "drive/driver.hpp"
#include "engine/explain.hpp"
#include "sim/physics.hpp"
#include "sim/record_tape.hpp"

namespace muster::sim {
namespace {

/// A world that lets the tape watch what the physics does.
struct WatchedWorld {
  Physics physics;
  Recorder* recorder = nullptr;

  std::vector<Event> act(const State& state, const Step& step, Instant now) {
    for (const Record& record : step.log) {
      if (const auto* submitted = std::get_if<JobSubmitted>(&record.event))
        physics.expect(recorder->behaviour_of(*submitted->spec));
    }
    std::vector<Event> news = physics.act(state, step, now);
    recorder->watch(state, step, physics, now);
    return news;
  }
};

class Player {
 public:
  Player(const scenario::Scenario& scenario, const PlayOptions& options)
      : scenario_(scenario),
        options_(options),
        recorder_(scenario),
        driver_(knobs_of(scenario.policy), world_, {}, Audit::EveryStep) {
    world_.recorder = &recorder_;
    ask_at_checks(scenario.expect);
  }

  Result<Played> run() {
    set_up();
    Instant now{};
    while (true) {
      if (auto played = instant(now); !played) return fail(std::move(played.error()));
      const auto next = next_instant(now);
      answer_questions(now, next.value_or(after(scenario_.end, seconds(1))));
      if (!next) break;
      now = *next;
    }
    Played played;
    played.rounds = std::move(rounds_);
    played.log = *driver_.journal().read();
    played.tape = recorder_.finish(driver_.engine().state(), world_.physics, !pending_after(scenario_.end));
    LogDigest digest;
    for (const Record& record : played.log) digest.add(record);
    played.tape.digest = digest.hex();
    return played;
  }

 private:
  void set_up() {
    LevelsSet levels = scenario_.levels;
    levels.cleanup = scenario_.policy.cleanup;
    driver_.post(levels);
    for (const scenario::Node& node : scenario_.nodes)
      driver_.post(NodeJoined{.spec = node.spec, .state = node.state});
    for (const QueueSpec& queue : scenario_.queues) driver_.post(QueueSet{.spec = queue});
    for (const UserSpec& user : scenario_.users) driver_.post(UserSet{.spec = user});
  }

  Result<void> round(Instant now) {
    if (auto done = driver_.round(now); !done) return done;
    const State& state = driver_.engine().state();
    rounds_.push_back(
        {.records = static_cast<std::size_t>(state.sequence), .fingerprint = fingerprint(state)});
    if (options_.crashes && options_.crashes->after(rounds_.size())) return driver_.restart();
    return {};
  }

  /// All rounds of one instant: completions, events, arrivals, then decisions until nothing follows.
  Result<void> instant(Instant now) {
    for (Event& event : world_.physics.due(now)) driver_.post(std::move(event));
    for (; next_event_ < scenario_.events.size() && scenario_.events[next_event_].at <= now; ++next_event_) {
      if (auto done = happen(scenario_.events[next_event_]); !done) return done;
    }
    for (const std::size_t j : arrivals(now)) driver_.post(JobSubmitted{.spec = scenario_.jobs[j].spec});
    for (std::size_t e = 0; e < scenario_.experiments.size(); ++e) {
      if (scenario_.experiments[e].submit == now) {
        recorder_.experiment_submitted(e);
        driver_.post(ExperimentSubmitted{.spec = scenario_.experiments[e].spec});
      }
    }
    constexpr int kMostRounds = 10'000;
    int rounds = 0;
    do {
      if (auto done = round(now); !done) return done;
      for (Event& event : world_.physics.due(now)) driver_.post(std::move(event));
      if (++rounds > kMostRounds) return fail("the scheduler does not come to rest at " + format(now));
    } while (driver_.has_news());
    recorder_.frame(driver_.engine().state(), world_.physics, now);
    if (options_.explain == Explain::EveryInstant) explain_all(now);
    return {};
  }

  static std::string format(Instant at) { return std::to_string(as_seconds(at)) + " s"; }

  /// Jobs of this instant, in listing order.
  [[nodiscard]] std::vector<std::size_t> arrivals(Instant now) const {
    std::vector<std::size_t> found;
    for (std::size_t j = 0; j < scenario_.jobs.size(); ++j) {
      if (scenario_.jobs[j].submit == now) found.push_back(j);
    }
    return found;
  }

  [[nodiscard]] std::optional<Instant> pending_after(Instant now) const {
    std::optional<Instant> next = world_.physics.next();
    const auto earlier = [&](Instant at) {
      if (at > now && (!next || at < *next)) next = at;
    };
    if (driver_.wake_at()) earlier(*driver_.wake_at());
    if (next_event_ < scenario_.events.size()) earlier(scenario_.events[next_event_].at);
    for (const scenario::Job& job : scenario_.jobs) earlier(job.submit);
    for (const scenario::Experiment& experiment : scenario_.experiments) earlier(experiment.submit);
    return next;
  }

  [[nodiscard]] std::optional<Instant> next_instant(Instant now) const {
    const auto next = pending_after(now);
    return next && *next <= scenario_.end ? next : std::nullopt;
  }

  [[nodiscard]] JobId job_named(const std::string& name) const { return recorder_.job_named(name); }

  [[nodiscard]] NodeId node_named(const std::string& name) const {
    for (std::size_t n = 0; n < scenario_.nodes.size(); ++n) {
      if (scenario_.nodes[n].spec.name == name) return NodeId{n};
    }
    return {};
  }

  /// Down, unreachable and drained are independent; the engine is told the worst of what holds.
  struct Trouble {
    bool down = false;
    bool unreachable = false;
    bool drained = false;
    [[nodiscard]] NodeState state() const {
      if (down) return NodeState::Down;
      if (unreachable) return NodeState::Unreachable;
      return drained ? NodeState::Drained : NodeState::Up;
    }
  };

  Trouble& trouble_of(const std::string& name) {
    const auto known = troubles_.find(name);
    if (known != troubles_.end()) return known->second;
    const NodeState first = scenario_.nodes[node_named(name).index()].state;
    return troubles_
        .emplace(name, Trouble{.down = first == NodeState::Down,
                               .unreachable = first == NodeState::Unreachable,
                               .drained = first == NodeState::Drained})
        .first->second;
  }

  void tell_node(const std::string& name) {
    const NodeState to = trouble_of(name).state();
    driver_.post(NodeChanged{.node = node_named(name), .state = to});
    world_.physics.node_changed(node_named(name), to);
  }

  Result<void> happen(const scenario::Event& event) {
    using scenario::Do;
    // Events at time 0 may name nodes and jobs that this round only brings.
    if (event.at == Instant{} && driver_.has_news()) {
      if (auto done = round(event.at); !done) return done;
    }
    switch (event.what) {
      case Do::NodeDown: trouble_of(event.node).down = true; break;
      case Do::NodeUp: trouble_of(event.node).down = false; break;
      case Do::NodeReachable: trouble_of(event.node).unreachable = false; break;
      case Do::NodeUnreachable: trouble_of(event.node).unreachable = true; break;
      case Do::Undrain: trouble_of(event.node).drained = false; break;
      case Do::Drain:
      case Do::DrainNow: trouble_of(event.node).drained = true; break;
      case Do::SchedulerRestart: return driver_.restart();
      case Do::SetQueue: set_queue(event); break;
      default: happen_to_job(event); return {};
    }
    if (event.what == Do::SetQueue) return {};
    tell_node(event.node);
    if (event.what == Do::DrainNow) driver_.post(NodeLost{.node = node_named(event.node)});
    return {};
  }

  void set_queue(const scenario::Event& event) {
    const Ledger& ledger = driver_.engine().state().ledger;
    QueueSpec spec = ledger.queue(ledger.find_queue(event.queue)).spec;
    if (event.limit) spec.limit = *event.limit;
    if (event.guarantee) spec.guarantee = *event.guarantee;
    driver_.post(QueueSet{.spec = spec});
  }

  void happen_to_job(const scenario::Event& event) {
    using scenario::Do;
    const JobId job = job_named(event.job);
    if (!job.valid()) {
      if (event.what == Do::LaunchError) recorder_.launch_error_before_submit(event.job);
      return;
    }
    switch (event.what) {
      case Do::Cancel: driver_.post(JobCancelled{.job = job, .cause = StopCause::Cancelled}); break;
      case Do::Remove: driver_.post(JobCancelled{.job = job, .cause = StopCause::Removed}); break;
      case Do::Hold: driver_.post(JobHeld{.job = job}); break;
      case Do::Release: driver_.post(JobReleased{.job = job}); break;
      case Do::Resize: driver_.post(JobResized{.job = job, .workers = event.workers}); break;
      case Do::Observe: driver_.post(Observed{.job = job, .cpu = event.cpu}); break;
      case Do::LaunchError: world_.physics.behaviour(job).launch_error = true; break;
      case Do::WorkerExit: exit_workers(event, job); break;
      default: break;
    }
  }

  void exit_workers(const scenario::Event& event, JobId id) {
    const Job& job = driver_.engine().state().job(id);
    TaskExited exited{.job = id, .attempt = job.attempt, .workers = {}, .code = event.code};
    if (event.worker) exited.workers.push_back(*event.worker);
    for (std::int32_t i = 0; i < event.workers && i < static_cast<std::int32_t>(job.seats.size()); ++i) {
      exited.workers.push_back(job.seats[job.seats.size() - 1 - static_cast<std::size_t>(i)].worker);
    }
    std::sort(exited.workers.begin(), exited.workers.end());
    if (!exited.workers.empty()) driver_.post(std::move(exited));
  }

  // ---- questions of `reason` checks

  void ask_at_checks(const std::vector<scenario::Check>& checks) {
    for (const scenario::Check& check : checks) {
      if (const auto* reason = std::get_if<scenario::ReasonCheck>(&check.what)) {
        questions_.emplace(reason->at, reason->job);
      }
      if (const auto* any = std::get_if<scenario::AnyOfCheck>(&check.what)) {
        for (const auto& alternative : any->alternatives) ask_at_checks(alternative);
      }
    }
  }

  /// Reasons that are not true go to the tape as broken.
  std::vector<Why> explained(JobId id, Instant at) {
    const Engine& engine = driver_.engine();
    std::vector<Why> whys = explain(engine.state(), engine.policy(), id, at);
    for (const Why& why : whys) {
      if (holds(why, engine.state(), engine.policy(), at)) continue;
      recorder_.broken("a reason given for " + engine.state().job(id).name + " at " + format(at) +
                       " is not true: " + sentence(why));
    }
    return whys;
  }

  void explain_all(Instant now) {
    const State& state = driver_.engine().state();
    for (std::size_t j = 0; j < state.jobs.size(); ++j) {
      const Job& job = state.jobs[j];
      const bool waits = job.state == JobState::Held || (!is_over(job.state) && wants_workers(state, job));
      if (explained(JobId{j}, now).empty() && waits) {
        recorder_.broken(job.name + " waits without a reason at " + format(now));
      }
    }
  }

  void answer_questions(Instant from, Instant before) {
    for (auto at = questions_.lower_bound({from, ""}); at != questions_.end() && at->first < before; ++at) {
      const JobId id = job_named(at->second);
      if (!id.valid()) continue;
      Explained answer{.job = at->second, .at = at->first, .kind = {}, .sentence = {}, .whys = {}};
      answer.whys = explained(id, at->first);
      if (!answer.whys.empty()) {
        answer.kind = kind_of(answer.whys.front().reason);
        answer.sentence = sentence(answer.whys.front());
      }
      recorder_.explained(std::move(answer));
    }
  }

  const scenario::Scenario& scenario_;
  PlayOptions options_;
  Recorder recorder_;
  WatchedWorld world_;
  Driver<WatchedWorld, MemoryJournal> driver_;
  std::map<std::string, Trouble> troubles_;
  std::size_t next_event_ = 0;
  std::set<std::pair<Instant, std::string>> questions_;
  std::vector<Mark> rounds_;
};

}  // namespace

Knobs knobs_of(const scenario::Policy& policy) {
  Knobs knobs;
  knobs.name = "scenario";
  knobs.order = policy.order == "submit" ? Order::Submit : Order::Priority;
  knobs.blocking = policy.blocking == "head" ? Blocking::Head : Blocking::None;
  knobs.backfill = policy.backfill == "easy" ? Backfill::Easy : Backfill::Off;
  knobs.preemption = policy.preemption == "priority" ? Preemption::Priority : Preemption::Off;
  knobs.reclaim = policy.reclaim;
  knobs.fair_share = policy.fair_share;
  knobs.elastic_yield = policy.elastic_yield;
  knobs.starvation_guard = policy.starvation_guard.value_or(kForever);
  knobs.lost_after = policy.lost_after;
  if (policy.colocate) {
    knobs.colocation =
        Colocation{.margin_milli = policy.colocate->margin_milli, .system_cpu = policy.colocate->system_cpu};
  }
  return knobs;
}

Result<Played> play(const scenario::Scenario& scenario, const PlayOptions& options) {
  return Player(scenario, options).run();
}

}  // namespace muster::sim
