#include "core/ledger.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace muster {

void PastUse::settle(Instant now) {
  if (now <= at) return;
  const std::int64_t elapsed = millis(now - at);
  sum = checked_add(sum, static_cast<std::int64_t>(static_cast<__int128>(rate) * elapsed / 1000));
  const std::int64_t epoch = millis(kUseEpoch);
  std::int64_t epochs = millis(now) / epoch - millis(at) / epoch;
  for (; epochs > 0 && sum > 0; --epochs) {
    sum = static_cast<std::int64_t>(static_cast<unsigned __int128>(sum) * kEpochDecay >> 32);
  }
  at = now;
}

NodeId Ledger::join(const NodeSpec& spec, NodeState state) {
  const NodeId id{nodes_.size()};
  nodes_.push_back(
      {.spec = spec, .state = state, .node_class = catalogue_.intern(class_of(spec)), .guests = {}});
  free_.push_back(all_free(spec));
  stale_ = true;
  freed_.push_back(id);
  return id;
}

void Ledger::lay_out() {
  if (!stale_) return;
  std::vector<const NodeSpec*> specs;
  std::vector<ClassId> classes;
  specs.reserve(nodes_.size());
  classes.reserve(nodes_.size());
  for (const NodeEntry& entry : nodes_) {
    specs.push_back(&entry.spec);
    classes.push_back(entry.node_class);
  }
  topology_.rebuild(specs);
  index_.rebuild({.topology = &topology_, .catalogue = &catalogue_, .class_of_node = &classes});
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].state == NodeState::Up) index_.insert(NodeId{n}, free_[n]);
  }
  stale_ = false;
}

void Ledger::set_state(NodeId node, NodeState state, Instant now) {
  NodeEntry& entry = nodes_[node.index()];
  if (entry.state == state) return;
  if (state == NodeState::Unreachable) entry.unreachable_since = now;
  if (state != NodeState::Drained) entry.evacuated = false;
  touched_.push_back(node);
  const bool was_up = entry.state == NodeState::Up;
  entry.state = state;
  if (state == NodeState::Up) freed_.push_back(node);
  if (state == NodeState::Down && !entry.guests.empty()) vacating_.insert(node);
  if (state != NodeState::Down && !entry.evacuated) vacating_.erase(node);
  if (stale_) return;
  if (was_up) index_.erase(node);
  if (state == NodeState::Up) index_.insert(node, free_[node.index()]);
}

void Ledger::evacuate(NodeId node) {
  nodes_[node.index()].evacuated = true;
  if (!nodes_[node.index()].guests.empty()) vacating_.insert(node);
}

void Ledger::begin_epoch(Instant now) {
  for (QueueEntry& entry : queues_) entry.use_at_epoch = entry.use;
  for (UserEntry& entry : users_) {
    entry.past.settle(now);
    entry.past_at_epoch = entry.past.sum;
  }
}

QueueId Ledger::find_queue(std::string_view name) const {
  const auto at = queue_ids_.find(name);
  return at == queue_ids_.end() ? QueueId{} : at->second;
}

UserId Ledger::find_user(std::string_view name) const {
  const auto at = user_ids_.find(name);
  return at == user_ids_.end() ? UserId{} : at->second;
}

QueueId Ledger::set_queue(const QueueSpec& spec) {
  QueueId id = find_queue(spec.name);
  if (!id.valid()) {
    id = QueueId{queues_.size()};
    queue_ids_.emplace(spec.name, id);
    queues_.emplace_back();
  }
  queues_[id.index()].spec = spec;
  for (QueueEntry& entry : queues_) {
    entry.parent = entry.spec.parent.empty() ? QueueId{} : find_queue(entry.spec.parent);
    entry.children.clear();
  }
  for (std::size_t q = 0; q < queues_.size(); ++q) {
    QueueEntry& entry = queues_[q];
    entry.path.clear();
    for (QueueId at{q}; at.valid() && entry.path.size() <= queues_.size(); at = queues_[at.index()].parent) {
      entry.path.push_back(at);
    }
    if (entry.parent.valid()) queues_[entry.parent.index()].children.emplace_back(q);
    entry.guarantee = entry.spec.guarantee;
  }
  // Deepest first, so that a parent sees its children's effective guarantees.
  std::vector<std::size_t> order(queues_.size());
  for (std::size_t q = 0; q < order.size(); ++q) order[q] = q;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::make_pair(queues_[b].path.size(), a) < std::make_pair(queues_[a].path.size(), b);
  });
  for (const std::size_t q : order) {
    Amounts sum;
    for (const QueueId child : queues_[q].children) sum += queues_[child.index()].guarantee;
    for (std::size_t r = 0; r < kResources; ++r) {
      queues_[q].guarantee[r] = std::max(queues_[q].guarantee[r], sum[r]);
    }
  }
  keepers_ = static_cast<std::size_t>(std::count_if(
      queues_.begin(), queues_.end(), [](const QueueEntry& entry) { return !entry.spec.lend; }));
  // Any queue's standing may have changed with it.
  for (std::size_t q = 0; q < queues_.size(); ++q) charged_.emplace_back(q);
  return id;
}

UserId Ledger::set_user(const UserSpec& spec) {
  UserId id = find_user(spec.name);
  if (!id.valid()) {
    id = UserId{users_.size()};
    user_ids_.emplace(spec.name, id);
    users_.emplace_back();
    users_.back().past.sum = users_.back().past_at_epoch = spec.past_use;
  }
  users_[id.index()].spec = spec;
  eased_.push_back(id);
  return id;
}

void Ledger::charge(QueueId queue, const Amounts& amounts, std::int64_t sign) {
  for (const QueueId q : queues_[queue.index()].path) {
    QueueEntry& entry = queues_[q.index()];
    for (std::size_t r = 0; r < kResources; ++r) entry.use[r] += sign * amounts[r];
  }
  // A gang's workers are charged one after the other.
  if (charged_.empty() || charged_.back() != queue) charged_.push_back(queue);
}

void Ledger::charge_user(UserId user, std::int64_t milli_gpus, Instant now) {
  PastUse& past = users_[user.index()].past;
  past.settle(now);
  past.rate += milli_gpus;
}

void Ledger::book(const Booking& booking, const Seat& seat) {
  NodeEntry& entry = nodes_[seat.node.index()];
  Free& free = free_[seat.node.index()];
  take(free, entry.spec, *booking.demand, booking.column, seat.devices);
  CHECK_GE(free.cpu, 0);
  CHECK_GE(free.mem, 0);
  entry.guests.push_back(booking.job);
  touched_.push_back(seat.node);
  charge(booking.queue, booking.demand->charge(), 1);
  if (!stale_) index_.update(seat.node, free);
}

void Ledger::release(const Booking& booking, const Seat& seat) {
  NodeEntry& entry = nodes_[seat.node.index()];
  Free& free = free_[seat.node.index()];
  give_back(free, entry.spec, *booking.demand, booking.column, seat.devices);
  const auto guest = std::find(entry.guests.begin(), entry.guests.end(), booking.job);
  CHECK(guest != entry.guests.end());
  *guest = entry.guests.back();
  entry.guests.pop_back();
  if (entry.guests.empty()) vacating_.erase(seat.node);
  charge(booking.queue, booking.demand->charge(), -1);
  if (!stale_) index_.update(seat.node, free);
  freed_.push_back(seat.node);
  touched_.push_back(seat.node);
}

}  // namespace muster
