// Names with ranges: "s[1-2]-r[01-20]" is s1-r01 .. s2-r20. Digits keep their width. The product of all
// ranges is bounded before anything is written out.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "wire/cluster.hpp"

namespace muster {
namespace {

constexpr std::string_view kHint = R"(for example "r[01-20]-n[1,3,5-8]")";
constexpr std::size_t kMostDigits = 9;

tl::unexpected<Error> bad(std::string_view pattern, const std::string& what) {
  return fail({.where = {},
               .field = {},
               .message = "the pattern \"" + std::string(pattern.substr(0, 60)) + "\" " + what,
               .hint = std::string(kHint)});
}

std::string padded(std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits;
}

/// "01-20" or "7"; false where it is neither or grows beyond `most`.
bool expand_range(std::string_view range, std::size_t most, std::vector<std::string>& out) {
  const auto dash = range.find('-');
  const std::string_view low_text = range.substr(0, dash);
  const std::string_view high_text = dash == std::string_view::npos ? low_text : range.substr(dash + 1);
  const auto low = parse_int(low_text);
  const auto high = parse_int(high_text);
  if (!low || !high || *low < 0 || *high < *low) return false;
  if (low_text.size() > kMostDigits || high_text.size() > kMostDigits) return false;
  if (static_cast<std::size_t>(*high - *low) >= most) return false;
  for (std::int64_t number = *low; number <= *high; ++number) out.push_back(padded(number, low_text.size()));
  return true;
}

/// Plain text, and what may stand in the bracket that ends it: one empty choice where there is none.
struct Part {
  std::string_view plain;
  std::vector<std::string> choices;
};

/// The ranges between two brackets.
Result<std::vector<std::string>> expand_ranges(std::string_view ranges, std::string_view pattern,
                                               std::size_t most) {
  std::vector<std::string> choices;
  for (const std::string_view range : split(ranges, ',')) {
    if (expand_range(trim(range), most, choices)) continue;
    return bad(pattern, "has the range \"" + std::string(range.substr(0, 30)) +
                            "\", which is no range of whole numbers or too long");
  }
  return choices;
}

/// Takes the next part off `left`, which is what follows of `pattern`.
Result<Part> take_part(std::string_view& left, std::string_view pattern, std::size_t most) {
  const auto open = left.find('[');
  Part part{.plain = left.substr(0, open), .choices = {}};
  if (part.plain.find(']') != std::string_view::npos)
    return bad(pattern, "closes a bracket that is not open");
  if (open == std::string_view::npos) {
    part.choices.emplace_back();
    left = {};
    return part;
  }
  const auto close = left.find(']', open);
  if (close == std::string_view::npos) return bad(pattern, "has an open bracket");
  auto choices = expand_ranges(left.substr(open + 1, close - open - 1), pattern, most);
  if (!choices) return fail(std::move(choices.error()));
  part.choices = std::move(*choices);
  left.remove_prefix(close + 1);
  return part;
}

}  // namespace

Result<std::vector<std::string>> expand_names(std::string_view pattern, std::size_t most) {
  std::vector<std::string> names{""};
  std::string_view left = pattern;
  while (!left.empty()) {
    const auto part = take_part(left, pattern, most);
    if (!part) return fail(part.error());
    if (names.size() > most / std::max<std::size_t>(1, part->choices.size())) {
      return bad(pattern, "stands for more than " + std::to_string(most) + " names");
    }
    std::vector<std::string> longer;
    longer.reserve(names.size() * part->choices.size());
    for (std::string& name : names) {
      name += part->plain;
      for (const std::string& choice : part->choices) longer.emplace_back(name) += choice;
    }
    names = std::move(longer);
  }
  return names;
}

}  // namespace muster
