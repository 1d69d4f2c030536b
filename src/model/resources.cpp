#include "model/resources.hpp"

namespace muster {

std::string ResourceNames::name(std::size_t resource) const {
  switch (resource) {
    case kCpu: return "cpu";
    case kMem: return "mem";
    case kGpu: return "gpu";
    default: break;
  }
  const std::size_t slot = resource - kFirstExtended;
  return slot < extended_.size() ? extended_[slot] : "resource-" + std::to_string(resource);
}

std::size_t ResourceNames::find(std::string_view name) const {
  if (name == "cpu") return kCpu;
  if (name == "mem") return kMem;
  if (name == "gpu") return kGpu;
  for (std::size_t i = 0; i < extended_.size(); ++i) {
    if (extended_[i] == name) return kFirstExtended + i;
  }
  return kResources;
}

std::size_t ResourceNames::intern(std::string_view name) {
  const std::size_t known = find(name);
  if (known < kResources || extended_.size() == kExtended) return known;
  extended_.emplace_back(name);
  return kFirstExtended + extended_.size() - 1;
}

}  // namespace muster
