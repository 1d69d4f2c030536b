// The one ledger: what is free on every node, who sits where, what every queue and user is charged.
// Capacity, quota and device accounts change together, here and nowhere else; `audit` recomputes them.
//
// Past use decays by halves: at every whole epoch the sum is multiplied by a fixed 32-bit fraction, so it
// is the same integer on every machine.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "core/free.hpp"
#include "core/index.hpp"
#include "core/shape.hpp"
#include "core/topology.hpp"
#include "model/plan.hpp"
#include "model/queue.hpp"

namespace muster {

inline constexpr Duration kUseEpoch = seconds(300);
/// 2^32 * 2^(-1/288): half after 288 epochs of five minutes, one day.
inline constexpr std::uint64_t kEpochDecay = 4284642765ULL;

/// Accelerator time a user has consumed, decayed; in milli-GPU times milliseconds / 1000.
struct PastUse {
  std::int64_t sum = 0;
  std::int64_t rate = 0;  ///< milli-GPUs held since `at`
  Instant at{};

  void settle(Instant now);
  [[nodiscard]] std::int64_t value(Instant now) const {
    PastUse copy = *this;
    copy.settle(now);
    return copy.sum;
  }
  friend bool operator==(const PastUse&, const PastUse&) = default;
};

struct NodeEntry {
  NodeSpec spec;
  NodeState state = NodeState::Up;
  bool evacuated = false;  ///< its work is to be replaced (see NodeLost)
  Instant unreachable_since{};
  ClassId node_class;
  std::vector<JobId> guests;  ///< one entry per seat, best-effort and leaving ones included
  friend bool operator==(const NodeEntry&, const NodeEntry&) = default;
};

struct QueueEntry {
  QueueSpec spec;
  QueueId parent;             ///< none below the root
  std::vector<QueueId> path;  ///< itself, then its ancestors outwards
  std::vector<QueueId> children;
  Amounts use;           ///< of the whole subtree
  Amounts guarantee;     ///< the stated one, at least the sum of the children's
  Amounts use_at_epoch;  ///< at the start of the current epoch, see Ledger::begin_epoch
  friend bool operator==(const QueueEntry&, const QueueEntry&) = default;
};

struct UserEntry {
  UserSpec spec;
  std::int32_t running = 0;  ///< jobs
  PastUse past;
  std::int64_t past_at_epoch = 0;
  friend bool operator==(const UserEntry&, const UserEntry&) = default;
};

/// One worker as the ledger books it.
struct Booking {
  JobId job;
  QueueId queue;
  Column column = Column::Firm;
  const Demand* demand = nullptr;
};

class Ledger {
 public:
  // ---- reading
  [[nodiscard]] const std::vector<NodeEntry>& nodes() const { return nodes_; }
  [[nodiscard]] const NodeEntry& node(NodeId id) const { return nodes_[id.index()]; }
  [[nodiscard]] const Free& free(NodeId id) const { return free_[id.index()]; }
  [[nodiscard]] const std::vector<QueueEntry>& queues() const { return queues_; }
  [[nodiscard]] const QueueEntry& queue(QueueId id) const { return queues_[id.index()]; }
  /// No queue keeps for itself what it leaves idle.
  [[nodiscard]] bool all_lend() const { return keepers_ == 0; }
  [[nodiscard]] const std::vector<UserEntry>& users() const { return users_; }
  [[nodiscard]] const UserEntry& user(UserId id) const { return users_[id.index()]; }
  [[nodiscard]] QueueId find_queue(std::string_view name) const;
  [[nodiscard]] UserId find_user(std::string_view name) const;
  /// Nodes that are down or evacuated and still have guests.
  [[nodiscard]] const std::set<NodeId>& vacating() const { return vacating_; }
  [[nodiscard]] const Topology& topology() const { return topology_; }
  [[nodiscard]] const Index& index() const { return index_; }
  [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }

  // ---- changing: only core/apply calls these
  void set_levels(std::vector<std::string> levels) {
    topology_.set_levels(std::move(levels));
    stale_ = true;
  }
  NodeId join(const NodeSpec& spec, NodeState state);
  void set_state(NodeId node, NodeState state, Instant now);
  void evacuate(NodeId node);
  QueueId set_queue(const QueueSpec& spec);
  UserId set_user(const UserSpec& spec);
  ShapeId intern(const Shape& shape) { return catalogue_.intern(shape); }
  void book(const Booking& booking, const Seat& seat);
  void release(const Booking& booking, const Seat& seat);
  void count_running(UserId user, std::int32_t step) {
    users_[user.index()].running += step;
    if (step < 0) eased_.push_back(user);
  }
  void charge_user(UserId user, std::int64_t milli_gpus, Instant now);
  /// Soft factors of the order read use as it was when the epoch began, so that they change all at once.
  void begin_epoch(Instant now);
  /// Bring topology and index up to date after nodes joined. Cheap when nothing joined.
  void lay_out();

  /// Nodes that got room since the last call of `forget_freed`, with repetitions.
  [[nodiscard]] const std::vector<NodeId>& freed() const { return freed_; }
  /// Queues whose use or bounds changed; themselves, not their ancestors; with repetitions.
  [[nodiscard]] const std::vector<QueueId>& charged() const { return charged_; }
  /// Users who run fewer jobs, or may run more.
  [[nodiscard]] const std::vector<UserId>& eased() const { return eased_; }
  /// Nodes whose guests or state changed, with repetitions.
  [[nodiscard]] const std::vector<NodeId>& touched() const { return touched_; }
  /// Room on the node that was kept for someone is open to others.
  void note_freed(NodeId node) { freed_.push_back(node); }
  /// A guest of the node stopped running and will leave.
  void note_leaving(NodeId node) {
    freed_.push_back(node);
    touched_.push_back(node);
  }
  void forget_changes() {
    freed_.clear();
    touched_.clear();
    charged_.clear();
    eased_.clear();
  }

 private:
  void charge(QueueId queue, const Amounts& amounts, std::int64_t sign);

  std::vector<NodeEntry> nodes_;
  std::vector<Free> free_;
  std::vector<QueueEntry> queues_;
  std::vector<UserEntry> users_;
  std::size_t keepers_ = 0;  ///< queues that do not lend
  Catalogue catalogue_;
  Topology topology_;
  Index index_;
  std::map<std::string, QueueId, std::less<>> queue_ids_;
  std::map<std::string, UserId, std::less<>> user_ids_;
  std::set<NodeId> vacating_;
  bool stale_ = false;
  std::vector<NodeId> freed_;
  std::vector<NodeId> touched_;
  std::vector<QueueId> charged_;
  std::vector<UserId> eased_;
};

}  // namespace muster
