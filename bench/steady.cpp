#include "steady.hpp"

#include <algorithm>

namespace muster::bench {
namespace {

/// Limits are uniform in 10 minutes to 6 hours, and a job runs half its limit.
constexpr Duration kMeanRun = seconds((600 + 6 * 3600) / 4);

}  // namespace

void Steady::stock(std::size_t jobs) {
  while (stock_.size() < jobs) stock_.push_back(arrivals_.next());
}

Step Steady::step() {
  const State& state = engine_->state();
  news_.clear();
  const std::size_t running = state.running.size();
  now_ += pace_ == Pace::Millisecond || running == 0
              ? Duration{1}
              : std::max(Duration{1}, kMeanRun / static_cast<std::int64_t>(running));
  if (running > 0) news_.push_back(end_of(state, state.running[ends_.below(running)]));
  for (; owed_ > 0; --owed_) {
    if (stock_.empty()) stock(1);
    news_.emplace_back(JobSubmitted{.spec = std::move(stock_.back())});
    stock_.pop_back();
  }
  Step step = engine_->advance(now_, news_);
  const Done done = done_in(step);
  owed_ += static_cast<std::int64_t>(done.starts) - static_cast<std::int64_t>(done.stops);
  return step;
}

Event end_of(const State& state, JobId id) {
  const Job& job = state.job(id);
  if (!job.running()) return JobCancelled{.job = id};
  return TaskExited{.job = id, .attempt = job.attempt, .workers = {}, .code = 0};
}

Done done_in(const Step& step) {
  Done done;
  for (const Decision& decision : step.plan.decisions) {
    if (std::holds_alternative<Start>(decision.what)) ++done.starts;
    const auto* stop = std::get_if<Stop>(&decision.what);
    if (stop != nullptr && is_eviction(stop->cause)) ++done.stops;
  }
  return done;
}

std::size_t pending_jobs(const State& state) {
  return static_cast<std::size_t>(std::count_if(
      state.jobs.begin(), state.jobs.end(), [](const Job& job) { return job.state == JobState::Pending; }));
}

int load_percent(const State& state) {
  std::int64_t held = 0;
  std::int64_t up = 0;
  for (const JobId id : state.running) held += milli_gpus(state, state.job(id));
  for (const NodeEntry& node : state.ledger.nodes()) {
    if (node.state == NodeState::Up) up += static_cast<std::int64_t>(node.spec.devices.size()) * kDevice;
  }
  return up == 0 ? 0 : static_cast<int>(held * 100 / up);
}

}  // namespace muster::bench
