// YAML text as a tree of our own values, each with its line and column (from 1).
//
// What a tree promises: maps keep their order, every key is a scalar and stands once, no node is deeper
// than kMaxDepth, there are at most kMaxTreeNodes of them. Anchors, aliases, tags and further documents
// are refused: they would let a small file grow without bound or mean something else than it shows.
// yaml-cpp is used in tree.cpp only; it takes duplicate keys without a word, so they are refused here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace muster::yaml {

inline constexpr std::size_t kMaxBytes = 4u << 20;
inline constexpr std::size_t kMaxDepth = 24;
inline constexpr std::size_t kMaxTreeNodes = 1'000'000;

enum class Kind : std::uint8_t { Null, Scalar, List, Map };

struct Tree {
  Kind kind = Kind::Null;
  bool quoted = false;  ///< of a scalar: it is text even where it looks like a number
  int line = 0;
  int column = 0;
  std::string text;         ///< of a scalar
  std::vector<Tree> keys;   ///< of a map: scalars; keys[i] names items[i]
  std::vector<Tree> items;  ///< of a list or map
};

/// The one document in `text`; `file` is for messages only.
Result<Tree> parse(std::string_view text, const std::string& file);

/// The value as one line of flow YAML: `{at: 5, running: [a, 'b*']}`.
std::string one_line(const Tree& node);

/// How many nodes the tree has, keys included.
std::size_t size_of(const Tree& node);

}  // namespace muster::yaml
