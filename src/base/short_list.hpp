// A vector that keeps its first `Inline` elements inside itself, so that short lists never touch the heap.
// Beyond that all elements move to the heap together: the elements are always one array.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace muster {

template <class T, std::size_t Inline>
class ShortList {
 public:
  [[nodiscard]] std::size_t size() const { return far_.empty() ? near_size_ : far_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }

  T* begin() { return far_.empty() ? near_.data() : far_.data(); }
  T* end() { return begin() + size(); }
  [[nodiscard]] const T* begin() const { return far_.empty() ? near_.data() : far_.data(); }
  [[nodiscard]] const T* end() const { return begin() + size(); }

  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }
  T& front() { return begin()[0]; }
  [[nodiscard]] const T& front() const { return begin()[0]; }

  /// Of an element of its own too: growing leaves the inline ones as they are.
  void push_back(const T& value) {
    if (far_.empty()) {
      if (near_size_ < Inline) {
        near_[near_size_++] = value;
        return;
      }
      far_.reserve(2 * Inline);
      far_.assign(near_.begin(), near_.end());
      near_size_ = 0;
    }
    far_.push_back(value);
  }

  /// The elements behind it move up. REQUIRES: i < size().
  void erase(std::size_t i) {
    if (!far_.empty()) {
      far_.erase(far_.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
    for (--near_size_; i < near_size_; ++i) near_[i] = near_[i + 1];
  }

  void clear() {
    far_.clear();
    near_size_ = 0;
  }

 private:
  std::array<T, Inline> near_{};
  std::size_t near_size_ = 0;
  std::vector<T> far_;  ///< holds all of them, or nothing
};

}  // namespace muster
