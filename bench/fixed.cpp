// `muster_bench_fixed`: 10,000 decisions on 1,000 nodes with 10,000 jobs waiting, always the same ones. It
// measures nothing itself: bench/instructions.sh counts the instructions of `decide_all`, which tells a
// slower engine from a slower machine.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>

#include "steady.hpp"
#include "wire/record_bytes.hpp"

namespace muster::bench {

/// The part that is counted; not inlined, because the counter finds it by its name.
[[gnu::noinline]] std::vector<Step> decide_all(Steady& steady, std::size_t decisions) {
  std::vector<Step> steps;
  for (std::size_t starts = 0; starts < decisions;) {
    steps.push_back(steady.step());
    starts += done_in(steps.back()).starts;
  }
  return steps;
}

namespace {

int main_fixed(int argc, char** argv) {
  std::size_t decisions = 10'000;
  std::size_t nodes = 1000;
  std::size_t pending = 10'000;
  Rules rules = Rules::Full;
  const std::map<std::string, Rules> names{{"full", Rules::Full}, {"reduced", Rules::Reduced}};
  CLI::App app("Takes a fixed sequence of decisions, for bench/instructions.sh.");
  app.add_option("--decisions", decisions)->capture_default_str();
  app.add_option("--nodes", nodes)->capture_default_str();
  app.add_option("--pending", pending)->capture_default_str();
  app.add_option("--rules", rules, "full: the recipe muster; reduced: without EASY, reclaim, protection")
      ->transform(CLI::CheckedTransformer(names));
  CLI11_PARSE(app, argc, argv);

  const World world = make_world(with_pending(nodes, pending));
  Engine engine(knobs_of(rules), world.log);
  engine.advance(world.now + kRest, {});
  Steady steady(engine, world.now + kRest, Pace::Millisecond);
  steady.stock(decisions * 2);
  const auto steps = decide_all(steady, decisions);
  std::size_t starts = 0;
  LogDigest digest;
  for (const Step& step : steps) {
    starts += done_in(step).starts;
    for (const Record& record : step.log) digest.add(record);
  }
  std::printf("decisions %zu steps %zu digest %s\n", starts, steps.size(), digest.hex().c_str());
  return 0;
}

}  // namespace
}  // namespace muster::bench

int main(int argc, char** argv) { return muster::bench::main_fixed(argc, argv); }
