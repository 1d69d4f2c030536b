#include "sim/physics.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/match.hpp"

namespace muster::sim {

void Physics::expect(Behaviour behaviour) { jobs_.push_back({.how = behaviour, .life = {}, .exits = {}}); }

std::vector<Event> Physics::act(const State& state, const Step& step, Instant now) {
  std::vector<Event> news;
  for (const Record& record : step.log) {
    // An attempt that failed, or that its user ended, is over before anything decided after it.
    const auto ended = [&](JobId id) {
      if (id.index() >= jobs_.size()) return;
      const Job& job = state.job(id);
      const std::uint32_t attempt = jobs_[id.index()].attempt;
      if (attempt != 0 && !(job.running() && job.attempt == attempt)) end_attempt(id, now);
    };
    if (const auto* cancelled = std::get_if<JobCancelled>(&record.event)) ended(cancelled->job);
    if (const auto* held = std::get_if<JobHeld>(&record.event)) ended(held->job);
    if (const auto* exited = std::get_if<TaskExited>(&record.event)) ended(exited->job);
    if (const auto* decided = std::get_if<Decided>(&record.event))
      act_on(state, decided->decision, now, news);
  }
  return news;
}

void Physics::act_on(const State& state, const Decision& decision, Instant now, std::vector<Event>& news) {
  match(
      decision.what,
      [&](const Start& e) {
        seats_[e.job] = e.seats;
        start(e.job, e.attempt, now, news);
      },
      [&](const Stop& e) { stop(state, e, now, news); },
      [&](const Grow& e) {
        auto& seats = seats_[e.job];
        seats.insert(seats.end(), e.seats.begin(), e.seats.end());
      },
      [&](const Shrink& e) {
        if (e.cause == StopCause::NodeLost) haunt(state, e.job, &e.workers);
        std::erase_if(seats_[e.job], [&](const Seat& seat) {
          return std::binary_search(e.workers.begin(), e.workers.end(), seat.worker);
        });
      },
      [](const auto&) {});
}

void Physics::start(JobId id, std::uint32_t attempt, Instant now, std::vector<Event>& news) {
  Process& process = jobs_[id.index()];
  if (process.how.launch_error) {
    process.how.launch_error = false;
    news.emplace_back(StartFailed{.job = id, .attempt = attempt});
    return;
  }
  process.attempt = attempt;
  process.started = now;
  ++process.life.attempts;
  if (!process.life.first_start) process.life.first_start = now;
  if (process.how.never_ready) return;
  news.emplace_back(TaskStarted{.job = id, .attempt = attempt});
  process.exits.reset();
  if (process.how.run) {
    process.exits = now + std::max(Duration{0}, *process.how.run - process.kept);
    agenda_.insert({.at = *process.exits, .job = id, .attempt = attempt, .what = What::Exit});
  }
  if (process.how.fails_after && process.how.fails_times != 0) {
    agenda_.insert({.at = now + *process.how.fails_after, .job = id, .attempt = attempt, .what = What::Fail});
  }
  if (process.how.stops_after) {
    const Duration left = std::max(Duration{0}, *process.how.stops_after - process.kept);
    agenda_.insert({.at = now + left, .job = id, .attempt = attempt, .what = What::StopEarly});
  }
}

void Physics::end_attempt(JobId id, Instant now) {
  Process& process = jobs_[id.index()];
  const Duration ran = process.how.never_ready ? Duration{0} : now - process.started;
  process.life.work += ran;
  const Duration done = process.kept + ran;
  switch (process.how.checkpoint.mode) {
    case CheckpointMode::None: process.kept = Duration{0}; break;
    case CheckpointMode::Always: process.kept = done; break;
    case CheckpointMode::Every:
      if (process.how.checkpoint.every > Duration{0})
        process.kept = done - done % process.how.checkpoint.every;
      break;
  }
  process.attempt = 0;
  seats_.erase(id);
}

void Physics::stop(const State& state, const Stop& what, Instant now, std::vector<Event>& news) {
  Process& process = jobs_[what.job.index()];
  if (process.attempt != what.attempt) return;
  if (what.cause == StopCause::NodeLost) haunt(state, what.job, nullptr);
  end_attempt(what.job, now);
  // The processes do exit, with a code that says nothing about the work; the engine knows better.
  news.emplace_back(
      TaskExited{.job = what.job, .attempt = what.attempt, .workers = {}, .code = process.how.exit_on_evict});
}

void Physics::haunt(const State& state, JobId id, const std::vector<std::uint32_t>* workers) {
  const Process& process = jobs_[id.index()];
  for (const Seat& seat : seats_[id]) {
    if (state.ledger.node(seat.node).state != NodeState::Unreachable) continue;
    if (workers != nullptr && !std::binary_search(workers->begin(), workers->end(), seat.worker)) continue;
    ghosts_.insert({.job = id, .worker = seat.worker, .attempt = process.attempt, .node = seat.node});
    if (process.exits) {
      agenda_.insert({.at = *process.exits, .job = id, .attempt = process.attempt, .what = What::GhostEnd});
    }
  }
}

std::optional<Instant> Physics::next() const {
  if (agenda_.empty()) return std::nullopt;
  return agenda_.begin()->at;
}

std::vector<Event> Physics::due(Instant now) {
  std::vector<Event> news;
  while (!agenda_.empty() && agenda_.begin()->at <= now) {
    const Item item = *agenda_.begin();
    agenda_.erase(agenda_.begin());
    if (item.what == What::GhostEnd) {
      std::erase_if(ghosts_, [&](const Ghost& g) { return g.job == item.job && g.attempt == item.attempt; });
      continue;
    }
    Process& process = jobs_[item.job.index()];
    if (process.attempt != item.attempt) continue;
    switch (item.what) {
      case What::Fail: {
        if (process.how.fails_times > 0) --process.how.fails_times;
        news.emplace_back(TaskExited{.job = item.job,
                                     .attempt = item.attempt,
                                     .workers = {process.how.fails_worker},
                                     .code = process.how.fails_code});
        break;
      }
      case What::StopEarly:
        if (process.how.score) news.emplace_back(TrialScored{.job = item.job, .score = *process.how.score});
        news.emplace_back(JobCancelled{.job = item.job, .cause = StopCause::StoppedEarly});
        break;
      default:
        if (process.how.score) news.emplace_back(TrialScored{.job = item.job, .score = *process.how.score});
        news.emplace_back(TaskExited{.job = item.job, .attempt = item.attempt, .workers = {}, .code = 0});
        break;
    }
  }
  return news;
}

void Physics::node_changed(NodeId node, NodeState to) {
  if (to == NodeState::Unreachable) return;
  std::erase_if(ghosts_, [&](const Ghost& ghost) { return ghost.node == node; });
}

std::int64_t Physics::copies(const Job& job, JobId id) const {
  std::map<std::uint32_t, std::int64_t> live;
  if (job.running()) {
    for (const Seat& seat : job.seats) live[seat.worker] = 1;
  }
  for (auto at = ghosts_.lower_bound(Ghost{.job = id, .worker = 0, .attempt = 0, .node = NodeId{0U}});
       at != ghosts_.end() && at->job == id; ++at)
    ++live[at->worker];
  std::int64_t most = 0;
  for (const auto& [worker, count] : live) most = std::max(most, count);
  return most;
}

}  // namespace muster::sim
