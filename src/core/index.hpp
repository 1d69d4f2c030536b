// Where is room? One row of nodes per amount of room, for each node class: row r holds the nodes with
// exactly r idle devices (classes without devices: r of 32 parts of the CPU free), as bitsets over the
// class's nodes in topology order. Beside it, per domain and class, how many nodes each row has.
// Best fit is "first node in the lowest row that suffices"; a domain's capacity is a sum over rows.
//
// Only usable nodes are in the rows. An invariant of the audit: the index equals one built from scratch.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bit_index.hpp"
#include "base/ids.hpp"
#include "core/free.hpp"
#include "core/shape.hpp"
#include "core/topology.hpp"

namespace muster {

inline constexpr std::uint32_t kCpuRows = 32;

/// Half-open range of slots (indices into a class's nodes in topology order).
struct Slots {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Index {
 public:
  struct Input {
    const Topology* topology = nullptr;
    const Catalogue* catalogue = nullptr;
    const std::vector<ClassId>* class_of_node = nullptr;
  };
  /// Lay out the classes anew, with no node in any row.
  void rebuild(const Input& input);

  void insert(NodeId node, const Free& free, const Topology& topology);
  void erase(NodeId node, const Topology& topology);
  void update(NodeId node, const Free& free, const Topology& topology);

  /// Row in which a node of the class with this room stands.
  [[nodiscard]] std::uint32_t row_of(ClassId node_class, const Free& free) const;
  [[nodiscard]] std::uint32_t rows(ClassId node_class) const {
    return static_cast<std::uint32_t>(classes_[node_class.index()].rows.size());
  }
  /// Lowest row that can hold `workers` workers as far as devices, or CPU, tell.
  [[nodiscard]] std::uint32_t first_row(ClassId node_class, const Demand& each, std::int64_t workers) const;
  /// An upper bound of the workers on a node of that row.
  [[nodiscard]] std::int64_t row_capacity(ClassId node_class, std::uint32_t row, const Demand& each) const;
  [[nodiscard]] bool by_devices(ClassId node_class) const { return classes_[node_class.index()].by_devices; }

  [[nodiscard]] const BitIndex& row(ClassId node_class, std::uint32_t row) const {
    return classes_[node_class.index()].rows[row];
  }
  /// Nodes of the class with devices that sharers already use.
  [[nodiscard]] const BitIndex& shared(ClassId node_class) const {
    return classes_[node_class.index()].shared;
  }
  [[nodiscard]] NodeId node_at(ClassId node_class, std::size_t slot) const {
    return classes_[node_class.index()].nodes[slot];
  }
  /// All nodes of a class in topology order, usable or not.
  [[nodiscard]] const std::vector<NodeId>& nodes(ClassId node_class) const {
    return classes_[node_class.index()].nodes;
  }
  [[nodiscard]] Slots slots_in(ClassId node_class, const Range& range) const;
  /// How many nodes of the class in the domain stand in that row.
  [[nodiscard]] std::uint32_t count(ClassId node_class, DomainId domain, std::uint32_t row) const {
    const Class& c = classes_[node_class.index()];
    return c.counts[domain.index() * c.rows.size() + row];
  }

  friend bool operator==(const Index& a, const Index& b);

 private:
  struct Class {
    std::vector<NodeId> nodes;            ///< in topology order
    std::vector<std::uint32_t> position;  ///< of each
    std::vector<BitIndex> rows;
    BitIndex shared;
    std::vector<std::uint32_t> counts;  ///< domain-major
    std::int64_t cpu = 0;
    bool by_devices = true;
  };
  static constexpr std::uint32_t kNoRow = 0xffffffff;

  void count_in_domains(Class& c, NodeId node, std::uint32_t row, const Topology& topology,
                        std::uint32_t step);

  std::vector<Class> classes_;
  std::vector<ClassId> class_of_;
  std::vector<std::uint32_t> slot_of_;
  std::vector<std::uint32_t> row_of_;  ///< kNoRow: not usable
};

}  // namespace muster
