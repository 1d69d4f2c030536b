#include "core/draft.hpp"

#include <algorithm>

namespace muster {
namespace {

const Demand& demand_of(const State& state, JobId id, const Seat& seat) {
  return state.ledger.catalogue().shape(state.job(id).asked).roles[seat.role].each;
}

Column column_of(const State& state, JobId id) {
  return state.ledger.catalogue().shape(state.job(id).asked).best_effort ? Column::BestEffort : Column::Firm;
}

Placement seats_of(const Job& job, const std::vector<std::uint32_t>& workers) {
  Placement seats;
  for (const Seat& seat : job.seats) {
    if (std::find(workers.begin(), workers.end(), seat.worker) != workers.end()) seats.push_back(seat);
  }
  return seats;
}

}  // namespace

const Free& Draft::free(NodeId node) const {
  if (!touched_.empty()) {
    if (const auto slot = slots_.find(node.value())) return touched_[*slot].free;
  }
  return state_->ledger.free(node);
}

bool Draft::kept_clear(NodeId node) const {
  if (!clear_for_.valid()) return false;
  const Catalogue& catalogue = state_->ledger.catalogue();
  const NodeEntry& entry = state_->ledger.node(node);
  const Shape& shape = catalogue.shape(clear_for_);
  for (std::size_t r = 0; r < shape.roles.size(); ++r) {
    const auto& accepted = catalogue.accepted(clear_for_, r);
    if (std::binary_search(accepted.begin(), accepted.end(), entry.node_class) &&
        accepts_name(shape.roles[r].select, entry.spec.name)) {
      return true;
    }
  }
  return false;
}

bool Draft::usable(NodeId node) const {
  if (kept_clear(node)) return false;
  if (!touched_.empty()) {
    if (const auto slot = slots_.find(node.value())) return touched_[*slot].usable;
  }
  return state_->ledger.node(node).state == NodeState::Up;
}

Free& Draft::touch(NodeId node) {
  if (const auto slot = slots_.find(node.value())) return touched_[*slot].free;
  slots_.insert(node.value(), static_cast<std::uint32_t>(touched_.size()));
  touched_.push_back({.node = node,
                      .free = state_->ledger.free(node),
                      .usable = state_->ledger.node(node).state == NodeState::Up});
  return touched_.back().free;
}

Amounts Draft::use(QueueId queue) const {
  Amounts use = state_->ledger.queue(queue).use;
  if (const auto slot = queue_slots_.find(queue.value())) use += queue_changes_[*slot].second;
  return use;
}

std::int32_t Draft::running(UserId user) const {
  std::int32_t running = state_->ledger.user(user).running;
  if (const auto slot = user_slots_.find(user.value())) running += user_changes_[*slot].second;
  return running;
}

void Draft::charge(QueueId queue, const Amounts& amounts, std::int64_t times) {
  for (const QueueId id : state_->ledger.queue(queue).path) {
    auto slot = queue_slots_.find(id.value());
    if (!slot) {
      slot = static_cast<std::uint32_t>(queue_changes_.size());
      queue_slots_.insert(id.value(), *slot);
      queue_changes_.push_back({id, Amounts{}});
    }
    Amounts& change = queue_changes_[*slot].second;
    for (std::size_t r = 0; r < kResources; ++r) change[r] += times * amounts[r];
  }
}

void Draft::count(UserId user, std::int32_t step) {
  auto slot = user_slots_.find(user.value());
  if (!slot) {
    slot = static_cast<std::uint32_t>(user_changes_.size());
    user_slots_.insert(user.value(), *slot);
    user_changes_.push_back({user, 0});
  }
  user_changes_[*slot].second += step;
}

void Draft::release(JobId id, const Placement& seats) {
  const Column column = column_of(*state_, id);
  Amounts sum;
  for (const Seat& seat : seats) {
    const Demand& demand = demand_of(*state_, id, seat);
    give_back(touch(seat.node), state_->ledger.node(seat.node).spec, demand, column, seat.devices);
    sum += demand.charge();
  }
  charge(state_->job(id).queue, sum, -1);
}

void Draft::remove(JobId id) {
  const Job& job = state_->job(id);
  release(id, job.seats);
  if (job.running()) count(job.user, -1);
}

void Draft::remove_workers(JobId id, const std::vector<std::uint32_t>& workers) {
  release(id, seats_of(state_->job(id), workers));
}

void Draft::restore(JobId id) {
  const Job& job = state_->job(id);
  add(id, job.seats);
  if (job.running()) count(job.user, 1);
}

void Draft::restore_workers(JobId id, const std::vector<std::uint32_t>& workers) {
  add(id, seats_of(state_->job(id), workers));
}

void Draft::remove_leaving(JobId id) {
  const Job& job = state_->job(id);
  if (!job.extra) return;
  for (const auto& leaving : job.extra->leaving) release(id, leaving.seats);
}

void Draft::add(JobId id, const Placement& seats) {
  add_as(state_->ledger.catalogue().shape(state_->job(id).asked), id, seats);
}

void Draft::add_as(const Shape& shape, JobId id, const Placement& seats) {
  const Column column = shape.best_effort ? Column::BestEffort : Column::Firm;
  const std::size_t most = touched_.size() + seats.size();
  if (most > touched_.capacity()) touched_.reserve(std::max(most, 2 * touched_.capacity()));
  slots_.reserve(most);
  for (std::size_t i = 0; i < seats.size();) {
    const Demand& demand = shape.roles[seats[i].role].each;
    std::int64_t workers = 0;
    for (const std::uint16_t role = seats[i].role; i < seats.size() && seats[i].role == role;
         ++i, ++workers) {
      take(touch(seats[i].node), state_->ledger.node(seats[i].node).spec, demand, column, seats[i].devices);
    }
    charge(state_->job(id).queue, demand.charge(), workers);
  }
}

void Draft::block(JobId id, const Placement& seats) {
  if (!state_->job(id).running()) count_started(id);
  for (const Seat& seat : seats) {
    const Demand& demand = demand_of(*state_, id, seat);
    charge(state_->job(id).queue, demand.charge(), 1);
    Free& free = touch(seat.node);
    const bool firm = column_of(*state_, id) == Column::Firm;
    (firm ? free.cpu : free.soft_cpu) += firm ? -demand.cpu : demand.cpu;
    (firm ? free.mem : free.soft_mem) += firm ? -demand.mem : demand.mem;
    for (std::size_t i = 0; i < kExtended; ++i) free.extended[i] -= demand.extended[i];
    if (!demand.shares_device()) {
      free.idle = free.idle - seat.devices;
      // Sharers that still leave a device kept whole must not be joined by others.
      for (SharedDevice& device : free.shared) {
        if (seat.devices.has(device.device)) device.share_free = 0, device.mem_free = 0;
      }
      continue;
    }
    const std::size_t device = seat.devices.first();
    const bool shared = std::any_of(free.shared.begin(), free.shared.end(),
                                    [&](const SharedDevice& d) { return d.device == device; });
    if (!shared && !free.idle.has(device)) continue;
    Demand part;
    part.share = demand.share;
    part.gpu_mem = demand.gpu_mem;
    take(free, state_->ledger.node(seat.node).spec, part, Column::Firm, seat.devices);
  }
}

void Draft::assume_nodes_up() {
  for (std::size_t n = 0; n < state_->ledger.nodes().size(); ++n) {
    if (state_->ledger.nodes()[n].state == NodeState::Up) continue;
    touch(NodeId{n});
    touched_[*slots_.find(static_cast<std::uint32_t>(n))].usable = true;
  }
}

void Draft::assume_intact() {
  assume_nodes_up();
  for (std::size_t n = 0; n < state_->ledger.nodes().size(); ++n) {
    const auto& devices = state_->ledger.nodes()[n].spec.devices;
    for (std::size_t d = 0; d < devices.size(); ++d) {
      if (!devices[d].healthy) touch(NodeId{n}).idle.insert(d);
    }
  }
}

void Draft::assume_empty() {
  empty_ = true;
  assume_intact();
  for (std::size_t n = 0; n < state_->ledger.nodes().size(); ++n) {
    const NodeSpec& spec = state_->ledger.nodes()[n].spec;
    Free& free = touch(NodeId{n});
    free = all_free(spec);
    for (std::size_t d = 0; d < spec.devices.size(); ++d) free.idle.insert(d);
  }
  queue_changes_.clear();
  queue_slots_.clear();
  for (std::size_t q = 0; q < state_->ledger.queues().size(); ++q) {
    queue_slots_.insert(static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(q));
    queue_changes_.push_back({QueueId{q}, Amounts{} - state_->ledger.queues()[q].use});
  }
  user_changes_.clear();
  user_slots_.clear();
  for (std::size_t u = 0; u < state_->ledger.users().size(); ++u) {
    user_slots_.insert(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(u));
    user_changes_.push_back({UserId{u}, -state_->ledger.users()[u].running});
  }
}

}  // namespace muster
