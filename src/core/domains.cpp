#include "core/domains.hpp"

#include <algorithm>
#include <optional>

namespace muster {
namespace {

struct Candidate {
  DomainId id;
  std::int64_t room = 0;
};

/// Candidates with room, largest first, ties by id.
std::vector<Candidate> by_room(const std::vector<Candidate>& all) {
  std::vector<Candidate> sorted;
  for (const Candidate& c : all) {
    if (c.room > 0) sorted.push_back(c);
  }
  std::sort(sorted.begin(), sorted.end(), [](const Candidate& a, const Candidate& b) {
    return a.room != b.room ? a.room > b.room : a.id < b.id;
  });
  return sorted;
}

/// How many of the largest are needed; nothing where all are too small.
std::optional<std::size_t> needed(const std::vector<Candidate>& sorted, std::int64_t workers) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum = std::min<std::int64_t>(sum + sorted[i].room, INT64_MAX / 4);
    if (sum >= workers) return i + 1;
  }
  return std::nullopt;
}

DomainId ancestor(const Topology& topology, DomainId id, std::uint32_t level) {
  while (topology.domain(id).level > level) id = topology.domain(id).parent;
  return id;
}

/// The candidates split by their ancestor at `level`, in order of first appearance.
std::vector<std::vector<Candidate>> split_by(const Topology& topology,
                                             const std::vector<Candidate>& candidates, std::uint32_t level) {
  std::vector<DomainId> keys;
  std::vector<std::vector<Candidate>> parts;
  for (const Candidate& c : candidates) {
    const DomainId key = ancestor(topology, c.id, level);
    std::size_t p = 0;
    while (p < keys.size() && keys[p] != key) ++p;
    if (p == keys.size()) {
      keys.push_back(key);
      parts.emplace_back();
    }
    parts[p].push_back(c);
  }
  return parts;
}

/// Chooses exactly `count` candidates with enough room from as few parts as possible: a knapsack over
/// parts, best[m][k] = most room with k candidates out of m parts. Nothing where the table is too large.
std::optional<std::vector<Candidate>> from_fewest_parts(const std::vector<std::vector<Candidate>>& parts,
                                                        std::size_t count, std::int64_t workers) {
  constexpr std::size_t kTableLimit = 400'000;
  if (parts.size() * count * count > kTableLimit) return std::nullopt;
  constexpr std::int64_t kNo = -1;
  const std::size_t width = count + 1;
  using Table = std::vector<std::int64_t>;
  std::vector<Table> after(parts.size() + 1, Table(width * width, kNo));
  after[0][0] = 0;
  const auto prefix = [&](std::size_t p, std::size_t take) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < take; ++i)
      sum = std::min<std::int64_t>(sum + parts[p][i].room, INT64_MAX / 4);
    return sum;
  };
  for (std::size_t p = 0; p < parts.size(); ++p) {
    after[p + 1] = after[p];
    for (std::size_t take = 1; take <= std::min(count, parts[p].size()); ++take) {
      const std::int64_t gain = prefix(p, take);
      for (std::size_t m = 1; m < width; ++m) {
        for (std::size_t k = take; k < width; ++k) {
          const std::int64_t before = after[p][(m - 1) * width + k - take];
          if (before == kNo) continue;
          auto& cell = after[p + 1][m * width + k];
          cell = std::max(cell, std::min<std::int64_t>(before + gain, INT64_MAX / 4));
        }
      }
    }
  }
  std::size_t m = 1;
  while (m < width && after[parts.size()][m * width + count] < workers) ++m;
  if (m == width) return std::nullopt;
  std::vector<Candidate> chosen;
  std::size_t k = count;
  for (std::size_t p = parts.size(); p > 0; --p) {
    const std::int64_t here = after[p][m * width + k];
    if (after[p - 1][m * width + k] == here) continue;
    for (std::size_t take = 1; take <= std::min(k, parts[p - 1].size()); ++take) {
      const std::int64_t before = m > 0 ? after[p - 1][(m - 1) * width + k - take] : kNo;
      if (before == kNo || std::min<std::int64_t>(before + prefix(p - 1, take), INT64_MAX / 4) != here)
        continue;
      for (std::size_t i = 0; i < take; ++i) chosen.push_back(parts[p - 1][i]);
      k -= take;
      --m;
      break;
    }
  }
  return chosen;
}

/// Narrow to one domain of each outer level, from the outside in, as long as `count` still suffice there;
/// the first level that must be split decides how.
std::vector<Candidate> narrow(const Topology& topology, std::uint32_t level, std::vector<Candidate> sorted,
                              std::size_t count, std::int64_t workers) {
  for (std::uint32_t outer = 0; outer < level; ++outer) {
    const auto parts = split_by(topology, sorted, outer);
    const std::vector<Candidate>* best = nullptr;
    std::int64_t best_room = 0;
    for (const auto& part : parts) {
      const auto enough = needed(part, workers);
      if (!enough || *enough > count) continue;
      std::int64_t room = 0;
      for (const Candidate& c : part) room = std::min<std::int64_t>(room + c.room, INT64_MAX / 4);
      if (best == nullptr || room < best_room) {
        best = &part;
        best_room = room;
      }
    }
    if (best == nullptr) {
      auto chosen = from_fewest_parts(parts, count, workers);
      if (chosen) return by_room(*chosen);
      break;
    }
    std::vector<Candidate> inside = *best;
    sorted = std::move(inside);
  }
  sorted.resize(count);
  return sorted;
}

}  // namespace

std::vector<DomainId> fewest_domains(const Topology& topology, std::uint32_t level,
                                     const std::vector<std::int64_t>& room, std::int64_t workers) {
  const auto domains = topology.at_level(level);
  std::vector<Candidate> all;
  for (std::size_t d = 0; d < domains.size(); ++d) all.push_back({.id = domains[d], .room = room[d]});
  const std::vector<Candidate> sorted = by_room(all);
  const auto count = needed(sorted, workers);
  if (!count) return {};
  std::vector<DomainId> chosen;
  for (const Candidate& c : narrow(topology, level, sorted, *count, workers)) chosen.push_back(c.id);
  return chosen;
}

}  // namespace muster
