// Rows and fields of a CSV text, without copying: a field is a view into the bytes and knows its place. Rows
// are written here too, so that one place knows what has to be quoted.
//
// Grammar (RFC 4180, read generously): an optional byte order mark; rows end in LF, CRLF or CR; a field is
// bare or "quoted", and a quoted one may hold separators, line ends and doubled quotes. Rows may be ragged:
// the caller sees as many fields as there are. A row with a quoting flaw is given out and marked, because
// only the caller knows whether to drop it or to stop. Lines and columns count from 1, columns in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

struct CsvField {
  std::string_view text;  ///< between the quotes, doubled quotes still doubled
  int line = 0;
  int column = 0;
  bool quoted = false;
  bool doubled = false;  ///< holds doubled quotes: value() undoes them

  [[nodiscard]] std::string value() const;
};

enum class CsvFlaw : std::uint8_t {
  None,
  OpenQuote,      ///< the text ends inside quotes
  TextAfterQuote  ///< characters between the closing quote and the separator
};

struct CsvRow {
  std::vector<CsvField> fields;
  int line = 0;
  CsvFlaw flaw = CsvFlaw::None;
  int flaw_column = 0;

  /// One bare field of white space only: an empty line.
  [[nodiscard]] bool blank() const;
};

class CsvReader {
 public:
  explicit CsvReader(std::string_view bytes, char separator = ',');

  /// Reads the next row into `row`, whose memory is used again. False at the end of the text.
  bool next(CsvRow& row);

 private:
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] int column() const;
  void start_line();
  void read_bare(CsvField& field);
  void read_quoted(CsvField& field, CsvRow& row);
  /// Steps over one line end if there is one.
  bool eat_line_end();

  std::string_view bytes_;
  char separator_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

/// Appends one row that CsvReader reads back as `fields`: quoted only where a field needs it, ended by LF.
void add_csv_row(std::string& out, std::span<const std::string> fields);

}  // namespace muster
