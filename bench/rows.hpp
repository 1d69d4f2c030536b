// The rows of the table, one a file. Each is a function that writes its lines to an Out; which process it
// runs in, and on which world, is table.cpp's business.
#pragma once

#include <cstdint>
#include <string>

#include "report.hpp"
#include "steady.hpp"
#include "world.hpp"

namespace muster::bench {

/// How much a row may do.
struct Effort {
  std::size_t steps = 20'000;  ///< of a round; five rounds
  double seconds = 10;  ///< of CPU, for what one line measures; a round that reaches its fifth is cut short
};

struct Variant {
  Rules rules = Rules::Full;
  Pace pace = Pace::Millisecond;
};

/// What a line says when its process does not reach the end.
Line a1_line(const WorldSpec& spec, std::size_t pending, const Variant& variant);
void a1_decisions(const World& world, const Variant& variant, const Effort& effort, const Out& out);

Line a2_line();
void a2_gang(std::size_t nodes, const Effort& effort, const Out& out);

Line a3_line(const WorldSpec& spec, std::size_t pending, Rules rules);
void a3_release(const World& world, Rules rules, const Effort& effort, const Out& out);

Line a4_line(const std::string& recipe);
Line a4_conservative();
void a4_easy(const World& world, const std::string& recipe, const Effort& effort, const Out& out);

Line a5_line();
void a5_victims(std::size_t nodes, const Effort& effort, const Out& out);

Line a6_line();
void a6_openb(const std::string& folder, std::size_t clones, const Effort& effort, const Out& out);

Line a9_line();
void a9_restart(const World& world, const Effort& effort, const Out& out);

Line a10_line();
void a10_memory(const WorldSpec& spec, const Out& out);

/// "1,000 nodes, 1,000,000 waiting, 1,200 running, load 97 %".
std::string conditions_of(const State& state);

}  // namespace muster::bench
