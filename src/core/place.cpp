#include "core/place.hpp"

#include <algorithm>
#include <numeric>

#include "core/domains.hpp"
#include "core/place_role.hpp"
#include "core/room.hpp"

namespace muster {
namespace {

/// Domains a gang may choose among, tightest first; the whole cluster where nothing constrains it.
std::vector<Range> allowed_ranges(const Draft& draft, const Placing& what) {
  const Topology& topology = draft.state().ledger.topology();
  std::vector<Range> ranges;
  for (const Near& near : what.shape->near) {
    const std::uint32_t level = topology.level_index(near.level);
    if (near.mode != Locality::Required || level > topology.depth()) continue;
    // A running gang stays in its domain for life.
    const Job& job = draft.state().job(what.job);
    if (level == topology.depth()) {
      if (!job.seats.empty()) {
        const std::uint32_t p = topology.position(job.seats.front().node);
        return {{p, p + 1}};
      }
      for (std::uint32_t p = 0; p < topology.everything().end; ++p) ranges.push_back({p, p + 1});
      return ranges;
    }
    if (!job.seats.empty()) return {topology.domain(topology.domain_of(job.seats.front().node, level)).range};
    for (const DomainId id : topology.at_level(level)) {
      if (!topology.domain(id).name.empty()) ranges.push_back(topology.domain(id).range);
    }
    return ranges;
  }
  return {topology.everything()};
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

std::optional<Placement> place_in_order(Draft& draft, const Placing& what, const Range& range,
                                        const std::vector<std::size_t>& order) {
  Placement seats;
  for (const std::size_t role : order) {
    if (what.counts[role] == 0) continue;
    auto placed = place_role(draft, what, {.role = role, .range = range, .already = seats});
    if (!placed) return std::nullopt;
    seats.insert(seats.end(), placed->begin(), placed->end());
  }
  return seats;
}

/// One greedy pass, then the other role orders, then a bounded exhaustive search: a placement that
/// exists in a small case is found.
std::optional<Placement> place_in_range(Draft& draft, const Placing& what, const Range& range) {
  std::vector<std::size_t> order = role_order(*what.shape);
  if (order.size() == 1) return place_in_order(draft, what, range, order);
  const Draft before = draft;
  if (auto seats = place_in_order(draft, what, range, order)) return seats;
  if (order.size() <= 4) {
    std::sort(order.begin(), order.end());
    do {
      draft = before;
      if (auto seats = place_in_order(draft, what, range, order)) return seats;
    } while (std::next_permutation(order.begin(), order.end()));
  }
  draft = before;
  return place_exhaustively(draft, what, range);
}

/// Room in each range as a bound, to try tight ones first and impossible ones never.
std::vector<Range> promising(const Draft& draft, const Placing& what, std::vector<Range> ranges) {
  if (ranges.size() == 1 || what.shape->roles.size() != 1) return ranges;
  const RoleRoom room{.draft = &draft, .what = &what, .role = 0};
  struct Rated {
    std::int64_t room;
    Range range;
  };
  std::vector<Rated> rated;
  const std::int64_t enough = kUnlimited / 2;
  for (const Range& range : ranges) {
    std::int64_t here = 0;
    for (const NodeRoom& node : collect(room, enough, range, Fill::EmptiestFirst)) {
      here += what.shape->spread ? 1 : node.workers;
    }
    if (here >= what.counts[0]) rated.push_back({here, range});
  }
  // The tightest that lets the job grow to its most; where none does, the roomiest.
  const std::int64_t most = std::max(what.counts[0], what.shape->most());
  std::stable_sort(rated.begin(), rated.end(), [&](const Rated& a, const Rated& b) {
    const bool a_suffices = a.room >= most;
    const bool b_suffices = b.room >= most;
    if (a_suffices != b_suffices) return a_suffices;
    return a_suffices ? a.room < b.room : a.room > b.room;
  });
  ranges.clear();
  for (const Rated& r : rated) ranges.push_back(r.range);
  return ranges;
}

/// The level at which several roles together prefer one domain, if any.
std::vector<Range> preferred_ranges(const Draft& draft, const Placing& what, const Range& within) {
  if (what.shape->roles.size() == 1) return {within};
  const Topology& topology = draft.state().ledger.topology();
  std::uint32_t level = topology.depth();
  for (const Near& near : what.shape->near) {
    if (near.mode == Locality::Preferred) level = std::min(level, topology.level_index(near.level));
  }
  std::vector<Range> ranges;
  for (std::uint32_t l = std::min(level + 1, topology.depth()); l > 0; --l) {
    for (const DomainId id : topology.at_level(l - 1)) {
      const Range& range = topology.domain(id).range;
      if (within.begin <= range.begin && range.end <= within.end) ranges.push_back(range);
    }
  }
  ranges.push_back(within);
  return ranges;
}

/// Worker indices in rank order: along the topology within each role.
void number_workers(const Draft& draft, const Placing& what, Placement& seats) {
  const State& state = draft.state();
  const Topology& topology = state.ledger.topology();
  const Job& job = state.job(what.job);
  std::stable_sort(seats.begin(), seats.end(), [&](const Seat& a, const Seat& b) {
    return std::make_tuple(a.role, topology.position(a.node)) <
           std::make_tuple(b.role, topology.position(b.node));
  });
  for (std::size_t role = 0, at = 0; role < what.counts.size(); ++role) {
    const auto free = free_workers(state, job, role, what.counts[role]);
    for (const std::uint32_t worker : free) seats[at++].worker = worker;
  }
}

}  // namespace

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
  for (std::uint32_t worker = first; static_cast<std::int32_t>(free.size()) < count; ++worker) {
    const auto seated = [&](const Seat& seat) { return seat.worker == worker; };
    if (std::any_of(job.seats.begin(), job.seats.end(), seated)) continue;
    if (job.extra && std::binary_search(job.extra->finished.begin(), job.extra->finished.end(), worker))
      continue;
    free.push_back(worker);
  }
  return free;
}

std::optional<Placement> place(Draft& draft, const Placing& what) {
  const auto allowed = promising(draft, what, allowed_ranges(draft, what));
  const bool several = allowed.size() > 1 || what.shape->roles.size() > 1;
  for (const Range& outer : allowed) {
    for (const Range& range : preferred_ranges(draft, what, outer)) {
      std::optional<Placement> seats;
      if (several) {
        Draft attempt = draft;
        seats = place_in_range(attempt, what, range);
        if (seats) draft = std::move(attempt);
      } else {
        seats = place_in_range(draft, what, range);
      }
      if (!seats) continue;
      number_workers(draft, what, *seats);
      return seats;
    }
  }
  return std::nullopt;
}

std::optional<Placement> place_alone(Draft& draft, const Placing& what) {
  const Shape& shape = *what.shape;
  const bool plain = shape.roles.size() == 1 && what.counts.front() == 1 && !shape.spread &&
                     shape.near.empty() && shape.roles.front().near.empty();
  if (!plain) return place(draft, what);
  const State& state = draft.state();
  const RoleRoom room{.draft = &draft, .what = &what, .role = 0};
  const auto node = best_node(room, 1, state.ledger.topology().everything());
  if (!node) return std::nullopt;
  const Job& job = state.job(what.job);
  Seat seat{.node = *node, .worker = 0, .role = 0, .devices = {}};
  if (job.extra || !job.seats.empty()) seat.worker = free_workers(state, job, 0, 1).front();
  seat.devices = choose_devices(draft.free(*node), state.ledger.node(*node).spec, shape.roles.front().each);
  return Placement{seat};
}

}  // namespace muster
