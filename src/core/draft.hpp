// What-if over a `const State&`: a sparse set of changed nodes and accounts. Dropping it undoes it.
// Searches ask the base index, skip the nodes that the draft touched, and look at those apart.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/flat_map.hpp"
#include "base/short_list.hpp"
#include "core/state.hpp"

namespace muster {

/// A node as the draft has it.
struct Touched {
  NodeId node;
  Free free;
  bool usable = true;
};

class Draft {
 public:
  explicit Draft(const State& state) : state_(&state) {}

  [[nodiscard]] const State& state() const { return *state_; }
  [[nodiscard]] const std::vector<Touched>& touched() const { return touched_; }
  [[nodiscard]] bool is_touched(NodeId node) const {
    return !touched_.empty() && slots_.find(node.value()).has_value();
  }

  [[nodiscard]] const Free& free(NodeId node) const;
  /// May new work go there? False also where `keep_clear` holds the node for another job.
  [[nodiscard]] bool usable(NodeId node) const;
  [[nodiscard]] Amounts use(QueueId queue) const;
  [[nodiscard]] std::int32_t running(UserId user) const;

  /// Take a job's running seats away (all, or those of some workers).
  void remove(JobId job);
  void remove_workers(JobId job, const std::vector<std::uint32_t>& workers);
  /// Undo these: REQUIRES that they were taken away.
  void restore(JobId job);
  void restore_workers(JobId job, const std::vector<std::uint32_t>& workers);
  /// Give back what a stopped attempt still holds.
  void remove_leaving(JobId job);
  /// Seat and charge workers of `job`.
  void add(JobId job, const Placement& seats);
  /// The same with the demands of another shape than the job's own (a relaxed copy).
  void add_as(const Shape& shape, JobId job, const Placement& seats);
  /// Count a job that was waiting as one more running job of its user.
  void count_started(JobId job) { count(state_->job(job).user, 1); }
  /// Occupy and charge seats of a waiting job; capacity that is not free yet becomes a debt.
  void block(JobId job, const Placement& seats);
  /// No new work on nodes that this shape's roles accept.
  void keep_clear(ShapeId shape) { clear_for_ = shape; }
  /// Is anything kept clear? Where not, nodes in the base index are usable.
  [[nodiscard]] bool keeps_clear() const { return clear_for_.valid(); }

  /// As if every node were up, undrained and reachable.
  void assume_nodes_up();
  /// As if every broken device worked, and nodes were up.
  void assume_intact();
  /// As if nothing ran anywhere, on intact nodes.
  void assume_empty();

  /// Nothing runs anywhere, services included.
  [[nodiscard]] bool assumes_empty() const { return empty_; }

  /// A node's entry for changing.
  Free& touch(NodeId node);

 private:
  [[nodiscard]] bool kept_clear(NodeId node) const;
  void charge(QueueId queue, const Amounts& amounts, std::int64_t times);
  void count(UserId user, std::int32_t step);
  void release(JobId job, const Placement& seats);

  const State* state_;
  std::vector<Touched> touched_;
  FlatMap slots_;
  ShortList<std::pair<QueueId, Amounts>, 4> queue_changes_;
  FlatMap queue_slots_;
  ShortList<std::pair<UserId, std::int32_t>, 4> user_changes_;
  FlatMap user_slots_;
  ShapeId clear_for_;
  bool empty_ = false;
};

}  // namespace muster
