// Any bytes as our own table of jobs: every row is kept or counted, and what is kept can be written and read
// back as the same jobs, whatever stands in a name.
#include <cstdint>
#include <string>

#include "base/check.hpp"
#include "trace/jobs_csv.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  constexpr ReadOptions keep_times{.origin = Origin::Keep, .importance = TraceRanks::Read};
  const std::string text(data, data + size);
  const auto load = read_jobs_csv(text, "f", keep_times);
  if (!load) {
    CHECK(!to_string(load.error()).empty());
    return 0;
  }
  CHECK_EQ(load->report.rows, load->report.kept + load->report.dropped());
  CHECK_EQ(static_cast<std::int64_t>(load->jobs.size()), load->report.kept);
  for (const TraceJob& job : load->jobs) CHECK(job.workers >= 1 && job.submit >= Instant{});
  const std::string written = write_jobs_csv(*load);
  const auto again = read_jobs_csv(written, "again", keep_times);
  CHECK(again.has_value());
  CHECK_EQ(again->report.dropped(), 0);
  CHECK_EQ(again->jobs.size(), load->jobs.size());
  CHECK(write_jobs_csv(*again) == written);
  return 0;
}
