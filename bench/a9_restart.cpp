// A9: restart. From the bytes of the log, as a journal holds them, to the first decision: decode and check
// every frame, fold the records, and let a running job end so that there is something to decide.
#include "base/check.hpp"
#include "measure.hpp"
#include "rows.hpp"
#include "wire/record_bytes.hpp"

namespace muster::bench {
namespace {

constexpr double kBar = 3;

struct Restart {
  double decode = 0;
  double fold = 0;
  double decide = 0;
  std::size_t decisions = 0;
  std::string conditions;
  std::string digest;

  [[nodiscard]] double total() const { return decode + fold + decide; }
};

Restart restart(const std::vector<std::uint8_t>& bytes, Instant now, const Out& out) {
  Restart result;
  const double began = cpu_seconds();
  out.stage("decoding");
  const auto log = decode_log(bytes);
  CHECK(log.has_value());
  result.decode = cpu_seconds() - began;
  out.stage("folding");
  Engine engine(knobs_of(Rules::Full), *log);
  result.fold = cpu_seconds() - began - result.decode;
  out.stage("the first decision");
  const State& state = engine.state();
  const Event news[] = {end_of(state, state.running.front())};
  const Step step = engine.advance(now, news);
  result.decide = cpu_seconds() - began - result.decode - result.fold;
  result.decisions = step.plan.decisions.size();
  result.conditions = conditions_of(state);
  LogDigest digest;
  for (const Record& record : step.log) digest.add(record);
  result.digest = digest.hex();
  return result;
}

}  // namespace

Line a9_line() {
  Line line;
  line.row = "A9";
  line.measure = "restart: log to first decision";
  line.conditions = "100,000 nodes, 1,000,000 jobs";
  line.bar = duration_text(kBar);
  line.verdict = "missed";
  return line;
}

void a9_restart(const World& world, const Effort& effort, const Out& out) {
  out.stage("encoding the log");
  std::vector<std::uint8_t> bytes;
  for (const Record& record : world.log) encode(record, bytes);
  Samples times;
  Restart last;
  const double until = cpu_seconds() + effort.seconds * 4;
  for (int r = 1; r <= 5 && cpu_seconds() < until; ++r) {
    last = restart(bytes, world.now + kRest, out);
    times.add(last.total());
  }
  Line line = a9_line();
  line.conditions = last.conditions + ", " + grouped(world.log.size()) + " records, " +
                    mebibytes(bytes.size()) + "; " + grouped(times.size()) + " restarts, " +
                    grouped(last.decisions) + " decisions; decode " + duration_text(last.decode) + ", fold " +
                    duration_text(last.fold) + ", decide " + duration_text(last.decide);
  line.figure = duration_text(times.median());
  line.spread = range_text(times);
  const bool counts = world.spec.nodes >= 100'000 && world.spec.jobs >= 1'000'000;
  line.verdict = counts ? at_most(times.median(), kBar) : kNoVerdict;
  line.digest = last.digest;
  out.line(line);
}

}  // namespace muster::bench
