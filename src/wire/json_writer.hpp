// Writes one JSON value, member by member, in the order of the calls: the same run gives the same bytes.
//
//   JsonWriter json;
//   json.open('{').member("seed", 7).member("knobs").open('[').value("a").close().close();
//
// Indented by two blanks; arrays and objects that hold no others stand on one line. Text that is not UTF-8 is
// written with U+FFFD in place of what cannot be; a number that is not finite is written as null.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace muster {

class JsonWriter {
 public:
  /// '{' or '['. Closed by `close`, in reverse order.
  JsonWriter& open(char bracket);
  JsonWriter& close();
  /// The name of the next value; only inside an object.
  JsonWriter& member(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(bool flag) { return raw(flag ? "true" : "false"); }
  template <class Integer>
    requires std::is_integral_v<Integer>
  JsonWriter& value(Integer number) {
    return raw(std::to_string(number));
  }
  JsonWriter& null() { return raw("null"); }
  template <class T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }
  template <class T>
  JsonWriter& member(std::string_view name, const T& of) {
    member(name);
    return value(of);
  }

  /// The text, with a line end.
  [[nodiscard]] std::string take();

 private:
  struct Level {
    char bracket = '{';
    std::vector<std::string> parts;
    bool deep = false;  ///< holds an array or object
  };

  JsonWriter& raw(std::string text);

  std::vector<Level> open_;
  std::string name_;  ///< pending member name, already quoted
  std::string done_;
};

}  // namespace muster
