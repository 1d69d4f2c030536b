#include "policy/limits.hpp"

#include <algorithm>

namespace muster {
namespace {

std::optional<Why> over_limit_of(const Draft& draft, const QueueEntry& entry, QueueId id,
                                 const Amounts& amounts) {
  const Amounts use = draft.use(id);
  for (std::size_t r = 0; r < kResources; ++r) {
    if (amounts[r] == 0 || use[r] + amounts[r] <= entry.spec.limit[r]) continue;
    return Why{
        .reason = Reason::QueueLimit,
        .asked = amounts[r],
        .available = std::max<std::int64_t>(0, entry.spec.limit[r] - use[r]),
        .limit = entry.spec.limit[r],
        .names = {{Named::Queue, entry.spec.name}, {Named::Resource, draft.state().resources.name(r)}}};
  }
  return std::nullopt;
}

/// What queues that do not lend keep for themselves, outside the path of `queue`.
std::optional<Why> kept_by_others(const Draft& draft, QueueId queue, const Amounts& amounts) {
  const Ledger& ledger = draft.state().ledger;
  const auto& path = ledger.queue(queue).path;
  const bool any = std::any_of(ledger.queues().begin(), ledger.queues().end(),
                               [](const QueueEntry& entry) { return !entry.spec.lend; });
  if (!any) return std::nullopt;
  const Amounts total = total_capacity(draft.state());
  for (std::size_t r = 0; r < kResources; ++r) {
    if (amounts[r] == 0) continue;
    std::int64_t used = 0;
    std::int64_t kept = 0;
    const QueueEntry* keeper = nullptr;
    for (std::size_t q = 0; q < ledger.queues().size(); ++q) {
      const QueueEntry& entry = ledger.queues()[q];
      const std::int64_t use = draft.use(QueueId{q})[r];
      if (!entry.parent.valid()) used += use;
      if (entry.spec.lend || std::find(path.begin(), path.end(), QueueId{q}) != path.end()) continue;
      if (entry.guarantee[r] > use) {
        kept += entry.guarantee[r] - use;
        keeper = &entry;
      }
    }
    if (keeper == nullptr || used + amounts[r] + kept <= total[r]) continue;
    return Why{
        .reason = Reason::QueueShare,
        .asked = amounts[r],
        .available = std::max<std::int64_t>(0, total[r] - used - kept),
        .names = {{Named::Queue, keeper->spec.name}, {Named::Resource, draft.state().resources.name(r)}}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Why> over_queue_limit(const Draft& draft, QueueId queue, const Amounts& amounts) {
  const Ledger& ledger = draft.state().ledger;
  for (const QueueId id : ledger.queue(queue).path) {
    if (auto why = over_limit_of(draft, ledger.queue(id), id, amounts)) return why;
  }
  return kept_by_others(draft, queue, amounts);
}

std::optional<Why> over_user_limit(const Draft& draft, UserId user) {
  const UserEntry& entry = draft.state().ledger.user(user);
  if (entry.spec.max_running < 0 || draft.running(user) < entry.spec.max_running) return std::nullopt;
  return Why{.reason = Reason::UserLimit,
             .asked = 1,
             .available = 0,
             .limit = entry.spec.max_running,
             .names = {{Named::User, entry.spec.name}}};
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
