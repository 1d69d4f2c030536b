// A small map from 32-bit keys to 32-bit values by open addressing. It offers no iteration, so nothing
// can come to depend on hash order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace muster {

class FlatMap {
 public:
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t key) const {
    if (slots_.empty()) return std::nullopt;
    for (std::size_t i = home(key);; i = (i + 1) & mask()) {
      if (slots_[i].key == key) return slots_[i].value;
      if (slots_[i].key == kFree) return std::nullopt;
    }
  }

  /// REQUIRES: `key` is not there yet and is not the largest 32-bit number.
  void insert(std::uint32_t key, std::uint32_t value) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    place(key, value);
    ++size_;
  }

  void clear() {
    slots_.clear();
    size_ = 0;
  }

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;
  struct Slot {
    std::uint32_t key = kFree;
    std::uint32_t value = 0;
  };

  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  [[nodiscard]] std::size_t home(std::uint32_t key) const { return (key * 0x9e3779b1U) & mask(); }

  void place(std::uint32_t key, std::uint32_t value) {
    std::size_t i = home(key);
    while (slots_[i].key != kFree) i = (i + 1) & mask();
    slots_[i] = {key, value};
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.key != kFree) place(slot.key, slot.value);
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace muster
