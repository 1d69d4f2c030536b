// A2: a gang of 512 whole nodes into the tightest domain. The cluster has spines of 8 blocks, blocks of 16
// racks and racks of 32 nodes; one block in ten is drained, one in four is empty, and the others hold jobs of
// one whole node on a share of their nodes that differs from block to block. So a gang that wants one block
// has to find an empty one, and a gang that wants one spine has to find the spine with the least room that is
// enough.
//
// Measured: the `advance` that takes in the submission and starts the gang, 512 seats in rank order with
// their devices, and the fold of that decision. Between two of them the gang ends, which is not measured.
#include <algorithm>

#include "gang.hpp"
#include "measure.hpp"
#include "rows.hpp"

namespace muster::bench {
namespace {

constexpr std::size_t kRack = 32;
constexpr std::size_t kBlock = 16 * kRack;
constexpr std::size_t kSpine = 8 * kBlock;
constexpr double kBar = 100e-6;
constexpr std::size_t kTimes = 200;
constexpr std::size_t kGang = 512;

std::vector<Event> cluster(std::size_t nodes) {
  std::vector<Event> events = plain_events({"spine", "block", "rack"});
  for (std::size_t n = 0; n < nodes; ++n) {
    const NodeSpec node = plain_node(n, {"s" + std::to_string(n / kSpine), "b" + std::to_string(n / kBlock),
                                         "r" + std::to_string(n / kRack)});
    events.emplace_back(
        NodeJoined{.spec = node, .state = n / kBlock % 10 == 9 ? NodeState::Drained : NodeState::Up});
  }
  return events;
}

JobSpec job_of(const std::string& name, std::int32_t nodes) {
  JobSpec spec = plain_job(name, whole_nodes(nodes));
  spec.limit = seconds(6 * 3600);
  return spec;
}

/// Single-node jobs that run already, by block.
std::vector<Event> residents(std::size_t nodes) {
  Random random(3, "residents");
  std::vector<Event> events;
  std::uint64_t percent = 0;
  for (std::size_t n = 0; n < nodes; ++n) {
    if (n % kBlock == 0) percent = random.chance(1, 4) ? 0 : 10 + random.below(85);
    if (n / kBlock % 10 == 9 || random.below(100) >= percent) continue;
    JobSpec spec = job_of("r" + std::to_string(n), 1);
    spec.placed = {"n" + std::to_string(n)};
    events.emplace_back(JobSubmitted{.spec = std::move(spec)});
  }
  return events;
}

/// Nodes a gang could use, by domain of the level.
std::vector<std::size_t> room_by_domain(const State& state, std::size_t size) {
  std::vector<std::size_t> room;
  for (std::size_t n = 0; n < state.ledger.nodes().size(); ++n) {
    const NodeEntry& node = state.ledger.nodes()[n];
    if (n % size == 0) room.push_back(0);
    if (node.state == NodeState::Up && node.guests.empty()) ++room.back();
  }
  return room;
}

/// All in one domain, and no other domain with enough room had less.
bool is_tightest(const std::vector<std::size_t>& room, const Placement& seats, std::size_t size) {
  if (seats.size() != kGang) return false;
  const std::size_t domain = seats.front().node.index() / size;
  for (const Seat& seat : seats) {
    if (seat.node.index() / size != domain) return false;
  }
  return std::none_of(room.begin(), room.end(),
                      [&](std::size_t here) { return here >= kGang && here < room[domain]; });
}

JobSpec gang_in_one(const std::string& level) {
  JobSpec spec = job_of("gang", kGang);
  spec.near.push_back({.level = level, .mode = Locality::Required});
  return spec;
}

}  // namespace

Line a2_line() {
  Line line;
  line.row = "A2";
  line.measure = "submission to start of a gang of 512 whole nodes";
  line.conditions = "100,352 nodes";
  line.bar = duration_text(kBar) + " p99";
  line.verdict = "missed";
  return line;
}

void a2_gang(std::size_t nodes, const Effort& effort, const Out& out) {
  out.stage("building the cluster");
  Engine engine(knobs_of(Rules::Full));
  Instant now = at_seconds(0);
  engine.advance(now, cluster(nodes));
  now += seconds(1);
  out.stage("seating the residents");
  engine.advance(now, residents(nodes));
  for (const std::string level : {"block", "spine"}) {
    const std::size_t size = level == "block" ? kBlock : kSpine;
    const auto room = room_by_domain(engine.state(), size);
    std::size_t tightest = 0;
    const Visits gangs{.what = "gang that wants one " + level,
                       .gang = gang_in_one(level),
                       .warm = 5,
                       .times = kTimes,
                       .apart = seconds(1),
                       .seconds = effort.seconds,
                       .seen = [&](const Step& /*step*/, const Job& gang) {
                         tightest += is_tightest(room, gang.seats, size) ? 1 : 0;
                       }};
    const auto [times, digest] = visit(engine, now, gangs, out);
    Line line = a2_line();
    line.measure += ", in one " + level;
    line.conditions = grouped(nodes) + " nodes, " + grouped(engine.state().running.size()) +
                      " of them taken; " + grouped(times.size()) + " gangs, " + grouped(tightest) +
                      " in the tightest";
    line.figure = duration_text(times.median());
    line.spread = tail_text(times);
    line.verdict = tightest < times.size() ? "missed" : at_most(times.p99(), kBar);
    if (nodes < 100'000) line.verdict = kNoVerdict;
    line.digest = times.size() == kTimes ? digest.hex() : kCutShort;
    out.line(line);
  }
}

}  // namespace muster::bench
