#include "engine/duties.hpp"

#include <algorithm>

#include "core/place.hpp"

namespace muster {
namespace {

bool lost(const NodeEntry& entry) { return entry.state == NodeState::Down || entry.evacuated; }

/// What is left of a job without the workers on lost nodes: goes on if elastic or a service, else stops.
Decision leave(const State& state, JobId id) {
  const Job& job = state.job(id);
  const Shape& shape = state.shape(job);
  std::vector<std::uint32_t> workers;
  std::string node;
  std::vector<std::int32_t> left(shape.roles.size(), 0);
  for (const Seat& seat : job.seats) {
    if (lost(state.ledger.node(seat.node))) {
      workers.push_back(seat.worker);
      node = state.ledger.node(seat.node).spec.name;
    } else {
      ++left[seat.role];
    }
  }
  bool goes_on = workers.size() < job.seats.size();
  for (std::size_t r = 0; r < shape.roles.size(); ++r) {
    const Count& count = shape.roles[r].count;
    const bool legal =
        count.legal.empty() || std::binary_search(count.legal.begin(), count.legal.end(), left[r]);
    goes_on = goes_on && (shape.kind == JobKind::Service || (left[r] >= count.min && legal));
  }
  const Why why{.reason = Reason::NodeLost, .names = {{Named::Node, node}}};
  if (goes_on)
    return {.what = Shrink{.job = id, .workers = std::move(workers), .cause = StopCause::NodeLost},
            .why = why};
  return {.what = Stop{.job = id, .attempt = job.attempt, .cause = StopCause::NodeLost}, .why = why};
}

}  // namespace

std::vector<Decision> leave_lost_nodes(const State& state) {
  std::vector<JobId> jobs;
  for (const NodeId node : state.ledger.vacating()) {
    for (const JobId guest : state.ledger.node(node).guests) {
      const Job& job = state.job(guest);
      const bool seated = std::any_of(job.seats.begin(), job.seats.end(),
                                      [&](const Seat& seat) { return seat.node == node; });
      if (job.running() && seated) jobs.push_back(guest);
    }
  }
  std::sort(jobs.begin(), jobs.end());
  jobs.erase(std::unique(jobs.begin(), jobs.end()), jobs.end());
  std::vector<Decision> decisions;
  for (const JobId id : jobs) decisions.push_back(leave(state, id));
  return decisions;
}

std::vector<Decision> keep_allowances(const State& state, const std::optional<Colocation>& colocation) {
  std::vector<JobId> stopped;
  std::vector<Decision> decisions;
  for (std::size_t n = 0; n < state.ledger.nodes().size(); ++n) {
    const Free& free = state.ledger.free(NodeId{n});
    if (free.soft_cpu == 0 && free.soft_mem == 0) continue;
    const Allowance allowed = allowance(state, NodeId{n}, colocation);
    std::int64_t over_cpu = free.soft_cpu - allowed.cpu;
    std::int64_t over_mem = free.soft_mem - allowed.mem;
    if (over_cpu <= 0 && over_mem <= 0) continue;
    std::vector<JobId> guests;
    for (const JobId guest : state.ledger.node(NodeId{n}).guests) {
      if (state.job(guest).running() && state.shape(state.job(guest)).best_effort) guests.push_back(guest);
    }
    std::sort(guests.begin(), guests.end(), [&](JobId a, JobId b) {
      const Job& x = state.job(a);
      const Job& y = state.job(b);
      return std::make_tuple(x.class_rank, x.priority, -millis(x.submitted),
                             y.submitted == x.submitted ? b : a) <
             std::make_tuple(y.class_rank, y.priority, -millis(y.submitted),
                             y.submitted == x.submitted ? a : b);
    });
    guests.erase(std::unique(guests.begin(), guests.end()), guests.end());
    for (const JobId guest : guests) {
      if (over_cpu <= 0 && over_mem <= 0) break;
      const Job& job = state.job(guest);
      for (const Seat& seat : job.seats) {
        if (seat.node != NodeId{n}) continue;
        over_cpu -= state.demand(job, seat).cpu;
        over_mem -= state.demand(job, seat).mem;
      }
      if (std::find(stopped.begin(), stopped.end(), guest) != stopped.end()) continue;
      stopped.push_back(guest);
      decisions.push_back(
          {.what = Stop{.job = guest, .attempt = job.attempt, .cause = StopCause::OverAllowance},
           .why = {.reason = Reason::OverAllowance,
                   .asked = free.soft_cpu,
                   .available = allowed.cpu,
                   .names = {{Named::Node, state.ledger.node(NodeId{n}).spec.name}}}});
    }
  }
  return decisions;
}

std::vector<Decision> book_placed(const State& state) {
  std::vector<Decision> decisions;
  Draft draft(state);
  for (const JobId id : state.to_place) {
    const Job& job = state.job(id);
    if (job.state != JobState::Pending) continue;
    const Shape& shape = state.shape(job);
    Placement seats;
    std::size_t at = 0;
    bool possible = true;
    for (std::size_t role = 0; role < shape.roles.size() && possible; ++role) {
      const auto count =
          shape.kind == JobKind::Service ? shape.roles[role].count.max : shape.roles[role].count.min;
      const auto workers = free_workers(state, job, role, count);
      for (const std::uint32_t worker : workers) {
        if (at >= job.extra->placed.size()) {
          possible = false;
          break;
        }
        const NodeId node = job.extra->placed[at++];
        const Demand& each = shape.roles[role].each;
        const NodeSpec& spec = state.ledger.node(node).spec;
        if (capacity(draft.free(node), spec, each, Column::Firm, {}, 1) == 0) {
          possible = false;
          break;
        }
        Seat seat{.node = node, .worker = worker, .role = static_cast<std::uint16_t>(role), .devices = {}};
        seat.devices = choose_devices(draft.free(node), spec, each);
        draft.add(id, {seat});
        seats.push_back(seat);
      }
    }
    if (!possible || seats.empty()) continue;
    decisions.push_back({.what = Start{.job = id, .attempt = job.attempt + 1, .seats = std::move(seats)},
                         .why = {.reason = Reason::Fits}});
  }
  return decisions;
}

}  // namespace muster
