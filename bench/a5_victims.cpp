// A5: the victims of a gang. Every node is full of single-GPU jobs that began at a hundred different times;
// then a more important gang of 64 whole nodes arrives. Measured is the `advance` that finds the 512 victims,
// stops them and starts the gang: search, decisions and fold. Afterwards the gang ends and the victims start
// again, which is not measured.
#include "measure.hpp"
#include "rows.hpp"
#include "wire/record_bytes.hpp"

namespace muster::bench {
namespace {

constexpr double kBar = 5e-3;
constexpr std::size_t kTimes = 50;
constexpr std::int32_t kGang = 64;

JobSpec small_job(std::size_t number) {
  JobSpec spec;
  spec.name = "s" + std::to_string(number);
  spec.queue = "research";
  spec.user = "u" + std::to_string(number % 1000);
  RoleSpec role{.name = "worker", .count = {}, .each = {}, .select = {}, .near = {}};
  role.each = {.cpu = 12'000, .mem = std::int64_t{120} << 30, .gpus = 1};
  spec.roles.push_back(role);
  spec.limit = seconds(1000 * 3600);
  return spec;
}

void fill_nodes(Engine& engine, Instant& now, std::size_t nodes) {
  std::vector<Event> news;
  LevelsSet levels;
  levels.levels = {"block", "rack"};
  news.emplace_back(levels);
  QueueSpec queue;
  queue.name = "research";
  news.emplace_back(QueueSet{.spec = queue});
  engine.advance(now, news);
  const std::size_t share = nodes / 100;
  for (std::size_t part = 0; part < 100; ++part) {
    news.clear();
    for (std::size_t n = part * share; n < (part + 1) * share; ++n) {
      NodeSpec spec;
      spec.name = "n" + std::to_string(n);
      spec.cpu = 128'000;
      spec.mem = std::int64_t{2048} << 30;
      spec.gpu_type = "A";
      spec.devices.resize(8);
      spec.domains = {"b" + std::to_string(n / 512), "r" + std::to_string(n / 32)};
      news.emplace_back(NodeJoined{.spec = spec, .state = NodeState::Up});
      for (std::size_t j = 0; j < 8; ++j) news.emplace_back(JobSubmitted{.spec = small_job(n * 8 + j)});
    }
    now += seconds(10);
    engine.advance(now, news);
  }
}

JobSpec gang_job() {
  JobSpec spec;
  spec.name = "gang";
  spec.queue = "research";
  spec.user = "g";
  spec.priority = 1;
  spec.roles.push_back(whole_nodes(kGang));
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
  Samples times;
  LogDigest digest;
  std::size_t victims = 0;
  std::size_t started = 0;
  double spent = 0;
  constexpr std::size_t kWarm = 2;
  for (std::size_t i = 0; i < kTimes + kWarm && spent < effort.seconds * 2; ++i) {
    out.stage("gang " + std::to_string(i));
    now += seconds(120);
    const std::vector<Event> news{JobSubmitted{.spec = gang_job()}};
    const Stopwatch watch;
    const Step step = engine.advance(now, news);
    const double took = watch.seconds();
    spent += took;
    const JobId gang{engine.state().jobs.size() - 1};
    if (i >= kWarm || spent >= effort.seconds * 2) {
      times.add(took);
      victims += done_in(step).stops;
      started += engine.state().job(gang).running() ? 1 : 0;
      for (const Record& record : step.log) digest.add(record);
    }
    out.stage("end of gang " + std::to_string(i));
    now += seconds(1);
    const Event end = engine.state().job(gang).running()
                          ? Event(TaskExited{.job = gang, .attempt = 1, .workers = {}, .code = 0})
                          : Event(JobCancelled{.job = gang});
    engine.advance(now, {&end, 1});
  }
  Line line = a5_line();
  line.conditions = grouped(nodes) + " nodes, " + grouped(running) + " running; " + grouped(times.size()) +
                    " gangs, " + grouped(started) + " started, " + grouped(victims / times.size()) +
                    " victims each";
  line.figure = duration_text(times.median());
  line.spread = "p99 " + duration_text(times.p99()) + ", most " + duration_text(times.most());
  const bool counts = running >= 80'000;
  line.verdict = !counts ? kNoVerdict : started < times.size() ? "missed" : at_most(times.median(), kBar);
  line.digest = times.size() == kTimes ? digest.hex() : kCutShort;
  out.line(line);
}

}  // namespace muster::bench
