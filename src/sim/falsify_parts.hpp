// What the parts of the falsifier share: a second, deliberately plain reading of the tape (whole scans,
// no look-up tables; nothing of the judge is used) and the list under construction.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/falsify.hpp"

namespace muster::sim {

/// REQUIRES: scenario and tape outlive it.
struct Facts {
  const scenario::Scenario& scenario;
  const Tape& tape;

  /// The last frame not after `t`; may be null.
  [[nodiscard]] const Frame* at(Instant t) const;
  /// Frames that lasted, and did so at some instant strictly inside the window.
  [[nodiscard]] std::vector<const Frame*> inside(const scenario::Span& window) const;
  /// Null where the frame does not know the job or it is not submitted yet.
  [[nodiscard]] const JobView* view(const Frame& frame, const std::string& job) const;
  [[nodiscard]] bool runs(const Frame& frame, const std::string& job) const;
  /// Empty unless running.
  [[nodiscard]] Placement seats(const Frame& frame, const std::string& job) const;
  /// How many moves of that kind the window holds; an empty `job` means any.
  [[nodiscard]] std::int64_t moves(const scenario::Span& window, Move what, const std::string& job) const;
  /// How many lie exactly on its edges.
  [[nodiscard]] std::int64_t on_edges(const scenario::Span& window, Move what, const std::string& job) const;
};

/// The mutations made of one check.
class Bent {
 public:
  explicit Bent(int line) : line_(line) {}

  template <class What>
  void add(What what, std::string text) {
    scenario::Check check{.what = std::move(what), .line = line_, .text = text};
    list_.push_back({.check = std::move(check), .what = std::move(text)});
  }
  std::vector<Mutation> take() { return std::move(list_); }

 private:
  int line_;
  std::vector<Mutation> list_;
};

constexpr scenario::Range exactly(std::int64_t value) { return {.low = value, .high = value}; }

void bend(const Facts& facts, const scenario::AtCheck& check, Bent& bent);
void bend(const Facts& facts, const scenario::DuringCheck& check, Bent& bent);
void bend(const Facts& facts, const scenario::AtomicCheck& check, Bent& bent);
void bend(const Facts& facts, const scenario::ReasonCheck& check, Bent& bent);

}  // namespace muster::sim
