// When can a waiting gang start if every attempt runs to its limit, and what stands free then? The answer for
// one plain role, kept up to date: per node, how many of its workers fit there at that time, and in sum, so
// that most changes of the cluster, and most candidates for backfill, cost a look at the nodes they touch.
// (The "shadow time" and "extra nodes" of EASY, by counts of workers instead of nodes.)
//
// Kept beside it: the same just before that time. While the gang fits at the one time and not at the other,
// the answer stands. `promise.hpp` answers the same for any unit by drafts; a test compares the two.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policy/backlog.hpp"
#include "policy/scene.hpp"

namespace muster {

/// What a candidate's seats would take from the one who was promised a start.
enum class Delay : std::uint8_t { None, Room, Limit };

class Shadow {
 public:
  /// Does a count of workers tell all there is to know about the unit?
  static bool serves(const State& state, const Unit& unit);

  /// REQUIRES: serves.
  Shadow(const State& state, const Backlog::Ends& ends, JobId job);

  /// The earliest start; kNever where it needs capacity whose end is not known.
  [[nodiscard]] Instant at(Instant now) const { return std::max(now, until_); }

  enum class News : std::uint8_t { Same, Freer, Broken };
  /// Takes in the nodes and queues that changed. Freer: more of its workers fit then; Broken: compute it
  /// anew.
  News sync(const State& state, const Backlog::Ends& ends);

  /// Would those, seated there and still running at that time, put it off?
  [[nodiscard]] Delay delayed_by(const State& state, const Backlog::Ends& ends, const Unit& outlasting,
                                 const std::vector<const Placement*>& seats) const;

 private:
  /// Workers that fit at one time, in all and in each place the gang would have to be in as a whole.
  struct Room {
    std::vector<std::int32_t> on;      ///< by node, at most the gang
    std::vector<std::int64_t> inside;  ///< by place
    std::size_t enough = 0;            ///< places with room for the gang
    bool limits = true;                ///< its queues and its user would let it start
    [[nodiscard]] bool fits() const { return enough > 0 && limits; }
  };
  /// What is charged to the queues on its path, from its own outwards, and to its user.
  struct Use {
    std::vector<Amounts> of;
    std::int32_t running = 0;
  };
  enum class Edge : std::uint8_t { Before, At };  ///< without or with what ends at that very time

  void search(const State& state, const Backlog::Ends& ends);
  [[nodiscard]] bool accepts(const State& state, NodeId node) const;
  /// Index into Room::inside; nothing where the gang cannot be.
  [[nodiscard]] std::optional<std::size_t> place_of(const State& state, NodeId node) const;
  [[nodiscard]] Free free_at(const State& state, NodeId node, Edge edge) const;
  [[nodiscard]] std::int32_t room_in(const State& state, NodeId node, const Free& free) const;
  void set(const State& state, Room& room, NodeId node, std::int32_t workers) const;
  [[nodiscard]] Use use_now(const State& state) const;
  void give_up(const State& state, const Job& job, Use& use) const;
  [[nodiscard]] bool allows(const State& state, const Use& use, const Unit& outlasting) const;
  [[nodiscard]] bool within_limits(const State& state, const Backlog::Ends& ends, Edge edge,
                                   const Unit& outlasting) const;
  [[nodiscard]] bool ends_by(Instant end, Edge edge) const {
    return end < kNever && (edge == Edge::At ? end <= until_ : end < until_);
  }

  JobId job_;
  ShapeId shape_;
  std::int32_t gang_ = 0;
  std::optional<std::uint32_t> level_;  ///< inside one domain of it, or one node at depth()
  Instant until_ = kNever;              ///< Instant::min() where it fits now
  Room before_;
  Room then_;
};

}  // namespace muster
