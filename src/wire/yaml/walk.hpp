// Strict reading of a tree: a `Field` is a value with its path ("jobs[3].each.gpu") and turns itself into
// typed values. All fields of one document share one `Problems`, which keeps the first problem found; from
// then on every field reads as absent, so a reader needs no test after each step and stops quickly.
//
//   job.only({"name", "priority"});
//   job.need("name").name(spec.name);                            // required
//   job["priority"].whole(spec.priority, {.low = 0, .high = 9}); // optional: absent leaves the value alone
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "wire/yaml/tree.hpp"

namespace muster::yaml {

inline constexpr std::size_t kMaxName = 128;                 ///< bytes of a name
inline constexpr std::int64_t kMaxSeconds = 10'000'000'000;  ///< of any time in a document

class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] bool any() const { return first_.has_value(); }
  /// Valid once there is one.
  [[nodiscard]] const Error& first() const { return *first_; }
  void add(const Tree& at, Error error);

 private:
  std::string file_;
  std::optional<Error> first_;
};

struct Bounds {
  std::int64_t low = 0;
  std::int64_t high = std::numeric_limits<std::int32_t>::max();
};

/// Decimals are read exactly as value * scale; finer digits than that are an error. `unit` is for messages.
struct Scale {
  std::int64_t scale = 1;
  std::string_view unit = "a number";
};

struct Entry;

class Field {
 public:
  Field(const Tree& root, Problems& problems) : tree_(&root), problems_(&problems) {}

  /// False where the value is absent, or a problem was found.
  explicit operator bool() const { return tree_ != nullptr && !problems_->any(); }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// The value itself; only while present.
  [[nodiscard]] const Tree& tree() const { return *tree_; }
  [[nodiscard]] bool is(Kind kind) const { return *this && tree_->kind == kind; }
  /// A plain scalar that reads `word`.
  [[nodiscard]] bool is_word(std::string_view word) const {
    return is(Kind::Scalar) && !tree_->quoted && tree_->text == word;
  }
  [[nodiscard]] bool failed() const { return problems_->any(); }

  // ---- maps and lists
  /// Anything but a map, and a key that is none of these, is a problem.
  void only(std::span<const std::string_view> keys) const;
  void only(std::initializer_list<std::string_view> keys) const {
    only(std::span(keys.begin(), keys.size()));
  }
  [[nodiscard]] Field operator[](std::string_view key) const;
  /// As [], and absence is a problem.
  [[nodiscard]] Field need(std::string_view key) const;
  [[nodiscard]] std::vector<Entry> entries() const;
  [[nodiscard]] std::vector<Field> items() const;
  /// The items of a list, or the value itself where it is no list.
  [[nodiscard]] std::vector<Field> one_or_more() const;

  // ---- scalars: absent leaves `out` alone
  /// A word: not empty, at most kMaxName bytes, no control characters.
  void name(std::string& out) const;
  /// Free text.
  void text(std::string& out) const;
  void flag(bool& out) const;
  void time(Duration& out) const;
  void time(Instant& out) const;
  void time(std::optional<Duration>& out) const;
  void scaled(std::int64_t& out, Scale scale, Bounds bounds) const;
  template <class Integer>
  void whole(Integer& out, Bounds bounds) const {
    static_assert(std::is_integral_v<Integer>);
    if (const auto value = whole_in(bounds)) out = static_cast<Integer>(*value);
  }
  template <class Value>
  void choice(Value& out, std::span<const std::pair<std::string_view, Value>> values) const {
    if (!*this) return;
    std::vector<std::string_view> words;
    for (const auto& value : values) words.push_back(value.first);
    if (const auto index = index_of_word(words)) out = values[*index].second;
  }
  template <class Value>
  void choice(Value& out, std::initializer_list<std::pair<std::string_view, Value>> values) const {
    choice(out, std::span(values.begin(), values.size()));
  }

  // ---- problems
  void problem(std::string message, std::string hint = {}) const;
  void wrong_type(std::string_view wanted) const;
  /// The value is none of `words`.
  void no_such(std::string_view what, std::span<const std::string> words) const;

 private:
  Field(const Tree* node, Problems* problems, std::string path)
      : tree_(node), problems_(problems), path_(std::move(path)) {}

  [[nodiscard]] bool must_be(Kind kind, std::string_view wanted) const;
  [[nodiscard]] std::optional<std::int64_t> whole_in(Bounds bounds) const;
  [[nodiscard]] std::optional<std::size_t> index_of_word(std::span<const std::string_view> words) const;

  const Tree* tree_ = nullptr;
  Problems* problems_ = nullptr;
  std::string path_;
};

/// A key that is itself a name, and its value; both have the path of the value.
struct Entry {
  Field key;
  Field value;
};

/// `"text"`, cut to a readable length, for messages.
std::string quoted(std::string_view text);
/// "a, b, c", cut after some.
std::string listed(std::span<const std::string> words);
/// `did you mean "x"?`, or empty where nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace muster::yaml
