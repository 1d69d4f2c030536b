#include "trace/csv.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/text.hpp"

namespace muster {

std::string CsvField::value() const {
  if (!doubled) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') ++i;
  }
  return out;
}

bool CsvRow::blank() const {
  return fields.size() == 1 && !fields.front().quoted && trim(fields.front().text).empty();
}

CsvReader::CsvReader(std::string_view bytes, char separator) : bytes_(bytes), separator_(separator) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (bytes_.starts_with(mark)) bytes_.remove_prefix(mark.size());
}

bool CsvReader::next(CsvRow& row) {
  row.fields.clear();
  row.flaw = CsvFlaw::None;
  row.line = line_;
  if (at_end()) return false;
  while (true) {
    CsvField field{.text = {}, .line = line_, .column = column()};
    if (!at_end() && bytes_[at_] == '"') {
      read_quoted(field, row);
    } else {
      read_bare(field);
    }
    row.fields.push_back(field);
    if (at_end() || eat_line_end()) return true;
    ++at_;  // the separator: nothing else ends a field
  }
}

int CsvReader::column() const {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  return static_cast<int>(std::min(at_ - line_start_ + 1, most));
}

void CsvReader::start_line() {
  if (line_ < std::numeric_limits<int>::max()) ++line_;
  line_start_ = at_;
}

void CsvReader::read_bare(CsvField& field) {
  const std::size_t from = at_;
  while (!at_end() && bytes_[at_] != separator_ && bytes_[at_] != '\n' && bytes_[at_] != '\r') ++at_;
  field.text = bytes_.substr(from, at_ - from);
}

void CsvReader::read_quoted(CsvField& field, CsvRow& row) {
  field.quoted = true;
  const std::size_t from = ++at_;
  while (true) {
    if (at_end()) {
      row.flaw = CsvFlaw::OpenQuote;
      row.flaw_column = field.column;
      field.text = bytes_.substr(from);
      return;
    }
    if (bytes_[at_] == '"') {
      if (at_ + 1 == bytes_.size() || bytes_[at_ + 1] != '"') break;
      field.doubled = true;
      at_ += 2;
    } else if (!eat_line_end()) {
      ++at_;
    }
  }
  field.text = bytes_.substr(from, at_ - from);
  ++at_;
  if (at_end() || bytes_[at_] == separator_ || bytes_[at_] == '\n' || bytes_[at_] == '\r') return;
  row.flaw = CsvFlaw::TextAfterQuote;
  row.flaw_column = column();
  CsvField rest;
  read_bare(rest);
}

bool CsvReader::eat_line_end() {
  if (bytes_[at_] == '\r') {
    ++at_;
    if (!at_end() && bytes_[at_] == '\n') ++at_;
  } else if (bytes_[at_] == '\n') {
    ++at_;
  } else {
    return false;
  }
  start_line();
  return true;
}

void add_csv_row(std::string& out, std::span<const std::string> fields) {
  bool first = true;
  for (const std::string& field : fields) {
    if (!std::exchange(first, false)) out += ',';
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
      out += field;
      continue;
    }
    out += '"';
    for (const char c : field) {
      if (c == '"') out += '"';
      out += c;
    }
    out += '"';
  }
  out += '\n';
}

}  // namespace muster
