// A progress line on stderr, only where stderr is a terminal; redrawn at most ten times a second and wiped
// at the end, so that nothing of it ends up in a log.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace muster::cli {

class Progress {
 public:
  explicit Progress(std::string what);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void show(std::size_t done, std::size_t of, const std::string& note);

 private:
  std::string what_;
  bool on_ = false;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace muster::cli
