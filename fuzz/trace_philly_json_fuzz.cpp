// Any bytes as JSON and as Philly's log: the tokenizer ends, opens and closes in balance, and agrees with
// itself when values are skipped; the log accounts for every element.
#include <cstdint>
#include <string>

#include "base/check.hpp"
#include "trace/json_pull.hpp"
#include "trace/philly_json.hpp"

namespace {

using namespace muster;

/// True where the whole text is one JSON value.
bool walk(const std::string& text) {
  JsonPull json(text, "f");
  int depth = 0;
  for (std::size_t tokens = 0;; ++tokens) {
    CHECK_LE(tokens, text.size() + 1);
    const JsonToken token = json.next();
    if (token.kind == JsonKind::Error || token.kind == JsonKind::End) {
      CHECK(token.kind == JsonKind::Error || depth == 0);
      return token.kind == JsonKind::End;
    }
    if (token.kind == JsonKind::BeginObject || token.kind == JsonKind::BeginArray) ++depth;
    if (token.kind == JsonKind::EndObject || token.kind == JsonKind::EndArray) --depth;
    CHECK_EQ(depth, json.depth());
    if (token.kind == JsonKind::String || token.kind == JsonKind::Key)
      CHECK_LE(token.value().size(), token.text.size());
  }
}

bool skip_over(const std::string& text) {
  JsonPull json(text, "f");
  const bool skipped = json.skip(json.next());
  return skipped && json.next().kind == JsonKind::End;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const bool whole = walk(text);
  CHECK_EQ(whole, skip_over(text));
  const PhillyCluster cluster{.machines = {{.ip = "m51", .gpus = 2}}, .from = ClusterFrom::Table};
  const auto load = read_philly_json(text, "f", {}, cluster);
  if (!load) return 0;
  CHECK(whole);
  CHECK_EQ(load->report.rows, load->report.kept + load->report.dropped());
  CHECK_EQ(static_cast<std::int64_t>(load->jobs.size()), load->report.kept);
  for (const TraceJob& job : load->jobs) CHECK(job.workers >= 1 && job.each.gpus >= 1);
  return 0;
}
