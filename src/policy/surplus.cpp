#include <algorithm>
#include <map>

#include "policy/victims.hpp"

namespace muster {
namespace {

/// Sizes the job may shrink to from `now`, descending.
std::vector<std::int32_t> smaller_sizes(const Shape& shape, std::int32_t now) {
  std::vector<std::int32_t> sizes;
  const Count& count = shape.roles.front().count;
  if (count.legal.empty()) {
    for (std::int32_t size = now - 1; size >= count.min; --size) sizes.push_back(size);
    return sizes;
  }
  for (auto at = count.legal.rbegin(); at != count.legal.rend(); ++at) {
    if (*at < now) sizes.push_back(*at);
  }
  return sizes;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> surplus_steps(const State& state, const Job& job) {
  const Shape& shape = state.shape(job);
  if (shape.roles.size() != 1 || shape.kind == JobKind::Service) return {};
  if (static_cast<std::int32_t>(job.seats.size()) <= shape.gang()) return {};
  // Nodes with fewest of its workers empty first; on one node the highest rank goes first.
  std::map<NodeId, std::int32_t> on_node;
  for (const Seat& seat : job.seats) ++on_node[seat.node];
  std::vector<Seat> order = job.seats;
  std::stable_sort(order.begin(), order.end(), [&](const Seat& a, const Seat& b) {
    const auto rank = [&](const Seat& seat) {
      return std::make_tuple(on_node[seat.node], -static_cast<std::int64_t>(seat.node.value()),
                             -static_cast<std::int64_t>(seat.worker));
    };
    return rank(a) < rank(b);
  });
  std::vector<std::vector<std::uint32_t>> steps;
  auto left = static_cast<std::int32_t>(job.seats.size());
  std::size_t at = 0;
  for (const std::int32_t size : smaller_sizes(shape, left)) {
    auto& step = steps.emplace_back();
    for (; left > size; --left) step.push_back(order[at++].worker);
    std::sort(step.begin(), step.end());
  }
  return steps;
}

}  // namespace muster
