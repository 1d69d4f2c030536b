#include "base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace muster::detail {

void check_failed(const char* file, int line, const char* text, const std::string& sides) {
  std::fprintf(stderr, "muster: bug: %s:%d: CHECK failed: %s%s\n", file, line, text, sides.c_str());
  std::abort();
}

}  // namespace muster::detail
