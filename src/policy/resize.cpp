#include "policy/resize.hpp"

#include <algorithm>

#include "policy/limits.hpp"
#include "policy/victims.hpp"

namespace muster {
namespace {

std::int32_t seated(const Job& job, std::size_t role) {
  return static_cast<std::int32_t>(
      std::count_if(job.seats.begin(), job.seats.end(), [&](const Seat& seat) { return seat.role == role; }));
}

/// Additions to try for a role, ascending; only sizes that are legal.
std::vector<std::int32_t> additions(const Job& job, const Shape& shape, std::size_t role) {
  const Count& count = shape.roles[role].count;
  const std::int32_t has = seated(job, role);
  std::vector<std::int32_t> sizes;
  if (count.legal.empty()) {
    for (std::int32_t more = 1; has + more <= count.max; ++more) sizes.push_back(more);
  }
  for (const std::int32_t size : count.legal) {
    if (size > has) sizes.push_back(size - has);
  }
  return sizes;
}

}  // namespace

std::optional<Grow> growth_of(const Scene& scene, JobId id, const Spared& spared) {
  const State& state = scene.state;
  const Job& job = state.job(id);
  const Shape& shape = state.shape(job);
  if (scene.now < after(job.resized, scene.knobs.cool_down) && scene.knobs.cool_down > Duration{0})
    return std::nullopt;
  for (std::size_t role = 0; role < shape.roles.size(); ++role) {
    const auto sizes = additions(job, shape, role);
    const auto fits = [&](std::int32_t more) -> std::optional<Placement> {
      Draft draft = view_for(scene, {id});
      if (spared.clear) draft.keep_clear(*spared.clear);
      if (broken_bound(draft, job.queue, shape.roles[role].each.charge() * more)) return std::nullopt;
      Placing what = gang_of(state, id, scene.knobs.colocation);
      std::fill(what.counts.begin(), what.counts.end(), 0);
      what.counts[role] = more;
      auto seats = place(draft, what);
      if (!seats || spared.promise == nullptr) return seats;
      const Delay delay = spared.promise->delayed_by(scene, *spared.ends, {id}, {*seats});
      return delay == Delay::None ? std::move(seats) : std::nullopt;
    };
    std::size_t low = 0;
    std::size_t high = sizes.size();
    std::optional<Placement> best;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (auto seats = fits(sizes[middle])) {
        best = std::move(seats);
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (best) return Grow{.job = id, .seats = std::move(*best)};
  }
  return std::nullopt;
}

std::optional<Shrink> overhang_of(const State& state, JobId id) {
  const Job& job = state.job(id);
  if (!job.running()) return std::nullopt;
  const Shape& shape = state.shape(job);
  std::vector<std::uint32_t> workers;
  for (std::size_t role = 0; role < shape.roles.size(); ++role) {
    auto over = seated(job, role) - shape.roles[role].count.max;
    for (auto at = job.seats.rbegin(); at != job.seats.rend() && over > 0; ++at) {
      if (at->role != role) continue;
      workers.push_back(at->worker);
      --over;
    }
  }
  if (workers.empty()) return std::nullopt;
  std::sort(workers.begin(), workers.end());
  return Shrink{.job = id, .workers = std::move(workers), .cause = StopCause::Cancelled};
}

}  // namespace muster
