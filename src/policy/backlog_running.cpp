// What the backlog counts about running jobs: when they end, what they hold that others may take, and who
// among them could grow or shrink.
#include <algorithm>

#include "policy/backlog.hpp"

namespace muster {

void Backlog::count_running(const State& state, JobId id, const Knobs& knobs) {
  if (counted_.size() <= id.index())
    counted_.resize(std::max<std::size_t>(state.jobs.size(), id.index() + 1));
  const Job& job = state.job(id);
  Counted& counted = counted_[id.index()];
  const bool evictable = job.running() && job.evictable != Evictable::Never;
  Amounts held;
  if (evictable) {
    for (const Seat& seat : job.seats) held += state.demand(job, seat).charge();
  }
  if (evictable != counted.evictable || held != counted.held) {
    if (counted.evictable) forget_evictable(state, id);
    if (evictable) count_evictable(state, id, knobs, held);
  }
  count_end(state, id, knobs);
  if (!growable_.empty()) growable_.erase(id);
  if (!surplus_.empty()) surplus_.erase(id);
  const Shape& shape = state.shape(job);
  if (shape.gang() == shape.most() || shape.kind == JobKind::Service) return;
  const auto seats = static_cast<std::int32_t>(job.seats.size());
  if (job.running() && seats < shape.most()) growable_.insert(id);
  if (job.running() && seats > shape.gang()) {
    surplus_.insert(id);
    yielding_.push_back(job.queue);
  }
}

void Backlog::count_end(const State& state, JobId id, const Knobs& knobs) {
  if (knobs.backfill != Backfill::Easy) return;
  Instant& counted = counted_[id.index()].ends;
  const Instant ends = end_of(state, state.job(id));
  if (ends == counted) return;
  if (counted < kNever && ends < kNever) ++moved_ends_;
  if (counted < kNever) ends_.erase({counted, id});
  if (ends < kNever) ends_.emplace(ends, id);
  counted = ends;
}

void Backlog::count_evictable(const State& state, JobId id, const Knobs& knobs, const Amounts& held) {
  const Job& job = state.job(id);
  Herd& herd = evictable_[importance(job)][job.queue];
  Counted& counted = counted_[id.index()];
  counted.evictable = true;
  counted.slot = static_cast<std::uint32_t>(herd.jobs.size());
  counted.importance = importance(job);
  counted.held = held;
  for (std::size_t r = 0; r < kResources; ++r)
    herd.least[r] = herd.jobs.empty() ? held[r] : std::min(herd.least[r], held[r]);
  herd.ready = std::min(herd.ready, kept_until(job, knobs));
  herd.jobs.push_back({.job = id, .held = held});
  if (held.is_zero()) return;
  for (const QueueId queue : state.ledger.queue(job.queue).path)
    evictable_in_[queue.index()][importance(job)] += held;
}

void Backlog::forget_evictable(const State& state, JobId id) {
  Counted& counted = counted_[id.index()];
  const auto level = evictable_.find(counted.importance);
  const auto herd = level->second.find(state.job(id).queue);
  std::vector<Herd::Member>& jobs = herd->second.jobs;
  jobs[counted.slot] = jobs.back();
  counted_[jobs.back().job.index()].slot = counted.slot;
  jobs.pop_back();
  if (jobs.empty()) level->second.erase(herd);
  if (level->second.empty()) evictable_.erase(level);
  counted.evictable = false;
  if (counted.held.is_zero()) return;
  for (const QueueId queue : state.ledger.queue(state.job(id).queue).path) {
    auto& sums = evictable_in_[queue.index()];
    const auto at = sums.find(counted.importance);
    at->second -= counted.held;
    if (at->second.is_zero()) sums.erase(at);
  }
}

bool Backlog::could_relieve(const Broken& limit, const Importance& than) const {
  std::int64_t sum = 0;
  for (const auto& [level, held] : evictable_in_[limit.queue.index()]) {
    if (!(level < than)) break;
    sum += held[limit.resource];
  }
  return sum >= limit.asked - limit.available;
}

}  // namespace muster
