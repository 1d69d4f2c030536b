#include "core/shape.hpp"

#include <algorithm>

namespace muster {

NodeClass class_of(const NodeSpec& spec) {
  return {.gpu_type = spec.gpu_type,
          .labels = spec.labels,
          .cpu = spec.cpu,
          .mem = spec.mem,
          .device_mem = spec.devices.empty() ? 0 : spec.devices.front().mem,
          .devices = static_cast<std::uint32_t>(spec.devices.size())};
}

bool accepts(const std::vector<Selector>& select, const NodeClass& node_class) {
  return std::all_of(select.begin(), select.end(), [&](const Selector& s) {
    if (s.key == "node") return true;
    const auto wanted = [&](const std::string& value) {
      return std::find(s.values.begin(), s.values.end(), value) != s.values.end();
    };
    if (s.key == "gpu_type") return wanted(node_class.gpu_type);
    return std::any_of(node_class.labels.begin(), node_class.labels.end(),
                       [&](const auto& label) { return label.first == s.key && wanted(label.second); });
  });
}

bool accepts_name(const std::vector<Selector>& select, const std::string& node) {
  return std::all_of(select.begin(), select.end(), [&](const Selector& s) {
    return s.key != "node" || std::find(s.values.begin(), s.values.end(), node) != s.values.end();
  });
}

std::int32_t Shape::gang() const {
  if (kind == JobKind::Service) return 1;
  std::int32_t workers = 0;
  for (const RoleSpec& role : roles) workers += role.count.min;
  return workers;
}

std::int32_t Shape::most() const {
  std::int32_t workers = 0;
  for (const RoleSpec& role : roles) workers += role.count.max;
  return workers;
}

Amounts Shape::charge() const {
  if (kind == JobKind::Service) return roles.front().each.charge();
  Amounts sum;
  for (const RoleSpec& role : roles) sum += role.each.charge() * role.count.min;
  return sum;
}

ClassId Catalogue::intern(const NodeClass& node_class) {
  const auto [at, fresh] = class_ids_.try_emplace(node_class, ClassId{classes_.size()});
  if (!fresh) return at->second;
  classes_.push_back(&at->first);
  for (Entry& entry : shapes_) {
    for (std::size_t r = 0; r < entry.accepted.size(); ++r) {
      if (accepts(entry.shape->roles[r].select, node_class)) entry.accepted[r].push_back(at->second);
    }
  }
  return at->second;
}

ShapeId Catalogue::intern(const Shape& shape) {
  const auto [at, fresh] = shape_ids_.try_emplace(shape, ShapeId{shapes_.size()});
  if (!fresh) return at->second;
  Entry entry{.shape = &at->first, .charge = shape.charge(), .accepted = {}};
  for (const RoleSpec& role : shape.roles) {
    auto& accepted = entry.accepted.emplace_back();
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (accepts(role.select, *classes_[c])) accepted.emplace_back(c);
    }
  }
  shapes_.push_back(std::move(entry));
  return at->second;
}

}  // namespace muster
