// Any bytes as openb lists: every row is kept or counted, a strict reading succeeds exactly when nothing
// would be dropped, and what is kept is a demand that can exist.
#include <cstdint>
#include <string>

#include "base/check.hpp"
#include "trace/openb.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::string text(data, data + size);
  const auto load = read_openb_pods(text, "f", {.importance = TraceRanks::Read});
  const auto strict = read_openb_pods(text, "f", {.strictness = Strictness::Strict});
  if (load) {
    CHECK_EQ(load->report.rows, load->report.kept + load->report.dropped());
    CHECK_EQ(static_cast<std::int64_t>(load->jobs.size()), load->report.kept);
    CHECK_EQ(strict.has_value(), load->report.dropped() == 0);
    for (const TraceJob& job : load->jobs) {
      CHECK(job.each.gpus == 0 || job.each.share == 0);
      CHECK(job.each.share >= 0 && job.each.share < kDevice && job.each.cpu >= 0 && job.each.mem >= 0);
      CHECK(job.submit >= Instant{});
      CHECK(!job.run || *job.run >= Duration{0});
    }
  }
  if (const auto nodes = read_openb_nodes(text, "f")) {
    CHECK_EQ(static_cast<std::int64_t>(nodes->nodes.size()), nodes->report.kept);
  }
  return 0;
}
