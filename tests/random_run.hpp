// Plays drawn worlds through the engine and the simulator's physics, as every driver does: news, advance,
// log, act. A watcher sees each step between the state before it and the state after it.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/apply.hpp"
#include "engine/engine.hpp"
#include "random_world.hpp"
#include "sim/physics.hpp"

namespace muster {

/// What a watcher sees of one step.
struct Seen {
  Engine& engine;
  const Step& step;
  const std::vector<Record>& log;  ///< up to and with this step
  Instant now;
};

struct RunOptions {
  std::function<void(Engine&)> before_step{};
  std::function<void(const Seen&)> watch{};
  /// Rebuild the engine from the log after every so many steps; 0 = never.
  std::size_t crash_every = 0;
};

class RandomRun {
 public:
  RandomRun(std::span<const std::uint8_t> bytes, const RunOptions& options)
      : choices_(bytes),
        world_(draw_world(choices_)),
        options_(options),
        engine_(std::make_unique<Engine>(world_.knobs)) {}

  /// The whole run; false where it does not come to rest.
  bool play() {
    set_up();
    rounds();
    while (!choices_.done() && at_rest_) {
      disturb();
      if (!choices_.once_in(3)) rounds();
    }
    rounds();
    pass_to(now_ + seconds(200));
    return at_rest_;
  }

  [[nodiscard]] const std::vector<Record>& log() const { return log_; }
  [[nodiscard]] const Engine& engine() const { return *engine_; }
  [[nodiscard]] const RandomWorld& world() const { return world_; }

 private:
  void set_up() {
    news_.emplace_back(LevelsSet{.levels = random_levels(), .extended = {}, .cleanup = world_.cleanup});
    for (const NodeSpec& node : world_.nodes) news_.emplace_back(NodeJoined{.spec = node});
    for (const QueueSpec& queue : world_.queues) news_.emplace_back(QueueSet{.spec = queue});
    for (const UserSpec& user : world_.users) news_.emplace_back(UserSet{.spec = user});
  }

  /// Rounds of one instant until nothing follows.
  void rounds() {
    constexpr int kMostRounds = 300;
    for (int i = 0; i < kMostRounds; ++i) {
      for (Event& event : physics_.due(now_)) news_.push_back(std::move(event));
      if (i > 0 && news_.empty()) return;
      round();
    }
    at_rest_ = false;
  }

  void round() {
    if (options_.before_step) options_.before_step(*engine_);
    std::vector<Event> news;
    news.swap(news_);
    const Step step = engine_->advance(now_, news);
    wake_at_ = step.plan.wake_at;
    log_.insert(log_.end(), step.log.begin(), step.log.end());
    for (const Record& record : step.log) {
      if (std::holds_alternative<JobSubmitted>(record.event)) {
        physics_.expect(behaviours_[physics_.known()]);
      }
    }
    for (Event& event : physics_.act(engine_->state(), step, now_)) news_.push_back(std::move(event));
    if (options_.watch) options_.watch({.engine = *engine_, .step = step, .log = log_, .now = now_});
    if (options_.crash_every > 0 && ++steps_ % options_.crash_every == 0) {
      engine_ = std::make_unique<Engine>(world_.knobs, log_);
    }
  }

  [[nodiscard]] std::optional<Instant> next_instant() const {
    std::optional<Instant> next = physics_.next();
    if (wake_at_ && (!next || *wake_at_ < *next)) next = wake_at_;
    return next;
  }

  void go_to(Instant at) {
    now_ = std::max(now_, at);
    rounds();
  }

  /// Passes through everything that happens by itself until `at`. The clock never stops at a wake-up for its
  /// own sake: an engine may ask for one too many, and nothing may come of it.
  void pass_to(Instant at) {
    constexpr int kMostInstants = 2000;
    if (!news_.empty()) rounds();
    for (int i = 0; at_rest_; ++i) {
      const auto next = next_instant();
      if (!next || *next >= at) break;
      at_rest_ = i < kMostInstants;
      go_to(*next);
    }
    if (at_rest_) go_to(at);
  }

  void disturb() {
    switch (choices_.below(14)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4: submit(); break;
      case 5:
      case 6:
        if (const auto next = physics_.next()) pass_to(*next);
        break;
      case 7: pass_to(now_ + seconds(choices_.between(1, 15))); break;
      case 8:
      case 9: trouble_node(); break;
      case 10: change_queue(); break;
      case 11: change_user(); break;
      default: disturb_job(); break;
    }
  }

  void submit() {
    JobSpec job = draw_job(choices_, world_, behaviours_.size(), now_);
    behaviours_.push_back(draw_behaviour(choices_, job));
    news_.emplace_back(JobSubmitted{.spec = std::move(job)});
  }

  void trouble_node() {
    const NodeId node{choices_.below(static_cast<std::uint32_t>(world_.nodes.size()))};
    const auto change = [&](NodeState to) {
      news_.emplace_back(NodeChanged{.node = node, .state = to});
      physics_.node_changed(node, to);
    };
    switch (choices_.below(6)) {
      case 0: return change(NodeState::Down);
      case 1:
      case 2: return change(NodeState::Up);
      case 3: return change(NodeState::Drained);
      case 4: return change(NodeState::Unreachable);
      default: change(NodeState::Drained); news_.emplace_back(NodeLost{.node = node});
    }
  }

  void change_queue() {
    if (world_.queues.empty()) return;
    QueueSpec& queue = world_.queues[choices_.below(static_cast<std::uint32_t>(world_.queues.size()))];
    queue.limit[kGpu] = choices_.once_in(4) ? kUnlimited : kDevice * choices_.between(0, 6);
    queue.guarantee[kGpu] = std::min(queue.limit[kGpu], kDevice * choices_.between(0, 4));
    queue.weight = choices_.between(1, 3);
    news_.emplace_back(QueueSet{.spec = queue});
  }

  void change_user() {
    UserSpec& user = world_.users[choices_.below(static_cast<std::uint32_t>(world_.users.size()))];
    user.max_running = choices_.between(-1, 3);
    news_.emplace_back(UserSet{.spec = user});
  }

  void disturb_job() {
    const State& state = engine_->state();
    if (behaviours_.empty()) return;
    const JobId id{
        choices_.below(static_cast<std::uint32_t>(std::min<std::size_t>(behaviours_.size(), 255)) + 1)};
    std::uint32_t attempt = id.index() < state.jobs.size() ? state.job(id).attempt : 1;
    if (choices_.once_in(12)) ++attempt;
    switch (choices_.below(9)) {
      case 0: news_.emplace_back(JobCancelled{.job = id, .cause = StopCause::Cancelled}); break;
      case 1: news_.emplace_back(JobHeld{.job = id}); break;
      case 2:
      case 3: news_.emplace_back(JobReleased{.job = id}); break;
      case 4: news_.emplace_back(JobResized{.job = id, .workers = choices_.between(0, 5)}); break;
      case 5: news_.emplace_back(Checkpointed{.job = id}); break;
      case 6: news_.emplace_back(Observed{.job = id, .cpu = 250 * choices_.between(0, 8)}); break;
      default: {
        TaskExited exited{.job = id, .attempt = attempt, .workers = {choices_.below(4)}, .code = 0};
        if (choices_.once_in(3)) exited.workers.push_back(exited.workers.front() + 1 + choices_.below(2));
        if (choices_.once_in(2)) exited.code = 1;
        news_.emplace_back(std::move(exited));
      }
    }
  }

  Choices choices_;
  RandomWorld world_;
  RunOptions options_;
  std::unique_ptr<Engine> engine_;
  sim::Physics physics_;
  std::vector<sim::Behaviour> behaviours_;
  std::vector<Event> news_;
  std::vector<Record> log_;
  std::optional<Instant> wake_at_;
  Instant now_{};
  std::size_t steps_ = 0;
  bool at_rest_ = true;
};

}  // namespace muster
