// Any bytes as CSV: the tokenizer ends, its fields lie inside the text in order, and each place it states is
// where the field is. The tables read by name (Philly, Muri, PAI, sacct) must account for every row.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.hpp"
#include "trace/csv.hpp"
#include "trace/number.hpp"
#include "trace/pai.hpp"
#include "trace/pai_usage.hpp"
#include "trace/philly.hpp"
#include "trace/sacct.hpp"

namespace {

void check_tokens(std::string_view text) {
  muster::CsvReader reader(text);
  muster::CsvRow row;
  const char* last = text.data();
  int line = 0;
  while (reader.next(row)) {
    CHECK(!row.fields.empty());
    CHECK_GE(row.line, line);
    line = row.line;
    for (const muster::CsvField& field : row.fields) {
      CHECK(field.text.data() >= last);
      last = field.text.data() + field.text.size();
      CHECK(last <= text.data() + text.size());
      CHECK(field.line >= row.line && field.column >= 1);
      CHECK_LE(field.value().size(), field.text.size());
    }
  }
}

void check_account(const muster::Result<muster::Workload>& load) {
  if (!load) {
    CHECK(!to_string(load.error()).empty());
    return;
  }
  CHECK_EQ(load->report.rows, load->report.kept + load->report.dropped());
  CHECK_EQ(static_cast<std::int64_t>(load->jobs.size()), load->report.kept);
  for (const muster::TraceJob& job : load->jobs) CHECK(job.workers >= 1 && job.submit >= muster::Instant{});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);  // its own block, so that reading past the end is seen
  check_tokens(text);
  check_account(muster::read_philly_csv(text, "f"));
  check_account(muster::read_muri_csv(text, "f"));
  check_account(muster::read_pai_tasks(text, "f"));
  check_account(muster::read_sacct(text, "f"));
  (void)muster::read_pai_usage({.instances = text, .sensors = text, .machines = text});
  (void)muster::parse_time_limit(text);
  (void)muster::parse_civil(text);
  return 0;
}
