// Hangs yaml-cpp's events into a tree. Limits are enforced while it parses: nothing that is refused is built
// first. yaml-cpp speaks in exceptions; all of them end in `parse`.
#include "wire/yaml/tree.hpp"

#include <map>
#include <optional>
#include <sstream>
#include <utility>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

namespace muster::yaml {
namespace {

/// Leaves yaml-cpp's parser early; thrown and caught in this file only.
struct Stop {
  Error error;
};

/// yaml-cpp reports a scalar's tag as "?" (plain), "!" (quoted) or what was written.
bool is_written_tag(const std::string& tag) { return !tag.empty() && tag != "?" && tag != "!"; }

/// Hangs what the parser reports into a tree, and stops it at the first thing that is not allowed.
class Builder final : public YAML::EventHandler {
 public:
  explicit Builder(std::string file) : file_(std::move(file)) {}

  Tree take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) stop(mark, "a second document in one file", "one file holds one document");
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    stop(mark, "the anchor &" + name + " is not allowed", "write the value out");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    stop(mark, "an alias is not allowed", "write the value out, or quote a text that begins with *");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    put(mark, made(mark, Kind::Null));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    Tree node = made(mark, Kind::Scalar);
    refuse_tag(mark, tag);
    node.quoted = tag == "!";
    node.text = value;
    put(mark, std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, Kind::List);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, Kind::Map);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Tree node;
    std::map<std::string, int> seen;  ///< key -> line
  };

  static bool wants_key(const Tree& node) {
    return node.kind == Kind::Map && node.keys.size() == node.items.size();
  }

  /// Path of the value that comes next.
  [[nodiscard]] std::string path() const {
    std::string text;
    for (const Frame& frame : open_) {
      if (frame.node.kind == Kind::List) text += "[" + std::to_string(frame.node.items.size()) + "]";
      if (frame.node.kind == Kind::List || wants_key(frame.node)) continue;
      if (!text.empty()) text += ".";
      text += frame.node.keys.back().text.substr(0, 64);
    }
    return text;
  }

  [[noreturn]] void stop(const YAML::Mark& mark, std::string message, std::string hint) const {
    throw Stop{Error{.where = {.file = file_, .line = mark.line + 1, .column = mark.column + 1},
                     .field = path(),
                     .message = std::move(message),
                     .hint = std::move(hint)}};
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (is_written_tag(tag))
      stop(mark, "the tag \"" + tag.substr(0, 64) + "\" is not allowed", "leave it out");
  }

  Tree made(const YAML::Mark& mark, Kind kind) {
    if (++count_ > kMaxTreeNodes) {
      stop(mark, "the file has more than " + std::to_string(kMaxTreeNodes) + " values", "");
    }
    return Tree{.kind = kind,
                .quoted = false,
                .line = mark.line + 1,
                .column = mark.column + 1,
                .text = {},
                .keys = {},
                .items = {}};
  }

  void open(const YAML::Mark& mark, const std::string& tag, Kind kind) {
    refuse_tag(mark, tag);
    if (!open_.empty() && wants_key(open_.back().node)) {
      stop(mark, "a key must be a single word or text", "is a bracket left open?");
    }
    if (open_.size() >= kMaxDepth) {
      stop(mark, "nested more than " + std::to_string(kMaxDepth) + " levels deep", "");
    }
    open_.push_back(Frame{.node = made(mark, kind), .seen = {}});
  }

  void close() {
    Tree node = std::move(open_.back().node);
    open_.pop_back();
    hang(std::move(node));
  }

  void put(const YAML::Mark& mark, Tree node) {
    if (open_.empty() || !wants_key(open_.back().node)) return hang(std::move(node));
    if (node.kind != Kind::Scalar)
      stop(mark, "a key must be a single word or text", "is a bracket left open?");
    Frame& frame = open_.back();
    const auto [first, added] = frame.seen.emplace(node.text, node.line);
    if (!added) {
      stop(mark, "the key \"" + node.text.substr(0, 64) + "\" is given twice",
           "it first stands in line " + std::to_string(first->second));
    }
    frame.node.keys.push_back(std::move(node));
  }

  void hang(Tree node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else {
      open_.back().node.items.push_back(std::move(node));
    }
  }

  std::string file_;
  std::vector<Frame> open_;
  Tree root_;
  std::size_t count_ = 0;
  int documents_ = 0;
};

/// Length of the valid UTF-8 sequence at the front of `text`, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf5   ? 0
                             : first >= 0xf0 ? 4
                             : first >= 0xe0 ? 3
                             : first >= 0xc2 ? 2
                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool surrogate_or_beyond = (first == 0xed && byte(1) >= 0xa0) || (first == 0xf4 && byte(1) >= 0x90);
  return overlong || surrogate_or_beyond ? 0 : length;
}

/// Bytes that are not text are refused before yaml-cpp guesses at their encoding.
std::optional<Error> not_text(std::string_view text, const std::string& file) {
  int line = 1;
  int column = 1;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    const bool control = first < 0x20 ? first != '\t' && first != '\n' && first != '\r' : first == 0x7f;
    if (length == 0 || control) {
      return Error{.where = {.file = file, .line = line, .column = column},
                   .field = {},
                   .message = length == 0 ? "not UTF-8 text" : "a control character",
                   .hint = {}};
    }
    column = first == '\n' ? 1 : column + 1;
    if (first == '\n') ++line;
    text.remove_prefix(length);
  }
  return std::nullopt;
}

/// What most often lies behind a complaint of yaml-cpp.
std::string hint_for(const std::string& complaint) {
  if (complaint == YAML::ErrorMsg::UNKNOWN_ANCHOR) return "quote a text that begins with *";
  if (complaint == YAML::ErrorMsg::BLOCK_ENTRY || complaint == YAML::ErrorMsg::FLOW_END ||
      complaint == YAML::ErrorMsg::END_OF_MAP_FLOW || complaint == YAML::ErrorMsg::END_OF_SEQ_FLOW) {
    return "is a bracket left open, or a line indented with a tab?";
  }
  if (complaint == YAML::ErrorMsg::MAP_VALUE) return "is the line indented like its neighbours?";
  return "";
}

void append(std::string& out, const Tree& node) {
  switch (node.kind) {
    case Kind::Null: out += "null"; return;
    case Kind::Scalar:
      if (node.quoted) out += '\'';
      for (const char c : node.text) {
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        if (node.quoted && c == '\'') out += c;
      }
      if (node.quoted) out += '\'';
      return;
    case Kind::List:
    case Kind::Map: break;
  }
  const bool map = node.kind == Kind::Map;
  out += map ? '{' : '[';
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) out += ", ";
    if (map) {
      append(out, node.keys[i]);
      out += ": ";
    }
    append(out, node.items[i]);
  }
  out += map ? '}' : ']';
}

}  // namespace

Result<Tree> parse(std::string_view text, const std::string& file) {
  const auto error_at = [&](int line, int column, std::string message) {
    return Error{.where = {.file = file, .line = line, .column = column},
                 .field = {},
                 .message = std::move(message),
                 .hint = {}};
  };
  if (text.size() > kMaxBytes) {
    return fail(error_at(0, 0, "larger than " + std::to_string(kMaxBytes >> 20) + " MiB"));
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
  if (auto error = not_text(text, file)) return fail(*std::move(error));
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    Builder builder(file);
    if (!parser.HandleNextDocument(builder)) return fail(error_at(1, 1, "the file is empty"));
    parser.HandleNextDocument(builder);  // stops at a second document
    return builder.take();
  } catch (const Stop& stop) {
    return fail(stop.error);
  } catch (const YAML::Exception& e) {
    Error error = error_at(e.mark.line + 1, e.mark.column + 1, "not valid YAML: " + e.msg.substr(0, 200));
    error.hint = hint_for(e.msg);
    return fail(std::move(error));
  } catch (const std::exception& e) {
    return fail(error_at(0, 0, std::string("cannot be read as YAML: ") + e.what()));
  }
}

std::string one_line(const Tree& node) {
  std::string out;
  append(out, node);
  return out;
}

std::size_t size_of(const Tree& node) {
  std::size_t size = 1 + node.keys.size();
  for (const Tree& item : node.items) size += size_of(item);
  return size;
}

}  // namespace muster::yaml
