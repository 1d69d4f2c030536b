#include "core/room.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace muster {
namespace {

bool names_nodes(const std::vector<Selector>& select) {
  return std::any_of(select.begin(), select.end(), [](const Selector& s) { return s.key == "node"; });
}

/// Room on a node whose class is accepted and whose usability is known.
std::int64_t room_here(const RoleRoom& room, NodeId node, const Free& free, std::int64_t enough) {
  const NodeSpec& spec = room.ledger.node(node).spec;
  if (!room.best_effort) return capacity(free, spec, room.each, Column::Firm, {}, enough);
  const Services services = room.draft.assumes_empty() ? Services::Gone : Services::Counted;
  const Allowance allowed = allowance(room.draft.state(), node, room.what.colocation, services);
  return capacity(free, spec, room.each, Column::BestEffort, allowed, enough);
}

std::int64_t room_of_touched(const RoleRoom& room, const Touched& touched, std::int64_t enough) {
  if (!touched.usable) return 0;
  const ClassId node_class = room.index.class_of(touched.node);
  if (!std::binary_search(room.classes.begin(), room.classes.end(), node_class)) return 0;
  if (room.picky && (!room.draft.usable(touched.node) ||
                     !accepts_name(room.spec.select, room.ledger.node(touched.node).spec.name))) {
    return 0;
  }
  return room_here(room, touched.node, touched.free, enough);
}

/// The best node so far: lower is fuller.
struct Best {
  std::int64_t idle = 0;
  std::uint32_t position = 0;
  NodeId node;

  void consider(std::int64_t other_idle, std::uint32_t other_position, NodeId other) {
    if (!is_better(other_idle, other_position)) return;
    idle = other_idle;
    position = other_position;
    node = other;
  }
  [[nodiscard]] bool is_better(std::int64_t other_idle, std::uint32_t other_position) const {
    return !node.valid() || std::tie(other_idle, other_position) < std::tie(idle, position);
  }
};

/// A device that sharers use already comes before any idle one; the fullest of them first.
std::int64_t fullness(const RoleRoom& room, const Free& free, std::int64_t row) {
  if (!room.each.shares_device()) return row;
  std::int64_t idle = row + kDevice;
  for (const SharedDevice& device : free.shared) {
    const bool fits = device.share_free >= room.each.share && device.mem_free >= room.each.gpu_mem;
    if (fits) idle = std::min<std::int64_t>(idle, device.share_free);
  }
  return idle;
}

/// Lowest row worth a look. Best-effort work is bounded by allowances, not by the room that rows count.
std::uint32_t first_row(const RoleRoom& room, ClassId node_class, std::int64_t workers) {
  if (room.best_effort && room.each.gpus == 0) return 0;
  return room.index.first_row(node_class, room.each, workers);
}

/// Visits the untouched nodes of a set of slots until `visit` returns false.
template <class Visit>
bool visit_slots(const RoleRoom& room, ClassId node_class, const BitIndex& set, const Slots& slots,
                 const Visit& visit) {
  for (std::size_t slot = set.next(slots.begin); slot < slots.end; slot = set.next(slot + 1)) {
    const NodeId node = room.index.node_at(node_class, slot);
    if (room.draft.is_touched(node)) continue;
    if (!visit(node, room.index.position_at(node_class, slot))) return false;
  }
  return true;
}

/// Candidates among sharers' nodes: every one is looked at, since their order is by share.
void best_shared(const RoleRoom& room, const Wanted& wanted, Best& best) {
  for (const ClassId c : room.classes) {
    const BitIndex& shared = room.index.shared(c);
    if (shared.empty()) continue;
    visit_slots(room, c, shared, room.index.slots_in(c, wanted.area),
                [&](NodeId node, std::uint32_t position) {
                  if (wanted.except != nullptr && wanted.except->has(position)) return true;
                  const Free& free = room.ledger.free(node);
                  const std::int64_t idle = fullness(room, free, room.index.row_now(node));
                  if (!best.is_better(idle, position)) return true;
                  if (room_in_row(room, node, wanted.workers) >= wanted.workers)
                    best.consider(idle, position, node);
                  return true;
                });
  }
}

void best_in_class(const RoleRoom& room, ClassId c, const Wanted& wanted, Best& best) {
  const std::uint32_t rows = room.index.rows(c);
  std::uint32_t first = first_row(room, c, wanted.workers);
  if (room.each.shares_device()) first = std::max(first, 1U);
  if (first >= rows) return;
  std::uint32_t r = room.index.next_row(c, first);
  if (r >= rows || (best.node.valid() && best.idle < r)) return;
  const Slots slots = room.index.slots_in(c, wanted.area);
  for (; r < rows; r = room.index.next_row(c, r + 1)) {
    if (best.node.valid() && best.idle < r) return;
    bool more = true;
    visit_slots(room, c, room.index.row(c, r), slots, [&](NodeId node, std::uint32_t position) {
      if (wanted.except != nullptr && wanted.except->has(position)) return true;
      // Rows ascend, and positions within them: nothing behind can be better.
      more = room.each.shares_device() || best.is_better(r, position);
      if (!more || room_in_row(room, node, wanted.workers) < wanted.workers) return more;
      best.consider(fullness(room, room.ledger.free(node), r), position, node);
      more = false;
      return false;
    });
    if (!more) return;
  }
}

/// Rows of a class that `walk` visits.
struct Walk {
  ClassId node_class;
  Slots slots;
  std::uint32_t first = 0;
  std::uint32_t rows = 0;
};

/// Visits all nodes of the area that may have room, the touched ones first (without a row), the others row by
/// row, until `visit` returns false. Touched ones are few or, in an evict-all draft, all there is: all of
/// them are visited.
template <class Visit>
void walk(const RoleRoom& room, const Wanted& wanted, Fill order, const Visit& visit) {
  bool more = true;
  for (const Touched& touched : room.draft.touched()) {
    if (!wanted.area.range.has(room.topology.position(touched.node))) continue;
    more = visit(touched.node, room_of_touched(room, touched, kUnlimited / 2), Index::kNoRow);
  }
  if (!more) return;
  ShortList<Walk, 16> walks;
  std::uint32_t most = 0;
  std::uint32_t least = 0xffffffff;
  for (const ClassId c : room.classes) {
    const std::uint32_t first = first_row(room, c, wanted.on_each);
    const std::uint32_t rows = room.index.rows(c);
    if (first >= rows || room.index.next_row(c, first) >= rows) continue;
    const Slots slots = room.index.slots_in(c, wanted.area);
    if (slots.begin == slots.end) continue;
    walks.push_back({.node_class = c, .slots = slots, .first = first, .rows = rows});
    most = std::max(most, rows);
    least = std::min(least, first);
  }
  for (std::uint32_t step = least; step < most; ++step) {
    const std::uint32_t r = order == Fill::FullestFirst ? step : most - 1 - (step - least);
    for (const Walk& w : walks) {
      if (r < w.first || r >= w.rows) continue;
      more = visit_slots(room, w.node_class, room.index.row(w.node_class, r), w.slots,
                         [&](NodeId node, std::uint32_t) {
                           return visit(node, room_in_row(room, node, kUnlimited / 2), r);
                         });
      if (!more) return;
    }
  }
}

}  // namespace

RoleRoom::RoleRoom(const Draft& of, const Placing& placing, std::size_t role)
    : draft(of),
      what(placing),
      ledger(of.state().ledger),
      index(ledger.index()),
      topology(ledger.topology()),
      spec(placing.shape->roles[role]),
      each(spec.each),
      classes(ledger.catalogue().accepted(placing.id, role)),
      best_effort(placing.shape->best_effort),
      picky(of.keeps_clear() || names_nodes(spec.select)) {}

std::int64_t room_on(const RoleRoom& room, NodeId node, std::int64_t enough) {
  const ClassId node_class = room.index.class_of(node);
  if (!std::binary_search(room.classes.begin(), room.classes.end(), node_class)) return 0;
  if (!room.draft.usable(node)) return 0;
  if (room.picky && !accepts_name(room.spec.select, room.ledger.node(node).spec.name)) return 0;
  return room_here(room, node, room.draft.free(node), enough);
}

std::int64_t room_in_row(const RoleRoom& room, NodeId node, std::int64_t enough) {
  if (room.picky &&
      (!room.draft.usable(node) || !accepts_name(room.spec.select, room.ledger.node(node).spec.name))) {
    return 0;
  }
  return room_here(room, node, room.ledger.free(node), enough);
}

std::optional<NodeId> best_node(const RoleRoom& room, const Wanted& wanted) {
  Best best;
  for (const Touched& touched : room.draft.touched()) {
    const std::uint32_t position = room.topology.position(touched.node);
    if (!wanted.area.range.has(position)) continue;
    if (wanted.except != nullptr && wanted.except->has(position)) continue;
    if (room_of_touched(room, touched, wanted.workers) < wanted.workers) continue;
    const std::uint32_t row = room.index.row_of(room.index.class_of(touched.node), touched.free);
    best.consider(fullness(room, touched.free, row), position, touched.node);
  }
  if (room.each.shares_device()) best_shared(room, wanted, best);
  for (const ClassId c : room.classes) best_in_class(room, c, wanted, best);
  if (!best.node.valid()) return std::nullopt;
  return best.node;
}

std::vector<NodeRoom> collect(const RoleRoom& room, const Wanted& wanted, Fill order) {
  constexpr std::int64_t kAtOnce = 512;
  std::vector<NodeRoom> found;
  found.reserve(
      static_cast<std::size_t>(std::min<std::int64_t>({wanted.workers, wanted.area.range.size(), kAtOnce})));
  std::int64_t sum = 0;
  walk(room, wanted, order, [&](NodeId node, std::int64_t here, std::uint32_t) {
    here = std::min(here, wanted.workers);
    if (here > 0) found.push_back({.node = node, .workers = here});
    sum += here;
    return sum < wanted.workers;
  });
  return found;
}

std::optional<std::size_t> nodes_needed(const RoleRoom& room, const Wanted& wanted) {
  std::vector<std::int64_t> rooms;
  std::int64_t most = kUnlimited;  // no node still to come has more
  std::int64_t sum = 0;            // of nodes with at least that
  walk(room, wanted, Fill::EmptiestFirst, [&](NodeId, std::int64_t here, std::uint32_t row) {
    if (here > 0) rooms.push_back(here);
    if (room.each.gpus == 0 || row == Index::kNoRow) return true;
    const std::int64_t bound = row / static_cast<std::uint32_t>(room.each.gpus);
    if (bound == most) {
      sum += here >= most ? here : 0;
      return sum < wanted.workers;
    }
    most = bound;
    sum = 0;
    for (const std::int64_t r : rooms) sum += r >= most ? r : 0;
    return sum < wanted.workers;
  });
  std::sort(rooms.begin(), rooms.end(), std::greater<>());
  std::int64_t left = wanted.workers;
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    left -= rooms[i];
    if (left <= 0) return i + 1;
  }
  return std::nullopt;
}

std::int64_t room_bound(const RoleRoom& room, std::int64_t enough) {
  if (room.best_effort) return enough;
  std::int64_t sum = 0;
  for (const ClassId c : room.classes) {
    const std::uint32_t rows = room.index.rows(c);
    const auto first = std::min(rows, static_cast<std::uint32_t>(room.each.gpus));
    for (std::uint32_t r = room.index.next_row(c, first); r < rows; r = room.index.next_row(c, r + 1)) {
      const std::int64_t each = std::min(enough, room.index.row_capacity(c, r, room.each));
      sum += each * static_cast<std::int64_t>(room.index.row(c, r).size());
      if (sum >= enough) return sum;
    }
  }
  return sum;
}

}  // namespace muster
