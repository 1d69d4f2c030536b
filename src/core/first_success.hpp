// Tries candidates from the best on until one succeeds. The first is mostly good enough, so only what
// follows a failure is sorted.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

namespace muster {

/// REQUIRES: `less` is a strict order without ties.
template <class T, class Less, class Try>
bool first_success(std::vector<T>& candidates, const Less& less, const Try& attempt) {
  if (candidates.empty()) return false;
  std::iter_swap(candidates.begin(), std::min_element(candidates.begin(), candidates.end(), less));
  if (attempt(candidates.front())) return true;
  std::sort(std::next(candidates.begin()), candidates.end(), less);
  return std::any_of(std::next(candidates.begin()), candidates.end(), attempt);
}

}  // namespace muster
