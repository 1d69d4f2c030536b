// A pull tokenizer for JSON (RFC 8259), strict: no comments, no trailing commas, no NaN, no text after the
// value, at most kMostDepth levels.
//
// Why our own: a job log of a gigabyte is read in constant memory, and every value carries its line and
// column, which a report on dropped rows needs. It checks all syntax as it goes; the caller checks what the
// values mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"

namespace muster {

enum class JsonKind : std::uint8_t {
  BeginObject,
  EndObject,
  BeginArray,
  EndArray,
  Key,
  String,
  Number,
  True,
  False,
  Null,
  End,
  Error
};

struct JsonToken {
  JsonKind kind = JsonKind::End;
  std::string_view text;  ///< of Key and String: between the quotes, still escaped; of Number: its digits
  bool escaped = false;
  int line = 0;
  int column = 0;

  /// Key or String with its escapes undone (they were checked when the token was read).
  [[nodiscard]] std::string value() const;
};

class JsonPull {
 public:
  static constexpr int kMostDepth = 64;

  JsonPull(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  /// The next token. After an Error token, only Error tokens.
  JsonToken next();
  /// Having read `token`, steps over the rest of that value. False on an error.
  bool skip(const JsonToken& token);
  /// How many objects and arrays are open.
  [[nodiscard]] int depth() const { return depth_; }
  [[nodiscard]] bool failed() const { return want_ == Want::Failed; }
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  enum class Want : std::uint8_t { Value, ValueOrEnd, Key, KeyOrEnd, CommaOrEnd, Nothing, Failed };

  void skip_space();
  [[nodiscard]] int column_of(std::size_t at) const;
  JsonToken stop(std::string message, std::size_t at);
  JsonToken read_value(JsonToken token);
  JsonToken open(JsonToken token, bool object);
  JsonToken close(JsonToken token, bool object);
  JsonToken read_string(JsonToken token, JsonKind kind);
  JsonToken read_number(JsonToken token);
  JsonToken read_word(JsonToken token, std::string_view word, JsonKind kind);
  /// Checks the escape at at_ (a backslash) and steps over it. False if it is none.
  bool eat_escape();
  [[nodiscard]] std::optional<std::uint32_t> hex4(std::size_t at) const;
  bool eat_digits();
  [[nodiscard]] char peek() const { return at_ < bytes_.size() ? bytes_[at_] : '\0'; }
  void value_done() { want_ = depth_ == 0 ? Want::Nothing : Want::CommaOrEnd; }
  [[nodiscard]] bool in_object() const { return depth_ > 0 && ((objects_ >> (depth_ - 1)) & 1) != 0; }

  std::string_view bytes_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
  int depth_ = 0;
  std::uint64_t objects_ = 0;  ///< bit d: level d is an object
  Want want_ = Want::Value;
  Error error_;
};

}  // namespace muster
