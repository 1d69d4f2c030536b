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

namespace {

/// Best-effort work that runs on a node, the first to go first, and what it holds there. Work that is
/// leaving already is not counted: it needs no second stop.
struct SoftGuests {
  std::vector<JobId> jobs;
  std::int64_t cpu = 0;
  std::int64_t mem = 0;
};

Demand held_on(const State& state, const Job& job, NodeId node) {
  Demand held;
  for (const Seat& seat : job.seats) {
    if (seat.node != node) continue;
    held.cpu += state.demand(job, seat).cpu;
    held.mem += state.demand(job, seat).mem;
  }
  return held;
}

SoftGuests soft_guests(const State& state, NodeId node) {
  SoftGuests soft;
  std::vector<JobId> guests = state.ledger.node(node).guests;
  std::sort(guests.begin(), guests.end());
  guests.erase(std::unique(guests.begin(), guests.end()), guests.end());
  for (const JobId guest : guests) {
    const Job& job = state.job(guest);
    if (!job.running() || !state.shape(job).best_effort) continue;
    const Demand held = held_on(state, job, node);
    if (held.cpu == 0 && held.mem == 0) continue;
    soft.cpu += held.cpu;
    soft.mem += held.mem;
    soft.jobs.push_back(guest);
  }
  std::sort(soft.jobs.begin(), soft.jobs.end(), [&](JobId a, JobId b) {
    const Job& x = state.job(a);
    const Job& y = state.job(b);
    return std::make_tuple(x.class_rank, x.priority, y.submitted, b) <
           std::make_tuple(y.class_rank, y.priority, x.submitted, a);
  });
  return soft;
}

}  // namespace

std::vector<Decision> keep_allowances(const State& state, const std::optional<Colocation>& colocation) {
  std::vector<JobId> stopped;
  std::vector<Decision> decisions;
  for (std::size_t n = 0; n < state.ledger.nodes().size(); ++n) {
    const NodeId node{n};
    const Free& free = state.ledger.free(node);
    if (free.soft_cpu == 0 && free.soft_mem == 0) continue;
    const Allowance allowed = allowance(state, node, colocation);
    SoftGuests soft = soft_guests(state, node);
    for (const JobId guest : soft.jobs) {
      if (soft.cpu <= allowed.cpu && soft.mem <= allowed.mem) break;
      const Job& job = state.job(guest);
      const Demand held = held_on(state, job, node);
      soft.cpu -= held.cpu;
      soft.mem -= held.mem;
      if (std::find(stopped.begin(), stopped.end(), guest) != stopped.end()) continue;
      stopped.push_back(guest);
      decisions.push_back(
          {.what = Stop{.job = guest, .attempt = job.attempt, .cause = StopCause::OverAllowance},
           .why = {.reason = Reason::OverAllowance,
                   .asked = free.soft_cpu,
                   .available = allowed.cpu,
                   .names = {{Named::Node, state.ledger.node(node).spec.name}}}});
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
