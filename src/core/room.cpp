#include "core/room.hpp"

#include <algorithm>
#include <tuple>

namespace muster {
namespace {

const Ledger& ledger_of(const RoleRoom& room) { return room.draft->state().ledger; }

const std::vector<ClassId>& classes_of(const RoleRoom& room) {
  return ledger_of(room).catalogue().accepted(room.what->id, room.role);
}

bool accepted(const RoleRoom& room, NodeId node) {
  const auto& classes = classes_of(room);
  const NodeEntry& entry = ledger_of(room).node(node);
  return std::binary_search(classes.begin(), classes.end(), entry.node_class) &&
         accepts_name(room.spec().select, entry.spec.name);
}

/// Room on a node whose class is accepted and whose usability is known.
std::int64_t room_here(const RoleRoom& room, NodeId node, std::int64_t enough) {
  const State& state = room.draft->state();
  const bool soft = room.what->shape->best_effort;
  const Services services = room.draft->assumes_empty() ? Services::Gone : Services::Counted;
  const Allowance allowed = soft ? allowance(state, node, room.what->colocation, services) : Allowance{};
  return capacity(room.draft->free(node), state.ledger.node(node).spec, room.each(),
                  soft ? Column::BestEffort : Column::Firm, allowed, enough);
}

/// Order of candidates: lower is fuller.
struct Fullness {
  std::int64_t idle = 0;
  std::uint32_t position = 0;
  friend auto operator<=>(const Fullness&, const Fullness&) = default;
};

Fullness fullness(const RoleRoom& room, NodeId node) {
  const Ledger& ledger = ledger_of(room);
  const Free& free = room.draft->free(node);
  std::int64_t idle = ledger.index().row_of(ledger.node(node).node_class, free);
  if (room.each().shares_device()) {
    // A device that sharers use already comes before any idle one; the fullest of them first.
    idle += kDevice;
    for (const SharedDevice& device : free.shared) {
      const bool fits = device.share_free >= room.each().share && device.mem_free >= room.each().gpu_mem;
      if (fits) idle = std::min<std::int64_t>(idle, device.share_free);
    }
  }
  return {.idle = idle, .position = ledger.topology().position(node)};
}

/// Lowest row worth a look. Best-effort work is bounded by allowances, not by the room that rows count.
std::uint32_t first_row(const RoleRoom& room, ClassId node_class, std::int64_t workers) {
  if (room.what->shape->best_effort && room.each().gpus == 0) return 0;
  return ledger_of(room).index().first_row(node_class, room.each(), workers);
}

/// Visits the untouched usable nodes of one row in a range until `visit` returns false.
template <class Visit>
bool visit_row(const RoleRoom& room, ClassId node_class, const BitIndex& row, const Range& range,
               Visit visit) {
  if (row.empty()) return true;
  const Index& index = ledger_of(room).index();
  const Slots slots = index.slots_in(node_class, range);
  for (std::size_t slot = row.next(slots.begin); slot < slots.end; slot = row.next(slot + 1)) {
    const NodeId node = index.node_at(node_class, slot);
    if (room.draft->is_touched(node)) continue;
    if (!visit(node)) return false;
  }
  return true;
}

/// Candidate for best_node among sharers' nodes: every one is looked at, since their order is by share.
void best_shared(const RoleRoom& room, const Range& range, std::optional<std::pair<Fullness, NodeId>>& best,
                 std::int64_t workers) {
  for (const ClassId node_class : classes_of(room)) {
    visit_row(room, node_class, ledger_of(room).index().shared(node_class), range, [&](NodeId node) {
      if (!room.draft->usable(node) ||
          !accepts_name(room.spec().select, ledger_of(room).node(node).spec.name)) {
        return true;
      }
      if (room_here(room, node, workers) < workers) return true;
      const Fullness full = fullness(room, node);
      if (!best || full < best->first) best = {full, node};
      return true;
    });
  }
}

void best_in_class(const RoleRoom& room, ClassId node_class, std::int64_t workers, const Range& range,
                   std::optional<std::pair<Fullness, NodeId>>& best) {
  const Index& index = ledger_of(room).index();
  const std::uint32_t rows = index.rows(node_class);
  std::uint32_t r = first_row(room, node_class, workers);
  if (room.each().shares_device()) r = std::max(r, 1U);
  for (; r < rows; ++r) {
    if (best && best->first.idle < r) return;
    bool found = false;
    visit_row(room, node_class, index.row(node_class, r), range, [&](NodeId node) {
      if (!room.draft->usable(node) || room_here(room, node, workers) < workers) return true;
      if (!accepts_name(room.spec().select, ledger_of(room).node(node).spec.name)) return true;
      const Fullness full = fullness(room, node);
      if (!best || full < best->first) best = {full, node};
      found = true;
      return false;
    });
    if (found) return;
  }
}

}  // namespace

std::int64_t room_on(const RoleRoom& room, NodeId node, std::int64_t enough) {
  return room.draft->usable(node) && accepted(room, node) ? room_here(room, node, enough) : 0;
}

std::optional<NodeId> best_node(const RoleRoom& room, std::int64_t workers, const Range& range) {
  std::optional<std::pair<Fullness, NodeId>> best;
  const Topology& topology = ledger_of(room).topology();
  for (const Touched& touched : room.draft->touched()) {
    if (!range.has(topology.position(touched.node)) || room_on(room, touched.node, workers) < workers)
      continue;
    const Fullness full = fullness(room, touched.node);
    if (!best || full < best->first) best = {full, touched.node};
  }
  if (room.each().shares_device()) best_shared(room, range, best, workers);
  for (const ClassId node_class : classes_of(room)) best_in_class(room, node_class, workers, range, best);
  if (!best) return std::nullopt;
  return best->second;
}

std::vector<NodeRoom> collect(const RoleRoom& room, std::int64_t workers, const Range& range, Fill order) {
  const Index& index = ledger_of(room).index();
  const Topology& topology = ledger_of(room).topology();
  std::vector<NodeRoom> found;
  std::int64_t sum = 0;
  const auto add = [&](NodeId node) {
    const std::int64_t here = room_on(room, node, workers);
    if (here > 0) found.push_back({.node = node, .workers = here});
    sum += here;
    return sum < workers;
  };
  // Touched nodes are few or, in an evict-all draft, all there is: look at every one.
  for (const Touched& touched : room.draft->touched()) {
    if (range.has(topology.position(touched.node))) add(touched.node);
  }
  std::uint32_t most = 0;
  for (const ClassId c : classes_of(room)) most = std::max(most, index.rows(c));
  for (std::uint32_t step = 0; step < most && sum < workers; ++step) {
    for (const ClassId c : classes_of(room)) {
      const std::uint32_t r = order == Fill::FullestFirst ? step : most - 1 - step;
      if (r >= index.rows(c)) continue;
      if (r < first_row(room, c, 1) && !room.each().shares_device()) continue;
      if (!visit_row(room, c, index.row(c, r), range, add)) break;
    }
  }
  return found;
}

std::vector<std::int64_t> bound_per_domain(const RoleRoom& room, std::uint32_t level) {
  const Ledger& ledger = ledger_of(room);
  const Index& index = ledger.index();
  const auto domains = ledger.topology().at_level(level);
  std::vector<std::int64_t> bound(domains.size(), 0);
  const auto capped_add = [](std::int64_t& sum, std::int64_t more) {
    sum = std::min(kUnlimited, sum + more);
  };
  for (const ClassId c : classes_of(room)) {
    const std::uint32_t rows = index.rows(c);
    for (std::uint32_t r = 0; r < rows; ++r) {
      const bool soft = room.what->shape->best_effort && room.each().gpus == 0;
      const std::int64_t each = soft ? kUnlimited : index.row_capacity(c, r, room.each());
      if (each == 0) continue;
      for (std::size_t d = 0; d < domains.size(); ++d) {
        const std::uint32_t nodes = index.count(c, domains[d], r);
        if (nodes > 0) capped_add(bound[d], each >= kUnlimited ? kUnlimited : each * nodes);
      }
    }
  }
  if (room.draft->touched().empty()) return bound;
  // Touched nodes may have gained room: add what they have now on top, an upper bound still.
  for (const Touched& touched : room.draft->touched()) {
    const DomainId domain = ledger.topology().domain_of(touched.node, level);
    const auto at = std::lower_bound(domains.begin(), domains.end(), domain);
    capped_add(bound[static_cast<std::size_t>(at - domains.begin())],
               room_on(room, touched.node, kUnlimited));
  }
  return bound;
}

std::int64_t room_bound(const RoleRoom& room, std::int64_t enough) {
  const Index& index = ledger_of(room).index();
  if (room.what->shape->best_effort) return enough;
  std::int64_t sum = 0;
  for (const ClassId c : classes_of(room)) {
    for (std::uint32_t r = 0; r < index.rows(c) && sum < enough; ++r) {
      const std::int64_t each = std::min(enough, index.row_capacity(c, r, room.each()));
      sum += each * static_cast<std::int64_t>(index.row(c, r).size());
    }
  }
  return sum;
}

std::int64_t room_in(const RoleRoom& room, const Range& range, std::int64_t enough) {
  std::int64_t sum = 0;
  for (const NodeRoom& node : collect(room, enough, range, Fill::EmptiestFirst)) sum += node.workers;
  return std::min(sum, enough);
}

}  // namespace muster
