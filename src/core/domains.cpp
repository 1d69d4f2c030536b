#include "core/domains.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

namespace muster {
namespace {

constexpr std::int64_t kMost = INT64_MAX / 4;

std::int64_t plus(std::int64_t a, std::int64_t b) { return std::min<std::int64_t>(a + b, kMost); }

/// Largest room first, ties by id.
void sort_by_room(std::vector<DomainRoom>& candidates) {
  const auto by_id = [](const DomainRoom& a, const DomainRoom& b) { return a.id < b.id; };
  if (!std::is_sorted(candidates.begin(), candidates.end(), by_id)) {
    std::sort(candidates.begin(), candidates.end(), by_id);
  }
  std::int64_t most = 0;
  for (const DomainRoom& c : candidates) most = std::max(most, c.room);
  const auto fuller = [](const DomainRoom& a, const DomainRoom& b) {
    return a.room != b.room ? a.room > b.room : a.id < b.id;
  };
  constexpr std::int64_t kCountable = 4096;
  if (most >= kCountable) return std::sort(candidates.begin(), candidates.end(), fuller);
  // Small rooms repeat: count them.
  std::vector<std::uint32_t> at(static_cast<std::size_t>(most) + 2, 0);
  for (const DomainRoom& c : candidates) ++at[static_cast<std::size_t>(most - c.room) + 1];
  for (std::size_t i = 1; i < at.size(); ++i) at[i] += at[i - 1];
  std::vector<DomainRoom> sorted(candidates.size());
  for (const DomainRoom& c : candidates) sorted[at[static_cast<std::size_t>(most - c.room)]++] = c;
  candidates = std::move(sorted);
}

/// How many of the largest are needed; nothing where all are too small.
std::optional<std::size_t> needed(std::span<const DomainRoom> sorted, std::int64_t workers) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum = plus(sum, sorted[i].room);
    if (sum >= workers) return i + 1;
  }
  return std::nullopt;
}

DomainId ancestor(const Topology& topology, DomainId id, std::uint32_t level) {
  while (topology.domain(id).level > level) id = topology.domain(id).parent;
  return id;
}

/// Candidates grouped by an ancestor, the groups in order of first appearance, each in the order it had.
class Parts {
 public:
  Parts(const Topology& topology, const std::vector<DomainRoom>& candidates, std::uint32_t level) {
    constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> part_of(topology.in_order(level).size(), kNone);
    std::vector<std::uint32_t> parts(candidates.size());
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      std::uint32_t& part = part_of[topology.order_of(ancestor(topology, candidates[i].id, level))];
      if (part == kNone) {
        part = static_cast<std::uint32_t>(at.size());
        at.push_back(0);
      }
      parts[i] = part;
      ++at[part];
    }
    begin_.assign(1, 0);
    for (std::size_t& count : at) {
      const std::size_t end = begin_.back() + count;
      count = begin_.back();
      begin_.push_back(end);
    }
    flat_.resize(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) flat_[at[parts[i]]++] = candidates[i];
  }

  [[nodiscard]] std::size_t size() const { return begin_.size() - 1; }
  [[nodiscard]] std::span<const DomainRoom> operator[](std::size_t p) const {
    return {flat_.data() + begin_[p], begin_[p + 1] - begin_[p]};
  }

 private:
  std::vector<DomainRoom> flat_;
  std::vector<std::size_t> begin_;
};

/// A choice of exactly `count` candidates with enough room from the fewest parts: a knapsack. After u parts:
/// most room with k candidates out of m of them.
class Knapsack {
 public:
  Knapsack(const Parts& parts, std::size_t count, std::int64_t workers)
      : parts_(parts), count_(count), width_(count + 1), workers_(workers) {}

  /// Nothing where the table is too large.
  std::optional<std::vector<DomainRoom>> run() {
    constexpr std::size_t kTableLimit = 400'000;
    if (parts_.size() * count_ * count_ > kTableLimit) return std::nullopt;
    add_up();
    // Mostly few parts do, and a table for few is small.
    const std::size_t all = std::min(count_, parts_.size());
    for (std::size_t most = std::min<std::size_t>(2, all);; most = std::min(2 * most, all)) {
      if (auto chosen = out_of(most)) return chosen;
      if (most == all) return std::nullopt;
    }
  }

 private:
  using Table = std::vector<std::int64_t>;
  static constexpr std::int64_t kNo = -1;

  void add_up() {
    gain_.assign(parts_.size() * width_, 0);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      for (std::size_t take = 1; take <= most_of(p); ++take) {
        gain_[p * width_ + take] = plus(gain(p, take - 1), parts_[p][take - 1].room);
      }
    }
  }

  /// Room in the `take` largest candidates of the part.
  [[nodiscard]] std::int64_t gain(std::size_t p, std::size_t take) const { return gain_[p * width_ + take]; }
  [[nodiscard]] std::size_t most_of(std::size_t p) const { return std::min(count_, parts_[p].size()); }

  /// Parts worth a look where at most `most` are used: for each number of candidates the `most` parts that
  /// give most, the first of equals. A choice with another part in it loses nothing by putting one of these
  /// that it does not use in that one's place, so the choice of the whole table is among them.
  [[nodiscard]] std::vector<std::size_t> worth(std::size_t most) const {
    std::vector<char> is_worth(parts_.size(), 0);
    std::vector<std::pair<std::int64_t, std::size_t>> gains;
    for (std::size_t take = 1; take <= count_; ++take) {
      gains.clear();
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        if (take <= most_of(p)) gains.emplace_back(-gain(p, take), p);
      }
      const std::size_t kept = std::min(most, gains.size());
      std::partial_sort(gains.begin(), gains.begin() + static_cast<std::ptrdiff_t>(kept), gains.end());
      for (std::size_t i = 0; i < kept; ++i) is_worth[gains[i].second] = 1;
    }
    std::vector<std::size_t> chosen;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (is_worth[p] != 0) chosen.push_back(p);
    }
    return chosen;
  }

  [[nodiscard]] std::optional<std::vector<DomainRoom>> out_of(std::size_t most) const {
    const std::vector<std::size_t> used = worth(most);
    const std::size_t table = (most + 1) * width_;
    Table after((used.size() + 1) * table, kNo);
    after[0] = 0;
    for (std::size_t u = 0; u < used.size(); ++u) {
      const std::int64_t* before = after.data() + u * table;
      std::int64_t* then = after.data() + (u + 1) * table;
      std::copy(before, before + table, then);
      for (std::size_t take = 1; take <= most_of(used[u]); ++take) {
        for (std::size_t m = 1; m <= most; ++m) {
          for (std::size_t k = take; k < width_; ++k) {
            const std::int64_t rest = before[(m - 1) * width_ + k - take];
            std::int64_t& cell = then[m * width_ + k];
            if (rest != kNo) cell = std::max(cell, plus(rest, gain(used[u], take)));
          }
        }
      }
    }
    for (std::size_t m = 1; m <= most; ++m) {
      if (after[used.size() * table + m * width_ + count_] >= workers_) return trace(used, after, m);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<DomainRoom> trace(const std::vector<std::size_t>& used, const Table& after,
                                              std::size_t m) const {
    const std::size_t table = after.size() / (used.size() + 1);
    std::vector<DomainRoom> chosen;
    std::size_t k = count_;
    for (std::size_t u = used.size(); u > 0; --u) {
      const std::int64_t here = after[u * table + m * width_ + k];
      const std::int64_t* before = after.data() + (u - 1) * table;
      if (before[m * width_ + k] == here) continue;
      const std::size_t p = used[u - 1];
      for (std::size_t take = 1; take <= std::min(k, most_of(p)); ++take) {
        const std::int64_t rest = m > 0 ? before[(m - 1) * width_ + k - take] : kNo;
        if (rest == kNo || plus(rest, gain(p, take)) != here) continue;
        for (std::size_t i = 0; i < take; ++i) chosen.push_back(parts_[p][i]);
        k -= take;
        --m;
        break;
      }
    }
    return chosen;
  }

  const Parts& parts_;
  std::size_t count_;
  std::size_t width_;
  std::int64_t workers_;
  Table gain_;
};

/// Narrow to one domain of each outer level, from the outside in, as long as `count` still suffice there;
/// the first level that must be split decides how.
std::vector<DomainRoom> narrow(const Topology& topology, std::vector<DomainRoom> sorted, std::size_t count,
                               std::int64_t workers) {
  const std::uint32_t level = topology.domain(sorted.front().id).level;
  for (std::uint32_t outer = 0; outer < level; ++outer) {
    const Parts parts(topology, sorted, outer);
    std::optional<std::size_t> best;
    std::int64_t best_room = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const auto enough = needed(parts[p], workers);
      if (!enough || *enough > count) continue;
      std::int64_t room = 0;
      for (const DomainRoom& c : parts[p]) room = plus(room, c.room);
      if (best && room >= best_room) continue;
      best = p;
      best_room = room;
    }
    if (!best) {
      auto chosen = Knapsack(parts, count, workers).run();
      if (!chosen) break;
      sort_by_room(*chosen);
      return std::move(*chosen);
    }
    sorted.assign(parts[*best].begin(), parts[*best].end());
  }
  sorted.resize(count);
  return sorted;
}

}  // namespace

std::vector<DomainRoom> fewest_domains(const Topology& topology, std::vector<DomainRoom> candidates,
                                       std::int64_t workers) {
  std::erase_if(candidates, [](const DomainRoom& c) { return c.room <= 0; });
  if (candidates.empty()) return {};
  sort_by_room(candidates);
  const auto count = needed(candidates, workers);
  if (!count) return {};
  return narrow(topology, std::move(candidates), *count, workers);
}

}  // namespace muster
