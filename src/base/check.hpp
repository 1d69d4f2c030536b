// CHECK: always on, for bugs of ours only. Prints what was compared and aborts; a refusal or bad input
// never comes here (see result.hpp).
#pragma once

#include <sstream>
#include <string>

namespace muster::detail {

[[noreturn]] void check_failed(const char* file, int line, const char* text, const std::string& sides);

template <class A, class B>
[[noreturn]] void check_failed_sides(const char* file, int line, const char* text, const A& a, const B& b) {
  std::ostringstream out;
  out << " (" << a << " vs " << b << ")";
  check_failed(file, line, text, out.str());
}

}  // namespace muster::detail

// NOLINTBEGIN(cppcoreguidelines-macro-usage): only a macro can print the text of the condition
#define CHECK(condition)                                                  \
  do {                                                                    \
    if (!(condition)) [[unlikely]]                                        \
      ::muster::detail::check_failed(__FILE__, __LINE__, #condition, ""); \
  } while (false)

#define CHECK_OP(op, left, right)                                                                  \
  do {                                                                                             \
    const auto& muster_l = (left);                                                                 \
    const auto& muster_r = (right);                                                                \
    if (!(muster_l op muster_r)) [[unlikely]]                                                      \
      ::muster::detail::check_failed_sides(__FILE__, __LINE__, #left " " #op " " #right, muster_l, \
                                           muster_r);                                              \
  } while (false)

#define CHECK_EQ(left, right) CHECK_OP(==, left, right)
#define CHECK_LE(left, right) CHECK_OP(<=, left, right)
#define CHECK_GE(left, right) CHECK_OP(>=, left, right)
// NOLINTEND(cppcoreguidelines-macro-usage)
