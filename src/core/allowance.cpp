#include "core/allowance.hpp"

#include <algorithm>

namespace muster {
namespace {

/// Part of a capacity that may be lent; an unlimited one stays unlimited.
std::int64_t lendable(std::int64_t capacity, std::int64_t margin_milli) {
  if (capacity >= kUnlimited) return kUnlimited;
  return static_cast<std::int64_t>(static_cast<__int128>(capacity) * (1000 - margin_milli) / 1000);
}

}  // namespace

Allowance allowance(const State& state, NodeId node, const std::optional<Colocation>& colocation,
                    Services counted) {
  if (!colocation) return {.cpu = 0, .mem = 0};
  const NodeEntry& entry = state.ledger.node(node);
  Allowance left{.cpu = lendable(entry.spec.cpu, colocation->margin_milli) - colocation->system_cpu,
                 .mem = lendable(entry.spec.mem, colocation->margin_milli)};
  std::vector<JobId> services;
  for (const JobId guest : counted == Services::Counted ? entry.guests : std::vector<JobId>{}) {
    const Job& job = state.job(guest);
    const Shape& shape = state.shape(job);
    if (job.running() && shape.kind == JobKind::Service && !shape.best_effort) services.push_back(guest);
  }
  std::sort(services.begin(), services.end());
  services.erase(std::unique(services.begin(), services.end()), services.end());
  for (const JobId id : services) {
    const Job& job = state.job(id);
    for (const Seat& seat : job.seats) {
      if (seat.node != node) continue;
      const Demand& demand = state.demand(job, seat);
      const bool sampled = job.extra && job.extra->observed_cpu >= 0;
      left.cpu -=
          sampled ? job.extra->observed_cpu / static_cast<std::int64_t>(job.seats.size()) : demand.cpu;
      left.mem -= demand.mem;
    }
  }
  left.cpu = std::max<std::int64_t>(left.cpu, 0);
  left.mem = std::max<std::int64_t>(left.mem, 0);
  return left;
}

}  // namespace muster
