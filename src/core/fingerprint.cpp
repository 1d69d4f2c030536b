#include "core/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "base/box.hpp"
#include "base/digest.hpp"

namespace muster {
namespace {

template <class T>
concept Listed = requires { T::fields; };

/// Every value as words, with the length before each list, so that no two values run into each other.
class Print {
 public:
  template <class T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void add(T value) {
    digest_.add(static_cast<std::uint64_t>(value));
  }
  void add(const std::string& text) { digest_.add_text(text); }
  void add(Duration duration) { add(millis(duration)); }
  void add(Instant instant) { add(millis(instant)); }
  template <class Tag>
  void add(Id<Tag> id) {
    add(id.value());
  }
  template <class T>
  void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <class A, class B>
  void add(const std::pair<A, B>& value) {
    add_all(value.first, value.second);
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(values.size());
    for (const T& value : values) add(value);
  }
  template <class T, std::size_t N>
  void add(const std::array<T, N>& values) {
    for (const T& value : values) add(value);
  }
  template <class T>
  void add(const std::set<T>& values) {
    add(values.size());
    for (const T& value : values) add(value);
  }
  template <Listed T>
  void add(const T& value) {
    std::apply([&](auto... members) { (add(value.*members), ...); }, T::fields);
  }
  void add(const Shape& shape) {
    add_all(shape.roles, shape.near, shape.spread, shape.best_effort, shape.kind);
  }
  void add(const PastUse& past) { add_all(past.sum, past.rate, past.at); }
  void add(const Extra::Leaving& leaving) {
    add_all(leaving.attempt, leaving.seats, leaving.since, leaving.preempted);
  }
  void add(const SharedDevice& device) {
    add_all(device.device, device.share_free, device.mem_free, device.sharers);
  }
  void add(const Trial& trial) { add_all(trial.job, trial.rung, trial.state, trial.started, trial.scores); }
  template <class... Parts>
  void add_all(const Parts&... parts) {
    (add(parts), ...);
  }

  [[nodiscard]] std::uint64_t value() const { return digest_.value(); }

 private:
  Digest digest_;
};

/// A job without extras and one with empty extras are the same job.
void add_extra(Print& print, const Job& job) {
  const Extra none;
  const Extra& extra = job.extra ? *job.extra : none;
  print.add_all(extra.finished, extra.leaving, extra.after, extra.family, extra.group, extra.trial,
                extra.not_before, extra.deadline, extra.placed, extra.reserved, extra.observed_cpu);
}

void add_job(Print& print, const State& state, const Job& job) {
  print.add_all(job.name, state.shape(job), state.ledger.catalogue().shape(job.asked), job.queue, job.user,
                job.class_rank, job.priority, job.state, job.evictable, job.checkpoint, job.attempt,
                job.max_restarts, job.restarts, job.cap, job.keep);
  print.add_all(job.submitted, job.waiting_since, job.started, job.resized, job.checkpointed, job.ended,
                job.limit, job.expect, job.accrued, job.attained, job.kept, job.confirmed, job.robbed,
                job.seated, job.blocked_by, job.seats);
  add_extra(print, job);
}

void add_node(Print& print, const NodeEntry& entry, const Free& free) {
  std::vector<JobId> guests = entry.guests;
  std::sort(guests.begin(), guests.end());
  print.add_all(entry.spec, entry.state, entry.evacuated, entry.unreachable_since, guests);
  print.add_all(free.cpu, free.mem, free.idle, free.shared, free.extended, free.soft_cpu, free.soft_mem);
}

void add_accounts(Print& print, const Ledger& ledger) {
  print.add(ledger.nodes().size());
  for (std::size_t n = 0; n < ledger.nodes().size(); ++n)
    add_node(print, ledger.nodes()[n], ledger.free(NodeId{n}));
  print.add(ledger.queues().size());
  for (const QueueEntry& entry : ledger.queues()) {
    print.add_all(entry.spec, entry.parent, entry.path, entry.use, entry.guarantee, entry.use_at_epoch);
  }
  print.add(ledger.users().size());
  for (const UserEntry& entry : ledger.users())
    print.add_all(entry.spec, entry.running, entry.past, entry.past_at_epoch);
  print.add_all(ledger.topology().levels(), ledger.vacating());
}

void add_families_and_groups(Print& print, const State& state) {
  print.add(state.families.size());
  for (const auto& [name, family] : state.families) {
    print.add_all(name, family.expected, family.ended, family.ended_well, family.first_failed,
                  family.dependants);
  }
  print.add(state.groups.size());
  for (const auto& [name, group] : state.groups)
    print.add_all(name, group.size, group.members, group.started);
}

}  // namespace

std::uint64_t fingerprint(const State& state) {
  Print print;
  print.add_all(state.sequence, state.now, state.cleanup, state.configuration);
  add_accounts(print, state.ledger);
  print.add(state.jobs.size());
  for (const Job& job : state.jobs) add_job(print, state, job);
  add_families_and_groups(print, state);
  print.add(state.experiments.size());
  for (const Experiment& experiment : state.experiments) {
    print.add_all(experiment.spec, experiment.trials, experiment.rung, experiment.outcome, experiment.ended,
                  experiment.best);
  }
  print.add_all(state.reserving, state.to_place, state.leaving);
  return print.value();
}

}  // namespace muster
