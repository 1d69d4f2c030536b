// Any bytes as the short texts of flags and fields: sizes, durations, patterns of names, switches of a
// policy, lists of machines. What is accepted keeps what its reader promises, and what is printed can be
// given back.
#include <cstdint>
#include <string>

#include "base/check.hpp"
#include "sim/knobs_text.hpp"
#include "trace/philly_json.hpp"
#include "wire/cluster.hpp"
#include "wire/units.hpp"

namespace {

using namespace muster;

void check_amounts(const std::string& text) {
  if (const auto bytes = parse_size(text)) CHECK_GE(*bytes, 0);
  if (const auto duration = parse_duration(text)) {
    CHECK(*duration >= Duration{0});
    CHECK(parse_duration(exact_duration(*duration)) == duration);
  }
}

void check_names(const std::string& text) {
  constexpr std::size_t most = 1000;
  if (const auto names = expand_names(text, most)) {
    CHECK(!names->empty());
    CHECK_LE(names->size(), most);
  }
}

void check_setting(const std::string& text) {
  Knobs knobs;
  if (const auto set = set_knob(knobs, text); !set) CHECK(!to_string(set.error()).empty());
  Knobs copy;
  for (const auto& [name, value] : describe(knobs)) CHECK(set_knob(copy, name + "=" + value).has_value());
  CHECK(describe(copy) == describe(knobs));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  check_amounts(text);
  check_names(text);
  check_setting(text);
  (void)read_philly_machines(text, "f");
  return 0;
}
