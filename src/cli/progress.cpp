#include "cli/progress.hpp"

#include <cstdio>
#include <unistd.h>
#include <utility>

namespace muster::cli {
namespace {

constexpr std::size_t kCells = 24;
constexpr std::chrono::milliseconds kPause{100};

}  // namespace

Progress::Progress(std::string what) : what_(std::move(what)), on_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(std::size_t done, std::size_t of, const std::string& note) {
  if (!on_ || of == 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (drawn_ && now - last_ < kPause) return;
  last_ = now;
  drawn_ = true;
  const std::size_t full = done * kCells / of;
  const std::string bar = std::string(full, '#') + std::string(kCells - full, '-');
  std::fprintf(stderr, "\r\x1b[K%s [%s] %3zu%%  %s", what_.c_str(), bar.c_str(), done * 100 / of,
               note.c_str());
  std::fflush(stderr);
}

}  // namespace muster::cli
