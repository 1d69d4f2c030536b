// One line of the table, and how a row gets there: every row runs in a process of its own, with a limit on
// CPU time, so that a row which takes too long, stops or eats memory costs only itself and is reported.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace muster::bench {

struct Line {
  std::string row;
  std::string measure;
  std::string conditions;
  std::string figure;  ///< median of the rounds
  std::string spread;  ///< least and most, or quantiles
  std::string bar;
  std::string verdict;  ///< "met", "missed", or "-" where the bar is for other conditions or there is none
  std::string digest;   ///< of the measured steps' records
};

inline constexpr const char* kNoVerdict = "-";
/// Instead of a digest: fewer steps than meant were taken, and how many depends on the machine.
inline constexpr const char* kCutShort = "cut short";
const char* at_most(double value, double bar);
const char* at_least(double value, double bar);

/// What a row writes to from inside its process.
class Out {
 public:
  Out(int file, char* stage) : file_(file), stage_(stage) {}
  void line(const Line& line) const;
  /// What it is doing: the last words, should the limit end it.
  void stage(const std::string& text) const;

 private:
  int file_;
  char* stage_;
};

struct Apart {
  Line otherwise;  ///< printed, with what was going on, if the process does not reach its end
  unsigned limit_seconds = 120;
  std::function<void(const Out&)> work;
};
std::vector<Line> run_apart(const Apart& apart);

enum class Format : std::uint8_t { Text, Markdown };
std::string table_text(const std::vector<Line>& lines, Format format);

}  // namespace muster::bench
