// A small map from 32-bit keys to 32-bit values by open addressing. It offers no iteration, so nothing
// can come to depend on hash order. The first few keys stay inside the map itself and are found by a walk:
// most maps of a draft never hold more, and must not touch the heap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace muster {

class FlatMap {
 public:
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t key) const {
    if (slots_.empty()) {
      for (std::size_t i = 0; i < size_; ++i) {
        if (near_[i].key == key) return near_[i].value;
      }
      return std::nullopt;
    }
    for (std::size_t i = home(key);; i = (i + 1) & mask()) {
      if (slots_[i].key == key) return slots_[i].value;
      if (slots_[i].key == kFree) return std::nullopt;
    }
  }

  /// REQUIRES: `key` is not there yet and is not the largest 32-bit number.
  void insert(std::uint32_t key, std::uint32_t value) {
    if (slots_.empty() && size_ < near_.size()) {
      near_[size_++] = {key, value};
      return;
    }
    reserve(size_ + 1);
    place(key, value);
    ++size_;
  }

  /// Make room for so many keys at once.
  void reserve(std::size_t keys) {
    if (keys <= near_.size() || keys * 2 <= slots_.size()) return;
    std::size_t wanted = slots_.empty() ? 32 : slots_.size() * 2;
    while (keys * 2 > wanted) wanted *= 2;
    std::vector<Slot> old(wanted);
    old.swap(slots_);
    if (old.empty()) {
      for (std::size_t i = 0; i < size_; ++i) place(near_[i].key, near_[i].value);
    }
    for (const Slot& slot : old) {
      if (slot.key != kFree) place(slot.key, slot.value);
    }
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

  std::array<Slot, 8> near_{};
  std::vector<Slot> slots_;  ///< holds all of them, or nothing
  std::size_t size_ = 0;
};

}  // namespace muster
