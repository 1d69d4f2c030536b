#include "report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.hpp"
#include "base/text.hpp"

namespace muster::bench {
namespace {

constexpr std::size_t kStage = 160;
constexpr std::size_t kCells = 8;
using Cells = std::array<std::string, kCells>;

Cells cells_of(const Line& line) {
  return {line.row,    line.measure, line.conditions, line.figure,
          line.spread, line.bar,     line.verdict,    line.digest};
}

std::vector<Line> lines_of(const std::string& text) {
  std::vector<Line> lines;
  for (const std::string_view row : split(text, '\n')) {
    const auto cells = split(row, '\t');
    if (cells.size() != kCells) continue;
    std::array<std::string, kCells> c;
    std::copy(cells.begin(), cells.end(), c.begin());
    lines.push_back({.row = c[0],
                     .measure = c[1],
                     .conditions = c[2],
                     .figure = c[3],
                     .spread = c[4],
                     .bar = c[5],
                     .verdict = c[6],
                     .digest = c[7]});
  }
  return lines;
}

/// CPU seconds of another process; 0 where it is gone.
double cpu_of(pid_t process) {
  clockid_t clock{};
  timespec t{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
  return static_cast<double>(t.tv_sec);
}

/// What the process writes until it ends, or is ended for its use of CPU. Asked from here: a limit of the
/// kernel (RLIMIT_CPU) makes the process's CPU clock advance in whole ticks of milliseconds.
std::string read_until_end(int file, pid_t process, unsigned limit, bool& ended) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    pollfd ready{.fd = file, .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, 1000) == 0) {
      if (cpu_of(process) < limit) continue;
      ended = true;
      kill(process, SIGKILL);
      return text;
    }
    const ssize_t got = read(file, buffer.data(), buffer.size());
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

/// What became of a process that did not end by itself; empty where it did.
std::string fate_of(int status) {
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  return code == 0 ? std::string() : "exit code " + std::to_string(code);
}

}  // namespace

const char* at_most(double value, double bar) { return value <= bar ? "met" : "missed"; }
const char* at_least(double value, double bar) { return value >= bar ? "met" : "missed"; }

void Out::line(const Line& line) const {
  std::string text;
  for (const std::string& cell : cells_of(line)) text += (text.empty() ? "" : "\t") + cell;
  text += '\n';
  CHECK(write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

void Out::stage(const std::string& text) const {
  std::memset(stage_, 0, kStage);
  std::memcpy(stage_, text.data(), std::min(text.size(), kStage - 1));
}

std::vector<Line> run_apart(const Apart& apart) {
  std::array<int, 2> ends{};
  CHECK(pipe(ends.data()) == 0);
  void* shared = mmap(nullptr, kStage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  auto* stage = static_cast<char*>(shared);
  std::fflush(nullptr);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    apart.work(Out(ends[1], stage));
    // No destructors: taking a world apart would only take time.
    std::fflush(nullptr);
    _exit(0);
  }
  close(ends[1]);
  bool over = false;
  std::vector<Line> lines = lines_of(read_until_end(ends[0], child, apart.limit_seconds, over));
  close(ends[0]);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  const std::string fate =
      over ? "over " + std::to_string(apart.limit_seconds) + " s of CPU" : fate_of(status);
  if (!fate.empty()) {
    Line line = apart.otherwise;
    line.conditions += (line.conditions.empty() ? "in: " : "; in: ") + std::string(stage);
    line.figure = fate;
    line.spread = line.digest = "-";
    lines.push_back(line);
  }
  munmap(shared, kStage);
  return lines;
}

std::string table_text(const std::vector<Line>& lines, Format format) {
  std::vector<Cells> rows;
  rows.push_back({"id", "measure", "conditions", "median", "spread", "bar", "met", "digest"});
  for (const Line& line : lines) rows.push_back(cells_of(line));
  if (format == Format::Markdown) {
    std::string text;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      text += "|";
      for (const std::string& cell : rows[r]) text += " " + cell + " |";
      text += r == 0 ? "\n| --- | --- | --- | ---: | --- | ---: | --- | --- |\n" : "\n";
    }
    return text;
  }
  std::array<std::size_t, kCells> widths{};
  for (const Cells& row : rows) {
    for (std::size_t c = 0; c < kCells; ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string out;
    for (std::size_t c = 0; c < kCells; ++c) out += row[c] + std::string(widths[c] - row[c].size() + 2, ' ');
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + "\n";
  }
  return text;
}

}  // namespace muster::bench
