#include "core/index.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace muster {

void Index::rebuild(const Input& input) {
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
    const bool one_row = !c.by_devices && c.cpu >= kUnlimited;
    const std::size_t rows = c.by_devices ? node_class.devices + 1 : one_row ? 1 : kCpuRows + 1;
    c.rows.assign(rows, BitIndex(c.nodes.size()));
    c.shared = BitIndex(c.nodes.size());
    c.counts.assign(input.topology->size() * rows, 0);
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

Slots Index::slots_in(ClassId node_class, const Range& range) const {
  const Class& c = classes_[node_class.index()];
  if (range.size() >= slot_of_.size()) return {0, c.nodes.size()};
  const auto first = std::lower_bound(c.position.begin(), c.position.end(), range.begin);
  const auto last = std::lower_bound(first, c.position.end(), range.end);
  return {static_cast<std::size_t>(first - c.position.begin()),
          static_cast<std::size_t>(last - c.position.begin())};
}

void Index::count_in_domains(Class& c, NodeId node, std::uint32_t row, const Topology& topology,
                             std::uint32_t step) {
  for (std::uint32_t level = 0; level < topology.depth(); ++level) {
    c.counts[topology.domain_of(node, level).index() * c.rows.size() + row] += step;
  }
}

void Index::insert(NodeId node, const Free& free, const Topology& topology) {
  CHECK(row_of_[node.index()] == kNoRow);
  Class& c = classes_[class_of_[node.index()].index()];
  const std::uint32_t row = row_of(class_of_[node.index()], free);
  const std::size_t slot = slot_of_[node.index()];
  row_of_[node.index()] = row;
  c.rows[row].insert(slot);
  if (!free.shared.empty()) c.shared.insert(slot);
  count_in_domains(c, node, row, topology, 1);
}

void Index::erase(NodeId node, const Topology& topology) {
  const std::uint32_t row = row_of_[node.index()];
  if (row == kNoRow) return;
  Class& c = classes_[class_of_[node.index()].index()];
  row_of_[node.index()] = kNoRow;
  c.rows[row].erase(slot_of_[node.index()]);
  c.shared.erase(slot_of_[node.index()]);
  count_in_domains(c, node, row, topology, 0U - 1U);
}

void Index::update(NodeId node, const Free& free, const Topology& topology) {
  const std::uint32_t before = row_of_[node.index()];
  if (before == kNoRow) return;
  const ClassId node_class = class_of_[node.index()];
  Class& c = classes_[node_class.index()];
  const std::size_t slot = slot_of_[node.index()];
  if (free.shared.empty()) {
    c.shared.erase(slot);
  } else {
    c.shared.insert(slot);
  }
  const std::uint32_t row = row_of(node_class, free);
  if (row == before) return;
  c.rows[before].erase(slot);
  c.rows[row].insert(slot);
  row_of_[node.index()] = row;
  count_in_domains(c, node, before, topology, 0U - 1U);
  count_in_domains(c, node, row, topology, 1);
}

bool operator==(const Index& a, const Index& b) {
  const auto same_class = [](const Index::Class& x, const Index::Class& y) {
    if (x.nodes != y.nodes || x.counts != y.counts || x.rows.size() != y.rows.size()) return false;
    for (std::size_t slot = 0; slot < x.nodes.size(); ++slot) {
      if (x.shared.contains(slot) != y.shared.contains(slot)) return false;
    }
    return true;
  };
  return a.row_of_ == b.row_of_ && a.class_of_ == b.class_of_ &&
         std::equal(a.classes_.begin(), a.classes_.end(), b.classes_.begin(), b.classes_.end(), same_class);
}

}  // namespace muster
