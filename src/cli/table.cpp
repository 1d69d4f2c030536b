#include "cli/table.hpp"

#include <algorithm>

#include "trace/csv.hpp"

namespace muster::cli {
namespace {

constexpr std::string_view kGap = "  ";

std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::size_t have = letters_in(text);
  const std::string blanks(width > have ? width - have : 0, ' ');
  return align == Align::Right ? blanks + text : text + blanks;
}

}  // namespace

std::string cut(const std::string& text, std::size_t width, const Paint& paint) {
  if (letters_in(text) <= width) return text;
  std::string out;
  std::size_t letters = 0;
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    if (begins && ++letters >= width) break;
    out += c;
  }
  return out + std::string(paint.ellipsis());
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                        std::size_t most) const {
  std::string out;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string cell = i < cells.size() ? cells[i] : "";
    if (i > 0) out += kGap;
    out += padded(cell, std::min(widths[i], most), columns_[i].align);
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string Table::text(const Paint& paint) const {
  std::vector<std::size_t> widths;
  std::vector<std::string> titles;
  for (const Column& column : columns_) {
    widths.push_back(letters_in(column.title));
    titles.push_back(column.title);
  }
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      widths[i] = std::max(widths[i], letters_in(row.cells[i]));
  }
  std::string out = paint(Tint::Bold, cut(line(titles, widths, paint.width), paint.width, paint)) + "\n";
  for (const Row& row : rows_) {
    out += paint(row.tint, cut(line(row.cells, widths, paint.width), paint.width, paint)) + "\n";
  }
  return out;
}

std::string Table::csv() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  std::string out;
  add_csv_row(out, titles);
  for (const Row& row : rows_) add_csv_row(out, row.cells);
  return out;
}

}  // namespace muster::cli
