// What happens from outside, in the order of time; at one time in the order of the file.
#include <map>

#include "base/text.hpp"
#include "wire/scenario_parts.hpp"

namespace muster::scenario {
namespace {

/// What an event of a kind is about, and so which keys it has.
enum class About : std::uint8_t { Nothing, Node, Job, Resize, WorkerExit, Observe, Queue };

About about(Do what) {
  switch (what) {
    case Do::NodeDown:
    case Do::NodeUp:
    case Do::Drain:
    case Do::DrainNow:
    case Do::Undrain:
    case Do::NodeUnreachable:
    case Do::NodeReachable: return About::Node;
    case Do::Cancel:
    case Do::Hold:
    case Do::Release:
    case Do::LaunchError:
    case Do::Remove: return About::Job;
    case Do::Resize: return About::Resize;
    case Do::WorkerExit: return About::WorkerExit;
    case Do::SetQueue: return About::Queue;
    case Do::Observe: return About::Observe;
    case Do::SchedulerRestart: return About::Nothing;
  }
  return About::Nothing;
}

void read_what(const Field& what, Do& out) {
  what.choice<Do>(out, {{"node_down", Do::NodeDown},
                        {"node_up", Do::NodeUp},
                        {"drain", Do::Drain},
                        {"drain_now", Do::DrainNow},
                        {"undrain", Do::Undrain},
                        {"node_unreachable", Do::NodeUnreachable},
                        {"node_reachable", Do::NodeReachable},
                        {"cancel", Do::Cancel},
                        {"hold", Do::Hold},
                        {"release", Do::Release},
                        {"launch_error", Do::LaunchError},
                        {"resize", Do::Resize},
                        {"worker_exit", Do::WorkerExit},
                        {"set_queue", Do::SetQueue},
                        {"scheduler_restart", Do::SchedulerRestart},
                        {"observe", Do::Observe},
                        {"remove", Do::Remove}});
}

void read_worker_exit(const Field& event, Event& out) {
  event.only({"at", "do", "job", "worker", "workers", "code"});
  event["code"].whole(out.code, {.low = 0, .high = 255});
  if (event["worker"] && event["workers"]) {
    return event["workers"].problem("both worker and workers are given",
                                    "worker names one, workers counts them");
  }
  if (event["workers"]) {
    event["workers"].whole(out.workers, {.low = 1, .high = kMaxWorkers});
  } else {
    event.need("worker").whole(out.worker.emplace(), {.low = 0, .high = kMaxWorkers - 1});
  }
}

void read_set_queue(const Field& event, const Names& names, Event& out) {
  event.only({"at", "do", "queue", "limit", "guarantee"});
  names.queues.refer(event.need("queue"), out.queue);
  if (event["limit"]) read_amounts(event["limit"], out.limit.emplace(Amounts::unlimited()));
  if (event["guarantee"]) read_amounts(event["guarantee"], out.guarantee.emplace());
  if (!out.limit && !out.guarantee) event.problem("changes nothing", "give limit or guarantee");
}

void read_details(const Field& event, const Names& names, Event& out) {
  const About subject = about(out.what);
  switch (subject) {
    case About::Nothing: event.only({"at", "do"}); return;
    case About::Node:
      event.only({"at", "do", "node"});
      return names.nodes.refer(event.need("node"), out.node);
    case About::Queue: return read_set_queue(event, names, out);
    case About::Job: event.only({"at", "do", "job"}); break;
    case About::Resize:
      event.only({"at", "do", "job", "workers"});
      event.need("workers").whole(out.workers, {.low = 0, .high = kMaxWorkers});
      break;
    case About::Observe:
      event.only({"at", "do", "job", "cpu"});
      read_cpu(event.need("cpu"), out.cpu);
      break;
    case About::WorkerExit: read_worker_exit(event, out); break;
  }
  read_job_name(event.need("job"), names, out.job);
}

}  // namespace

void read_events(const Field& events, const Names& names, Scenario& out) {
  std::multimap<Instant, Event> by_time;  // equal times stay in the order of insertion
  for (const Field& item : events.items()) {
    Event event;
    const Field at = item.need("at");
    at.time(event.at);
    if (event.at > out.end) at.problem("after the scenario's end at " + format_milli(millis(out.end)));
    const Field what = item.need("do");
    read_what(what, event.what);
    if (!item) return;
    read_details(item, names, event);
    by_time.emplace(event.at, std::move(event));
  }
  for (auto& [at, event] : by_time) out.events.push_back(std::move(event));
}

}  // namespace muster::scenario
