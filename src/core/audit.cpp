#include "core/audit.hpp"

#include <algorithm>

namespace muster {
namespace {

/// The accounts as the jobs' seats alone would have them.
struct Recount {
  std::vector<Free> free;
  std::vector<std::vector<JobId>> guests;
  std::vector<Amounts> queue_use;
  std::vector<std::int32_t> user_running;
};

void seat(const State& state, JobId id, const Seat& seat, Recount& recount) {
  const Job& job = state.job(id);
  const Shape& asked = state.ledger.catalogue().shape(job.asked);
  const Demand& each = asked.roles[seat.role].each;
  const Column column = asked.best_effort ? Column::BestEffort : Column::Firm;
  take(recount.free[seat.node.index()], state.ledger.node(seat.node).spec, each, column, seat.devices);
  recount.guests[seat.node.index()].push_back(id);
  for (const QueueId q : state.ledger.queue(job.queue).path) recount.queue_use[q.index()] += each.charge();
}

Recount recount_of(const State& state) {
  Recount recount;
  for (const NodeEntry& entry : state.ledger.nodes()) recount.free.push_back(all_free(entry.spec));
  recount.guests.resize(recount.free.size());
  recount.queue_use.resize(state.ledger.queues().size());
  recount.user_running.resize(state.ledger.users().size());
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {
    const Job& job = state.jobs[j];
    if (job.running()) ++recount.user_running[job.user.index()];
    for (const Seat& s : job.seats) seat(state, JobId{j}, s, recount);
    if (!job.extra) continue;
    for (const auto& leaving : job.extra->leaving) {
      for (const Seat& s : leaving.seats) seat(state, JobId{j}, s, recount);
    }
  }
  return recount;
}

void audit_index(const State& state, std::vector<std::string>& differences) {
  Index fresh;
  std::vector<ClassId> classes;
  for (const NodeEntry& entry : state.ledger.nodes()) classes.push_back(entry.node_class);
  fresh.rebuild({.topology = &state.ledger.topology(),
                 .catalogue = &state.ledger.catalogue(),
                 .class_of_node = &classes});
  for (std::size_t n = 0; n < classes.size(); ++n) {
    if (state.ledger.nodes()[n].state == NodeState::Up) {
      fresh.insert(NodeId{n}, state.ledger.free(NodeId{n}));
    }
  }
  if (!(fresh == state.ledger.index()))
    differences.emplace_back("the index of free room differs from a rebuilt one");
}

}  // namespace

std::vector<std::string> audit(const State& state) {
  std::vector<std::string> differences;
  const Recount recount = recount_of(state);
  for (std::size_t n = 0; n < recount.free.size(); ++n) {
    const NodeEntry& entry = state.ledger.nodes()[n];
    if (!(recount.free[n] == state.ledger.free(NodeId{n}))) {
      differences.push_back("free room of node " + entry.spec.name + " differs from its guests' seats");
    }
    std::vector<JobId> guests = entry.guests;
    std::vector<JobId> expected = recount.guests[n];
    std::sort(guests.begin(), guests.end());
    std::sort(expected.begin(), expected.end());
    if (guests != expected) differences.push_back("guest list of node " + entry.spec.name + " is wrong");
    const Free& free = state.ledger.free(NodeId{n});
    if (free.cpu < 0 || free.mem < 0) differences.push_back("node " + entry.spec.name + " is overbooked");
  }
  for (std::size_t q = 0; q < recount.queue_use.size(); ++q) {
    if (!(recount.queue_use[q] == state.ledger.queues()[q].use)) {
      differences.push_back("use of queue " + state.ledger.queues()[q].spec.name +
                            " differs from its workers");
    }
  }
  for (std::size_t u = 0; u < recount.user_running.size(); ++u) {
    if (recount.user_running[u] != state.ledger.users()[u].running) {
      differences.push_back("running jobs of user " + state.ledger.users()[u].spec.name + " are miscounted");
    }
  }
  audit_index(state, differences);
  return differences;
}

}  // namespace muster
