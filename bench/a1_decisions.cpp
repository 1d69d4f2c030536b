// A1: decisions a second in steady state. A decision is a job started; each step ends one job, takes in the
// arrivals and lets the policy decide (steady.hpp). Five rounds are timed as wholes, a sixth step by step for
// the quantiles of one `advance`.
//
// The bar is for a million waiting jobs and the whole recipe, a millisecond of the cluster's time a step.
// The other lines say what the bar's line leaves out: the same without the costly rules, and the same at the
// pace at which jobs of such a cluster end, where ageing reorders the lanes every few steps.
#include <algorithm>

#include "measure.hpp"
#include "rows.hpp"
#include "wire/record_bytes.hpp"

namespace muster::bench {
namespace {

struct Round {
  double seconds = 0;
  std::size_t steps = 0;
  Done done;
};

/// Steps in batches, hashed between the timed parts; freeing the records is charged.
Round run_round(Steady& steady, const Effort& effort, LogDigest* digest) {
  Round round;
  std::vector<Step> kept;
  std::size_t batch = 1;
  while (round.steps < effort.steps && round.seconds < effort.seconds / 5) {
    batch = std::min(batch, effort.steps - round.steps);
    steady.stock(batch * 10);
    const double began = cpu_seconds();
    for (std::size_t i = 0; i < batch; ++i) kept.push_back(steady.step());
    const double stepped = cpu_seconds();
    for (const Step& step : kept) {
      for (const Record& record : step.log) {
        if (digest != nullptr) digest->add(record);
      }
      const Done done = done_in(step);
      round.done.starts += done.starts;
      round.done.stops += done.stops;
    }
    const double hashed = cpu_seconds();
    kept.clear();
    const double freed = cpu_seconds();
    round.seconds += stepped - began + freed - hashed;
    round.steps += batch;
    if (stepped - began < 0.02) batch = std::min<std::size_t>(batch * 2, 1000);
  }
  return round;
}

Samples time_steps(Steady& steady, const Effort& effort) {
  Samples samples;
  const double until = cpu_seconds() + effort.seconds / 5;
  for (std::size_t i = 0; i < effort.steps; ++i) {
    steady.stock(16);
    const Stopwatch watch;
    const Step step = steady.step();
    samples.add(watch.seconds());
    if (cpu_seconds() > until) break;
  }
  return samples;
}

struct Bar {
  std::size_t nodes;
  double rate;
};
constexpr Bar kBars[] = {{1000, 500'000}, {10'000, 400'000}, {100'000, 200'000}};

/// 0 where the bars say nothing about such a run.
double bar_of(const WorldSpec& spec, std::size_t pending, const Variant& variant) {
  if (variant.rules != Rules::Full || variant.pace != Pace::Millisecond || pending < 990'000) return 0;
  for (const Bar& bar : kBars) {
    if (bar.nodes == spec.nodes) return bar.rate;
  }
  return 0;
}

}  // namespace

std::string conditions_of(const State& state) {
  return grouped(state.ledger.nodes().size()) + " nodes, " + grouped(pending_jobs(state)) + " waiting, " +
         grouped(state.running.size()) + " running, load " + std::to_string(load_percent(state)) + " %";
}

Line a1_line(const WorldSpec& spec, std::size_t pending, const Variant& variant) {
  Line line;
  line.row = "A1";
  line.measure = std::string("decisions, ") + name_of(variant.rules);
  if (variant.pace == Pace::Cluster) line.measure += ", at the cluster's pace";
  line.conditions = grouped(spec.nodes) + " nodes, " + grouped(pending) + " waiting";
  const double bar = bar_of(spec, pending, variant);
  line.bar = bar > 0 ? per_second(bar) : "-";
  line.verdict = bar > 0 ? "missed" : kNoVerdict;
  return line;
}

void a1_decisions(const World& world, const Variant& variant, const Effort& effort, const Out& out) {
  out.stage("folding the world's log");
  Engine engine(knobs_of(variant.rules), world.log);
  out.stage("the first advance");
  engine.advance(world.now + kRest, {});
  Steady steady(engine, world.now + kRest, variant.pace);
  out.stage("the round before the first");
  bool whole = run_round(steady, effort, nullptr).steps == effort.steps;
  const std::size_t waiting = pending_jobs(engine.state());
  LogDigest digest;
  Samples rates;
  Done done;
  std::size_t steps = 0;
  for (int r = 1; r <= 5; ++r) {
    out.stage("round " + std::to_string(r));
    const Round round = run_round(steady, effort, &digest);
    rates.add(static_cast<double>(round.done.starts) / round.seconds);
    steps += round.steps;
    whole = whole && round.steps == effort.steps;
    done.starts += round.done.starts;
    done.stops += round.done.stops;
  }
  out.stage("the round that times each step");
  const Samples times = time_steps(steady, effort);
  Line line = a1_line(world.spec, waiting, variant);
  line.conditions = conditions_of(engine.state()) + "; " + grouped(steps) + " steps, " +
                    grouped(done.starts) + " starts, " + grouped(done.stops) + " evictions";
  line.figure = per_second(rates.median());
  line.spread = per_second(rates.least()) + " to " + per_second(rates.most()) + "; advance p50 " +
                duration_text(times.median()) + ", p99 " + duration_text(times.p99());
  line.digest = whole ? digest.hex() : kCutShort;
  const double bar = bar_of(world.spec, waiting, variant);
  if (bar > 0) line.verdict = at_least(rates.median(), bar);
  out.line(line);
}

}  // namespace muster::bench
