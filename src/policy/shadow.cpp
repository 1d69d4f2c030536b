#include "policy/shadow.hpp"

#include <algorithm>

namespace muster {
namespace {

bool is_on_path(const State& state, QueueId queue, QueueId of) {
  const auto& path = state.ledger.queue(of).path;
  return std::find(path.begin(), path.end(), queue) != path.end();
}

}  // namespace

bool Shadow::serves(const State& state, const Unit& unit) {
  if (unit.size() != 1 || state.cleanup > Duration{0} || !state.leaving.empty()) return false;
  if (!state.ledger.all_lend()) return false;
  const Job& job = state.job(unit.front());
  const Shape& shape = state.shape(job);
  if (job.running() || shape.roles.size() != 1 || shape.best_effort || shape.spread) return false;
  const auto required = [](const Near& near) { return near.mode == Locality::Required; };
  if (std::any_of(shape.roles.front().near.begin(), shape.roles.front().near.end(), required)) return false;
  // Counts of workers say nothing of what is inside a node.
  const Topology& topology = state.ledger.topology();
  const auto inside = [&](const Near& near) {
    return required(near) && topology.level_index(near.level) > topology.depth();
  };
  if (std::any_of(shape.near.begin(), shape.near.end(), inside)) return false;
  return gang_of(state, unit.front(), std::nullopt).counts.front() > 0;
}

Shadow::Shadow(const State& state, const Backlog::Ends& ends, JobId job)
    : job_(job),
      shape_(state.job(job).shape),
      gang_(gang_of(state, job, std::nullopt).counts.front()),
      level_(required_level(state.ledger.topology(), state.shape(state.job(job)))) {
  search(state, ends);
}

/// Lets what runs end in order of time until the gang fits.
void Shadow::search(const State& state, const Backlog::Ends& ends) {
  until_ = Instant::min();
  const Topology& topology = state.ledger.topology();
  const std::size_t nodes = state.ledger.nodes().size();
  const std::size_t places = !level_                       ? 1
                             : *level_ == topology.depth() ? nodes
                                                           : topology.at_level(*level_).size();
  before_.on.assign(nodes, 0);
  before_.inside.assign(places, 0);
  for (const ClassId c : state.ledger.catalogue().accepted(shape_, 0)) {
    for (const NodeId node : state.ledger.index().nodes(c))
      set(state, before_, node, room_in(state, node, state.ledger.free(node)));
  }
  Use use = use_now(state);
  before_.limits = allows(state, use, {});
  then_ = before_;
  if (then_.fits()) return;
  std::vector<NodeId> changed;
  for (auto at = ends.begin(); at != ends.end();) {
    for (const NodeId node : changed) set(state, before_, node, then_.on[node.index()]);
    before_.limits = then_.limits;
    changed.clear();
    until_ = at->first;
    for (; at != ends.end() && at->first == until_; ++at) {
      give_up(state, state.job(at->second), use);
      for (const Seat& seat : state.job(at->second).seats) {
        if (changed.empty() || changed.back() != seat.node) changed.push_back(seat.node);
      }
    }
    for (const NodeId node : changed) {
      if (accepts(state, node)) set(state, then_, node, room_in(state, node, free_at(state, node, Edge::At)));
    }
    then_.limits = allows(state, use, {});
    if (then_.fits()) return;
  }
  until_ = kNever;
  before_ = then_;
}

bool Shadow::accepts(const State& state, NodeId node) const {
  const auto& classes = state.ledger.catalogue().accepted(shape_, 0);
  return std::binary_search(classes.begin(), classes.end(), state.ledger.node(node).node_class);
}

std::optional<std::size_t> Shadow::place_of(const State& state, NodeId node) const {
  const Topology& topology = state.ledger.topology();
  if (!level_) return 0;
  if (*level_ == topology.depth()) return topology.position(node);
  const DomainId domain = topology.domain_of(node, *level_);
  if (topology.domain(domain).name.empty()) return std::nullopt;
  return topology.order_of(domain);
}

Free Shadow::free_at(const State& state, NodeId node, Edge edge) const {
  const NodeEntry& entry = state.ledger.node(node);
  Free free = state.ledger.free(node);
  for (auto guest = entry.guests.begin(); guest != entry.guests.end(); ++guest) {
    // One entry a seat.
    if (std::find(entry.guests.begin(), guest, *guest) != guest) continue;
    const Job& job = state.job(*guest);
    if (!ends_by(end_of(state, job), edge)) continue;
    const Shape& asked = state.ledger.catalogue().shape(job.asked);
    const Column column = asked.best_effort ? Column::BestEffort : Column::Firm;
    for (const Seat& seat : job.seats) {
      if (seat.node == node) give_back(free, entry.spec, asked.roles[seat.role].each, column, seat.devices);
    }
  }
  return free;
}

std::int32_t Shadow::room_in(const State& state, NodeId node, const Free& free) const {
  const NodeEntry& entry = state.ledger.node(node);
  const RoleSpec& role = state.ledger.catalogue().shape(shape_).roles.front();
  if (entry.state != NodeState::Up || !accepts_name(role.select, entry.spec.name)) return 0;
  return static_cast<std::int32_t>(capacity(free, entry.spec, role.each, Column::Firm, {}, gang_));
}

void Shadow::set(const State& state, Room& room, NodeId node, std::int32_t workers) const {
  const std::int32_t change = workers - std::exchange(room.on[node.index()], workers);
  const auto place = change == 0 ? std::nullopt : place_of(state, node);
  if (!place) return;
  std::int64_t& inside = room.inside[*place];
  room.enough -= inside >= gang_ ? 1 : 0;
  inside += change;
  room.enough += inside >= gang_ ? 1 : 0;
}

Shadow::Use Shadow::use_now(const State& state) const {
  const Job& job = state.job(job_);
  Use use{.of = {}, .running = state.ledger.user(job.user).running};
  for (const QueueId queue : state.ledger.queue(job.queue).path)
    use.of.push_back(state.ledger.queue(queue).use);
  return use;
}

/// The running job ends.
void Shadow::give_up(const State& state, const Job& job, Use& use) const {
  const Job& mine = state.job(job_);
  if (job.user == mine.user) --use.running;
  const auto& path = state.ledger.queue(mine.queue).path;
  if (!is_on_path(state, path.back(), job.queue)) return;
  Amounts held;
  for (const Seat& seat : job.seats) held += state.demand(job, seat).charge();
  for (std::size_t q = 0; q < path.size(); ++q) {
    if (is_on_path(state, path[q], job.queue)) use.of[q] -= held;
  }
}

/// Would its queues and its user let it start beside those?
bool Shadow::allows(const State& state, const Use& use, const Unit& outlasting) const {
  const Job& job = state.job(job_);
  const Amounts& charge = state.ledger.catalogue().charge(shape_);
  const auto& path = state.ledger.queue(job.queue).path;
  for (std::size_t q = 0; q < path.size(); ++q) {
    const Amounts asked = charge_under(state, outlasting, path[q]) + charge;
    const Amounts& limit = state.ledger.queue(path[q]).spec.limit;
    for (std::size_t r = 0; r < kResources; ++r) {
      if (charge[r] > 0 && use.of[q][r] + asked[r] > limit[r]) return false;
    }
  }
  const std::int32_t most = state.ledger.user(job.user).spec.max_running;
  const auto same = [&](JobId id) { return state.job(id).user == job.user && !state.job(id).running(); };
  return most < 0 || use.running + std::count_if(outlasting.begin(), outlasting.end(), same) < most;
}

/// The same at that time. What ends by then is added up only where what runs now would be too much.
bool Shadow::within_limits(const State& state, const Backlog::Ends& ends, Edge edge,
                           const Unit& outlasting) const {
  Use use = use_now(state);
  if (allows(state, use, outlasting)) return true;
  for (auto at = ends.begin(); at != ends.end() && ends_by(at->first, edge); ++at)
    give_up(state, state.job(at->second), use);
  return allows(state, use, outlasting);
}

Shadow::News Shadow::sync(const State& state, const Backlog::Ends& ends) {
  const Ledger& ledger = state.ledger;
  const Job& job = state.job(job_);
  const bool known = before_.on.size() == ledger.nodes().size() && job.shape == shape_;
  if (!known || !serves(state, {job_})) return News::Broken;
  bool freer = false;
  for (const NodeId node : ledger.touched()) {
    if (!accepts(state, node)) continue;
    const std::int32_t was = then_.on[node.index()];
    set(state, before_, node, room_in(state, node, free_at(state, node, Edge::Before)));
    set(state, then_, node, room_in(state, node, free_at(state, node, Edge::At)));
    freer = freer || then_.on[node.index()] > was;
  }
  const auto& path = ledger.queue(job.queue).path;
  const bool charged = std::any_of(ledger.charged().begin(), ledger.charged().end(),
                                   [&](QueueId queue) { return is_on_path(state, path.back(), queue); });
  if (charged || !ledger.eased().empty()) {
    before_.limits = within_limits(state, ends, Edge::Before, {});
    then_.limits = within_limits(state, ends, Edge::At, {});
  }
  const bool stands = (until_ == kNever || then_.fits()) && (until_ == Instant::min() || !before_.fits());
  if (!stands) return News::Broken;
  return freer ? News::Freer : News::Same;
}

Delay Shadow::delayed_by(const State& state, const Backlog::Ends& ends, const Unit& outlasting,
                         const std::vector<const Placement*>& seats) const {
  struct Taken {
    NodeId node;
    Free free;
  };
  std::vector<Taken> taken;
  for (std::size_t i = 0; i < outlasting.size(); ++i) {
    const Shape& shape = state.ledger.catalogue().shape(state.job(outlasting[i]).asked);
    const Column column = shape.best_effort ? Column::BestEffort : Column::Firm;
    for (const Seat& seat : *seats[i]) {
      if (!accepts(state, seat.node)) continue;
      auto at =
          std::find_if(taken.rbegin(), taken.rend(), [&](const Taken& t) { return t.node == seat.node; });
      if (at == taken.rend()) {
        taken.push_back({.node = seat.node, .free = free_at(state, seat.node, Edge::At)});
        at = taken.rbegin();
      }
      take(at->free, state.ledger.node(seat.node).spec, shape.roles[seat.role].each, column, seat.devices);
    }
  }
  // Losses by place; only places that fall below the gang matter.
  std::vector<std::pair<std::size_t, std::int64_t>> losses;
  for (const Taken& t : taken) {
    const auto place = place_of(state, t.node);
    const std::int64_t loss = then_.on[t.node.index()] - room_in(state, t.node, t.free);
    if (!place || loss == 0) continue;
    const auto at =
        std::find_if(losses.begin(), losses.end(), [&](const auto& l) { return l.first == *place; });
    if (at == losses.end()) {
      losses.emplace_back(*place, loss);
    } else {
      at->second += loss;
    }
  }
  std::size_t enough = then_.enough;
  for (const auto& [place, loss] : losses) {
    if (then_.inside[place] >= gang_ && then_.inside[place] - loss < gang_) --enough;
  }
  if (enough == 0) return Delay::Room;
  return within_limits(state, ends, Edge::At, outlasting) ? Delay::None : Delay::Limit;
}

}  // namespace muster
