// A value kept on the heap: copies deeply, compares by value, is never empty except after a move. Keeps
// large members from blowing up every alternative of a variant.
#pragma once

#include <memory>
#include <utility>

namespace muster {

template <class T>
class Box {
 public:
  Box() : value_(std::make_unique<T>()) {}
  Box(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT(google-explicit-constructor)
  Box(const Box& other) : value_(std::make_unique<T>(*other.value_)) {}
  Box(Box&&) noexcept = default;
  Box& operator=(const Box& other) {
    if (this != &other) value_ = std::make_unique<T>(*other.value_);
    return *this;
  }
  Box& operator=(Box&&) noexcept = default;
  ~Box() = default;

  const T& operator*() const { return *value_; }
  T& operator*() { return *value_; }
  const T* operator->() const { return value_.get(); }
  T* operator->() { return value_.get(); }

  friend bool operator==(const Box& a, const Box& b) { return *a.value_ == *b.value_; }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace muster
