#include "policy/evictable_room.hpp"

#include <algorithm>

namespace muster {
namespace {

constexpr std::size_t kRows = kMaxDevices + 1;
constexpr std::uint8_t kNoRow = 255;

}  // namespace

void EvictableRoom::sync(const State& state, const std::vector<Importance>& levels,
                         const std::vector<NodeId>& touched) {
  const std::size_t nodes = state.ledger.nodes().size();
  const bool same = levels == levels_ && nodes == nodes_ && !counts_.empty() &&
                    counts_.front().size() == state.ledger.catalogue().classes() * kRows;
  if (!same) {
    levels_ = levels;
    nodes_ = nodes;
    return rebuild(state);
  }
  for (const NodeId node : touched) recount(state, node);
}

void EvictableRoom::rebuild(const State& state) {
  const std::size_t cuts = levels_.size() + 1;
  row_.assign(nodes_ * cuts, kNoRow);
  counts_.assign(cuts, std::vector<std::uint32_t>(state.ledger.catalogue().classes() * kRows, 0));
  for (std::size_t n = 0; n < nodes_; ++n) recount(state, NodeId{n});
}

void EvictableRoom::recount(const State& state, NodeId node) {
  const NodeEntry& entry = state.ledger.node(node);
  const std::size_t cuts = levels_.size() + 1;
  const std::size_t base = entry.node_class.index() * kRows;
  std::vector<std::int32_t> held(cuts, 0);
  if (entry.state == NodeState::Up) {
    for (const JobId guest : entry.guests) {
      const Job& job = state.job(guest);
      if (!job.running() || job.evictable == Evictable::Never) continue;
      std::int32_t gpus = 0;
      for (const RoleSpec& role : state.shape(job).roles) {
        gpus = std::max(gpus, role.each.gpus + (role.each.shares_device() ? 1 : 0));
      }
      const auto level = std::lower_bound(levels_.begin(), levels_.end(), importance(job)) - levels_.begin();
      if (static_cast<std::size_t>(level) < levels_.size()) held[static_cast<std::size_t>(level) + 1] += gpus;
    }
  }
  std::int32_t sum = state.ledger.free(node).idle.size();
  for (std::size_t cut = 0; cut < cuts; ++cut) {
    sum += held[cut];
    std::uint8_t& row = row_[node.index() * cuts + cut];
    if (row != kNoRow) --counts_[cut][base + row];
    row = kNoRow;
    if (entry.state != NodeState::Up) continue;
    // Several sharers may hold one device: the sum is a bound, and never more than there are.
    row = static_cast<std::uint8_t>(
        std::min<std::int32_t>(sum, static_cast<std::int32_t>(entry.spec.devices.size())));
    ++counts_[cut][base + row];
  }
}

bool EvictableRoom::might_fit(const State& state, ShapeId id, const Importance& bound) const {
  const Shape& shape = state.ledger.catalogue().shape(id);
  if (shape.roles.size() != 1 || shape.roles.front().each.gpus == 0 || counts_.empty()) return true;
  const auto gpus = static_cast<std::size_t>(shape.roles.front().each.gpus);
  const auto cut =
      static_cast<std::size_t>(std::lower_bound(levels_.begin(), levels_.end(), bound) - levels_.begin());
  std::int64_t room = 0;
  for (const ClassId c : state.ledger.catalogue().accepted(id, 0)) {
    const std::uint32_t devices = state.ledger.catalogue().node_class(c).devices;
    for (std::size_t row = gpus; row <= std::min<std::size_t>(devices, kMaxDevices); ++row) {
      room += static_cast<std::int64_t>(counts_[cut][c.index() * kRows + row]) *
              static_cast<std::int64_t>(row / gpus);
    }
    if (room >= shape.gang()) return true;
  }
  return false;
}

}  // namespace muster
