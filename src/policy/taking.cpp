#include "policy/taking.hpp"

#include <algorithm>

namespace muster {

Taking::Taking(Draft open, std::vector<Prey> preys)
    : draft_(std::move(open)), preys_(std::move(preys)), taken_(preys_.size(), false) {
  std::vector<std::pair<JobId, std::size_t>> by_job;
  by_job.reserve(preys_.size());
  for (std::size_t p = 0; p < preys_.size(); ++p) by_job.emplace_back(preys_[p].job, p);
  std::sort(by_job.begin(), by_job.end());
  for (std::size_t at = 0; at < by_job.size();) {
    std::size_t end = at + 1;
    while (end < by_job.size() && by_job[end].first == by_job[at].first) ++end;
    for (std::size_t i = at; i < end && end - at > 1; ++i)
      torn_[by_job[at].first].preys.push_back(by_job[i].second);
    at = end;
  }
}

std::vector<std::uint32_t> Taking::workers_of(const Prey& prey) const {
  if (!prey.workers.empty()) return prey.workers;
  std::vector<std::uint32_t> workers;
  for (const Seat& seat : draft_.state().job(prey.job).seats) workers.push_back(seat.worker);
  return workers;
}

void Taking::change(std::size_t index, bool taken) {
  taken_[index] = taken;
  const Prey& prey = preys_[index];
  const auto torn = torn_.find(prey.job);
  if (torn == torn_.end()) {
    const bool whole = prey.workers.empty() || is_all(prey.job, prey.workers.size());
    if (taken) return whole ? draft_.remove(prey.job) : draft_.remove_workers(prey.job, prey.workers);
    return whole ? draft_.restore(prey.job) : draft_.restore_workers(prey.job, prey.workers);
  }
  std::vector<std::uint32_t> before = std::move(torn->second.workers);
  std::vector<std::uint32_t> after;
  for (const std::size_t p : torn->second.preys) {
    if (!taken_[p]) continue;
    const auto workers = workers_of(preys_[p]);
    after.insert(after.end(), workers.begin(), workers.end());
  }
  std::sort(after.begin(), after.end());
  after.erase(std::unique(after.begin(), after.end()), after.end());
  // A job that has lost all of its workers is stopped, and no longer counts for its user.
  if (is_all(prey.job, before.size())) draft_.restore(prey.job), before.clear();
  if (is_all(prey.job, after.size())) {
    draft_.restore_workers(prey.job, before);
    draft_.remove(prey.job);
  } else {
    std::vector<std::uint32_t> change;
    std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(change));
    draft_.restore_workers(prey.job, change);
    change.clear();
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(change));
    draft_.remove_workers(prey.job, change);
  }
  torn->second.workers = std::move(after);
}

std::vector<Prey> Taking::taken() const {
  std::vector<Prey> all;
  for (std::size_t p = 0; p < preys_.size(); ++p) {
    if (!taken_[p] || torn_.count(preys_[p].job) > 0) continue;
    all.push_back(preys_[p]);
    if (is_all(all.back().job, all.back().workers.size())) all.back().workers.clear();
  }
  for (const auto& [job, torn] : torn_) {
    if (torn.workers.empty()) continue;
    all.push_back({.job = job, .workers = torn.workers});
    if (is_all(job, torn.workers.size())) all.back().workers.clear();
  }
  std::sort(all.begin(), all.end(), [](const Prey& a, const Prey& b) { return a.job < b.job; });
  return all;
}

}  // namespace muster
