#include "core/index.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace muster {
namespace {

/// Larger shares count as this much: no worker asks for more, and a product with devices stays small.
constexpr std::int64_t kMostShare = kUnlimited / 4096;

}  // namespace

void Index::rebuild(const Input& input) {
  depth_ = input.topology->depth();
  classes_.assign(input.catalogue->classes(), {});
  class_of_ = *input.class_of_node;
  slot_of_.assign(class_of_.size(), 0);
  row_of_.assign(class_of_.size(), kNoRow);
  const Range all = input.topology->everything();
  for (std::uint32_t p = all.begin; p < all.end; ++p) {
    const NodeId node = input.topology->node_at(p);
    Class& c = classes_[class_of_[node.index()].index()];
    slot_of_[node.index()] = static_cast<std::uint32_t>(c.nodes.size());
    c.nodes.push_back(node);
    c.position.push_back(p);
  }
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    Class& c = classes_[i];
    const NodeClass& node_class = input.catalogue->node_class(ClassId{i});
    c.cpu = node_class.cpu;
    c.by_devices = node_class.devices > 0;
    if (c.by_devices) {
      c.cpu_share = std::min(kMostShare, node_class.cpu / node_class.devices);
      c.mem_share = std::min(kMostShare, node_class.mem / node_class.devices);
    }
    const bool one_row = !c.by_devices && c.cpu >= kUnlimited;
    const std::size_t rows = c.by_devices ? node_class.devices + 1 : one_row ? 1 : kCpuRows + 1;
    c.rows.assign(rows, BitIndex(c.nodes.size()));
    c.shared = BitIndex(c.nodes.size());
    c.uneven = BitIndex(c.nodes.size());
  }
  lay_out_parts(*input.topology);
}

/// Positions of a domain are one range, so the slots of a class in it are one too.
void Index::lay_out_parts(const Topology& topology) {
  held_.assign(topology.size(), {});
  part_of_.assign(class_of_.size() * depth_, 0);
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    Class& c = classes_[i];
    c.levels.resize(depth_);
    for (std::uint32_t level = 0; level < depth_; ++level) {
      Level& l = c.levels[level];
      for (std::uint32_t slot = 0; slot < c.nodes.size(); ++slot) {
        const NodeId node = c.nodes[slot];
        const DomainId domain = topology.domain_of(node, level);
        const auto order = static_cast<std::uint32_t>(topology.order_of(domain));
        if (l.parts.empty() || l.parts.back().order != order) {
          l.parts.push_back({.order = order, .begin = slot, .end = slot});
          held_[domain.index()].push_back({.node_class = ClassId{i}, .begin = slot, .end = slot});
        }
        l.parts.back().end = held_[domain.index()].back().end = slot + 1;
        part_of_[node.index() * depth_ + level] = static_cast<std::uint32_t>(l.parts.size() - 1);
      }
      l.counts.assign(l.parts.size() * c.rows.size(), 0);
      l.uneven.assign(l.parts.size() * c.rows.size(), 0);
    }
  }
}

std::uint32_t Index::row_of(ClassId node_class, const Free& free) const {
  const Class& c = classes_[node_class.index()];
  if (c.by_devices) return static_cast<std::uint32_t>(free.idle.size());
  if (c.rows.size() == 1 || c.cpu <= 0 || free.cpu <= 0) return 0;
  // Below 2^57 millicores this cannot overflow; a larger node has one row.
  return static_cast<std::uint32_t>(free.cpu * kCpuRows / c.cpu);
}

std::uint32_t Index::first_row(ClassId node_class, const Demand& each, std::int64_t workers) const {
  const Class& c = classes_[node_class.index()];
  if (c.by_devices) return static_cast<std::uint32_t>(std::min<std::int64_t>(each.gpus * workers, 0xffff));
  if (each.uses_device()) return rows(node_class);
  if (c.rows.size() == 1 || c.cpu <= 0) return 0;
  const std::int64_t need =
      std::min(each.cpu, kUnlimited / 64 / std::max<std::int64_t>(workers, 1)) * workers;
  return static_cast<std::uint32_t>(std::min<std::int64_t>(need * kCpuRows / c.cpu, 0xffff));
}

std::int64_t Index::row_capacity(ClassId node_class, std::uint32_t row, const Demand& each) const {
  const Class& c = classes_[node_class.index()];
  if (each.gpus > 0) return c.by_devices ? row / static_cast<std::uint32_t>(each.gpus) : 0;
  if (each.shares_device()) return c.by_devices ? kUnlimited : 0;
  if (c.by_devices || c.rows.size() == 1 || each.cpu == 0) return kUnlimited;
  return c.cpu * (row + 1) / kCpuRows / each.cpu;
}

bool Index::is_ordinary(ClassId node_class, const Demand& each) const {
  const Class& c = classes_[node_class.index()];
  return c.by_devices && each.gpus > 0 && each.gpu_mem == 0 && each.cpu <= c.cpu_share * each.gpus &&
         each.mem <= c.mem_share * each.gpus &&
         std::all_of(each.extended.begin(), each.extended.end(), [](std::int64_t x) { return x == 0; });
}

Slots Index::slots_in(ClassId node_class, const Area& area) const {
  if (area.domain.valid()) {
    const auto& held = held_[area.domain.index()];
    const auto at = std::lower_bound(held.begin(), held.end(), node_class,
                                     [](const Held& h, ClassId id) { return h.node_class < id; });
    if (at == held.end() || at->node_class != node_class) return {};
    return {.begin = at->begin, .end = at->end};
  }
  const Class& c = classes_[node_class.index()];
  if (area.range.size() >= slot_of_.size()) return {.begin = 0, .end = c.nodes.size()};
  const auto first = std::lower_bound(c.position.begin(), c.position.end(), area.range.begin);
  const auto last = std::lower_bound(first, c.position.end(), area.range.end);
  return {.begin = static_cast<std::size_t>(first - c.position.begin()),
          .end = static_cast<std::size_t>(last - c.position.begin())};
}

/// Puts a node that stands nowhere into a row.
void Index::stand(NodeId node, std::uint32_t row, bool uneven) {
  Class& c = classes_[class_of_[node.index()].index()];
  const std::size_t slot = slot_of_[node.index()];
  row_of_[node.index()] = row;
  c.rows[row].insert(slot);
  c.filled[row / 64] |= std::uint64_t{1} << (row % 64);
  for (std::uint32_t level = 0; level < depth_; ++level) {
    Level& l = c.levels[level];
    const std::size_t at = row * l.parts.size() + part_of(node, level);
    ++l.counts[at];
    if (uneven) ++l.uneven[at];
  }
  if (uneven) c.uneven.insert(slot);
}

/// Takes a node out of its row.
void Index::leave(NodeId node) {
  Class& c = classes_[class_of_[node.index()].index()];
  const std::size_t slot = slot_of_[node.index()];
  const std::uint32_t row = row_of_[node.index()];
  const bool uneven = c.uneven.contains(slot);
  row_of_[node.index()] = kNoRow;
  c.rows[row].erase(slot);
  if (c.rows[row].empty()) c.filled[row / 64] &= ~(std::uint64_t{1} << (row % 64));
  for (std::uint32_t level = 0; level < depth_; ++level) {
    Level& l = c.levels[level];
    const std::size_t at = row * l.parts.size() + part_of(node, level);
    --l.counts[at];
    if (uneven) --l.uneven[at];
  }
  if (uneven) c.uneven.erase(slot);
}

void Index::insert(NodeId node, const Free& free) {
  CHECK(row_of_[node.index()] == kNoRow);
  const ClassId node_class = class_of_[node.index()];
  const std::uint32_t row = row_of(node_class, free);
  stand(node, row, lacks_share(node_class, row, free));
  if (!free.shared.empty()) classes_[node_class.index()].shared.insert(slot_of_[node.index()]);
}

void Index::erase(NodeId node) {
  if (row_of_[node.index()] == kNoRow) return;
  leave(node);
  classes_[class_of_[node.index()].index()].shared.erase(slot_of_[node.index()]);
}

void Index::update(NodeId node, const Free& free) {
  const std::uint32_t before = row_of_[node.index()];
  if (before == kNoRow) return;
  const ClassId node_class = class_of_[node.index()];
  Class& c = classes_[node_class.index()];
  const std::size_t slot = slot_of_[node.index()];
  if (free.shared.empty() == c.shared.contains(slot)) {
    if (free.shared.empty()) {
      c.shared.erase(slot);
    } else {
      c.shared.insert(slot);
    }
  }
  const std::uint32_t row = row_of(node_class, free);
  const bool uneven = lacks_share(node_class, row, free);
  if (row == before && uneven == c.uneven.contains(slot)) return;
  leave(node);
  stand(node, row, uneven);
}

bool Index::lacks_share(ClassId node_class, std::uint32_t row, const Free& free) const {
  const Class& c = classes_[node_class.index()];
  return c.by_devices && (free.cpu < c.cpu_share * row || free.mem < c.mem_share * row);
}

bool operator==(const Index& a, const Index& b) {
  const auto same_level = [](const Index::Level& x, const Index::Level& y) {
    return x.counts == y.counts && x.uneven == y.uneven;
  };
  const auto same_class = [&](const Index::Class& x, const Index::Class& y) {
    if (x.nodes != y.nodes || x.rows.size() != y.rows.size() || x.filled != y.filled) return false;
    for (std::size_t slot = 0; slot < x.nodes.size(); ++slot) {
      if (x.shared.contains(slot) != y.shared.contains(slot)) return false;
      if (x.uneven.contains(slot) != y.uneven.contains(slot)) return false;
    }
    return std::equal(x.levels.begin(), x.levels.end(), y.levels.begin(), y.levels.end(), same_level);
  };
  return a.row_of_ == b.row_of_ && a.class_of_ == b.class_of_ &&
         std::equal(a.classes_.begin(), a.classes_.end(), b.classes_.begin(), b.classes_.end(), same_class);
}

}  // namespace muster
