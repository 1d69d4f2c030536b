#include "core/place_role.hpp"

#include <algorithm>

#include "core/domains.hpp"
#include "core/first_success.hpp"
#include "core/level_room.hpp"

namespace muster {
namespace {

/// One attempt to place one role. It chooses nodes and workers on each; devices and accounts come last.
class RolePlacer {
 public:
  RolePlacer(const Draft& draft, const Placing& what, const RolePlacing& where)
      : draft_(draft), what_(what), where_(where), room_(draft, what, where.role), spec_(room_.spec) {}

  std::optional<Placement> run() {
    if (!choose()) return std::nullopt;
    seats_.reserve(static_cast<std::size_t>(what_.counts[where_.role]));
    for (const NodeRoom& pick : picks_) seat(pick);
    return std::move(seats_);
  }

 private:
  bool choose() {
    const std::int32_t workers = what_.counts[where_.role];
    if (draft_.touched().empty() && room_bound(room_, workers) < workers) return false;
    if (inside_node()) return on_one_island(workers);
    for (const Near& near : spec_.near) {
      const std::uint32_t level = topology().level_index(near.level);
      if (near.mode == Locality::Required && level <= topology().depth())
        return in_one_domain(workers, level);
    }
    if (what_.shape->spread) return spread(workers, where_.area);
    if (workers == 1) return one_node(1, where_.area);
    return packed(workers);
  }

  [[nodiscard]] const Topology& topology() const { return room_.topology; }

  /// Devices for the workers on one node, each chosen beside those before it.
  void seat(const NodeRoom& pick) {
    const NodeSpec& spec = room_.ledger.node(pick.node).spec;
    const Free& free = draft_.free(pick.node);
    Seat one{.node = pick.node, .worker = 0, .role = static_cast<std::uint16_t>(where_.role), .devices = {}};
    if (!spec_.each.uses_device())
      return seats_.resize(seats_.size() + static_cast<std::size_t>(pick.workers), one);
    if (pick.workers == 1) {
      one.devices = choose_devices(free, spec, spec_.each);
      return seats_.push_back(one);
    }
    Free left = free;
    for (std::int64_t w = 0; w < pick.workers; ++w) {
      one.devices = choose_devices(left, spec, spec_.each);
      take(left, spec, spec_.each, Column::Firm, one.devices);
      seats_.push_back(one);
    }
  }

  bool one_node(std::int64_t workers, const Area& area) {
    const auto node = best_node(room_, {.workers = workers, .area = area});
    if (node) picks_.push_back({.node = *node, .workers = workers});
    return node.has_value();
  }

  /// As few nodes as possible: the emptiest first, the rest of the workers on the fullest that holds them.
  bool few_nodes(std::int64_t workers, const Area& area) {
    if (one_node(workers, area)) return true;
    auto nodes = collect(room_, {.workers = workers, .area = area}, Fill::EmptiestFirst);
    std::int64_t sum = 0;
    for (const NodeRoom& node : nodes) sum += node.workers;
    if (sum < workers) return false;
    const auto roomier = [](const NodeRoom& a, const NodeRoom& b) { return a.workers > b.workers; };
    if (!std::is_sorted(nodes.begin(), nodes.end(), roomier)) {
      std::stable_sort(nodes.begin(), nodes.end(), roomier);
    }
    // What is picked is filled up: nobody else fits there.
    Positions full(area.range);
    for (const NodeRoom& node : nodes) {
      if (node.workers >= workers) break;
      picks_.push_back(node);
      full.insert(topology().position(node.node));
      workers -= node.workers;
    }
    const auto last = best_node(room_, {.workers = workers, .area = area, .except = &full});
    if (last) picks_.push_back({.node = *last, .workers = workers});
    return last.has_value();
  }

  /// At most one worker a node, seats of the running job and of other roles counted.
  bool spread(std::int64_t workers, const Area& area) {
    Positions taken(topology().everything());
    for (const Seat& seat : where_.already) taken.insert(topology().position(seat.node));
    for (const Seat& seat : draft_.state().job(what_.job).seats) taken.insert(topology().position(seat.node));
    auto nodes = collect(room_, {.workers = kUnlimited / 2, .area = area}, Fill::FullestFirst);
    std::erase_if(nodes, [&](const NodeRoom& node) { return taken.has(topology().position(node.node)); });
    if (static_cast<std::int64_t>(nodes.size()) < workers) return false;
    choose_spread(nodes, static_cast<std::size_t>(workers));
    for (std::size_t i = 0; i < static_cast<std::size_t>(workers); ++i) {
      picks_.push_back({.node = nodes[i].node, .workers = 1});
    }
    return true;
  }

  /// Puts the nodes to use first: those of the fewest domains of the preferred level, else the fullest.
  void choose_spread(std::vector<NodeRoom>& nodes, std::size_t workers) const {
    if (topology().depth() == 0) return;
    const std::uint32_t at = std::min(preferred_level(), topology().depth() - 1);
    const auto domains = topology().in_order(at);
    const auto order = [&](NodeId node) { return topology().order_of(topology().domain_of(node, at)); };
    std::vector<std::vector<NodeRoom>> inside(domains.size());
    for (const NodeRoom& node : nodes) inside[order(node.node)].push_back(node);
    std::vector<DomainRoom> rooms;
    for (std::size_t i = 0; i < domains.size(); ++i) {
      rooms.push_back({.id = domains[i], .room = static_cast<std::int64_t>(inside[i].size())});
    }
    std::vector<NodeRoom> first;
    for (const DomainRoom& chosen :
         fewest_domains(topology(), std::move(rooms), static_cast<std::int64_t>(workers))) {
      const auto& here = inside[topology().order_of(chosen.id)];
      first.insert(first.end(), here.begin(), here.end());
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
    if (one_node(workers, where_.area)) return true;
    const std::uint32_t preferred = preferred_level();
    if (topology().depth() == 0) return few_nodes(workers, where_.area);
    if (preferred >= topology().depth()) return fewest_nodes(workers);
    for (std::uint32_t l = topology().depth(); l > 0; --l) {
      if (in_tightest(workers, l - 1)) return true;
      if (l - 1 == preferred) break;
    }
    return in_fewest(workers, preferred);
  }

  /// As few nodes as possible, then inside the smallest domain where that many suffice.
  bool fewest_nodes(std::int64_t workers) {
    const auto least = nodes_needed(room_, {.workers = workers, .area = where_.area});
    if (!least) return false;
    for (std::uint32_t l = topology().depth(); l > 0; --l) {
      for (const DomainRoom& domain : with_room_by_id(workers, l - 1)) {
        const Area area = topology().area_of(domain.id);
        if (nodes_needed(room_, {.workers = workers, .area = area}) == least) return few_nodes(workers, area);
      }
    }
    return few_nodes(workers, where_.area);
  }

  /// Domains of a level inside the area that may have the room.
  [[nodiscard]] std::vector<DomainRoom> with_room(std::int64_t workers, std::uint32_t level) const {
    const LevelRoom bound = bound_per_domain(room_, {.level = level, .range = where_.area.range});
    const auto domains = topology().in_order(level).subspan(bound.run.begin, bound.run.size());
    std::vector<DomainRoom> roomy;
    for (std::size_t i = 0; i < domains.size(); ++i) {
      if (bound.of[i] < workers) continue;
      if (roomy.empty()) roomy.reserve(domains.size() - i);
      roomy.push_back({.id = domains[i], .room = bound.of[i]});
    }
    return roomy;
  }

  [[nodiscard]] std::vector<DomainRoom> with_room_by_id(std::int64_t workers, std::uint32_t level) const {
    std::vector<DomainRoom> roomy = with_room(workers, level);
    std::sort(roomy.begin(), roomy.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return roomy;
  }

  /// Inside one domain of the level, the tightest that can hold all.
  bool in_tightest(std::int64_t workers, std::uint32_t level) {
    std::vector<DomainRoom> domains = with_room(workers, level);
    const auto tighter = [](const DomainRoom& a, const DomainRoom& b) {
      return a.room != b.room ? a.room < b.room : a.id < b.id;
    };
    return first_success(domains, tighter,
                         [&](const DomainRoom& d) { return few_nodes(workers, topology().area_of(d.id)); });
  }

  bool in_fewest(std::int64_t workers, std::uint32_t level) {
    const LevelRoom exact =
        room_per_domain(room_, {.level = level, .range = where_.area.range}, Tally::Workers, workers);
    const auto domains = topology().in_order(level);
    std::vector<DomainRoom> rooms;
    for (std::size_t i = 0; i < exact.of.size(); ++i) {
      if (exact.of[i] == 0) continue;
      rooms.push_back({.id = domains[exact.run.begin + i], .room = std::min(workers, exact.of[i])});
    }
    const auto chosen = fewest_domains(topology(), std::move(rooms), workers);
    if (chosen.empty()) return few_nodes(workers, where_.area);
    for (const DomainRoom& domain : chosen) {
      const std::int64_t here = std::min(workers, domain.room);
      if (here == 0) break;
      if (!few_nodes(here, topology().area_of(domain.id))) return false;
      workers -= here;
    }
    return workers == 0;
  }

  bool in_one_domain(std::int64_t workers, std::uint32_t level) {
    if (level == topology().depth()) {
      if (what_.shape->spread && workers > 1) return false;
      return one_node(workers, where_.area);
    }
    if (!what_.shape->spread) return one_node(workers, where_.area) || in_tightest(workers, level);
    const auto domains = with_room_by_id(workers, level);
    return std::any_of(domains.begin(), domains.end(),
                       [&](const DomainRoom& d) { return spread(workers, topology().area_of(d.id)); });
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
    const Wanted all{.workers = kUnlimited / 2, .area = where_.area, .on_each = workers};
    for (const NodeRoom& node : collect(room_, all, Fill::FullestFirst)) {
      if (node.workers < workers) continue;
      const NodeSpec& spec = room_.ledger.node(node.node).spec;
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
          seats_.push_back(one);
        }
        return true;
      }
    }
    return false;
  }

  const Draft& draft_;
  const Placing& what_;
  const RolePlacing& where_;
  RoleRoom room_;
  const RoleSpec& spec_;
  std::vector<NodeRoom> picks_;
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
    if (room_on(RoleRoom(draft, s.what, role), node, 1) == 0) continue;
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
  auto seats = RolePlacer(draft, what, where).run();
  if (seats && where.found == Found::Booked) draft.add_as(*what.shape, what.job, *seats);
  return seats;
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
