// A10: resident memory of a process that holds an engine with 100,000 nodes and a million jobs, filled as a
// server would be, its log written away. It is the whole process: code, allocator and what loading left
// behind.
#include <malloc.h>

#include "measure.hpp"
#include "rows.hpp"

namespace muster::bench {
namespace {

constexpr std::uint64_t kBar = std::uint64_t{1} << 30;

}  // namespace

Line a10_line() {
  Line line;
  line.row = "A10";
  line.measure = "resident memory";
  line.conditions = "100,000 nodes, 1,000,000 jobs";
  line.bar = mebibytes(kBar);
  line.verdict = "missed";
  return line;
}

void a10_memory(const WorldSpec& spec, const Out& out) {
  out.stage("filling the cluster");
  const std::uint64_t before = memory_of_process("VmRSS");
  Engine engine(knobs_of(Rules::Reduced));
  fill(engine, spec, nullptr);
  const std::uint64_t resident = memory_of_process("VmRSS");
  malloc_trim(0);
  std::size_t workers = 0;
  for (const JobId id : engine.state().running) workers += engine.state().job(id).seats.size();
  Line line = a10_line();
  line.conditions = conditions_of(engine.state()) + ", " + grouped(workers) + " seats; at the start " +
                    mebibytes(before) + ", after giving back what is free " +
                    mebibytes(memory_of_process("VmRSS"));
  line.figure = mebibytes(resident);
  line.spread = "peak " + mebibytes(memory_of_process("VmHWM"));
  line.digest = "-";
  const bool counts = spec.nodes >= 100'000 && spec.jobs >= 1'000'000;
  line.verdict = counts ? at_most(static_cast<double>(resident), static_cast<double>(kBar)) : kNoVerdict;
  out.line(line);
}

}  // namespace muster::bench
