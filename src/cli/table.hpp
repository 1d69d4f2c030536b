// Tables for people: columns two blanks apart, numbers right-aligned, truncated at the terminal's edge and
// never wrapped. The same rows can leave as CSV.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/paint.hpp"

namespace muster::cli {

enum class Align : std::uint8_t { Left, Right };

struct Column {
  std::string title;
  Align align = Align::Left;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> row) { rows_.push_back({.cells = std::move(row), .tint = Tint::None}); }
  void add(std::vector<std::string> row, Tint tint) {
    rows_.push_back({.cells = std::move(row), .tint = tint});
  }

  [[nodiscard]] std::string text(const Paint& paint) const;
  [[nodiscard]] std::string csv() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    Tint tint = Tint::None;
  };
  [[nodiscard]] std::string line(const std::vector<std::string>& cells,
                                 const std::vector<std::size_t>& widths, std::size_t most) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// `text` cut to `width` letters, the last of them an ellipsis.
std::string cut(const std::string& text, std::size_t width, const Paint& paint);

}  // namespace muster::cli
