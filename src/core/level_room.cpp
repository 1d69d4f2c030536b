#include "core/level_room.hpp"

#include <algorithm>

namespace muster {
namespace {

void add_capped(std::int64_t& sum, std::int64_t more) { sum = std::min(kUnlimited, sum + more); }

/// The parts of a class inside the run, and their slots.
struct Inside {
  std::span<const Index::Part> parts;
  std::size_t first = 0;  ///< of them, among all parts
  Slots slots;
};

Inside parts_inside(const RoleRoom& room, ClassId c, std::uint32_t level, const Run& run) {
  const auto all = room.index.parts(c, level);
  const auto before = [](const Index::Part& part, std::size_t order) { return part.order < order; };
  const auto first = std::lower_bound(all.begin(), all.end(), run.begin, before);
  const auto last = std::lower_bound(first, all.end(), run.end, before);
  if (first == last) return {};
  return {.parts = {first, last},
          .first = static_cast<std::size_t>(first - all.begin()),
          .slots = {.begin = first->begin, .end = (last - 1)->end}};
}

/// Adds `each` for every node of the row, node by node where they are few.
void add_row(const RoleRoom& room, ClassId c, std::uint32_t row, const Inside& inside,
             const LevelAsked& asked, std::int64_t each, LevelRoom& sums) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 32;
  const BitIndex& nodes = room.index.row(c, row);
  if (nodes.size() * 4 < inside.parts.size()) {
    const auto all = room.index.parts(c, asked.level);
    for (std::size_t slot = nodes.next(inside.slots.begin); slot < inside.slots.end;
         slot = nodes.next(slot + 1)) {
      const NodeId node = room.index.node_at(c, slot);
      add_capped(sums.of[all[room.index.part_of(node, asked.level)].order - sums.run.begin], each);
    }
    return;
  }
  const auto counts = room.index.counts(c, asked.level, row);
  for (std::size_t i = 0; i < inside.parts.size(); ++i) {
    const std::uint32_t count = counts[inside.first + i];
    std::int64_t& sum = sums.of[inside.parts[i].order - sums.run.begin];
    if (each < kLarge) {
      sum += each * count;
    } else if (count > 0) {
      std::int64_t more = 0;
      const bool overflow = __builtin_mul_overflow(each, count, &more);
      add_capped(sum, overflow ? kUnlimited : std::min(more, kUnlimited));
    }
  }
}

/// Where a node stands among the domains asked about; nothing where in none of them.
std::int64_t* sum_of(const RoleRoom& room, NodeId node, const LevelAsked& asked, LevelRoom& sums) {
  const std::size_t order = room.topology.order_of(room.topology.domain_of(node, asked.level));
  if (order < sums.run.begin || order >= sums.run.end) return nullptr;
  return &sums.of[order - sums.run.begin];
}

/// Does the row of an even node of the class tell its room?
bool rows_tell(const RoleRoom& room, ClassId c) {
  return !room.picky && !room.best_effort && room.index.is_ordinary(c, room.each);
}

/// What the rows told of the node before the draft touched it.
std::int64_t told_by_row(const RoleRoom& room, NodeId node) {
  const ClassId c = room.index.class_of(node);
  const std::uint32_t row = room.index.row_now(node);
  const bool told = row != Index::kNoRow && !room.index.is_uneven(node) && rows_tell(room, c) &&
                    std::binary_search(room.classes.begin(), room.classes.end(), c);
  return told ? row / static_cast<std::uint32_t>(room.each.gpus) : 0;
}

/// Exact room of a class for workers with whole devices; even nodes count as if no draft touched them.
class ClassTally {
 public:
  ClassTally(const RoleRoom& room, ClassId c, const LevelAsked& asked, Tally tally, LevelRoom& sums)
      : room_(room),
        class_(c),
        asked_(asked),
        tally_(tally),
        sums_(sums),
        inside_(parts_inside(room, c, asked.level, sums.run)) {}

  void add() {
    if (inside_.parts.empty()) return;
    const std::uint32_t rows = room_.index.rows(class_);
    const auto gpus = static_cast<std::uint32_t>(room_.each.gpus);
    const bool ordinary = rows_tell(room_, class_);
    for (std::uint32_t r = room_.index.next_row(class_, std::min(rows, gpus)); r < rows;
         r = room_.index.next_row(class_, r + 1)) {
      if (ordinary) {
        add_even(r, tally_ == Tally::Nodes ? 1 : r / gpus);
      } else {
        add_each(room_.index.row(class_, r));
      }
    }
    if (ordinary) add_each(room_.index.uneven(class_));
  }

 private:
  void add_even(std::uint32_t row, std::int64_t each) {
    const auto counts = room_.index.counts(class_, asked_.level, row);
    const auto uneven = room_.index.uneven_counts(class_, asked_.level, row);
    for (std::size_t i = 0; i < inside_.parts.size(); ++i) {
      const std::size_t at = inside_.first + i;
      sums_.of[inside_.parts[i].order - sums_.run.begin] += each * (counts[at] - uneven[at]);
    }
  }

  void add_each(const BitIndex& set) {
    for (std::size_t slot = set.next(inside_.slots.begin); slot < inside_.slots.end;
         slot = set.next(slot + 1)) {
      const NodeId node = room_.index.node_at(class_, slot);
      if (room_.draft.is_touched(node)) continue;
      const std::int64_t here = room_in_row(room_, node, kUnlimited);
      if (here > 0) *sum_of(room_, node, asked_, sums_) += tally_ == Tally::Nodes ? 1 : here;
    }
  }

  const RoleRoom& room_;
  ClassId class_;
  const LevelAsked& asked_;
  Tally tally_;
  LevelRoom& sums_;
  Inside inside_;
};

}  // namespace

LevelRoom bound_per_domain(const RoleRoom& room, const LevelAsked& asked) {
  LevelRoom bound{.run = room.topology.inside(asked.level, asked.range), .of = {}};
  bound.of.assign(bound.run.size(), 0);
  const bool unbounded = room.best_effort && room.each.gpus == 0;
  for (const ClassId c : room.classes) {
    const std::uint32_t rows = room.index.rows(c);
    std::uint32_t r = room.index.next_row(c, std::min(rows, static_cast<std::uint32_t>(room.each.gpus)));
    if (r >= rows) continue;
    const Inside inside = parts_inside(room, c, asked.level, bound.run);
    if (inside.parts.empty()) continue;
    for (; r < rows; r = room.index.next_row(c, r + 1)) {
      const std::int64_t each = unbounded ? kUnlimited : room.index.row_capacity(c, r, room.each);
      if (each > 0) add_row(room, c, r, inside, asked, each, bound);
    }
  }
  // Touched nodes may have gained room: add what they have now on top, an upper bound still.
  for (const Touched& touched : room.draft.touched()) {
    std::int64_t* sum = sum_of(room, touched.node, asked, bound);
    if (sum != nullptr) add_capped(*sum, room_on(room, touched.node, kUnlimited));
  }
  for (std::int64_t& sum : bound.of) sum = std::min(sum, kUnlimited);
  return bound;
}

LevelRoom room_per_domain(const RoleRoom& room, const LevelAsked& asked, Tally tally, std::int64_t enough) {
  LevelRoom sums{.run = room.topology.inside(asked.level, asked.range), .of = {}};
  sums.of.assign(sums.run.size(), 0);
  if (room.each.gpus > 0) {
    for (const ClassId c : room.classes) ClassTally(room, c, asked, tally, sums).add();
    for (const Touched& touched : room.draft.touched()) {
      std::int64_t* sum = sum_of(room, touched.node, asked, sums);
      if (sum == nullptr) continue;
      const std::int64_t most = tally == Tally::Nodes ? 1 : kUnlimited;
      *sum += std::min(most, room_on(room, touched.node, kUnlimited)) -
              std::min(most, told_by_row(room, touched.node));
    }
    return sums;
  }
  const auto domains = room.topology.in_order(asked.level);
  for (std::size_t i = 0; i < sums.of.size(); ++i) {
    const Area area = room.topology.area_of(domains[sums.run.begin + i]);
    const auto nodes = collect(room, {.workers = enough, .area = area}, Fill::EmptiestFirst);
    for (const NodeRoom& node : nodes) sums.of[i] += tally == Tally::Nodes ? 1 : node.workers;
  }
  return sums;
}

}  // namespace muster
