// Strong dense identifiers. An Id is an index into one table of the state; two tables cannot be mixed up.
// The default value names nothing: test with `valid()`. Order is the order of creation, and every
// tie in the pure folders ends in an id.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace muster {

template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t value) : value_(value) {}
  constexpr explicit Id(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {}

  [[nodiscard]] constexpr bool valid() const { return value_ != kNone; }
  [[nodiscard]] constexpr std::uint32_t value() const { return value_; }
  [[nodiscard]] constexpr std::size_t index() const { return value_; }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value_ = kNone;
};

using JobId = Id<struct JobTag>;
using NodeId = Id<struct NodeTag>;
using QueueId = Id<struct QueueTag>;
using UserId = Id<struct UserTag>;
using ShapeId = Id<struct ShapeTag>;
using ClassId = Id<struct NodeClassTag>;
using DomainId = Id<struct DomainTag>;
using ExperimentId = Id<struct ExperimentTag>;

}  // namespace muster
