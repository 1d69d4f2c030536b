// A4: one pass of EASY backfill over the whole backlog. One running job ends and every waiting job is looked
// at again (`Policy::forget`), each start checked against the promise to the first. The engine does not work
// so by itself, it wakes only what a release could help; the pass is what a periodic scheduler pays each
// cycle.
#include "measure.hpp"
#include "policy/recipes.hpp"
#include "rows.hpp"
#include "wire/record_bytes.hpp"

namespace muster::bench {
namespace {

constexpr double kBar = 20e-3;
constexpr std::size_t kPasses = 5;

}  // namespace

Line a4_line(const std::string& recipe) {
  Line line;
  line.row = "A4";
  line.measure = "EASY pass, recipe " + recipe;
  line.conditions = "100,000 waiting";
  line.bar = duration_text(kBar);
  line.verdict = "missed";
  return line;
}

Line a4_conservative() {
  Line line;
  line.row = "A4";
  line.measure = "conservative backfill, 10,000 reservations";
  line.conditions = line.figure = "not built";
  line.spread = line.digest = "-";
  line.bar = "500 ms";
  line.verdict = kNoVerdict;
  return line;
}

void a4_easy(const World& world, const std::string& name, const Effort& effort, const Out& out) {
  out.stage("folding the world's log");
  Engine engine(*recipe(name), world.log);
  out.stage("the first advance");
  Instant now = world.now + kRest;
  engine.advance(now, {});
  Random random(17, "ends");
  Samples times;
  LogDigest digest;
  std::size_t starts = 0;
  double spent = 0;
  for (std::size_t pass = 1; pass <= kPasses && spent < effort.seconds * 3; ++pass) {
    out.stage("pass " + std::to_string(pass));
    const State& state = engine.state();
    const JobId job = state.running[random.below(state.running.size())];
    const Event news[] = {end_of(state, job)};
    now += seconds(1);
    const Stopwatch watch;
    engine.policy().forget(state);
    const Step step = engine.advance(now, news);
    const double took = watch.seconds();
    times.add(took);
    spent += took;
    starts += done_in(step).starts;
    for (const Record& record : step.log) digest.add(record);
  }
  Line line = a4_line(name);
  line.conditions = conditions_of(engine.state()) + "; " + grouped(times.size()) + " passes, " +
                    grouped(starts) + " starts";
  line.figure = duration_text(times.median());
  line.spread = range_text(times);
  const bool counts = pending_jobs(engine.state()) >= 99'000 && engine.state().running.size() >= 9'000;
  line.verdict = counts ? at_most(times.median(), kBar) : kNoVerdict;
  line.digest = times.size() == kPasses ? digest.hex() : kCutShort;
  out.line(line);
}

}  // namespace muster::bench
