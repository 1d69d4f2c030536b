#include "cli/paint.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.hpp"

namespace muster::cli {
namespace {

std::string_view code_of(Tint tint) {
  switch (tint) {
    case Tint::None: return "";
    case Tint::Bold: return "1";
    case Tint::Dim: return "2";
    case Tint::Good: return "32";
    case Tint::Warn: return "33";
    case Tint::Bad: return "31";
    case Tint::Accent: return "36";
  }
  return "";
}

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool wants_colours() {
  if (is_set("NO_COLOR")) return false;
  if (is_set("CLICOLOR_FORCE")) return true;
  const char* term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::size_t terminal_width() {
  if (isatty(STDOUT_FILENO) != 1) return Paint::kUnbounded;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

std::string Paint::operator()(Tint tint, std::string_view text) const {
  if (!colours || tint == Tint::None || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code_of(tint)) + "m" + std::string(text) + "\x1b[0m";
}

Paint paint_for_stdout(Colour colour, Letters letters) {
  Paint paint{.colours = colour == Colour::Always, .letters = letters, .width = terminal_width()};
  if (colour == Colour::Auto) paint.colours = wants_colours();
  return paint;
}

std::size_t letters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

}  // namespace muster::cli
