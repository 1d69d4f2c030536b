#include "sim/meter.hpp"

#include "base/match.hpp"

namespace muster {
namespace {

/// Thousandths free on the node: idle devices, and what sharers leave of theirs.
std::int64_t free_milli(const Free& free) {
  std::int64_t sum = std::int64_t{free.idle.size()} * kDevice;
  for (const SharedDevice& device : free.shared) sum += device.share_free;
  return sum;
}

std::int64_t healthy_milli(const NodeSpec& spec) {
  std::int64_t sum = 0;
  for (const Device& device : spec.devices) sum += device.healthy ? kDevice : 0;
  return sum;
}

}  // namespace

void Meter::watch(const State& state, const Step& step, Instant now) {
  settle(now);
  if (!step.log.empty()) whole_run_ = sum_;
  if (domain_of_.size() != state.ledger.nodes().size()) lay_out(state);
  for (const Record& record : step.log) watch_record(state, record);
  gpu_used_ = 0;
  cpu_used_ = 0;
  for (const QueueEntry& queue : state.ledger.queues()) {
    if (queue.parent.valid()) continue;
    gpu_used_ += queue.use[kGpu];
    cpu_used_ += queue.use[kCpu];
  }
}

void Meter::settle(Instant now) {
  const auto span = static_cast<double>(millis(now - at_));
  at_ = now;
  if (span > 0) {
    sum_.span += span;
    sum_.gpu_used += span * static_cast<double>(gpu_used_);
    sum_.cpu_used += span * static_cast<double>(cpu_used_);
    sum_.gpu_free += span * static_cast<double>(gpu_free_);
    sum_.contending += span * static_cast<double>(contending_);
    for (std::size_t level = 0; level < whole_.size(); ++level) {
      sum_.gpu_whole[level] += span * static_cast<double>(whole_[level]);
    }
  }
  if (now <= loaded_until_) loaded_ = sum_;
}

void Meter::lay_out(const State& state) {
  const Topology& topology = state.ledger.topology();
  const std::size_t depth = topology.depth();
  domains_.assign(depth + 1, {});
  for (std::size_t level = 0; level < depth; ++level) domains_[level].resize(topology.size());
  domains_[depth].resize(state.ledger.nodes().size());
  whole_.assign(depth + 1, 0);
  sum_.gpu_whole.resize(depth + 1, 0);
  domain_of_.clear();
  free_of_.assign(state.ledger.nodes().size(), 0);
  gpu_free_ = 0;
  gpu_capacity_ = 0;
  cpu_capacity_ = 0;
  for (std::size_t n = 0; n < state.ledger.nodes().size(); ++n) {
    const NodeEntry& node = state.ledger.nodes()[n];
    auto& domains = domain_of_.emplace_back();
    for (std::size_t level = 0; level < depth; ++level) {
      domains.push_back(topology.domain_of(NodeId{n}, static_cast<std::uint32_t>(level)).index());
    }
    domains.push_back(n);
    if (node.state != NodeState::Up) continue;
    const std::int64_t gpus = healthy_milli(node.spec);
    gpu_capacity_ += gpus;
    if (cpu_capacity_ && node.spec.cpu < kUnlimited) {
      *cpu_capacity_ += node.spec.cpu;
    } else {
      cpu_capacity_.reset();
    }
    for (std::size_t level = 0; level <= depth; ++level) domains_[level][domains[level]].gpus += gpus;
  }
  for (std::size_t n = 0; n < state.ledger.nodes().size(); ++n) touch(state, NodeId{n});
}

void Meter::touch(const State& state, NodeId node) {
  if (state.ledger.node(node).state != NodeState::Up) return;
  const std::int64_t free = free_milli(state.ledger.free(node));
  std::int64_t& known = free_of_[node.index()];
  const std::int64_t change = free - known;
  if (change == 0) return;
  known = free;
  gpu_free_ += change;
  const auto& domains = domain_of_[node.index()];
  for (std::size_t level = 0; level < domains.size(); ++level) {
    set_idle(level, domains[level], domains_[level][domains[level]].idle + change);
  }
}

void Meter::set_idle(std::size_t level, std::size_t domain, std::int64_t idle) {
  DomainMeter& meter = domains_[level][domain];
  if (meter.idle == meter.gpus) whole_[level] -= meter.gpus;
  meter.idle = idle;
  if (meter.idle == meter.gpus) whole_[level] += meter.gpus;
}

void Meter::watch_record(const State& state, const Record& record) {
  match(
      record.event,
      [&](const JobSubmitted&) {
        Track& track = tracks_.emplace_back();
        track.contending_before = sum_.contending;
        ++contending_;
        end_if_over(state, JobId{tracks_.size() - 1}, record.at);  // refused at once
      },
      [&](const TaskExited& e) { leave(state, e.job, e.attempt, record.at, std::nullopt); },
      [&](const StartFailed& e) { leave(state, e.job, e.attempt, record.at, std::nullopt); },
      [&](const JobCancelled& e) {
        leave(state, e.job, tracks_[e.job.index()].attempt, record.at, std::nullopt);
      },
      [&](const Decided& e) {
        if (const auto* begin = std::get_if<Start>(&e.decision.what)) start(state, *begin, record.at);
        if (const auto* stop = std::get_if<Stop>(&e.decision.what)) {
          leave(state, stop->job, stop->attempt, record.at, stop->cause);
        }
        if (const auto* hold = std::get_if<Hold>(&e.decision.what)) {
          Track& track = tracks_[hold->job.index()];
          const bool never = e.decision.why.reason == Reason::NeverFits;
          if (never != track.out.never_fits) contending_ += never ? -1 : 1;
          track.out.never_fits = never;
        }
      },
      [](const auto&) {});
}

void Meter::start(const State& state, const Start& what, Instant at) {
  Track& track = tracks_[what.job.index()];
  if (!track.out.first_start) track.out.first_start = at;
  if (track.out.never_fits) ++contending_;
  track.out.never_fits = false;
  track.attempt = what.attempt;
  track.started = at;
  track.seats = what.seats;
  track.out.milli_gpus = 0;
  const Job& job = state.job(what.job);
  for (const Seat& seat : what.seats) {
    track.out.milli_gpus += state.ledger.catalogue().shape(job.asked).roles[seat.role].each.charge()[kGpu];
    touch(state, seat.node);
  }
}

void Meter::leave(const State& state, JobId id, std::uint32_t attempt, Instant at,
                  std::optional<StopCause> cause) {
  Track& track = tracks_[id.index()];
  if (track.attempt != 0 && track.attempt == attempt) {
    const Duration ran = at - track.started;
    const Duration kept = state.job(id).kept;
    track.out.held += ran;
    if (cause && is_eviction(*cause)) {
      ++track.out.evictions;
      track.out.lost += millis(track.kept + ran - kept) * track.out.milli_gpus / kDevice;
    }
    track.kept = kept;
    track.attempt = 0;
    for (const Seat& seat : track.seats) touch(state, seat.node);
    track.seats.clear();
  }
  end_if_over(state, id, at);
}

void Meter::end_if_over(const State& state, JobId id, Instant at) {
  Track& track = tracks_[id.index()];
  const Job& job = state.job(id);
  if (track.over || !is_over(job.state)) return;
  track.over = true;
  ++ended_;
  if (!track.out.never_fits) --contending_;
  const auto there = static_cast<double>(millis(at - job.submitted));
  track.out.contention = there > 0 ? (sum_.contending - track.contending_before) / there : 0;
  if (job.state != JobState::Rejected) last_end_ = at;
}

}  // namespace muster
