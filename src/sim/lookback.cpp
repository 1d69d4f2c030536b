#include "sim/lookback.hpp"

#include <algorithm>

#include "base/match.hpp"
#include "policy/factors.hpp"
#include "sim/timeline.hpp"

namespace muster {
namespace {

/// The policy's key of a waiting job, with the part that its user adds; within one queue this is the order.
Key standing(const State& state, JobId id, const Knobs& knobs, Instant now) {
  Key key = key_of(state, id, knobs, now);
  if (knobs.order == Order::Weighted) key.points -= user_points(state, state.job(id).user, knobs);
  return key;
}

std::optional<Happened> happened(const Record& record, JobId job) {
  using What = Happened::What;
  const auto line = [&](What what) {
    return std::optional(Happened{.at = record.at, .what = what, .why = {}});
  };
  return match(
      record.event, [&](const TaskExited& e) { return e.job == job ? line(What::Ended) : std::nullopt; },
      [&](const JobCancelled& e) { return e.job == job ? line(What::Cancelled) : std::nullopt; },
      [&](const Decided& e) -> std::optional<Happened> {
        const JobId subject = match(e.decision.what, [](const auto& what) { return what.job; });
        if (subject != job) return std::nullopt;
        auto told = match(
            e.decision.what, [&](const Start&) { return line(What::Started); },
            [&](const Hold&) { return line(What::Waits); },
            [&](const Stop& stop) { return line(is_eviction(stop.cause) ? What::Evicted : What::Stopped); },
            [&](const Grow&) { return line(What::Resized); },
            [&](const Shrink&) { return line(What::Resized); },
            [](const auto&) { return std::optional<Happened>(); });
        if (told) told->why = e.decision.why;
        return told;
      },
      [](const auto&) { return std::optional<Happened>(); });
}

}  // namespace

Lookback::Lookback(const Knobs& knobs, std::span<const Record> log, Instant at)
    : log_(up_to(log, at)), at_(at) {
  engine_ = std::make_unique<Engine>(knobs, log_);
  // Asking for decisions files the waiting jobs; everything that could be decided then already is.
  if (!log_.empty()) (void)engine_->advance(log_.back().at, {});
}

std::optional<JobId> Lookback::find(std::string_view name) const {
  const auto& jobs = state().jobs;
  const auto at = std::find_if(jobs.begin(), jobs.end(), [&](const Job& job) { return job.name == name; });
  if (at == jobs.end()) return std::nullopt;
  return JobId{static_cast<std::size_t>(at - jobs.begin())};
}

std::vector<Why> Lookback::reasons(JobId job) const { return explain(state(), engine_->policy(), job, at_); }

std::optional<Lookback::Position> Lookback::position(JobId job) const {
  const Job& mine = state().job(job);
  if (mine.state != JobState::Pending) return std::nullopt;
  const Key key = standing(state(), job, engine_->knobs(), at_);
  Position position{.place = 1, .of = 0};
  for (std::size_t j = 0; j < state().jobs.size(); ++j) {
    const Job& other = state().jobs[j];
    if (other.state != JobState::Pending || other.queue != mine.queue) continue;
    ++position.of;
    if (JobId{j} != job && standing(state(), JobId{j}, engine_->knobs(), at_) < key) ++position.place;
  }
  return position;
}

std::vector<Happened> Lookback::story(JobId job) const {
  std::vector<Happened> out;
  out.push_back({.at = state().job(job).submitted, .what = Happened::What::Submitted, .why = {}});
  for (const Record& record : log_) {
    auto line = happened(record, job);
    if (line) out.push_back(std::move(*line));
  }
  // An attempt that was stopped also exits; that says nothing new.
  for (std::size_t i = 1; i < out.size();) {
    const auto before = out[i - 1].what;
    const bool stopped = before == Happened::What::Evicted || before == Happened::What::Stopped ||
                         before == Happened::What::Cancelled;
    if (out[i].what == Happened::What::Ended && stopped) {
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  return out;
}

}  // namespace muster
