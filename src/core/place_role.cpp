#include "core/place_role.hpp"

#include <algorithm>

#include "core/domains.hpp"
#include "core/room.hpp"

namespace muster {
namespace {

/// One attempt to place one role: the draft it changes and the seats so far.
class RolePlacer {
 public:
  RolePlacer(Draft& draft, const Placing& what, const RolePlacing& where)
      : draft_(draft), what_(what), where_(where), spec_(what.shape->roles[where.role]) {}

  std::optional<Placement> run() {
    const std::int32_t workers = what_.counts[where_.role];
    if (draft_.touched().empty() && room_bound(room(), workers) < workers) return std::nullopt;
    if (inside_node()) return finish(on_one_island(workers));
    for (const Near& near : spec_.near) {
      const std::uint32_t level = topology().level_index(near.level);
      if (near.mode == Locality::Required && level <= topology().depth())
        return finish(in_one_domain(workers, level));
    }
    if (what_.shape->spread) return finish(spread(workers, where_.range));
    if (workers == 1) return finish(one_node(1, where_.range));
    return finish(packed(workers));
  }

 private:
  [[nodiscard]] const Topology& topology() const { return draft_.state().ledger.topology(); }
  [[nodiscard]] RoleRoom room() const { return {.draft = &draft_, .what = &what_, .role = where_.role}; }

  std::optional<Placement> finish(bool placed) {
    if (!placed) return std::nullopt;
    return std::move(seats_);
  }

  void seat(NodeId node, std::int64_t workers) {
    for (; workers > 0; --workers) {
      const NodeSpec& spec = draft_.state().ledger.node(node).spec;
      Seat one{.node = node, .worker = 0, .role = static_cast<std::uint16_t>(where_.role), .devices = {}};
      one.devices = choose_devices(draft_.free(node), spec, spec_.each);
      draft_.add_as(*what_.shape, what_.job, {one});
      seats_.push_back(one);
    }
  }

  bool one_node(std::int64_t workers, const Range& range) {
    const auto node = best_node(room(), workers, range);
    if (!node) return false;
    seat(*node, workers);
    return true;
  }

  /// As few nodes as possible: the emptiest first, the rest of the workers on the fullest that holds them.
  bool few_nodes(std::int64_t workers, const Range& range) {
    if (one_node(workers, range)) return true;
    auto nodes = collect(room(), workers, range, Fill::EmptiestFirst);
    std::int64_t sum = 0;
    for (const NodeRoom& node : nodes) sum += node.workers;
    if (sum < workers) return false;
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const NodeRoom& a, const NodeRoom& b) { return a.workers > b.workers; });
    for (const NodeRoom& node : nodes) {
      if (node.workers >= workers) break;
      seat(node.node, node.workers);
      workers -= node.workers;
    }
    return workers == 0 || one_node(workers, range);
  }

  /// At most one worker a node, seats of the running job and of other roles counted.
  bool spread(std::int64_t workers, const Range& range) {
    std::vector<NodeId> taken;
    for (const Seat& seat : where_.already) taken.push_back(seat.node);
    for (const Seat& seat : draft_.state().job(what_.job).seats) taken.push_back(seat.node);
    std::vector<NodeRoom> nodes = collect(room(), kUnlimited / 2, range, Fill::FullestFirst);
    std::erase_if(nodes, [&](const NodeRoom& node) {
      return std::find(taken.begin(), taken.end(), node.node) != taken.end();
    });
    if (static_cast<std::int64_t>(nodes.size()) < workers) return false;
    choose_spread(nodes, static_cast<std::size_t>(workers));
    for (std::size_t i = 0; i < static_cast<std::size_t>(workers); ++i) seat(nodes[i].node, 1);
    return true;
  }

  /// Puts the nodes to use first: those of the fewest domains of the preferred level, else the fullest.
  void choose_spread(std::vector<NodeRoom>& nodes, std::size_t workers) {
    const std::uint32_t level = preferred_level();
    if (topology().depth() == 0) return;
    const std::uint32_t at = std::min(level, topology().depth() - 1);
    const auto domains = topology().at_level(at);
    std::vector<std::int64_t> count(domains.size(), 0);
    const auto slot = [&](NodeId node) {
      const auto found = std::lower_bound(domains.begin(), domains.end(), topology().domain_of(node, at));
      return static_cast<std::size_t>(found - domains.begin());
    };
    for (const NodeRoom& node : nodes) ++count[slot(node.node)];
    const auto chosen = fewest_domains(topology(), at, count, static_cast<std::int64_t>(workers));
    std::vector<NodeRoom> first;
    for (const DomainId domain : chosen) {
      for (const NodeRoom& node : nodes) {
        if (topology().domain_of(node.node, at) == domain) first.push_back(node);
      }
    }
    if (first.size() >= workers) nodes = std::move(first);
  }

  /// The level the job would like to stay within; the innermost named one where it says nothing.
  [[nodiscard]] std::uint32_t preferred_level() const {
    for (const auto* wishes : {&spec_.near, &what_.shape->near}) {
      for (const Near& near : *wishes) {
        if (near.mode == Locality::Preferred)
          return std::min(topology().level_index(near.level), topology().depth());
      }
    }
    return topology().depth() == 0 ? 0 : topology().depth() - 1;
  }

  bool packed(std::int64_t workers) {
    if (one_node(workers, where_.range)) return true;
    const std::uint32_t preferred = preferred_level();
    if (topology().depth() == 0) return few_nodes(workers, where_.range);
    if (preferred >= topology().depth()) return fewest_nodes(workers);
    for (std::uint32_t l = topology().depth(); l > 0; --l) {
      if (in_tightest(workers, l - 1)) return true;
      if (l - 1 == preferred) break;
    }
    return in_fewest(workers, preferred);
  }

  /// Nodes needed in a range when the emptiest are used first; nothing where it is too small.
  std::optional<std::size_t> nodes_needed(std::int64_t workers, const Range& range) const {
    auto nodes = collect(room(), kUnlimited / 2, range, Fill::EmptiestFirst);
    std::sort(nodes.begin(), nodes.end(),
              [](const NodeRoom& a, const NodeRoom& b) { return a.workers > b.workers; });
    std::size_t count = 0;
    for (const NodeRoom& node : nodes) {
      ++count;
      workers -= node.workers;
      if (workers <= 0) return count;
    }
    return std::nullopt;
  }

  /// As few nodes as possible, then inside the smallest domain where that many suffice.
  bool fewest_nodes(std::int64_t workers) {
    const auto least = nodes_needed(workers, where_.range);
    if (!least) return false;
    for (std::uint32_t l = topology().depth(); l > 0; --l) {
      for (const DomainId id : topology().at_level(l - 1)) {
        const Range& range = topology().domain(id).range;
        const bool inside = where_.range.begin <= range.begin && range.end <= where_.range.end;
        if (inside && nodes_needed(workers, range) == least) return few_nodes(workers, range);
      }
    }
    return few_nodes(workers, where_.range);
  }

  /// Inside one domain of the level, the tightest that can hold all.
  bool in_tightest(std::int64_t workers, std::uint32_t level) {
    const auto domains = topology().at_level(level);
    const auto bound = bound_per_domain(room(), level);
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t d = 0; d < domains.size(); ++d) {
      const Range& range = topology().domain(domains[d]).range;
      const bool inside = where_.range.begin <= range.begin && range.end <= where_.range.end;
      if (inside && bound[d] >= workers) order.emplace_back(bound[d], d);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [room_bound, d] : order) {
      if (few_nodes(workers, topology().domain(domains[d]).range)) return true;
    }
    return false;
  }

  bool in_fewest(std::int64_t workers, std::uint32_t level) {
    const auto domains = topology().at_level(level);
    auto room_per_domain = bound_per_domain(room(), level);
    for (std::size_t d = 0; d < domains.size(); ++d) {
      const Range& range = topology().domain(domains[d]).range;
      const bool inside = where_.range.begin <= range.begin && range.end <= where_.range.end;
      room_per_domain[d] = inside && room_per_domain[d] > 0 ? room_in(room(), range, workers) : 0;
    }
    const auto chosen = fewest_domains(topology(), level, room_per_domain, workers);
    if (chosen.empty()) return few_nodes(workers, where_.range);
    for (const DomainId id : chosen) {
      const auto d =
          static_cast<std::size_t>(std::lower_bound(domains.begin(), domains.end(), id) - domains.begin());
      const std::int64_t here = std::min(workers, room_per_domain[d]);
      if (here == 0) break;
      if (!few_nodes(here, topology().domain(id).range)) return false;
      workers -= here;
    }
    return workers == 0;
  }

  bool in_one_domain(std::int64_t workers, std::uint32_t level) {
    if (level == topology().depth()) {
      if (what_.shape->spread && workers > 1) return false;
      return one_node(workers, where_.range);
    }
    if (!what_.shape->spread) return one_node(workers, where_.range) || in_tightest(workers, level);
    for (const DomainId id : topology().at_level(level)) {
      const Range& range = topology().domain(id).range;
      if (where_.range.begin <= range.begin && range.end <= where_.range.end && spread(workers, range))
        return true;
    }
    return false;
  }

  /// Required locality at a level inside the node ("numa", "nvlink")?
  [[nodiscard]] bool inside_node() const {
    const auto inner = [&](const Near& near) {
      return near.mode == Locality::Required && topology().level_index(near.level) == topology().depth() + 1;
    };
    return std::any_of(spec_.near.begin(), spec_.near.end(), inner) ||
           std::any_of(what_.shape->near.begin(), what_.shape->near.end(), inner);
  }

  /// All workers on the devices of one island of one node.
  bool on_one_island(std::int64_t workers) {
    const State& state = draft_.state();
    for (const NodeRoom& node : collect(room(), kUnlimited / 2, where_.range, Fill::FullestFirst)) {
      if (node.workers < workers) continue;
      const NodeSpec& spec = state.ledger.node(node.node).spec;
      std::vector<std::uint16_t> islands;
      for (const Device& device : spec.devices) islands.push_back(device.island);
      std::sort(islands.begin(), islands.end());
      islands.erase(std::unique(islands.begin(), islands.end()), islands.end());
      for (const std::uint16_t island : islands) {
        Free masked = draft_.free(node.node);
        for (std::size_t d = 0; d < spec.devices.size(); ++d) {
          if (spec.devices[d].island != island) masked.idle.erase(d);
        }
        std::erase_if(masked.shared,
                      [&](const SharedDevice& d) { return spec.devices[d.device].island != island; });
        if (capacity(masked, spec, spec_.each, Column::Firm, {}, workers) < workers) continue;
        for (std::int64_t w = 0; w < workers; ++w) {
          Seat one{
              .node = node.node, .worker = 0, .role = static_cast<std::uint16_t>(where_.role), .devices = {}};
          one.devices = choose_devices(masked, spec, spec_.each);
          take(masked, spec, spec_.each, Column::Firm, one.devices);
          draft_.add_as(*what_.shape, what_.job, {one});
          seats_.push_back(one);
        }
        return true;
      }
    }
    return false;
  }

  Draft& draft_;
  const Placing& what_;
  const RolePlacing& where_;
  const RoleSpec& spec_;
  Placement seats_;
};

/// Search state of place_exhaustively.
struct Exhaustive {
  const Placing& what;
  std::vector<NodeId> nodes;
  std::vector<std::size_t> roles;  ///< role of each worker to place
  int steps = 20'000;
};

bool search(Exhaustive& s, Draft& draft, std::size_t at, Placement& seats) {
  if (at == s.roles.size()) return true;
  const std::size_t role = s.roles[at];
  for (const NodeId node : s.nodes) {
    if (--s.steps < 0) return false;
    const RoleRoom room{.draft = &draft, .what = &s.what, .role = role};
    if (room_on(room, node, 1) == 0) continue;
    const bool used =
        std::any_of(seats.begin(), seats.end(), [&](const Seat& seat) { return seat.node == node; });
    if (s.what.shape->spread && used) continue;
    Draft next = draft;
    const NodeSpec& spec = draft.state().ledger.node(node).spec;
    Seat one{.node = node, .worker = 0, .role = static_cast<std::uint16_t>(role), .devices = {}};
    one.devices = choose_devices(draft.free(node), spec, s.what.shape->roles[role].each);
    next.add_as(*s.what.shape, s.what.job, {one});
    seats.push_back(one);
    if (search(s, next, at + 1, seats)) {
      draft = std::move(next);
      return true;
    }
    seats.pop_back();
  }
  return false;
}

}  // namespace

std::optional<Placement> place_role(Draft& draft, const Placing& what, const RolePlacing& where) {
  return RolePlacer(draft, what, where).run();
}

std::optional<Placement> place_exhaustively(Draft& draft, const Placing& what, const Range& range) {
  const bool near = std::any_of(what.shape->roles.begin(), what.shape->roles.end(),
                                [](const RoleSpec& role) { return !role.near.empty(); });
  if (near) return std::nullopt;
  Exhaustive s{.what = what, .nodes = {}, .roles = {}};
  for (std::uint32_t p = range.begin; p < range.end; ++p) {
    s.nodes.push_back(draft.state().ledger.topology().node_at(p));
  }
  for (std::size_t role = 0; role < what.counts.size(); ++role) {
    s.roles.insert(s.roles.end(), static_cast<std::size_t>(what.counts[role]), role);
  }
  Placement seats;
  if (!search(s, draft, 0, seats)) return std::nullopt;
  return seats;
}

}  // namespace muster
