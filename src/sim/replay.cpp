#include "sim/replay.hpp"

#include <algorithm>
#include <set>

namespace muster {
namespace {

constexpr int kMostRounds = 100'000;
constexpr std::size_t kMostQuiet = 10'000;

Instant last_arrival(const Workload& workload) {
  return workload.jobs.empty() ? Instant{} : workload.jobs.back().submit;
}

sim::Behaviour behaviour_of(const TraceJob& job, const JobSpec& spec) {
  sim::Behaviour how;
  how.run = job.run;
  how.checkpoint = spec.checkpoint;
  return how;
}

}  // namespace

Result<void> ReplayLog::append(std::span<const Record> records) {
  for (const Record& record : records) {
    digest_.add(record);
    if (keep_ == KeepLog::Yes) encode(record, bytes_);
    ++records_;
    if (std::holds_alternative<Decided>(record.event)) ++decisions_;
  }
  return {};
}

JobSpec job_spec(const TraceJob& job, const ReplayOptions& options) {
  JobSpec spec;
  spec.name = job.name;
  if (!job.queue.empty()) spec.queue = job.queue;
  spec.user = job.user;
  spec.class_rank = job.class_rank;
  spec.priority = job.priority;
  RoleSpec& role = spec.roles.emplace_back();
  role.name = "worker";
  role.count = {.min = job.workers, .max = job.workers, .legal = {}};
  role.each = job.each;
  role.select = job.select;
  spec.limit = job.limit;
  if (options.estimates == Estimates::Exact) spec.expect = job.run;
  if (options.estimates == Estimates::Limit) spec.expect = job.limit;
  spec.checkpoint = options.checkpoint;
  return spec;
}

std::vector<Event> Replay::World::act(const State& state, const Step& step, Instant now) {
  for (const Record& record : step.log) {
    const auto* submitted = std::get_if<JobSubmitted>(&record.event);
    if (submitted != nullptr) physics.expect(behaviour_of(workload.jobs[physics.known()], *submitted->spec));
  }
  meter.watch(state, step, now);
  return physics.act(state, step, now);
}

Replay::Replay(const Cluster& cluster, const Workload& workload, const Knobs& knobs,
               const ReplayOptions& options)
    : workload_(workload),
      options_(options),
      world_{.workload = workload, .physics = {}, .meter = Meter(last_arrival(workload))},
      driver_(knobs, world_, ReplayLog(options.keep_log)) {
  driver_.post(cluster.levels);
  for (const ClusterNode& node : cluster.nodes)
    driver_.post(NodeJoined{.spec = node.spec, .state = node.state});
  for (const QueueSpec& queue : cluster.queues) driver_.post(QueueSet{.spec = queue});
  for (const UserSpec& user : cluster.users) driver_.post(UserSet{.spec = user});
}

/// Ends come as the trace saw them: the physics only know that the work is over.
void Replay::post_due() {
  for (Event& event : world_.physics.due(now_)) {
    auto* exited = std::get_if<TaskExited>(&event);
    const auto seen = exited == nullptr ? std::nullopt : workload_.jobs[exited->job.index()].outcome_seen;
    if (seen == JobState::Cancelled) {
      driver_.post(JobCancelled{.job = exited->job, .cause = StopCause::Cancelled});
      continue;
    }
    if (seen == JobState::Failed) exited->code = 1;
    driver_.post(std::move(event));
  }
}

void Replay::post_arrivals() {
  for (; arrived_ < workload_.jobs.size() && workload_.jobs[arrived_].submit <= now_; ++arrived_) {
    driver_.post(JobSubmitted{.spec = job_spec(workload_.jobs[arrived_], options_)});
  }
}

Result<bool> Replay::step() {
  if (!next_) return false;
  now_ = *next_;
  const std::uint64_t before = log().records();
  post_due();
  post_arrivals();
  int rounds = 0;
  do {
    if (auto done = driver_.round(now_); !done) return fail(std::move(done.error()));
    post_due();
    if (++rounds > kMostRounds) {
      return fail("the scheduler does not come to rest at " + std::to_string(as_seconds(now_)) + " s");
    }
  } while (driver_.has_news());
  quiet_ = log().records() == before ? quiet_ + 1 : 0;
  next_ = next_instant();
  return next_.has_value();
}

Result<bool> Replay::advance_until(Instant until) {
  while (next_ && *next_ <= until) {
    if (auto more = step(); !more) return more;
  }
  return next_.has_value();
}

std::optional<Instant> Replay::next_instant() const {
  // What is left then are alarms of jobs that are over.
  if (ended() == workload_.jobs.size()) return std::nullopt;
  std::optional<Instant> next = world_.physics.next();
  const auto earlier = [&](Instant at) {
    if (!next || at < *next) next = at;
  };
  if (arrived_ < workload_.jobs.size()) earlier(workload_.jobs[arrived_].submit);
  // Nothing runs and nobody comes: a scheduler that only looks again and again would never end the run.
  if (!next && quiet_ > kMostQuiet) return std::nullopt;
  const auto wake = driver_.wake_at();
  if (wake && *wake > now_ && *wake < kNever) earlier(*wake);
  return next;
}

void compress(Workload& workload, std::int64_t factor_milli) {
  for (TraceJob& job : workload.jobs) {
    const auto scaled = static_cast<__int128>(millis(job.submit)) * 1000 / factor_milli;
    job.submit = Instant{Duration{static_cast<std::int64_t>(scaled)}};
  }
}

std::vector<std::string> add_missing_queues(Cluster& cluster, const Workload& workload) {
  std::set<std::string> known{std::string(kDefaultQueue)};
  for (const QueueSpec& queue : cluster.queues) known.insert(queue.name);
  std::vector<std::string> added;
  for (const TraceJob& job : workload.jobs) {
    if (job.queue.empty() || !known.insert(job.queue).second) continue;
    QueueSpec& queue = cluster.queues.emplace_back();
    queue.name = job.queue;
    added.push_back(job.queue);
  }
  return added;
}

Cluster cluster_of(const Workload& workload, const std::string& name) {
  Cluster cluster;
  cluster.name = name;
  for (const NodeSpec& node : workload.nodes) cluster.nodes.push_back({.spec = node, .state = NodeState::Up});
  return cluster;
}

}  // namespace muster
