#include "trace/table.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace muster {

CsvTable::CsvTable(std::string_view bytes, std::span<const ColumnSpec> columns, char separator)
    : reader_(bytes, separator), columns_(columns.begin(), columns.end()), place_(columns.size(), kAbsent) {}

Result<CsvTable> CsvTable::open(std::string_view bytes, const std::string& file,
                                std::span<const ColumnSpec> columns, HeaderRow header, char separator) {
  CsvTable table(bytes, columns, separator);
  bool found = false;
  while (!found && table.reader_.next(table.row_)) found = !table.row_.blank();
  if (!found) {
    return fail(Error{.where = {.file = file, .line = 1, .column = 1},
                      .field = {},
                      .message = "no rows",
                      .hint = "the first row should begin with '" + std::string(columns.front().name) + "'"});
  }
  if (header == HeaderRow::MayLack && trim(table.row_.fields.front().text) != columns.front().name) {
    for (std::size_t i = 0; i < columns.size(); ++i) table.place_[i] = i;
    table.width_ = columns.size();
    table.pending_ = true;
    return table;
  }
  if (auto columns_found = table.find_columns(file); !columns_found) {
    return tl::unexpected<Error>(std::move(columns_found).error());
  }
  return table;
}

Result<void> CsvTable::find_columns(const std::string& file) {
  std::vector<std::string> names;
  for (const CsvField& field : row_.fields) names.emplace_back(trim(field.value()));
  width_ = names.size();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string wanted(columns_[i].name);
    const auto at = std::find(names.begin(), names.end(), wanted);
    Error error{
        .where = {.file = file, .line = row_.line, .column = 1}, .field = wanted, .message = {}, .hint = {}};
    if (at == names.end()) {
      if (columns_[i].need == Need::Optional) continue;
      error.message = "column is missing";
      const auto slip = nearest(wanted, names);
      error.hint =
          slip ? "there is a column '" + shown(*slip) + "'" : "the header is: " + shown(join(names, ","));
      return fail(std::move(error));
    }
    place_[i] = static_cast<std::size_t>(at - names.begin());
    if (std::find(at + 1, names.end(), wanted) != names.end()) {
      error.where.column = row_.fields[place_[i]].column;
      error.message = "column stands twice";
      return fail(std::move(error));
    }
  }
  return {};
}

bool CsvTable::next() {
  fault_.reset();
  bool found = std::exchange(pending_, false);
  while (!found && reader_.next(row_)) found = !row_.blank();
  if (found) note_row_flaws();
  return found;
}

void CsvTable::note_row_flaws() {
  if (row_.flaw != CsvFlaw::None) {
    const bool open = row_.flaw == CsvFlaw::OpenQuote;
    fault_ = RowFault{.cause = open ? "quote is never closed" : "text after a closing quote",
                      .field = {},
                      .value = {},
                      .line = row_.line,
                      .column = row_.flaw_column,
                      .hint = {}};
  } else if (row_.fields.size() != width_) {
    fault_ = RowFault{.cause = row_.fields.size() < width_ ? "too few fields" : "too many fields",
                      .field = {},
                      .value = std::to_string(row_.fields.size()) + " of " + std::to_string(width_),
                      .line = row_.line,
                      .column = row_.fields.back().column,
                      .hint = {}};
  }
}

int CsvTable::column_of(std::size_t column) const {
  const std::size_t at = place_[column];
  return at < row_.fields.size() ? row_.fields[at].column : 1;
}

std::string CsvTable::text(std::size_t column) const {
  const std::size_t at = place_[column];
  if (at >= row_.fields.size()) return {};
  const CsvField& field = row_.fields[at];
  if (!field.doubled) return std::string(trim(field.text));
  return std::string(trim(field.value()));
}

std::string CsvTable::name(std::size_t column) {
  std::string found = text(column);
  if (found.empty()) blame(column, "blank " + std::string(columns_[column].name));
  return found;
}

std::int64_t CsvTable::whole(std::size_t column, std::int64_t low, std::int64_t high) {
  const std::string found = name(column);
  const auto value = parse_scaled(found, 1);
  if (!value || *value < low || *value > high) {
    blame(column, std::string(columns_[column].name) + " is no whole number in range",
          std::to_string(low) + " to " + std::to_string(high));
    return low;
  }
  return *value;
}

std::optional<std::int64_t> CsvTable::maybe_decimal(std::size_t column, int digits, std::int64_t high) {
  const std::string found = text(column);
  if (found.empty()) return std::nullopt;
  const auto value = parse_decimal(found, digits);
  if (!value || *value < 0 || *value > high) {
    blame(column, std::string(columns_[column].name) + " is no number in range");
    return std::nullopt;
  }
  return value;
}

std::optional<Duration> CsvTable::maybe_seconds(std::size_t column) {
  const std::string found = text(column);
  if (found.empty()) return std::nullopt;
  const auto value = parse_seconds(found);
  if (!value) blame(column, std::string(columns_[column].name) + " is no time in seconds");
  return value;
}

Duration CsvTable::must_seconds(std::size_t column) {
  const auto value = maybe_seconds(column);
  if (!value) blame(column, "blank " + std::string(columns_[column].name));
  return value.value_or(Duration{0});
}

void CsvTable::blame(std::size_t column, std::string cause, std::string hint) {
  if (fault_) return;
  fault_ = RowFault{.cause = std::move(cause),
                    .field = std::string(columns_[column].name),
                    .value = text(column),
                    .line = row_.line,
                    .column = column_of(column),
                    .hint = std::move(hint)};
}

}  // namespace muster
