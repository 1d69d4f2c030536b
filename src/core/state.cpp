#include "core/state.hpp"

#include <algorithm>

namespace muster {

bool wants_workers(const State& state, const Job& job) {
  if (job.state == JobState::Pending) return state.shape(job).most() > 0;
  const Shape& shape = state.shape(job);
  return job.running() && shape.kind == JobKind::Service &&
         static_cast<std::int32_t>(job.seats.size()) < shape.most();
}

Ready dependencies(const State& state, const Job& job) {
  if (!job.extra) return Ready::Yes;
  Ready ready = Ready::Yes;
  for (const Dependency& dependency : job.extra->after) {
    const auto at = state.families.find(dependency.family);
    if (at == state.families.end()) {
      ready = Ready::NotYet;
      continue;
    }
    const Family& family = at->second;
    if (dependency.when == DependencyWhen::Ok && family.ended > family.ended_well) return Ready::Never;
    if (family.ended < family.expected) ready = Ready::NotYet;
  }
  return ready;
}

bool makes_room(const Job& job) {
  return job.extra && std::any_of(job.extra->leaving.begin(), job.extra->leaving.end(),
                                  [](const Extra::Leaving& leaving) { return leaving.preempted; });
}

bool group_complete(const State& state, const Job& job) {
  if (!job.extra || job.extra->group.empty()) return true;
  const Group& group = state.groups.find(job.extra->group)->second;
  return group.started || static_cast<std::int32_t>(group.members.size()) >= group.size;
}

std::int64_t milli_gpus(const State& state, const Job& job) {
  std::int64_t held = 0;
  for (const Seat& seat : job.seats) held += state.demand(job, seat).charge()[kGpu];
  return held;
}

Duration kept_work(const Job& job, Instant now) {
  if (!job.running()) return job.kept;
  const Duration done = job.kept + (now - job.started);
  Duration kept = job.kept;
  if (job.checkpointed > job.started) kept = job.kept + (job.checkpointed - job.started);
  if (job.checkpoint.mode == CheckpointMode::Always) return done;
  if (job.checkpoint.mode == CheckpointMode::Every && job.checkpoint.every > Duration{0}) {
    kept = std::max(kept, done - done % job.checkpoint.every);
  }
  return kept;
}

Duration lost_work(const Job& job, Instant now) {
  if (!job.running()) return Duration{0};
  return job.kept + (now - job.started) - kept_work(job, now);
}

}  // namespace muster
