// A set of small integers with "first member at or after i" in a few word reads: one bit per number and,
// above it, one bit per non-empty word. Insert and erase are O(1).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster {

class BitIndex {
 public:
  static constexpr std::size_t kEnd = static_cast<std::size_t>(-1);

  BitIndex() = default;
  explicit BitIndex(std::size_t capacity) : words_(capacity / 64 + 1), summary_(words_.size() / 64 + 1) {}

  void insert(std::size_t i) {
    std::uint64_t& word = words_[i / 64];
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    size_ += (word & bit) == 0 ? 1 : 0;
    word |= bit;
    summary_[i / 4096] |= std::uint64_t{1} << (i / 64 % 64);
  }

  void erase(std::size_t i) {
    std::uint64_t& word = words_[i / 64];
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    size_ -= (word & bit) != 0 ? 1 : 0;
    word &= ~bit;
    if (word == 0) summary_[i / 4096] &= ~(std::uint64_t{1} << (i / 64 % 64));
  }

  [[nodiscard]] bool contains(std::size_t i) const { return ((words_[i / 64] >> (i % 64)) & 1U) != 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  /// Smallest member >= i, or kEnd.
  [[nodiscard]] std::size_t next(std::size_t i) const {
    std::size_t w = i / 64;
    if (w >= words_.size()) return kEnd;
    const std::uint64_t rest = words_[w] >> (i % 64);
    if (rest != 0) return i + static_cast<std::size_t>(std::countr_zero(rest));
    w = next_word(w + 1);
    if (w == kEnd) return kEnd;
    return w * 64 + static_cast<std::size_t>(std::countr_zero(words_[w]));
  }

 private:
  [[nodiscard]] std::size_t next_word(std::size_t w) const {
    std::size_t s = w / 64;
    if (s >= summary_.size()) return kEnd;
    std::uint64_t rest = summary_[s] >> (w % 64) << (w % 64);
    while (rest == 0) {
      if (++s >= summary_.size()) return kEnd;
      rest = summary_[s];
    }
    return s * 64 + static_cast<std::size_t>(std::countr_zero(rest));
  }

  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> summary_;
  std::size_t size_ = 0;
};

}  // namespace muster
