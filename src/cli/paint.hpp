// How to draw on this terminal: colours or not, letters beyond ASCII or not, how wide. Colour never carries
// meaning alone: there is always a word or a sign too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace muster::cli {

enum class Tint : std::uint8_t { None, Bold, Dim, Good, Warn, Bad, Accent };
enum class Colour : std::uint8_t { Auto, Always, Never };
enum class Letters : std::uint8_t { Unicode, Ascii };

struct Paint {
  bool colours = false;
  Letters letters = Letters::Unicode;
  std::size_t width = kUnbounded;  ///< of the terminal; unbounded where stdout is none

  static constexpr std::size_t kUnbounded = 100'000;

  [[nodiscard]] std::string operator()(Tint tint, std::string_view text) const;
  [[nodiscard]] std::string_view ellipsis() const { return letters == Letters::Ascii ? "~" : "…"; }
};

/// For stdout, by NO_COLOR, CLICOLOR_FORCE, TERM=dumb and the flags; flags win.
Paint paint_for_stdout(Colour colour, Letters letters);

/// Letters, not bytes: what a terminal shows of UTF-8 text.
std::size_t letters_in(std::string_view text);

}  // namespace muster::cli
