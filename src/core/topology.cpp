#include "core/topology.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace muster {

void Topology::rebuild(std::span<const NodeSpec* const> nodes) {
  const std::size_t depth = levels_.size();
  domains_.clear();
  by_level_.assign(depth, {});
  domain_of_.assign(nodes.size() * depth, DomainId{});
  // Domains in order of first appearance; children are found by (parent, name).
  std::map<std::pair<std::uint32_t, std::string>, DomainId> known;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    DomainId parent;
    for (std::size_t level = 0; level < depth; ++level) {
      const auto& names = nodes[n]->domains;
      const std::string name = level < names.size() ? names[level] : "";
      const auto key = std::make_pair(parent.valid() ? parent.value() : 0xffffffffU, name);
      auto at = known.find(key);
      if (at == known.end()) {
        const DomainId id{domains_.size()};
        domains_.push_back(
            {.name = name, .level = static_cast<std::uint32_t>(level), .parent = parent, .range = {}});
        by_level_[level].push_back(id);
        at = known.emplace(key, id).first;
      }
      parent = at->second;
      domain_of_[n * depth + level] = parent;
    }
  }
  order_.resize(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) order_[n] = NodeId{n};
  const auto path_less = [&](NodeId a, NodeId b) {
    for (std::size_t level = 0; level < depth; ++level) {
      const DomainId da = domain_of_[a.index() * depth + level];
      const DomainId db = domain_of_[b.index() * depth + level];
      if (da != db) return da < db;
    }
    return a < b;
  };
  std::sort(order_.begin(), order_.end(), path_less);
  position_.resize(nodes.size());
  for (std::uint32_t p = 0; p < order_.size(); ++p) {
    position_[order_[p].index()] = p;
    for (std::size_t level = 0; level < depth; ++level) {
      Range& range = domains_[domain_of_[order_[p].index() * depth + level].index()].range;
      if (range.size() == 0) range.begin = p;
      range.end = p + 1;
    }
  }
  in_order_ = by_level_;
  order_of_.assign(domains_.size(), 0);
  for (std::vector<DomainId>& domains : in_order_) {
    std::sort(domains.begin(), domains.end(),
              [&](DomainId a, DomainId b) { return domain(a).range.begin < domain(b).range.begin; });
    for (std::size_t i = 0; i < domains.size(); ++i) order_of_[domains[i].index()] = i;
  }
}

Run Topology::inside(std::uint32_t level, const Range& range) const {
  const auto& domains = in_order_[level];
  if (range == everything()) return {0, domains.size()};
  const auto first = std::partition_point(domains.begin(), domains.end(),
                                          [&](DomainId id) { return domain(id).range.begin < range.begin; });
  const auto last = std::partition_point(first, domains.end(),
                                         [&](DomainId id) { return domain(id).range.end <= range.end; });
  return {static_cast<std::size_t>(first - domains.begin()),
          static_cast<std::size_t>(last - domains.begin())};
}

std::uint32_t Topology::level_index(std::string_view name) const {
  for (std::uint32_t level = 0; level < levels_.size(); ++level) {
    if (levels_[level] == name) return level;
  }
  if (name == "node") return depth();
  if (name == "numa" || name == "nvlink") return depth() + 1;
  return depth() + 2;
}

std::uint32_t Topology::distance(NodeId a, NodeId b) const {
  if (a == b) return 0;
  for (std::uint32_t level = depth(); level > 0; --level) {
    if (domain_of(a, level - 1) == domain_of(b, level - 1)) return depth() - level + 1;
  }
  return depth() + 1;
}

std::uint32_t device_distance(const NodeSpec& node, std::size_t a, std::size_t b) {
  if (a == b) return 0;
  const bool numa = node.devices[a].numa == node.devices[b].numa;
  if (numa && node.devices[a].island == node.devices[b].island) return 1;
  return numa ? 2 : 3;
}

}  // namespace muster
