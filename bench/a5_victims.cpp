// A5: the victims of a gang. Every node is full of single-GPU jobs that began at a hundred different times;
// then a more important gang of 64 whole nodes arrives. Measured is the `advance` that finds the 512 victims,
// stops them and starts the gang: search, decisions and fold. Afterwards the gang ends and the victims start
// again, which is not measured.
#include "gang.hpp"
#include "measure.hpp"
#include "rows.hpp"

namespace muster::bench {
namespace {

constexpr double kBar = 5e-3;
constexpr std::size_t kTimes = 50;
constexpr std::int32_t kGang = 64;

void fill_nodes(Engine& engine, Instant& now, std::size_t nodes) {
  engine.advance(now, plain_events({"block", "rack"}));
  std::vector<Event> news;
  const std::size_t share = nodes / 100;
  for (std::size_t part = 0; part < 100; ++part) {
    news.clear();
    for (std::size_t n = part * share; n < (part + 1) * share; ++n) {
      const NodeSpec node = plain_node(n, {"b" + std::to_string(n / 512), "r" + std::to_string(n / 32)});
      news.emplace_back(NodeJoined{.spec = node, .state = NodeState::Up});
      for (std::size_t j = n * 8; j < n * 8 + 8; ++j) {
        JobSpec small = plain_job("s" + std::to_string(j), workers(1, 1));
        small.user += std::to_string(j % 1000);
        small.limit = seconds(1000 * 3600);
        news.emplace_back(JobSubmitted{.spec = std::move(small)});
      }
    }
    now += seconds(10);
    engine.advance(now, news);
  }
}

JobSpec gang_job() {
  JobSpec spec = plain_job("gang", whole_nodes(kGang));
  spec.user = "g";
  spec.priority = 1;
  spec.limit = seconds(3600);
  return spec;
}

}  // namespace

Line a5_line() {
  Line line;
  line.row = "A5";
  line.measure = "victims and start of a gang of 64 whole nodes";
  line.conditions = "10,000 nodes, 80,000 running";
  line.bar = duration_text(kBar);
  line.verdict = "missed";
  return line;
}

void a5_victims(std::size_t nodes, const Effort& effort, const Out& out) {
  out.stage("filling the cluster");
  Engine engine(knobs_of(Rules::Full));
  Instant now = at_seconds(0);
  fill_nodes(engine, now, nodes);
  const std::size_t running = engine.state().running.size();
  std::size_t victims = 0;
  std::size_t started = 0;
  const Visits gangs{.what = "gang",
                     .gang = gang_job(),
                     .warm = 2,
                     .times = kTimes,
                     .apart = seconds(120),
                     .seconds = effort.seconds * 2,
                     .seen = [&](const Step& step, const Job& gang) {
                       victims += done_in(step).stops;
                       started += gang.running() ? 1 : 0;
                     }};
  const auto [times, digest] = visit(engine, now, gangs, out);
  Line line = a5_line();
  line.conditions = grouped(nodes) + " nodes, " + grouped(running) + " running; " + grouped(times.size()) +
                    " gangs, " + grouped(started) + " started, " + grouped(victims / times.size()) +
                    " victims each";
  line.figure = duration_text(times.median());
  line.spread = tail_text(times);
  const bool counts = running >= 80'000;
  line.verdict = !counts ? kNoVerdict : started < times.size() ? "missed" : at_most(times.median(), kBar);
  line.digest = times.size() == kTimes ? digest.hex() : kCutShort;
  out.line(line);
}

}  // namespace muster::bench
