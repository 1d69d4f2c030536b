// Any bytes as run.json of a saved run: refused in words, or read; and what was read is written and read back
// as the same.
#include <cstdint>
#include <string_view>

#include "base/check.hpp"
#include "wire/run_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const auto run = read_run_file({reinterpret_cast<const char*>(data), size}, "f");
  if (!run) {
    CHECK(!to_string(run.error()).empty());
    return 0;
  }
  const std::string written = write_run_file(*run);
  const auto again = read_run_file(written, "again");
  CHECK(again.has_value());
  CHECK(write_run_file(*again) == written);
  return 0;
}
