// Subcommands. Each `add_*` declares its flags and, when chosen, runs and sets the exit code.
#pragma once

namespace CLI {
class App;
}

namespace muster::cli {

inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kNotFound = 3;
inline constexpr int kInvalid = 6;

void add_check(CLI::App& sim, int& exit_code);

}  // namespace muster::cli
