#include "trace/json_pull.hpp"

#include <algorithm>
#include <limits>

namespace muster {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_utf8(std::string& out, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0 | (point >> 6));
    put(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    put(0xE0 | (point >> 12));
    put(0x80 | ((point >> 6) & 0x3F));
    put(0x80 | (point & 0x3F));
  } else {
    put(0xF0 | (point >> 18));
    put(0x80 | ((point >> 12) & 0x3F));
    put(0x80 | ((point >> 6) & 0x3F));
    put(0x80 | (point & 0x3F));
  }
}

/// Four hex digits that were checked before.
std::uint32_t unit_at(std::string_view text, std::size_t at) {
  std::uint32_t unit = 0;
  for (std::size_t i = at; i < at + 4; ++i) unit = unit * 16 + static_cast<std::uint32_t>(hex_digit(text[i]));
  return unit;
}

constexpr bool is_high(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool is_low(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

}  // namespace

std::string JsonToken::value() const {
  if (!escaped) return std::string(text);
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
    } else if (text[++i] != 'u') {
      out += meant[letters.find(text[i])];
    } else {
      std::uint32_t point = unit_at(text, i + 1);
      i += 4;
      if (is_high(point)) {
        point = 0x10000 + ((point - 0xD800) << 10) + (unit_at(text, i + 3) - 0xDC00);
        i += 6;
      }
      append_utf8(out, point);
    }
  }
  return out;
}

JsonToken JsonPull::next() {
  JsonToken token;
  token.kind = JsonKind::Error;
  if (want_ == Want::Failed) return token;
  skip_space();
  if (want_ == Want::CommaOrEnd && peek() == ',') {
    ++at_;
    want_ = in_object() ? Want::Key : Want::Value;
    skip_space();
  }
  token =
      JsonToken{.kind = JsonKind::End, .text = {}, .escaped = false, .line = line_, .column = column_of(at_)};
  if (at_ == bytes_.size()) {
    return want_ == Want::Nothing ? token : stop("the text ends too early", at_);
  }
  const char c = peek();
  const bool may_end = want_ == Want::CommaOrEnd || want_ == Want::KeyOrEnd || want_ == Want::ValueOrEnd;
  if (may_end && (c == '}' || c == ']')) return close(token, c == '}');
  switch (want_) {
    case Want::Nothing: return stop("text after the value", at_);
    case Want::CommaOrEnd: return stop(in_object() ? "expected ',' or '}'" : "expected ',' or ']'", at_);
    case Want::Key:
    case Want::KeyOrEnd:
      if (c != '"') return stop("expected a key in quotes", at_);
      return read_string(token, JsonKind::Key);
    default: return read_value(token);
  }
}

bool JsonPull::skip(const JsonToken& token) {
  if (token.kind == JsonKind::Error) return false;
  if (token.kind != JsonKind::BeginObject && token.kind != JsonKind::BeginArray) return true;
  const int outside = depth_ - 1;
  while (depth_ > outside) {
    if (next().kind == JsonKind::Error) return false;
  }
  return true;
}

void JsonPull::skip_space() {
  for (; at_ < bytes_.size(); ++at_) {
    const char c = bytes_[at_];
    if (c == '\n') {
      if (line_ < std::numeric_limits<int>::max()) ++line_;
      line_start_ = at_ + 1;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
  }
}

JsonToken JsonPull::stop(std::string message, std::size_t at) {
  want_ = Want::Failed;
  error_ = Error{.where = {.file = file_, .line = line_, .column = column_of(at)},
                 .field = {},
                 .message = "not JSON: " + std::move(message),
                 .hint = {}};
  return JsonToken{
      .kind = JsonKind::Error, .text = {}, .escaped = false, .line = line_, .column = column_of(at)};
}

int JsonPull::column_of(std::size_t at) const {
  return static_cast<int>(std::min<std::size_t>(at - line_start_ + 1, std::numeric_limits<int>::max()));
}

JsonToken JsonPull::read_value(JsonToken token) {
  switch (peek()) {
    case '{': return open(token, true);
    case '[': return open(token, false);
    case '"': return read_string(token, JsonKind::String);
    case 't': return read_word(token, "true", JsonKind::True);
    case 'f': return read_word(token, "false", JsonKind::False);
    case 'n': return read_word(token, "null", JsonKind::Null);
    default: return read_number(token);
  }
}

JsonToken JsonPull::open(JsonToken token, bool object) {
  if (depth_ == kMostDepth) return stop("nested too deeply", at_);
  const std::uint64_t bit = std::uint64_t{1} << depth_;
  objects_ = object ? objects_ | bit : objects_ & ~bit;
  ++depth_;
  ++at_;
  want_ = object ? Want::KeyOrEnd : Want::ValueOrEnd;
  token.kind = object ? JsonKind::BeginObject : JsonKind::BeginArray;
  return token;
}

JsonToken JsonPull::close(JsonToken token, bool object) {
  if (object != in_object()) return stop(in_object() ? "expected '}'" : "expected ']'", at_);
  --depth_;
  ++at_;
  value_done();
  token.kind = object ? JsonKind::EndObject : JsonKind::EndArray;
  return token;
}

JsonToken JsonPull::read_string(JsonToken token, JsonKind kind) {
  const std::size_t from = ++at_;
  while (peek() != '"' || at_ == bytes_.size()) {
    if (at_ == bytes_.size()) return stop("string is never closed", from - 1);
    if (static_cast<unsigned char>(bytes_[at_]) < 0x20) return stop("control character in a string", at_);
    if (bytes_[at_] == '\\') {
      token.escaped = true;
      if (!eat_escape()) return stop("unknown escape", at_);
    } else {
      ++at_;
    }
  }
  token.kind = kind;
  token.text = bytes_.substr(from, at_ - from);
  ++at_;
  if (kind == JsonKind::String) {
    value_done();
    return token;
  }
  skip_space();
  if (peek() != ':') return stop("expected ':'", at_);
  ++at_;
  want_ = Want::Value;
  return token;
}

bool JsonPull::eat_escape() {
  if (at_ + 1 >= bytes_.size()) return false;
  if (bytes_[at_ + 1] != 'u') {
    if (std::string_view("\"\\/bfnrt").find(bytes_[at_ + 1]) == std::string_view::npos) return false;
    at_ += 2;
    return true;
  }
  const auto first = hex4(at_ + 2);
  if (!first || is_low(*first)) return false;
  if (is_high(*first)) {
    const auto second = bytes_.substr(at_ + 6, 2) == "\\u" ? hex4(at_ + 8) : std::nullopt;
    if (!second || !is_low(*second)) return false;
    at_ += 6;
  }
  at_ += 6;
  return true;
}

std::optional<std::uint32_t> JsonPull::hex4(std::size_t at) const {
  if (at + 4 > bytes_.size()) return std::nullopt;
  for (std::size_t i = at; i < at + 4; ++i) {
    if (hex_digit(bytes_[i]) < 0) return std::nullopt;
  }
  return unit_at(bytes_, at);
}

bool JsonPull::eat_digits() {
  const std::size_t from = at_;
  while (is_digit(peek())) ++at_;
  return at_ > from;
}

JsonToken JsonPull::read_number(JsonToken token) {
  const std::size_t from = at_;
  if (peek() == '-') ++at_;
  if (peek() == '0') {
    ++at_;
  } else if (!eat_digits()) {
    return stop("expected a value", from);
  }
  if (peek() == '.') {
    ++at_;
    if (!eat_digits()) return stop("expected digits after the point", at_);
  }
  if (peek() == 'e' || peek() == 'E') {
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    if (!eat_digits()) return stop("expected digits in the exponent", at_);
  }
  token.kind = JsonKind::Number;
  token.text = bytes_.substr(from, at_ - from);
  value_done();
  return token;
}

JsonToken JsonPull::read_word(JsonToken token, std::string_view word, JsonKind kind) {
  if (bytes_.substr(at_, word.size()) != word) return stop("expected a value", at_);
  at_ += word.size();
  token.kind = kind;
  token.text = word;
  value_done();
  return token;
}

}  // namespace muster
