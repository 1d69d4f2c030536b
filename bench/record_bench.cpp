// How long it takes to fold, encode and decode records: what every decision pays besides the search.
#include <benchmark/benchmark.h>

#include "core/apply.hpp"
#include "steady.hpp"
#include "wire/record_bytes.hpp"

namespace muster::bench {
namespace {

/// A log of a small cluster: `fill`, then ends and arrivals.
struct Story {
  Story() {
    Engine engine(knobs_of(Rules::Reduced));
    Instant now = fill(engine, with_pending(1000, 2000), &log);
    filled = log.size();
    Steady steady(engine, now, Pace::Millisecond);
    for (int i = 0; i < 5000; ++i) {
      for (Record& record : steady.step().log) log.push_back(std::move(record));
    }
  }

  std::vector<Record> log;
  std::size_t filled = 0;
};

const Story& story() {
  static const Story once;
  return once;
}

const Record& first_start(const Story& told) {
  for (const Record& record : told.log) {
    const auto* decided = std::get_if<Decided>(&record.event);
    if (decided != nullptr && std::holds_alternative<Start>(decided->decision.what)) return record;
  }
  return told.log.back();
}

const Record& first_submission(const Story& told) {
  for (const Record& record : told.log) {
    if (std::holds_alternative<JobSubmitted>(record.event)) return record;
  }
  return told.log.back();
}

/// A step in steady state is an end, starts and arrivals; the figure is for one record of that mix.
void apply_a_record(benchmark::State& bench) {
  const Story& told = story();
  std::size_t folded = 0;
  for (auto _ : bench) {
    bench.PauseTiming();
    State state = initial_state();
    for (std::size_t r = 0; r < told.filled; ++r) apply(state, told.log[r]);
    state.ledger.lay_out();
    bench.ResumeTiming();
    for (std::size_t r = told.filled; r < told.log.size(); ++r) apply(state, told.log[r]);
    folded += told.log.size() - told.filled;
    bench.PauseTiming();
    state = State();
    bench.ResumeTiming();
  }
  bench.SetItemsProcessed(static_cast<std::int64_t>(folded));
}
BENCHMARK(apply_a_record)->Unit(benchmark::kMillisecond);

void encode_record(benchmark::State& bench, const Record& (*choose)(const Story&)) {
  const Record& record = choose(story());
  std::vector<std::uint8_t> bytes;
  for (auto _ : bench) {
    bytes.clear();
    encode(record, bytes);
    benchmark::DoNotOptimize(bytes.data());
  }
  bench.SetBytesProcessed(static_cast<std::int64_t>(bytes.size()) * bench.iterations());
}
BENCHMARK_CAPTURE(encode_record, start, &first_start);
BENCHMARK_CAPTURE(encode_record, submission, &first_submission);

void decode_record(benchmark::State& bench, const Record& (*choose)(const Story&)) {
  std::vector<std::uint8_t> bytes;
  encode(choose(story()), bytes);
  for (auto _ : bench) {
    std::span<const std::uint8_t> in(bytes);
    auto record = decode(in);
    benchmark::DoNotOptimize(record);
  }
  bench.SetBytesProcessed(static_cast<std::int64_t>(bytes.size()) * bench.iterations());
}
BENCHMARK_CAPTURE(decode_record, start, &first_start);
BENCHMARK_CAPTURE(decode_record, submission, &first_submission);

}  // namespace
}  // namespace muster::bench
