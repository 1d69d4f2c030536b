// Any bytes as a small world with any switches and a sequence of events, sensible or not. Whatever comes,
// the engine must come to rest, its accounts must add up after every step, and nobody may sit on a device
// twice. Shares the reading of bytes with tests/property_test.cpp, so a finding there is an input here.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>

#include "../tests/random_run.hpp"
#include "base/check.hpp"
#include "core/audit.hpp"

namespace {

constexpr std::size_t kMostBytes = 1500;  // longer runs find the same, later

void check(const muster::Seen& seen) {
  const auto differences = muster::audit(seen.engine.state());
  for (const std::string& difference : differences) std::fprintf(stderr, "%s\n", difference.c_str());
  CHECK(differences.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > kMostBytes) return -1;
  muster::RandomRun run({data, size}, {.watch = check});
  const bool rests = run.play();
  CHECK(rests);
  return 0;
}
