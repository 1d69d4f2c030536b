// Nodes and their devices as an inventory reports them.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/resources.hpp"

namespace muster {

inline constexpr std::size_t kMaxDevices = 128;  ///< per node; a larger node is refused with an error

/// One accelerator. Devices of one `island` reach each other over NVLink or the like; `numa` is the
/// memory node they hang on. Both are indices inside the node.
struct Device {
  std::uint16_t numa = 0;
  std::uint16_t island = 0;
  std::int64_t mem = kUnlimited;  ///< MiB; kUnlimited = not stated
  bool healthy = true;

  friend bool operator==(const Device&, const Device&) = default;
  static constexpr auto fields =
      std::make_tuple(&Device::numa, &Device::island, &Device::mem, &Device::healthy);
};

struct NodeSpec {
  std::string name;
  std::int64_t cpu = kUnlimited;  ///< millicores; kUnlimited = more than anyone needs
  std::int64_t mem = kUnlimited;  ///< bytes
  std::array<std::int64_t, kExtended> extended{};
  std::string gpu_type;
  std::vector<Device> devices;
  std::vector<std::pair<std::string, std::string>> labels;  ///< sorted by key
  /// Name of the domain at each topology level, outermost first; empty = the node lacks that level.
  std::vector<std::string> domains;

  friend bool operator==(const NodeSpec&, const NodeSpec&) = default;
  static constexpr auto fields =
      std::make_tuple(&NodeSpec::name, &NodeSpec::cpu, &NodeSpec::mem, &NodeSpec::extended,
                      &NodeSpec::gpu_type, &NodeSpec::devices, &NodeSpec::labels, &NodeSpec::domains);
};

/// `Unreachable`: its work keeps running but cannot be seen; no new work. `Drained`: no new work.
enum class NodeState : std::uint8_t { Up, Drained, Unreachable, Down };

}  // namespace muster
