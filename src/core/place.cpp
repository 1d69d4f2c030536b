#include "core/place.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/first_success.hpp"
#include "core/level_room.hpp"
#include "core/place_role.hpp"

namespace muster {
namespace {

Area area_at(const Topology& topology, NodeId node, std::uint32_t level) {
  const std::uint32_t p = topology.position(node);
  if (level == topology.depth()) return {.range = {p, p + 1}, .domain = {}};
  return topology.area_of(topology.domain_of(node, level));
}

/// Domains, or nodes, of a level that a gang may choose among.
std::vector<Area> areas_of(const Topology& topology, std::uint32_t level) {
  std::vector<Area> areas;
  if (level == topology.depth()) {
    for (std::uint32_t p = 0; p < topology.everything().end; ++p) {
      areas.push_back({.range = {p, p + 1}, .domain = {}});
    }
    return areas;
  }
  for (const DomainId id : topology.at_level(level)) {
    if (!topology.domain(id).name.empty()) areas.push_back(topology.area_of(id));
  }
  return areas;
}

/// Roles in the order to place them: the most demanding first.
std::vector<std::size_t> role_order(const Shape& shape) {
  std::vector<std::size_t> order(shape.roles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto weight = [&](std::size_t r) {
    const Demand& each = shape.roles[r].each;
    return std::make_tuple(shape.roles[r].near.empty(), -each.gpus, -each.share, -each.gpu_mem, -each.cpu,
                           -each.mem);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weight(a) < weight(b); });
  return order;
}

std::optional<Placement> place_in_order(Draft& draft, const Placing& what, const Area& area,
                                        const std::vector<std::size_t>& order) {
  Placement seats;
  for (const std::size_t role : order) {
    if (what.counts[role] == 0) continue;
    auto placed = place_role(draft, what, {.role = role, .area = area, .already = seats});
    if (!placed) return std::nullopt;
    seats.insert(seats.end(), placed->begin(), placed->end());
  }
  return seats;
}

/// Several roles: one greedy pass, then the other role orders, then a bounded exhaustive search: a placement
/// that exists in a small case is found.
std::optional<Placement> place_roles(Draft& draft, const Placing& what, const Area& area) {
  std::vector<std::size_t> order = role_order(*what.shape);
  const Draft before = draft;
  if (auto seats = place_in_order(draft, what, area, order)) return seats;
  if (order.size() <= 4) {
    std::sort(order.begin(), order.end());
    do {
      draft = before;
      if (auto seats = place_in_order(draft, what, area, order)) return seats;
    } while (std::next_permutation(order.begin(), order.end()));
  }
  draft = before;
  return place_exhaustively(draft, what, area.range);
}

/// An area with its room, and what decides between equals.
struct Rated {
  std::int64_t room = 0;
  std::uint32_t tie = 0;
  Area area;
};

/// Areas of a level where the one role fits as far as its room tells, with that room.
std::vector<Rated> promising(const RoleRoom& room, std::uint32_t level, std::int64_t workers) {
  const std::int64_t enough = kUnlimited / 2;
  const bool spread = room.what.shape->spread;
  std::vector<Rated> rated;
  if (level == room.topology.depth()) {
    const auto rate = [&](NodeId node, std::int64_t here) {
      if (spread) here = std::min<std::int64_t>(here, 1);
      if (here < workers) return;
      const std::uint32_t p = room.topology.position(node);
      rated.push_back({.room = here, .tie = p, .area = {.range = {p, p + 1}, .domain = {}}});
    };
    if (room.each.gpus == 0) {
      const std::uint32_t end = room.topology.everything().end;
      for (std::uint32_t p = 0; p < end; ++p)
        rate(room.topology.node_at(p), room_on(room, room.topology.node_at(p), enough));
      return rated;
    }
    const Area everything{.range = room.topology.everything(), .domain = {}};
    const Wanted all{.workers = enough, .area = everything, .on_each = workers};
    for (const NodeRoom& node : collect(room, all, Fill::EmptiestFirst)) rate(node.node, node.workers);
    return rated;
  }
  const LevelRoom exact = room_per_domain(room, {.level = level, .range = room.topology.everything()},
                                          spread ? Tally::Nodes : Tally::Workers, enough);
  for (std::size_t i = 0; i < exact.of.size(); ++i) {
    const DomainId id = room.topology.in_order(level)[exact.run.begin + i];
    if (exact.of[i] < workers || room.topology.domain(id).name.empty()) continue;
    rated.push_back({.room = exact.of[i], .tie = id.value(), .area = room.topology.area_of(id)});
  }
  return rated;
}

/// The one role inside one area of a required level: the tightest that lets the job grow to its most; where
/// none does, the roomiest.
std::optional<Placement> place_in_one_of(Draft& draft, const Placing& what, std::uint32_t level,
                                         Found found) {
  const RoleRoom room(draft, what, 0);
  const std::int64_t workers = what.counts.front();
  if (draft.touched().empty() && room_bound(room, workers) < workers) return std::nullopt;
  std::vector<Rated> rated = promising(room, level, workers);
  const std::int64_t most = std::max<std::int64_t>(workers, what.shape->most());
  const auto better = [&](const Rated& a, const Rated& b) {
    const bool a_suffices = a.room >= most;
    const bool b_suffices = b.room >= most;
    if (a_suffices != b_suffices) return a_suffices;
    if (a.room != b.room) return a_suffices ? a.room < b.room : a.room > b.room;
    return a.tie < b.tie;
  };
  std::optional<Placement> seats;
  first_success(rated, better, [&](const Rated& r) {
    seats = place_role(draft, what, {.role = 0, .area = r.area, .already = {}, .found = found});
    return seats.has_value();
  });
  return seats;
}

std::optional<Placement> place_one_role(Draft& draft, const Placing& what, Found found) {
  const Topology& topology = draft.state().ledger.topology();
  const auto level = required_level(topology, *what.shape);
  if (what.counts.front() == 0) {
    if (level && draft.state().job(what.job).seats.empty() && areas_of(topology, *level).empty())
      return std::nullopt;
    return Placement{};
  }
  Area area{.range = topology.everything(), .domain = {}};
  if (level) {
    // A running gang stays in its domain for life.
    const Job& job = draft.state().job(what.job);
    if (job.seats.empty()) return place_in_one_of(draft, what, *level, found);
    area = area_at(topology, job.seats.front().node, *level);
  }
  return place_role(draft, what, {.role = 0, .area = area, .already = {}, .found = found});
}

/// Inside one allowed area several roles together prefer one domain of a level, if any; in the order to try.
std::vector<Area> preferred_areas(const Topology& topology, const Placing& what, const Area& within) {
  std::uint32_t level = topology.depth();
  for (const Near& near : what.shape->near) {
    if (near.mode == Locality::Preferred) level = std::min(level, topology.level_index(near.level));
  }
  std::vector<Area> areas;
  for (std::uint32_t l = std::min(level + 1, topology.depth()); l > 0; --l) {
    for (const DomainId id : topology.at_level(l - 1)) {
      const Range& range = topology.domain(id).range;
      if (within.range.begin <= range.begin && range.end <= within.range.end)
        areas.push_back(topology.area_of(id));
    }
  }
  areas.push_back(within);
  return areas;
}

/// Could each role by itself have its room there, as far as rows tell?
class Screen {
 public:
  Screen(const Draft& draft, const Placing& what) : topology_(draft.state().ledger.topology()) {
    for (std::size_t r = 0; r < what.counts.size(); ++r) {
      if (what.counts[r] == 0) continue;
      const RoleRoom room(draft, what, r);
      for (std::uint32_t level = 0; level < topology_.depth(); ++level) {
        bounds_.push_back(
            {.workers = what.counts[r],
             .level = level,
             .room = bound_per_domain(room, {.level = level, .range = topology_.everything()})});
      }
    }
  }

  [[nodiscard]] bool lets_through(const Area& area) const {
    if (!area.domain.valid()) return true;
    const std::uint32_t level = topology_.domain(area.domain).level;
    return std::all_of(bounds_.begin(), bounds_.end(), [&](const Bound& bound) {
      return bound.level != level || bound.room.of[topology_.order_of(area.domain)] >= bound.workers;
    });
  }

 private:
  struct Bound {
    std::int64_t workers = 0;
    std::uint32_t level = 0;
    LevelRoom room;
  };
  const Topology& topology_;
  std::vector<Bound> bounds_;
};

std::optional<Placement> place_several_roles(Draft& draft, const Placing& what) {
  const Topology& topology = draft.state().ledger.topology();
  for (std::size_t r = 0; r < what.counts.size() && draft.touched().empty(); ++r) {
    if (room_bound(RoleRoom(draft, what, r), what.counts[r]) < what.counts[r]) return std::nullopt;
  }
  std::vector<Area> allowed{{.range = topology.everything(), .domain = {}}};
  if (const auto level = required_level(topology, *what.shape)) {
    const Job& job = draft.state().job(what.job);
    allowed = job.seats.empty() ? areas_of(topology, *level)
                                : std::vector<Area>{area_at(topology, job.seats.front().node, *level)};
  }
  const Screen screen(draft, what);
  for (const Area& outer : allowed) {
    if (!screen.lets_through(outer)) continue;
    for (const Area& area : preferred_areas(topology, what, outer)) {
      if (!screen.lets_through(area)) continue;
      Draft attempt = draft;
      auto seats = place_roles(attempt, what, area);
      if (!seats) continue;
      draft = std::move(attempt);
      return seats;
    }
  }
  return std::nullopt;
}

/// Worker indices in rank order: along the topology within each role.
void number_workers(const Draft& draft, const Placing& what, Placement& seats) {
  const State& state = draft.state();
  const Topology& topology = state.ledger.topology();
  struct Key {
    std::uint64_t place = 0;
    std::size_t at = 0;
    bool operator<(const Key& other) const { return std::tie(place, at) < std::tie(other.place, other.at); }
  };
  std::vector<Key> keys(seats.size());
  for (std::size_t i = 0; i < seats.size(); ++i) {
    keys[i] = {.place = std::uint64_t{seats[i].role} << 32 | topology.position(seats[i].node), .at = i};
  }
  if (!std::is_sorted(keys.begin(), keys.end())) {
    std::sort(keys.begin(), keys.end());
    Placement sorted(seats.size());
    for (std::size_t i = 0; i < seats.size(); ++i) sorted[i] = seats[keys[i].at];
    seats = std::move(sorted);
  }
  for (std::size_t role = 0, at = 0; role < what.counts.size(); ++role) {
    for (const std::uint32_t worker : free_workers(state, state.job(what.job), role, what.counts[role])) {
      seats[at++].worker = worker;
    }
  }
}

std::optional<Placement> place_and_number(Draft& draft, const Placing& what, Found found) {
  auto seats =
      what.counts.size() == 1 ? place_one_role(draft, what, found) : place_several_roles(draft, what);
  if (seats) number_workers(draft, what, *seats);
  return seats;
}

}  // namespace

std::optional<std::uint32_t> required_level(const Topology& topology, const Shape& shape) {
  for (const Near& near : shape.near) {
    const std::uint32_t level = topology.level_index(near.level);
    if (near.mode == Locality::Required && level <= topology.depth()) return level;
  }
  return std::nullopt;
}

Placing gang_of(const State& state, JobId id, const std::optional<Colocation>& colocation) {
  const Shape& shape = state.shape(state.job(id));
  Placing what{.job = id, .shape = &shape, .id = state.job(id).shape, .counts = {}, .colocation = colocation};
  for (const RoleSpec& role : shape.roles) {
    what.counts.push_back(shape.kind == JobKind::Service ? std::min(1, role.count.max) : role.count.min);
  }
  return what;
}

std::vector<std::uint32_t> free_workers(const State& state, const Job& job, std::size_t role,
                                        std::int32_t count) {
  const Shape& asked = state.ledger.catalogue().shape(job.asked);
  std::uint32_t first = 0;
  for (std::size_t r = 0; r < role; ++r) first += static_cast<std::uint32_t>(asked.roles[r].count.max);
  std::vector<std::uint32_t> free;
  free.reserve(static_cast<std::size_t>(std::max(count, 0)));
  // Seats and finished workers ascend: walk beside them.
  auto seat = std::partition_point(job.seats.begin(), job.seats.end(),
                                   [&](const Seat& s) { return s.worker < first; });
  const std::vector<std::uint32_t> none;
  const auto& finished = job.extra ? job.extra->finished : none;
  auto done = std::lower_bound(finished.begin(), finished.end(), first);
  for (std::uint32_t worker = first; static_cast<std::int32_t>(free.size()) < count; ++worker) {
    bool taken = false;
    for (; seat != job.seats.end() && seat->worker <= worker; ++seat) taken = taken || seat->worker == worker;
    for (; done != finished.end() && *done <= worker; ++done) taken = taken || *done == worker;
    if (!taken) free.push_back(worker);
  }
  return free;
}

std::optional<Placement> place(Draft& draft, const Placing& what) {
  return place_and_number(draft, what, Found::Booked);
}

std::optional<Placement> place_alone(Draft& draft, const Placing& what) {
  const Shape& shape = *what.shape;
  const bool plain = shape.roles.size() == 1 && what.counts.front() == 1 && !shape.spread &&
                     shape.near.empty() && shape.roles.front().near.empty();
  if (!plain) return place_and_number(draft, what, Found::Returned);
  const State& state = draft.state();
  const Area everything{.range = state.ledger.topology().everything(), .domain = {}};
  const auto node = best_node(RoleRoom(draft, what, 0), {.workers = 1, .area = everything});
  if (!node) return std::nullopt;
  const Job& job = state.job(what.job);
  Seat seat{.node = *node, .worker = 0, .role = 0, .devices = {}};
  if (job.extra || !job.seats.empty()) seat.worker = free_workers(state, job, 0, 1).front();
  seat.devices = choose_devices(draft.free(*node), state.ledger.node(*node).spec, shape.roles.front().each);
  return Placement{seat};
}

}  // namespace muster
