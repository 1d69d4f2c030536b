// Subcommands. Each `add_*` declares its flags and, when chosen, runs and sets the exit code.
#pragma once

#include "cli/paint.hpp"

namespace CLI {
class App;
}

namespace muster {
struct Error;
}

namespace muster::cli {

inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kNotFound = 3;
inline constexpr int kInvalid = 6;

/// Flags that every command takes.
struct Common {
  Colour colour = Colour::Auto;
  Letters letters = Letters::Unicode;
  bool quiet = false;  ///< no progress, notes or hints on stderr

  [[nodiscard]] Paint paint() const { return paint_for_stdout(colour, letters); }
};

/// "muster: ..." on stderr, the hint on its own line. Returns `code`.
int complain(const Error& error, int code);
/// A remark on stderr, unless --quiet.
void remark(const Common& common, const char* text);

void add_check(CLI::App& sim, int& exit_code);
void add_run(CLI::App& sim, const Common& common, int& exit_code);
void add_compare(CLI::App& sim, const Common& common, int& exit_code);
void add_synth(CLI::App& sim, const Common& common, int& exit_code);
void add_gantt(CLI::App& sim, const Common& common, int& exit_code);
void add_demo(CLI::App& sim, const Common& common, int& exit_code);
void add_why(CLI::App& app, const Common& common, int& exit_code);

}  // namespace muster::cli
