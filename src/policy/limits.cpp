#include "policy/limits.hpp"

#include <algorithm>

namespace muster {
namespace {

std::optional<Broken> over_limit_of(const Draft& draft, const QueueEntry& entry, QueueId id,
                                    const Amounts& amounts) {
  const Amounts use = draft.use(id);
  for (std::size_t r = 0; r < kResources; ++r) {
    if (amounts[r] == 0 || use[r] + amounts[r] <= entry.spec.limit[r]) continue;
    return Broken{.queue = id,
                  .resource = r,
                  .asked = amounts[r],
                  .available = std::max<std::int64_t>(0, entry.spec.limit[r] - use[r])};
  }
  return std::nullopt;
}

/// What queues that do not lend keep for themselves, outside the path of `queue`.
std::optional<Broken> kept_by_others(const Draft& draft, QueueId queue, const Amounts& amounts) {
  const Ledger& ledger = draft.state().ledger;
  if (ledger.all_lend()) return std::nullopt;
  const auto& path = ledger.queue(queue).path;
  const Amounts total = total_capacity(draft.state());
  for (std::size_t r = 0; r < kResources; ++r) {
    if (amounts[r] == 0) continue;
    std::int64_t used = 0;
    std::int64_t kept = 0;
    QueueId keeper;
    for (std::size_t q = 0; q < ledger.queues().size(); ++q) {
      const QueueEntry& entry = ledger.queues()[q];
      const std::int64_t use = draft.use(QueueId{q})[r];
      if (!entry.parent.valid()) used += use;
      if (entry.spec.lend || std::find(path.begin(), path.end(), QueueId{q}) != path.end()) continue;
      if (entry.guarantee[r] > use) {
        kept += entry.guarantee[r] - use;
        keeper = QueueId{q};
      }
    }
    if (!keeper.valid() || used + amounts[r] + kept <= total[r]) continue;
    return Broken{.queue = keeper,
                  .resource = r,
                  .asked = amounts[r],
                  .available = std::max<std::int64_t>(0, total[r] - used - kept),
                  .kept = true};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Broken> broken_bound(const Draft& draft, QueueId queue, const Amounts& amounts) {
  const Ledger& ledger = draft.state().ledger;
  for (const QueueId id : ledger.queue(queue).path) {
    if (auto broken = over_limit_of(draft, ledger.queue(id), id, amounts)) return broken;
  }
  return kept_by_others(draft, queue, amounts);
}

bool user_is_full(const Draft& draft, UserId user) {
  const UserEntry& entry = draft.state().ledger.user(user);
  return entry.spec.max_running >= 0 && draft.running(user) >= entry.spec.max_running;
}

Why why_of(const State& state, const Broken& broken) {
  const QueueEntry& entry = state.ledger.queue(broken.queue);
  return {
      .reason = broken.kept ? Reason::QueueShare : Reason::QueueLimit,
      .asked = broken.asked,
      .available = broken.available,
      .limit = broken.kept ? 0 : entry.spec.limit[broken.resource],
      .names = {{Named::Queue, entry.spec.name}, {Named::Resource, state.resources.name(broken.resource)}}};
}

std::optional<Why> over_queue_limit(const Draft& draft, QueueId queue, const Amounts& amounts) {
  const auto broken = broken_bound(draft, queue, amounts);
  if (!broken) return std::nullopt;
  return why_of(draft.state(), *broken);
}

Amounts total_capacity(const State& state) {
  Amounts total;
  for (const NodeEntry& entry : state.ledger.nodes()) {
    if (entry.state != NodeState::Up) continue;
    const auto add = [&](std::size_t r, std::int64_t amount) {
      total[r] = std::min(kUnlimited, total[r] + amount);
    };
    add(kCpu, entry.spec.cpu);
    add(kMem, entry.spec.mem);
    const auto healthy = std::count_if(entry.spec.devices.begin(), entry.spec.devices.end(),
                                       [](const Device& device) { return device.healthy; });
    add(kGpu, healthy * kDevice);
    for (std::size_t i = 0; i < kExtended; ++i) add(kFirstExtended + i, entry.spec.extended[i]);
  }
  return total;
}

}  // namespace muster
