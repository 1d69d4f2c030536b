// A3: one release with a million jobs waiting, of which at most ten can start. The cluster is in steady state
// (steady.hpp); then a job on one node ends, a thousand times, with no arrivals. A node has 8 GPUs, so no
// more than eight of the waiting can start in the room; what is measured is that one `advance`.
#include <algorithm>

#include "measure.hpp"
#include "rows.hpp"
#include "wire/record_bytes.hpp"

namespace muster::bench {
namespace {

constexpr double kBar = 200e-6;
constexpr std::size_t kTimes = 1000;

/// A running job with all its workers on one node.
JobId on_one_node(const State& state, Random& random) {
  while (true) {
    const JobId job = state.running[random.below(state.running.size())];
    if (state.job(job).seats.size() == 1) return job;
  }
}

}  // namespace

Line a3_line(const WorldSpec& spec, std::size_t pending, Rules rules) {
  Line line;
  line.row = "A3";
  line.measure = std::string("one release, ") + name_of(rules);
  line.conditions = grouped(spec.nodes) + " nodes, " + grouped(pending) + " waiting";
  const bool counts = rules == Rules::Full && pending >= 990'000;
  line.bar = counts ? duration_text(kBar) : "-";
  line.verdict = counts ? "missed" : kNoVerdict;
  return line;
}

void a3_release(const World& world, Rules rules, const Effort& effort, const Out& out) {
  out.stage("folding the world's log");
  Engine engine(knobs_of(rules), world.log);
  out.stage("the first advance");
  engine.advance(world.now + kRest, {});
  Steady steady(engine, world.now + kRest, Pace::Millisecond);
  out.stage("steps to reach the steady state");
  const double until = cpu_seconds() + effort.seconds;
  std::size_t steps = 0;
  for (; steps < effort.steps && cpu_seconds() < until; ++steps) steady.step();

  out.stage("releases");
  Random random(13, "releases");
  Instant now = steady.now();
  Samples times;
  LogDigest digest;
  std::size_t most = 0;
  std::size_t starts = 0;
  const std::size_t waiting = pending_jobs(engine.state());
  const double end = cpu_seconds() + effort.seconds;
  for (std::size_t i = 0; i < kTimes && cpu_seconds() < end; ++i) {
    const JobId job = on_one_node(engine.state(), random);
    const Event news[] = {end_of(engine.state(), job)};
    now += Duration{1};
    const Stopwatch watch;
    const Step step = engine.advance(now, news);
    times.add(watch.seconds());
    const std::size_t started = done_in(step).starts;
    most = std::max(most, started);
    starts += started;
    for (const Record& record : step.log) digest.add(record);
  }
  Line line = a3_line(world.spec, waiting, rules);
  line.conditions = conditions_of(engine.state()) + "; " + grouped(times.size()) + " releases, " +
                    grouped(starts) + " starts, at most " + grouped(most) + " each";
  line.figure = duration_text(times.median());
  line.spread = tail_text(times);
  if (line.verdict != std::string(kNoVerdict)) line.verdict = at_most(times.p99(), kBar);
  line.digest = steps == effort.steps && times.size() == kTimes ? digest.hex() : kCutShort;
  out.line(line);
}

}  // namespace muster::bench
