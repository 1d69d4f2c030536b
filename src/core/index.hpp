// Where is room? One row of nodes per amount of room, for each node class: row r holds the nodes with
// exactly r idle devices (classes without devices: r of 32 parts of the CPU free), as bitsets over the
// class's nodes in topology order. Beside it, per domain and class, how many nodes each row has.
// Best fit is "first node in the lowest row that suffices"; a domain's capacity is a sum over rows.
//
// A node is uneven where less CPU or memory is free than its share of the idle devices. Of the others the
// row alone tells how many ordinary workers fit, so an exact count looks only at the uneven ones.
// Only usable nodes are in the rows. An invariant of the audit: the index equals one built from scratch.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
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
  static constexpr std::uint32_t kNoRow = 0xffffffff;

  struct Input {
    const Topology* topology = nullptr;
    const Catalogue* catalogue = nullptr;
    const std::vector<ClassId>* class_of_node = nullptr;
  };
  /// Nodes of one class in one domain.
  struct Part {
    std::uint32_t order = 0;  ///< of the domain, in Topology::in_order of its level
    std::uint32_t begin = 0;  ///< slots
    std::uint32_t end = 0;
  };
  /// Lay out the classes anew, with no node in any row.
  void rebuild(const Input& input);

  void insert(NodeId node, const Free& free);
  void erase(NodeId node);
  void update(NodeId node, const Free& free);

  /// Row in which a node of the class with this room stands.
  [[nodiscard]] std::uint32_t row_of(ClassId node_class, const Free& free) const;
  /// Row in which the node stands now; kNoRow where it is not usable.
  [[nodiscard]] std::uint32_t row_now(NodeId node) const { return row_of_[node.index()]; }
  [[nodiscard]] ClassId class_of(NodeId node) const { return class_of_[node.index()]; }
  [[nodiscard]] std::uint32_t rows(ClassId node_class) const {
    return static_cast<std::uint32_t>(classes_[node_class.index()].rows.size());
  }
  /// Lowest row from `row` on that holds a node; rows() where none does.
  [[nodiscard]] std::uint32_t next_row(ClassId node_class, std::uint32_t row) const {
    const Class& c = classes_[node_class.index()];
    for (std::size_t w = row / 64; w < kMaskWords; ++w) {
      const std::uint64_t from = w == row / 64 ? c.filled[w] >> (row % 64) << (row % 64) : c.filled[w];
      if (from != 0)
        return static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(from));
    }
    return rows(node_class);
  }
  /// Lowest row that can hold `workers` workers as far as devices, or CPU, tell.
  [[nodiscard]] std::uint32_t first_row(ClassId node_class, const Demand& each, std::int64_t workers) const;
  /// An upper bound of the workers on a node of that row.
  [[nodiscard]] std::int64_t row_capacity(ClassId node_class, std::uint32_t row, const Demand& each) const;
  [[nodiscard]] bool by_devices(ClassId node_class) const { return classes_[node_class.index()].by_devices; }
  /// Is `row_capacity` exact on every node of the class that is not uneven?
  [[nodiscard]] bool is_ordinary(ClassId node_class, const Demand& each) const;

  [[nodiscard]] const BitIndex& row(ClassId node_class, std::uint32_t row) const {
    return classes_[node_class.index()].rows[row];
  }
  /// Nodes of the class with devices that sharers already use.
  [[nodiscard]] const BitIndex& shared(ClassId node_class) const {
    return classes_[node_class.index()].shared;
  }
  [[nodiscard]] const BitIndex& uneven(ClassId node_class) const {
    return classes_[node_class.index()].uneven;
  }
  [[nodiscard]] bool is_uneven(NodeId node) const {
    return classes_[class_of(node).index()].uneven.contains(slot_of_[node.index()]);
  }
  [[nodiscard]] NodeId node_at(ClassId node_class, std::size_t slot) const {
    return classes_[node_class.index()].nodes[slot];
  }
  [[nodiscard]] std::uint32_t position_at(ClassId node_class, std::size_t slot) const {
    return classes_[node_class.index()].position[slot];
  }
  /// All nodes of a class in topology order, usable or not.
  [[nodiscard]] const std::vector<NodeId>& nodes(ClassId node_class) const {
    return classes_[node_class.index()].nodes;
  }
  [[nodiscard]] Slots slots_in(ClassId node_class, const Area& area) const;

  /// The domains of a level in which the class has nodes, in topology order.
  [[nodiscard]] std::span<const Part> parts(ClassId node_class, std::uint32_t level) const {
    return classes_[node_class.index()].levels[level].parts;
  }
  /// Where in `parts` of its class the node stands.
  [[nodiscard]] std::uint32_t part_of(NodeId node, std::uint32_t level) const {
    return part_of_[node.index() * depth_ + level];
  }
  /// How many nodes of the class each part has in that row.
  [[nodiscard]] std::span<const std::uint32_t> counts(ClassId node_class, std::uint32_t level,
                                                      std::uint32_t row) const {
    const Level& l = classes_[node_class.index()].levels[level];
    return {l.counts.data() + row * l.parts.size(), l.parts.size()};
  }
  /// The same of uneven nodes only.
  [[nodiscard]] std::span<const std::uint32_t> uneven_counts(ClassId node_class, std::uint32_t level,
                                                             std::uint32_t row) const {
    const Level& l = classes_[node_class.index()].levels[level];
    return {l.uneven.data() + row * l.parts.size(), l.parts.size()};
  }

  friend bool operator==(const Index& a, const Index& b);

 private:
  static constexpr std::size_t kMaskWords = kMaxDevices / 64 + 1;
  struct Level {
    std::vector<Part> parts;
    std::vector<std::uint32_t> counts;  ///< row-major
    std::vector<std::uint32_t> uneven;  ///< row-major
  };
  struct Class {
    std::vector<NodeId> nodes;            ///< in topology order
    std::vector<std::uint32_t> position;  ///< of each
    std::vector<BitIndex> rows;
    std::array<std::uint64_t, kMaskWords> filled{};  ///< rows that are not empty
    BitIndex shared;
    BitIndex uneven;
    std::vector<Level> levels;
    std::int64_t cpu = 0;
    std::int64_t cpu_share = 0;  ///< of one device
    std::int64_t mem_share = 0;
    bool by_devices = true;
  };
  /// A class with nodes in a domain.
  struct Held {
    ClassId node_class;
    std::uint32_t begin = 0;  ///< slots
    std::uint32_t end = 0;
  };

  void lay_out_parts(const Topology& topology);
  [[nodiscard]] bool lacks_share(ClassId node_class, std::uint32_t row, const Free& free) const;
  void stand(NodeId node, std::uint32_t row, bool uneven);
  void leave(NodeId node);

  std::uint32_t depth_ = 0;
  std::vector<Class> classes_;
  std::vector<ClassId> class_of_;
  std::vector<std::uint32_t> slot_of_;
  std::vector<std::uint32_t> row_of_;    ///< kNoRow: not usable
  std::vector<std::uint32_t> part_of_;   ///< node-major
  std::vector<std::vector<Held>> held_;  ///< by domain, ascending by class
};

}  // namespace muster
