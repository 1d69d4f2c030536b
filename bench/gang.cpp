#include "gang.hpp"

#include "steady.hpp"

namespace muster::bench {
namespace {

constexpr const char* kQueue = "research";

}  // namespace

std::vector<Event> plain_events(const std::vector<std::string>& levels) {
  QueueSpec queue;
  queue.name = kQueue;
  return {LevelsSet{.levels = levels, .extended = {}, .cleanup = {}}, QueueSet{.spec = queue}};
}

NodeSpec plain_node(std::size_t n, std::vector<std::string> domains) {
  NodeSpec spec = node_of_eight(n);
  spec.gpu_type = "A";
  spec.domains = std::move(domains);
  return spec;
}

JobSpec plain_job(const std::string& name, RoleSpec role) {
  JobSpec spec;
  spec.name = name;
  spec.queue = kQueue;
  spec.user = "u";
  spec.roles.push_back(std::move(role));
  return spec;
}

Visited visit(Engine& engine, Instant& now, const Visits& visits, const Out& out) {
  Visited visited;
  double spent = 0;
  for (std::size_t i = 0; i < visits.warm + visits.times && spent < visits.seconds; ++i) {
    out.stage(visits.what + " " + std::to_string(i));
    const std::vector<Event> news{JobSubmitted{.spec = visits.gang}};
    now += visits.apart;
    const Stopwatch watch;
    const Step step = engine.advance(now, news);
    const double took = watch.seconds();
    spent += took;
    const JobId gang{engine.state().jobs.size() - 1};
    if (i >= visits.warm || spent >= visits.seconds) {
      visited.times.add(took);
      visits.seen(step, engine.state().job(gang));
      for (const Record& record : step.log) visited.digest.add(record);
    }
    out.stage("end of " + visits.what + " " + std::to_string(i));
    now += seconds(1);
    const Event end = end_of(engine.state(), gang);
    engine.advance(now, {&end, 1});
  }
  return visited;
}

}  // namespace muster::bench
