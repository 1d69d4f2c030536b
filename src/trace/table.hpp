// A CSV with named columns: finds each wanted column in the header, then reads typed fields of a row and
// remembers the first one that is wrong. The reader of a trace states its columns and asks once per row
// whether all was well.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "trace/csv.hpp"
#include "trace/intake.hpp"
#include "trace/number.hpp"

namespace muster {

enum class Need : std::uint8_t { Required, Optional };

struct ColumnSpec {
  std::string_view name;
  Need need = Need::Required;
};

/// `MayLack`: tables published without a header row have the columns in the order of the specs.
enum class HeaderRow : std::uint8_t { Required, MayLack };

class CsvTable {
 public:
  /// Reads the header. An unknown layout is an Error however lenient the reading: no row could be trusted.
  static Result<CsvTable> open(std::string_view bytes, const std::string& file,
                               std::span<const ColumnSpec> columns, HeaderRow header = HeaderRow::Required,
                               char separator = ',');

  /// Steps to the next row that is not blank. Its quoting flaw or shortness, if any, is already noted.
  bool next();

  [[nodiscard]] bool has(std::size_t column) const { return place_[column] != kAbsent; }
  [[nodiscard]] int line() const { return row_.line; }
  [[nodiscard]] int column_of(std::size_t column) const;

  /// The trimmed text; empty where the column is absent or blank.
  [[nodiscard]] std::string text(std::size_t column) const;
  /// Like text, but a blank is noted as a fault.
  std::string name(std::size_t column);
  /// A whole number within the bounds ("3.0" counts as whole); blank or other text is noted.
  std::int64_t whole(std::size_t column, std::int64_t low, std::int64_t high);
  /// A decimal number times 10^digits, rounded, from 0 to `high`; blank = nullopt.
  std::optional<std::int64_t> maybe_decimal(std::size_t column, int digits, std::int64_t high);
  /// Seconds or a blank.
  std::optional<Duration> maybe_seconds(std::size_t column);
  /// Seconds, required.
  Duration must_seconds(std::size_t column);

  /// Notes a fault of the row unless one is noted already.
  void blame(std::size_t column, std::string cause, std::string hint = {});
  [[nodiscard]] const std::optional<RowFault>& fault() const { return fault_; }

 private:
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

  CsvTable(std::string_view bytes, std::span<const ColumnSpec> columns, char separator);
  [[nodiscard]] Result<void> find_columns(const std::string& file);
  void note_row_flaws();

  CsvReader reader_;
  CsvRow row_;
  std::vector<ColumnSpec> columns_;
  std::vector<std::size_t> place_;  ///< field index of each wanted column
  std::size_t width_ = 0;           ///< fields in the header
  bool pending_ = false;            ///< the row that was read in search of a header is data
  std::optional<RowFault> fault_;
};

}  // namespace muster
