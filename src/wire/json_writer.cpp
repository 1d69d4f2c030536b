#include "wire/json_writer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "base/text.hpp"

namespace muster {
namespace {

constexpr std::size_t kOneLine = 100;

std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string indented(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

}  // namespace

JsonWriter& JsonWriter::open(char bracket) {
  std::string prefix;
  prefix.swap(name_);
  open_.push_back({.bracket = bracket, .parts = {}, .deep = false});
  open_.back().parts.push_back(std::move(prefix));  // the first part is the value's own name
  return *this;
}

JsonWriter& JsonWriter::close() {
  CHECK(!open_.empty());
  Level level = std::move(open_.back());
  open_.pop_back();
  name_ = std::move(level.parts.front());
  level.parts.erase(level.parts.begin());
  const char end = level.bracket == '{' ? '}' : ']';
  std::string text = level.bracket + join(level.parts, ", ") + end;
  if (level.deep || text.size() > kOneLine) {
    for (std::string& part : level.parts) part = "\n  " + indented(part);
    text = level.bracket + join(level.parts, ",") + "\n" + end;
  }
  if (!open_.empty()) open_.back().deep = true;
  return raw(std::move(text));
}

JsonWriter& JsonWriter::member(std::string_view name) {
  name_ = quoted(name) + ": ";
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) { return raw(quoted(text)); }

JsonWriter& JsonWriter::value(double number) { return raw(nlohmann::json(number).dump()); }

JsonWriter& JsonWriter::raw(std::string text) {
  text = name_ + text;
  name_.clear();
  if (open_.empty()) {
    done_ += text;
  } else {
    open_.back().parts.push_back(std::move(text));
  }
  return *this;
}

std::string JsonWriter::take() {
  CHECK(open_.empty());
  return std::move(done_) + "\n";
}

}  // namespace muster
