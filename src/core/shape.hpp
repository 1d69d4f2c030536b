// Jobs that ask for the same thing share one Shape, and nodes that offer the same thing share one
// NodeClass: what fits where is decided once per pair, not once per job and node. (HTCondor calls the
// first idea autoclusters; Borg calls it equivalence classes.)
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "model/job.hpp"
#include "model/node.hpp"

namespace muster {

/// What nodes of one class have in common; names and places differ.
struct NodeClass {
  std::string gpu_type;
  std::vector<std::pair<std::string, std::string>> labels;
  std::int64_t cpu = 0;
  std::int64_t mem = 0;
  std::int64_t device_mem = 0;  ///< of the first device
  std::uint32_t devices = 0;

  friend auto operator<=>(const NodeClass&, const NodeClass&) = default;
};

NodeClass class_of(const NodeSpec& spec);

/// True where the selectors (all but "node") accept the class.
bool accepts(const std::vector<Selector>& select, const NodeClass& node_class);
/// True where the "node" selector, if any, names this node.
bool accepts_name(const std::vector<Selector>& select, const std::string& node);

/// What a job needs placed: its roles with their counts now (a resize or finished workers change them).
struct Shape {
  std::vector<RoleSpec> roles;
  std::vector<Near> near;
  bool spread = false;
  bool best_effort = false;
  JobKind kind = JobKind::Batch;

  friend auto operator<=>(const Shape&, const Shape&) = default;

  /// Workers that must start together: the sum of the role minimums; one for a service.
  [[nodiscard]] std::int32_t gang() const;
  [[nodiscard]] std::int32_t most() const;
  /// Charge of the gang.
  [[nodiscard]] Amounts charge() const;
};

/// Interned shapes and node classes, and which accepts which.
class Catalogue {
 public:
  ClassId intern(const NodeClass& node_class);
  ShapeId intern(const Shape& shape);

  [[nodiscard]] const Shape& shape(ShapeId id) const { return *shapes_[id.index()].shape; }
  /// Charge of the shape's gang, kept because every quota check reads it.
  [[nodiscard]] const Amounts& charge(ShapeId id) const { return shapes_[id.index()].charge; }
  [[nodiscard]] const NodeClass& node_class(ClassId id) const { return *classes_[id.index()]; }
  [[nodiscard]] std::size_t shapes() const { return shapes_.size(); }
  [[nodiscard]] std::size_t classes() const { return classes_.size(); }
  /// Classes that role `role` of the shape accepts, ascending.
  [[nodiscard]] const std::vector<ClassId>& accepted(ShapeId id, std::size_t role) const {
    return shapes_[id.index()].accepted[role];
  }

 private:
  struct Entry {
    const Shape* shape = nullptr;
    Amounts charge;
    std::vector<std::vector<ClassId>> accepted;
  };
  std::map<NodeClass, ClassId> class_ids_;
  std::map<Shape, ShapeId> shape_ids_;
  std::vector<const NodeClass*> classes_;
  std::vector<Entry> shapes_;
};

}  // namespace muster
