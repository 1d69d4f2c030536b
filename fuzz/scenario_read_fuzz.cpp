// Any bytes at all as a scenario file: reading ends with a scenario or with an error that says something,
// never with a crash, a leak or an unbounded use of memory.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "wire/scenario.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto scenario = muster::scenario::read({reinterpret_cast<const char*>(data), size}, "fuzz.yaml");
  if (!scenario) {
    if (scenario.error().message.empty()) std::abort();
    return 0;
  }
  for (const auto& job : scenario->jobs) {
    if (job.spec.name.empty() || job.spec.roles.empty()) std::abort();
  }
  for (const auto& check : scenario->expect) {
    if (check.line < 1 || check.text.empty()) std::abort();
  }
  return 0;
}
