// Every message says what is wanted and what was found, cut to a readable length; a hint names the nearest
// word only where it is near enough to be a slip of the keyboard.
#include "wire/yaml/walk.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace muster::yaml {
namespace {

constexpr std::size_t kShown = 48;     // bytes of a value in a message
constexpr std::size_t kListed = 12;    // names in a message
constexpr std::size_t kHintable = 64;  // a longer word is no slip of the keyboard
constexpr std::size_t kCandidates = 20'000;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string_view kind_name(const Tree& node) {
  switch (node.kind) {
    case Kind::Null: return "nothing";
    case Kind::Scalar: return "a single value";
    case Kind::List: return "a list";
    case Kind::Map: return "a map";
  }
  return "";
}

std::string shown(const Tree& node) {
  if (node.kind != Kind::Scalar) return std::string(kind_name(node));
  return (node.quoted ? "the text " : "") + quoted(node.text);
}

std::string decimal(std::int64_t value, std::int64_t scale) {
  std::string text = std::to_string(value / scale);
  if (value < 0 && value / scale == 0) text.insert(0, "-");
  std::int64_t rest = (value < 0 ? -(value % scale) : value % scale);
  if (rest == 0) return text;
  text += ".";
  for (std::int64_t digit = scale / 10; digit > 0 && rest > 0; digit /= 10) {
    text += static_cast<char>('0' + rest / digit);
    rest %= digit;
  }
  return text;
}

}  // namespace

void Problems::add(const Tree& at, Error error) {
  if (first_) return;
  error.where = {.file = file_, .line = at.line, .column = at.column};
  first_ = std::move(error);
}

void Field::only(std::span<const std::string_view> keys) const {
  if (!must_be(Kind::Map, "a map")) return;
  for (std::size_t i = 0; i < tree_->keys.size(); ++i) {
    const Tree& key = tree_->keys[i];
    if (std::find(keys.begin(), keys.end(), key.text) != keys.end()) continue;
    const std::vector<std::string> words(keys.begin(), keys.end());
    std::string hint = did_you_mean(key.text, words);
    if (hint.empty()) hint = "known keys: " + join(words, ", ");
    problems_->add(key,
                   {.where = {}, .field = path_, .message = "unknown key " + quoted(key.text), .hint = hint});
    return;
  }
}

Field Field::operator[](std::string_view key) const {
  std::string path = path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  if (!is(Kind::Map)) return {nullptr, problems_, std::move(path)};
  for (std::size_t i = 0; i < tree_->keys.size(); ++i) {
    if (tree_->keys[i].text == key) return {&tree_->items[i], problems_, std::move(path)};
  }
  return {nullptr, problems_, std::move(path)};
}

Field Field::need(std::string_view key) const {
  Field field = (*this)[key];
  if (*this && field.tree_ == nullptr) {
    problems_->add(*tree_, {.where = {}, .field = field.path_, .message = "is missing", .hint = {}});
  }
  return field;
}

std::vector<Entry> Field::entries() const {
  std::vector<Entry> entries;
  if (!must_be(Kind::Map, "a map")) return entries;
  entries.reserve(tree_->items.size());
  for (std::size_t i = 0; i < tree_->items.size(); ++i) {
    const std::string path = path_ + "." + tree_->keys[i].text.substr(0, kMaxName);
    entries.push_back(
        {.key = Field(&tree_->keys[i], problems_, path), .value = Field(&tree_->items[i], problems_, path)});
  }
  return entries;
}

std::vector<Field> Field::items() const {
  std::vector<Field> fields;
  if (!must_be(Kind::List, "a list")) return fields;
  fields.reserve(tree_->items.size());
  for (std::size_t i = 0; i < tree_->items.size(); ++i) {
    fields.push_back(Field(&tree_->items[i], problems_, path_ + "[" + std::to_string(i) + "]"));
  }
  return fields;
}

std::vector<Field> Field::one_or_more() const {
  if (!*this) return {};
  return is(Kind::List) ? items() : std::vector<Field>{*this};
}

void Field::name(std::string& out) const {
  if (!must_be(Kind::Scalar, "a name")) return;
  const std::string& value = tree_->text;
  if (value.empty()) return problem("an empty name");
  if (value.size() > kMaxName) {
    return problem("the name " + quoted(value) + " is longer than " + std::to_string(kMaxName) + " bytes");
  }
  if (std::any_of(value.begin(), value.end(), is_control)) {
    return problem("the name " + quoted(value) + " has a line break or control character");
  }
  out = value;
}

void Field::text(std::string& out) const {
  if (must_be(Kind::Scalar, "text")) out = tree_->text;
}

void Field::flag(bool& out) const {
  if (!*this) return;
  if (is_word("true") || is_word("false")) {
    out = is_word("true");
  } else {
    wrong_type("true or false");
  }
}

void Field::time(Duration& out) const {
  std::int64_t value = 0;
  scaled(value, {.scale = 1000, .unit = "seconds"}, {.low = 0, .high = kMaxSeconds * 1000});
  if (*this) out = Duration{value};
}

void Field::time(Instant& out) const {
  Duration since_start = out.time_since_epoch();
  time(since_start);
  out = Instant{since_start};
}

void Field::time(std::optional<Duration>& out) const {
  if (!*this) return;
  Duration value{0};
  time(value);
  out = value;
}

void Field::scaled(std::int64_t& out, Scale scale, Bounds bounds) const {
  if (!*this) return;
  const auto value =
      is(Kind::Scalar) && !tree_->quoted ? parse_scaled(tree_->text, scale.scale) : std::nullopt;
  if (value && bounds.low <= *value && *value <= bounds.high) {
    out = *value;
    return;
  }
  const std::string digits = std::to_string(std::to_string(scale.scale).size() - 1);
  wrong_type(std::string(scale.unit) + " from " + decimal(bounds.low, scale.scale) + " to " +
             decimal(bounds.high, scale.scale) + ", at most " + digits + " decimals");
}

std::optional<std::int64_t> Field::whole_in(Bounds bounds) const {
  if (!*this) return std::nullopt;
  const auto value = is(Kind::Scalar) && !tree_->quoted ? parse_int(tree_->text) : std::nullopt;
  if (value && bounds.low <= *value && *value <= bounds.high) return value;
  wrong_type("a whole number from " + std::to_string(bounds.low) + " to " + std::to_string(bounds.high));
  return std::nullopt;
}

std::optional<std::size_t> Field::index_of_word(std::span<const std::string_view> words) const {
  if (!*this) return std::nullopt;
  if (is(Kind::Scalar)) {
    const auto found = std::find(words.begin(), words.end(), tree_->text);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  const std::vector<std::string> known(words.begin(), words.end());
  std::string hint = is(Kind::Scalar) ? did_you_mean(tree_->text, known) : "";
  problem("want one of: " + join(known, ", ") + "; got " + shown(*tree_), std::move(hint));
  return std::nullopt;
}

void Field::problem(std::string message, std::string hint) const {
  if (!*this) return;
  problems_->add(*tree_,
                 {.where = {}, .field = path_, .message = std::move(message), .hint = std::move(hint)});
}

void Field::wrong_type(std::string_view wanted) const {
  if (!*this) return;
  std::string hint;
  if (tree_->kind == Kind::Null) hint = "give a value or leave the key out";
  const bool is_text = tree_->kind == Kind::Scalar && tree_->quoted;
  if (is_text && wanted != "a list" && wanted != "a map") hint = "write it without quotes";
  problem("want " + std::string(wanted) + "; got " + shown(*tree_), std::move(hint));
}

void Field::no_such(std::string_view what, std::span<const std::string> words) const {
  if (!*this) return;
  std::string hint = did_you_mean(tree_->text, words);
  if (!hint.empty()) hint += "; ";
  hint += words.empty() ? "there is no " + std::string(what) : "known: " + listed(words);
  problem("unknown " + std::string(what) + " " + quoted(tree_->text), std::move(hint));
}

bool Field::must_be(Kind kind, std::string_view wanted) const {
  if (!*this) return false;
  if (tree_->kind == kind) return true;
  wrong_type(wanted);
  return false;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text.substr(0, kShown)) out += is_control(c) ? ' ' : c;
  if (text.size() > kShown) {
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0x80) != 0)
      out.pop_back();  // whole letters
    out += "...";
  }
  return out + "\"";
}

std::string listed(std::span<const std::string> words) {
  const std::span<const std::string> first = words.first(std::min(words.size(), kListed));
  return join(first, ", ") + (words.size() > kListed ? ", ..." : "");
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  if (word.size() > kHintable) return "";
  const auto near = nearest(word, candidates.first(std::min(candidates.size(), kCandidates)));
  return near ? "did you mean " + quoted(*near) + "?" : "";
}

}  // namespace muster::yaml
