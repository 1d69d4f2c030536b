#include "engine/engine.hpp"

#include <cstdio>

#include "base/check.hpp"
#include "base/match.hpp"
#include "core/audit.hpp"
#include "engine/duties.hpp"
#include "engine/explain.hpp"
#include "flow/experiments.hpp"
#include "policy/resize.hpp"

namespace muster {
namespace {

/// Something a running attempt did by itself.
bool is_report(const Event& event) {
  return std::holds_alternative<TaskStarted>(event) || std::holds_alternative<TaskExited>(event) ||
         std::holds_alternative<StartFailed>(event) || std::holds_alternative<TrialScored>(event) ||
         std::holds_alternative<Checkpointed>(event);
}

/// The end of a plan in words, for whoever has to find a cycle.
void print_last(const Step& step, const State& state) {
  constexpr std::size_t kShown = 16;
  const auto& decisions = step.plan.decisions;
  for (std::size_t d = decisions.size() > kShown ? decisions.size() - kShown : 0; d < decisions.size(); ++d) {
    match(decisions[d].what, [&](const auto& what) {
      std::fprintf(stderr, "muster: decision %zu of kind %zu about %s: %s\n", d, decisions[d].what.index(),
                   state.job(what.job).name.c_str(), sentence(decisions[d].why).c_str());
    });
  }
}

}  // namespace

Engine::Engine(const Knobs& knobs, Audit audit) : state_(initial_state()), policy_(knobs), audit_(audit) {}

Engine::Engine(const Knobs& knobs, std::span<const Record> log, Audit audit) : Engine(knobs, audit) {
  for (const Record& record : log) apply(state_, record);
  state_.ledger.lay_out();
  for (std::size_t j = 0; j < state_.jobs.size(); ++j) set_alarms_of_job(JobId{j});
  for (std::size_t n = 0; n < state_.ledger.nodes().size(); ++n) {
    const NodeEntry& entry = state_.ledger.nodes()[n];
    if (entry.state != NodeState::Unreachable) continue;
    alarms_.insert({.at = after(entry.unreachable_since, knobs.lost_after),
                    .timer = Timer::Unreachable,
                    .subject = static_cast<std::uint32_t>(n),
                    .attempt = 0});
  }
  for (std::size_t j = 0; j < state_.jobs.size(); ++j) state_.changed.emplace_back(j);
}

Step Engine::advance(Instant now, std::span<const Event> news) {
  CHECK(now >= state_.now);
  Step step;
  resized_.clear();
  // Reports come first in the news; a time limit reached now is one of them, and precedes what users do.
  std::size_t at = 0;
  for (; at < news.size() && is_report(news[at]); ++at) record(now, news[at], step);
  ring_alarms(now, step);
  for (; at < news.size(); ++at) {
    record(now, news[at], step);
    // Work is lost with its node even where the node is back in the same instant.
    if (state_.ledger.vacating().empty()) continue;
    state_.ledger.lay_out();
    for (Decision& decision : leave_lost_nodes(state_)) decide(now, std::move(decision), step);
  }
  state_.ledger.lay_out();
  ring_alarms(now, step);
  while (do_duties(now, step)) {
  }
  decide_all(now, step);
  while (!alarms_.empty() && is_stale(*alarms_.begin())) alarms_.erase(alarms_.begin());
  step.plan.wake_at = policy_.wake_at(state_, now);
  if (!alarms_.empty() && (!step.plan.wake_at || alarms_.begin()->at < *step.plan.wake_at)) {
    step.plan.wake_at = alarms_.begin()->at;
  }
  if (audit_ == Audit::EveryStep) check_audit();
  return step;
}

void Engine::decide_all(Instant now, Step& step) {
  while (true) {
    auto decisions = policy_.next(state_, now);
    if (decisions.empty()) break;
    for (Decision& decision : decisions) decide(now, std::move(decision), step);
    // More than a few moves a job in one step is a cycle, and a cycle is a bug.
    const std::size_t most = 1000 + 64 * (state_.jobs.size() + state_.ledger.nodes().size());
    if (step.plan.decisions.size() > most) print_last(step, state_);
    CHECK_LE(step.plan.decisions.size(), most);
    while (do_duties(now, step)) {
    }
  }
}

void Engine::record(Instant now, Event event, Step& step) {
  Record record{.sequence = state_.sequence, .at = now, .event = std::move(event)};
  if (const auto* resized = std::get_if<JobResized>(&record.event)) {
    if (resized->job.index() < state_.jobs.size()) resized_.push_back(resized->job);
  }
  apply(state_, record);
  set_alarms_after(record.event, now);
  step.log.push_back(std::move(record));
}

void Engine::decide(Instant now, Decision decision, Step& step) {
  step.plan.decisions.push_back(decision);
  record(now, Decided{.decision = std::move(decision)}, step);
}

void Engine::set_alarms_of_job(JobId id) {
  const Job& job = state_.job(id);
  if (job.running() && job.limit < kForever) {
    alarms_.insert({.at = after(job.started, job.limit),
                    .timer = Timer::Limit,
                    .subject = id.value(),
                    .attempt = job.attempt});
  }
  if (!job.extra) return;
  for (const auto& leaving : job.extra->leaving) {
    alarms_.insert({.at = after(leaving.since, state_.cleanup),
                    .timer = Timer::Cleaned,
                    .subject = id.value(),
                    .attempt = leaving.attempt});
  }
}

void Engine::set_alarms_after(const Event& event, Instant at) {
  if (const auto* changed = std::get_if<NodeChanged>(&event)) {
    if (changed->state != NodeState::Unreachable) return;
    alarms_.insert({.at = after(at, knobs().lost_after),
                    .timer = Timer::Unreachable,
                    .subject = changed->node.value(),
                    .attempt = 0});
    return;
  }
  // Only jobs the record touched can have new ends; apply noted them.
  if (const auto* decided = std::get_if<Decided>(&event)) {
    if (const auto* start = std::get_if<Start>(&decided->decision.what)) set_alarms_of_job(start->job);
  }
  for (const JobId id : state_.leaving) set_alarms_of_job(id);
}

bool Engine::is_stale(const Alarm& alarm) const {
  if (alarm.timer != Timer::Limit) return false;
  const Job& job = state_.job(JobId{alarm.subject});
  return !job.running() || job.attempt != alarm.attempt;
}

void Engine::ring_alarms(Instant now, Step& step) {
  while (!alarms_.empty() && alarms_.begin()->at <= now) {
    const Alarm alarm = *alarms_.begin();
    alarms_.erase(alarms_.begin());
    if (alarm.timer == Timer::Unreachable) {
      const NodeId node{alarm.subject};
      const NodeEntry& entry = state_.ledger.node(node);
      const bool still = entry.state == NodeState::Unreachable && !entry.evacuated &&
                         after(entry.unreachable_since, knobs().lost_after) <= now;
      if (still) record(now, NodeLost{.node = node}, step);
      continue;
    }
    const JobId id{alarm.subject};
    if (alarm.timer == Timer::Cleaned) {
      record(now, Cleaned{.job = id, .attempt = alarm.attempt}, step);
      continue;
    }
    const Job& job = state_.job(id);
    if (!job.running() || job.attempt != alarm.attempt) continue;
    decide(now,
           {.what = Stop{.job = id, .attempt = alarm.attempt, .cause = StopCause::TimeLimit},
            .why = {.reason = Reason::TimeLimit, .limit = millis(job.limit)}},
           step);
  }
}

bool Engine::do_duties(Instant now, Step& step) {
  std::vector<Decision> decisions = leave_lost_nodes(state_);
  for (const JobId id : resized_) {
    if (auto shrink = overhang_of(state_, id)) {
      decisions.push_back({.what = std::move(*shrink), .why = {.reason = Reason::ByUser}});
    }
  }
  resized_.clear();
  if (decisions.empty() && knobs().colocation) decisions = keep_allowances(state_, knobs().colocation);
  if (decisions.empty() && !state_.to_place.empty()) decisions = book_placed(state_);
  for (Decision& decision : decisions) decide(now, std::move(decision), step);
  std::vector<Event> trials = next_trials(state_);
  for (Event& event : trials) record(now, std::move(event), step);
  return !decisions.empty() || !trials.empty();
}

void Engine::check_audit() const {
  const auto differences = audit(state_);
  for (const std::string& difference : differences)
    std::fprintf(stderr, "muster: audit: %s\n", difference.c_str());
  CHECK(differences.empty());
}

}  // namespace muster
