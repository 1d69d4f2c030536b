// The tree of domains (spine > rack > ...) over the nodes, read from configuration.
//
// Nodes get positions in depth-first order, so every domain is one range of positions; "close" and "next
// to each other in the order" are the same thing, and ranks laid out by position follow the network.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "model/node.hpp"

namespace muster {

/// Half-open range of positions.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] bool has(std::uint32_t position) const { return begin <= position && position < end; }
  [[nodiscard]] std::uint32_t size() const { return end - begin; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// Half-open range of indices into Topology::in_order.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

struct Domain {
  std::string name;         ///< empty: its nodes lack this level
  std::uint32_t level = 0;  ///< 0 = outermost
  DomainId parent;          ///< none at level 0
  Range range;
  friend bool operator==(const Domain&, const Domain&) = default;
};

/// Where to look: one domain, or, without one, a range that is a single node or the whole cluster.
struct Area {
  Range range;
  DomainId domain;
};

class Topology {
 public:
  void set_levels(std::vector<std::string> levels) { levels_ = std::move(levels); }
  /// Lay out all nodes anew.
  void rebuild(std::span<const NodeSpec* const> nodes);

  /// Named levels; the node itself is level `depth()`.
  [[nodiscard]] const std::vector<std::string>& levels() const { return levels_; }
  [[nodiscard]] std::uint32_t depth() const { return static_cast<std::uint32_t>(levels_.size()); }
  /// Index of a level; depth() for "node"; depth() + 1 for the levels inside a node ("numa", "nvlink");
  /// depth() + 2 where the name is unknown.
  [[nodiscard]] std::uint32_t level_index(std::string_view name) const;

  [[nodiscard]] std::span<const DomainId> at_level(std::uint32_t level) const { return by_level_[level]; }
  /// The same domains in the order of their positions.
  [[nodiscard]] std::span<const DomainId> in_order(std::uint32_t level) const { return in_order_[level]; }
  /// Index of the domain in `in_order` of its level.
  [[nodiscard]] std::size_t order_of(DomainId id) const { return order_of_[id.index()]; }
  /// Domains of the level that lie wholly inside the range.
  [[nodiscard]] Run inside(std::uint32_t level, const Range& range) const;
  [[nodiscard]] const Domain& domain(DomainId id) const { return domains_[id.index()]; }
  [[nodiscard]] std::size_t size() const { return domains_.size(); }
  /// REQUIRES: level < depth().
  [[nodiscard]] DomainId domain_of(NodeId node, std::uint32_t level) const {
    return domain_of_[node.index() * levels_.size() + level];
  }

  [[nodiscard]] std::uint32_t position(NodeId node) const { return position_[node.index()]; }
  [[nodiscard]] NodeId node_at(std::uint32_t position) const { return order_[position]; }
  [[nodiscard]] Area area_of(DomainId id) const { return {.range = domain(id).range, .domain = id}; }
  [[nodiscard]] Range everything() const { return {0, static_cast<std::uint32_t>(order_.size())}; }

  /// Hops between two nodes: 0 on one node, then 1 + the number of levels above their lowest common
  /// domain counted from the inside; depth() + 1 where they share no domain.
  [[nodiscard]] std::uint32_t distance(NodeId a, NodeId b) const;

 private:
  std::vector<std::string> levels_;
  std::vector<Domain> domains_;
  std::vector<std::vector<DomainId>> by_level_;
  std::vector<std::vector<DomainId>> in_order_;
  std::vector<std::size_t> order_of_;
  std::vector<DomainId> domain_of_;  ///< node-major
  std::vector<std::uint32_t> position_;
  std::vector<NodeId> order_;
};

/// Cost of traffic between two devices of one node: 0 same device, 1 one island, 2 one NUMA node, 3 else.
std::uint32_t device_distance(const NodeSpec& node, std::size_t a, std::size_t b);

}  // namespace muster
