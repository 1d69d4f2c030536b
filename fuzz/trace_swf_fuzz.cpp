// Any bytes as an SWF log: every line is a comment, blank, kept or counted, under each reading of memory.
#include <cstdint>
#include <string>

#include "base/check.hpp"
#include "trace/swf.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::string text(data, data + size);
  for (const SwfMemory memory : {SwfMemory::Standard, SwfMemory::BytesPerJob, SwfMemory::Ignore}) {
    const auto load = read_swf(text, "f", {.cpus_per_node = 16}, memory);
    CHECK(load.has_value());  // a lenient reading of lines cannot fail
    CHECK_EQ(load->report.rows, load->report.kept + load->report.dropped());
    CHECK_EQ(static_cast<std::int64_t>(load->jobs.size()), load->report.kept);
    for (const TraceJob& job : load->jobs) {
      CHECK(job.workers >= 1 && job.each.cpu >= 1000 && job.each.mem >= 0);
      CHECK(!job.limit || *job.limit > Duration{0});
    }
  }
  return 0;
}
