// Reading of scenario files: every case of the collection reads; copies, units, names and checks come out
// exactly as written.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

#include "wire/scenario.hpp"

namespace muster::scenario {
namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Lines 1 to 4 come first, so `body` begins in line 5.
std::string with_head(const std::string& body) {
  return "schema: sched-case/1\n"
         "cluster: {levels: [rack], nodes: [{names: [n1, n2], gpu: 8, in: {rack: r1}}]}\n"
         "queues: [{name: prod}, {name: test}]\n"
         "users: [{name: ann}]\n" +
         body;
}

std::string with_job(const std::string& job, const std::string& expect = "{atomic: [x]}") {
  return with_head("jobs:\n  - {name: x, workers: 2, each: {gpu: 1}" + job + "}\nend: 100\nexpect:\n  - " +
                   expect + "\n");
}

Scenario must_read(const std::string& text) {
  auto scenario = read(text, "s.yaml");
  EXPECT_TRUE(scenario.has_value()) << (scenario ? "" : to_string(scenario.error()));
  return scenario ? *std::move(scenario) : Scenario{};
}

template <class Kind>
const Kind& check_of(const Scenario& scenario, std::size_t index) {
  return std::get<Kind>(scenario.expect.at(index).what);
}

// ---- the collection

TEST(ScenarioRead, EveryCaseOfTheCollectionReads) {
  const std::filesystem::path folder = MUSTER_SOURCE_DIR "/../shared/cases/scenarios";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "the case collection is not beside this checkout";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    const auto scenario = read(file_text(entry.path()), entry.path().filename().string());
    ASSERT_TRUE(scenario.has_value()) << to_string(scenario.error());
    EXPECT_EQ(scenario->id, entry.path().stem().string());
    EXPECT_FALSE(scenario->expect.empty());
  }
  EXPECT_GE(files, 60);
}

TEST(ScenarioRead, EverySeedOfTheFuzzerReads) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(MUSTER_SOURCE_DIR "/fuzz/corpus/scenario_read")) {
    ++files;
    const auto scenario = read(file_text(entry.path()), entry.path().filename().string());
    EXPECT_TRUE(scenario.has_value()) << to_string(scenario.error());
  }
  EXPECT_GE(files, 3);
}

// ---- what comes out

TEST(ScenarioRead, CopiesStandWhereTheJobIsListed) {
  const Scenario s = must_read(with_head(
      "jobs:\n"
      "  - {name: a, workers: 1, each: {gpu: 1}}\n"
      "  - {name: b, repeat: 3, every: 1.5, submit: 10, workers: 1, each: {gpu: 1}}\n"
      "  - {name: c, repeat: 1, workers: 1, each: {gpu: 1}, after: [{job: b, when: any}, {job: a}]}\n"
      "end: 100\nexpect:\n  - {at: 5, running: ['b*', a, 'a*'], pending: [c-1]}\n"));
  std::vector<std::string> names;
  for (const Job& job : s.jobs) names.push_back(job.spec.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b-1", "b-2", "b-3", "c-1"}));
  EXPECT_EQ(s.jobs[3].submit, Instant{Duration{13'000}});
  EXPECT_EQ(s.jobs[2].submit, Instant{Duration{11'500}});
  EXPECT_EQ(s.jobs[2].base, "b");
  EXPECT_EQ(s.jobs[2].spec.family, "b");
  EXPECT_EQ(s.jobs[2].spec.family_size, 3);
  EXPECT_EQ(s.jobs[0].spec.family, "a");
  EXPECT_EQ(s.jobs[0].spec.family_size, 1);
  EXPECT_EQ(s.jobs[4].spec.after,
            (std::vector<Dependency>{{"b", DependencyWhen::Any}, {"a", DependencyWhen::Ok}}));
  const Moment& moment = check_of<AtCheck>(s, 0).moment;
  EXPECT_EQ(moment.states.at(JobState::Running), (Jobs{"b-1", "b-2", "b-3", "a", "a"}));
  EXPECT_EQ(moment.states.at(JobState::Pending), Jobs{"c-1"});
}

TEST(ScenarioRead, Units) {
  const Scenario s = must_read(
      "schema: sched-case/1\n"
      "policy: {settle: 0.25, lost_after: 30, starvation_guard: none, colocate: {margin: 0.4, system: 5}}\n"
      "cluster: {nodes: [{name: n, cpu: 1.5, mem: 0.2, gpu: 3, gpu_mem: 46068, bad_gpus: 1}, {name: bare}]}\n"
      "queues: [{name: q, guarantee: {gpu: 1.5}, limit: {mem: 0.5, cpu: 2}}]\n"
      "users: [{name: u, past_use: 33.5, max_running: 2}, {name: v}]\n"
      "jobs:\n"
      "  - {name: j, queue: q, user: u, workers: 1, each: {gpu: 0.5, cpu: 0.001, mem: 1}, run: 0.001, limit: "
      "9}\n"
      "  - {name: k, workers: 1, each: {gpu: 2.0, gpu_mem: 2000}}\n"
      "end: 12.345\nexpect: [{at: 1, queue_use: {q: {mem: 0.5, gpu: 0.5, cpu: 1}}}]\n");
  EXPECT_EQ(s.policy.settle, Duration{250});
  EXPECT_EQ(s.policy.lost_after, seconds(30));
  EXPECT_FALSE(s.policy.starvation_guard.has_value());
  EXPECT_EQ(s.policy.colocate->margin_milli, 400);
  EXPECT_EQ(s.policy.colocate->system_cpu, 5000);
  EXPECT_EQ(s.nodes[0].spec.cpu, 1500);
  EXPECT_EQ(s.nodes[0].spec.mem, 214'748'365);  // 214748364.8
  ASSERT_EQ(s.nodes[0].spec.devices.size(), 3U);
  EXPECT_TRUE(s.nodes[0].spec.devices[1].healthy);
  EXPECT_FALSE(s.nodes[0].spec.devices[2].healthy);
  EXPECT_EQ(s.nodes[0].spec.devices[0].mem, 46068);
  EXPECT_EQ(s.nodes[1].spec.cpu, kUnlimited);
  EXPECT_EQ(s.nodes[1].spec.mem, kUnlimited);
  EXPECT_TRUE(s.nodes[1].spec.devices.empty());
  const QueueSpec& q = s.queues[0];
  EXPECT_EQ(q.guarantee[kGpu], 1500);
  EXPECT_EQ(q.guarantee[kMem], 0);
  EXPECT_EQ(q.limit[kMem], std::int64_t{1} << 29);
  EXPECT_EQ(q.limit[kCpu], 2000);
  EXPECT_EQ(q.limit[kGpu], kUnlimited);
  EXPECT_EQ(s.users[0].past_use, 33'500);
  EXPECT_EQ(s.users[0].max_running, 2);
  EXPECT_EQ(s.users[1].max_running, -1);
  const Demand& part = s.jobs[0].spec.roles[0].each;
  EXPECT_EQ(part.share, 500);
  EXPECT_EQ(part.gpus, 0);
  EXPECT_EQ(part.cpu, 1);
  EXPECT_EQ(part.mem, std::int64_t{1} << 30);
  EXPECT_EQ(s.jobs[0].run, Duration{1});
  EXPECT_EQ(s.jobs[0].spec.limit, seconds(9));
  EXPECT_FALSE(s.jobs[1].run.has_value());
  EXPECT_EQ(s.jobs[1].spec.roles[0].each.gpus, 2);
  EXPECT_EQ(s.jobs[1].spec.roles[0].each.share, 0);
  EXPECT_EQ(s.jobs[1].spec.roles[0].each.gpu_mem, 2000);
  EXPECT_EQ(s.end, Instant{Duration{12'345}});
  const auto& use = check_of<AtCheck>(s, 0).moment.queue_use.at("q");
  EXPECT_EQ(use.at("mem"), std::int64_t{1} << 29);
  EXPECT_EQ(use.at("gpu"), 500);
  EXPECT_EQ(use.at("cpu"), 1000);
}

TEST(ScenarioRead, NodesOfOneShape) {
  const Scenario s = must_read(
      "schema: sched-case/1\n"
      "cluster:\n"
      "  levels: [block, rack]\n"
      "  nodes:\n"
      "    - {names: [a, b], gpu_type: big, labels: {zone: z, arch: x}, in: {rack: r1}, state: drained}\n"
      "    - {name: c, in: {block: b1, rack: r2}, state: down}\n"
      "end: 1\nexpect: [{sim_ends: true}]\n");
  ASSERT_EQ(s.nodes.size(), 3U);
  EXPECT_EQ(s.levels.levels, (std::vector<std::string>{"block", "rack"}));
  EXPECT_EQ(s.nodes[1].spec.name, "b");
  EXPECT_EQ(s.nodes[1].spec.gpu_type, "big");
  EXPECT_EQ(s.nodes[1].state, NodeState::Drained);
  EXPECT_EQ(s.nodes[2].state, NodeState::Down);
  EXPECT_EQ(s.nodes[0].spec.domains, (std::vector<std::string>{"", "r1"}));
  EXPECT_EQ(s.nodes[2].spec.domains, (std::vector<std::string>{"b1", "r2"}));
  EXPECT_EQ(s.nodes[0].spec.labels,
            (std::vector<std::pair<std::string, std::string>>{{"arch", "x"}, {"zone", "z"}}));
}

TEST(ScenarioRead, JobKeys) {
  const Scenario s = must_read(with_job(
      ", queue: prod, user: ann, priority: -3, class: 2, spread: true, near: {level: rack, mode: required},"
      " select: {zone: [a, b], gpu_type: big}, placed: [n1, n2], group: {name: g, jobs: 2}, checkpoint: "
      "{every: 10},"
      " max_restarts: 4, fails: {after: 3, worker: 1, code: 7, times: always}, kind: service, keep: 1,"
      " best_effort: true, avoid_evict: true, exit_on_evict: 143, never_ready: true, held: true"));
  const Job& x = s.jobs.at(0);
  EXPECT_EQ(x.spec.queue, "prod");
  EXPECT_EQ(x.spec.user, "ann");
  EXPECT_EQ(x.spec.priority, -3);
  EXPECT_EQ(x.spec.class_rank, 2);
  EXPECT_TRUE(x.spec.spread);
  EXPECT_EQ(x.spec.near, (std::vector<Near>{{"rack", Locality::Required}}));
  ASSERT_EQ(x.spec.roles.size(), 1U);
  EXPECT_EQ(x.spec.roles[0].name, "worker");
  EXPECT_EQ(x.spec.roles[0].select, (std::vector<Selector>{{"gpu_type", {"big"}}, {"zone", {"a", "b"}}}));
  EXPECT_EQ(x.spec.placed, (std::vector<std::string>{"n1", "n2"}));
  EXPECT_EQ(x.spec.group, "g");
  EXPECT_EQ(x.spec.group_size, 2);
  EXPECT_EQ(x.spec.checkpoint, (Checkpoint{CheckpointMode::Every, seconds(10)}));
  EXPECT_EQ(x.spec.max_restarts, 4);
  ASSERT_TRUE(x.fails.has_value());
  EXPECT_EQ(x.fails->after, seconds(3));
  EXPECT_EQ(x.fails->worker, 1U);
  EXPECT_EQ(x.fails->code, 7);
  EXPECT_EQ(x.fails->times, -1);
  EXPECT_EQ(x.spec.kind, JobKind::Service);
  EXPECT_EQ(x.spec.keep, 1);
  EXPECT_TRUE(x.spec.best_effort);
  EXPECT_EQ(x.spec.evictable, Evictable::Avoid);
  EXPECT_EQ(x.exit_on_evict, 143);
  EXPECT_TRUE(x.never_ready);
  EXPECT_TRUE(x.spec.held);
}

TEST(ScenarioRead, WorkersInEveryForm) {
  const Scenario s = must_read(with_head(
      "jobs:\n"
      "  - {name: a, workers: {min: 2, max: 5}, each: {gpu: 1}}\n"
      "  - {name: b, workers: [2, 4, 8], each: {gpu: 1}}\n"
      "  - {name: c, workers: {min: 2, max: 8, legal: [2, 8]}, each: {gpu: 1}, near: {level: numa}}\n"
      "end: 9\nexpect: [{atomic: [a]}]\n"));
  EXPECT_EQ(s.jobs[0].spec.roles[0].count, (Count{2, 5, {}}));
  EXPECT_EQ(s.jobs[1].spec.roles[0].count, (Count{2, 8, {2, 4, 8}}));
  EXPECT_EQ(s.jobs[2].spec.roles[0].count, (Count{2, 8, {2, 8}}));
  EXPECT_EQ(s.jobs[2].spec.near, (std::vector<Near>{{"numa", Locality::Preferred}}));
}

TEST(ScenarioRead, ARolesOwnSelectWins) {
  const Scenario s = must_read(
      with_head("jobs:\n"
                "  - name: r\n"
                "    select: {zone: a, gpu_type: big}\n"
                "    roles:\n"
                "      - {name: ps, workers: 1, each: {cpu: 2}, select: {zone: b}}\n"
                "      - {name: w, workers: 4, each: {gpu: 1}, near: {level: node, mode: required}}\n"
                "end: 9\nexpect: [{atomic: [r]}]\n"));
  const auto& roles = s.jobs.at(0).spec.roles;
  ASSERT_EQ(roles.size(), 2U);
  EXPECT_EQ(roles[0].select, (std::vector<Selector>{{"gpu_type", {"big"}}, {"zone", {"b"}}}));
  EXPECT_EQ(roles[1].select, (std::vector<Selector>{{"gpu_type", {"big"}}, {"zone", {"a"}}}));
  EXPECT_EQ(roles[1].near, (std::vector<Near>{{"node", Locality::Required}}));
  EXPECT_EQ(roles[1].count.min, 4);
}

TEST(ScenarioRead, Experiments) {
  const Scenario s = must_read(with_head(
      "experiments:\n"
      "  - {name: e, queue: test, submit: 3, trials: 8, parallel: 4, trial: {workers: 2, each: {gpu: 1}, "
      "run: 20},\n"
      "     runs: {2: 40}, fails: {3: 5, all: 60}, fail_at: 4, search: halving, score: {1: 0.5, 2: -1.25},\n"
      "     halving: {unit: 5, eta: 3, rungs: 4}, stop: {1: 10}}\n"
      "  - {name: f, trials: 2, parallel: 1, trial: {workers: 1, each: {}}}\n"
      "end: 90\nexpect:\n  - {experiment: e, outcome: failed, end: [1, 8], best: 2, work: 60}\n"
      "  - {at: 5, trials: {e: {running: 2, created: {max: 4}}}}\n"));
  const Experiment& e = s.experiments.at(0);
  EXPECT_EQ(e.spec.trial.queue, "test");
  EXPECT_EQ(e.submit, at_seconds(3));
  EXPECT_EQ(e.run, seconds(20));
  EXPECT_EQ(e.runs.at(2), seconds(40));
  EXPECT_EQ(e.fails.at(3), seconds(5));
  EXPECT_EQ(e.all_fail, seconds(60));
  EXPECT_EQ(e.stop.at(1), seconds(10));
  EXPECT_EQ(e.score.at(1), 500'000);
  EXPECT_EQ(e.score.at(2), -1'250'000);
  EXPECT_EQ(e.spec.search, Search::Halving);
  EXPECT_EQ(e.spec.eta, 3);
  EXPECT_EQ(e.spec.rungs, 4);
  EXPECT_EQ(e.unit, seconds(5));
  EXPECT_EQ(s.experiments.at(1).spec.search, Search::List);
  const auto& check = check_of<ExperimentCheck>(s, 0);
  EXPECT_EQ(check.outcome, JobState::Failed);
  EXPECT_EQ(check.best, 2);
  EXPECT_EQ(check.work, seconds(60));
  const auto& trials = check_of<AtCheck>(s, 1).moment.trials.at("e");
  EXPECT_TRUE(trials.created->has(4) && !trials.created->has(5));
  EXPECT_FALSE(trials.done.has_value());
}

TEST(ScenarioRead, EventsStandInTheOrderOfTime) {
  const Scenario s =
      must_read(with_head("jobs: [{name: x, workers: 2, each: {gpu: 1}}]\n"
                          "events:\n"
                          "  - {at: 9, do: worker_exit, job: x, workers: 2, code: 3}\n"
                          "  - {at: 5, do: set_queue, queue: prod, limit: {gpu: 2}}\n"
                          "  - {at: 9, do: worker_exit, job: x, worker: 1}\n"
                          "  - {at: 5, do: node_unreachable, node: n2}\n"
                          "  - {at: 1, do: observe, job: x, cpu: 1.5}\n"
                          "  - {at: 9, do: scheduler_restart}\n"
                          "end: 9\nexpect: [{atomic: [x]}]\n"));
  std::vector<Do> order;
  for (const Event& event : s.events) order.push_back(event.what);
  EXPECT_EQ(order, (std::vector<Do>{Do::Observe, Do::SetQueue, Do::NodeUnreachable, Do::WorkerExit,
                                    Do::WorkerExit, Do::SchedulerRestart}));
  EXPECT_EQ(s.events[0].cpu, 1500);
  EXPECT_EQ(s.events[1].limit->of[kGpu], 2000);
  EXPECT_EQ(s.events[1].limit->of[kCpu], kUnlimited);
  EXPECT_FALSE(s.events[1].guarantee.has_value());
  EXPECT_EQ(s.events[3].workers, 2);
  EXPECT_EQ(s.events[3].code, 3);
  EXPECT_FALSE(s.events[3].worker.has_value());
  EXPECT_EQ(s.events[4].worker, 1U);
}

TEST(ScenarioRead, ParentsComeFirst) {
  const Scenario s = must_read(
      "schema: sched-case/1\ncluster: {nodes: []}\n"
      "queues: [{name: leaf, parent: mid}, {name: other}, {name: mid, parent: top}, {name: top}]\n"
      "end: 1\nexpect: [{sim_ends: true}]\n");
  std::vector<std::string> names;
  for (const QueueSpec& queue : s.queues) names.push_back(queue.name);
  EXPECT_EQ(names, (std::vector<std::string>{"top", "mid", "leaf", "other"}));
}

TEST(ScenarioRead, Checks) {
  const Scenario s = must_read(with_head(
      "jobs:\n  - {name: x, repeat: 2, workers: {min: 1, max: 4}, each: {gpu: 1}}\n"
      "end: 50\nexpect:\n"
      "  - {at: 2.5, workers: {x-1: 3, x-2: {max: 2}}, nodes: {x-1: [n1, n1]}, within: {x-1: rack},\n"
      "     span: {x-1: {rack: 2, node: 1}}, distinct_nodes: {x-2: 2}, copies: {x-1: [1, 2]}, per_device: "
      "{jobs: 2},\n"
      "     count: {state: timeout, of: ['x*'], is: {min: 1}}}\n"
      "  - {during: [1, 9], evictions: {x-1: 1}, evictions_total: {max: 3}, starts: {x-2: [0, 1]}, steady: "
      "true,\n"
      "     never: {running: [x-1], workers: {x-1: [2, 3]}, together: [['x*']], state: [{workers: {x-1: 1}, "
      "held: [x-2]}]}}\n"
      "  - {job: x-1, start: 3, end: [4, 5.5], outcome: done, attempts: 2}\n"
      "  - {reason: x-2, at: 7, kind: never-fits, names: [gpu, n1]}\n"
      "  - {any_of: [[{atomic: ['x*']}, {sim_ends: true}], {at: 1, done: [x-1]}]}\n"));
  const auto& at = check_of<AtCheck>(s, 0);
  EXPECT_EQ(at.at, Instant{Duration{2500}});
  EXPECT_TRUE(at.moment.workers.at("x-1").has(3) && !at.moment.workers.at("x-1").has(2));
  EXPECT_TRUE(at.moment.workers.at("x-2").has(0) && !at.moment.workers.at("x-2").has(3));
  EXPECT_EQ(at.moment.nodes.at("x-1"), (std::vector<std::string>{"n1", "n1"}));
  EXPECT_EQ(at.moment.within.at("x-1"), "rack");
  EXPECT_EQ(at.moment.span.at("x-1").at("node"), 1);
  EXPECT_EQ(at.moment.distinct_nodes.at("x-2"), 2);
  EXPECT_EQ(at.moment.jobs_per_device, 2);
  EXPECT_EQ(at.moment.counts.at(0).state, JobState::TimedOut);
  EXPECT_EQ(at.moment.counts.at(0).of, (Jobs{"x-1", "x-2"}));
  EXPECT_TRUE(at.moment.counts.at(0).is.has(1'000'000'000'000));
  const auto& during = check_of<DuringCheck>(s, 1);
  EXPECT_EQ(during.during.to, at_seconds(9));
  EXPECT_TRUE(during.steady);
  EXPECT_TRUE(during.evictions_total->has(0) && !during.evictions_total->has(4));
  EXPECT_EQ(during.never_workers.at("x-1"), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(during.never_together.at(0), (Jobs{"x-1", "x-2"}));
  EXPECT_EQ(during.never_state.at(0).states.at(JobState::Held), Jobs{"x-2"});
  const auto& job = check_of<JobCheck>(s, 2);
  EXPECT_EQ(job.start->from, job.start->to);
  EXPECT_EQ(job.end->to, Instant{Duration{5500}});
  EXPECT_TRUE(job.attempts->has(2));
  EXPECT_EQ(check_of<ReasonCheck>(s, 3).names, (std::vector<std::string>{"gpu", "n1"}));
  const auto& any = check_of<AnyOfCheck>(s, 4);
  ASSERT_EQ(any.alternatives.size(), 2U);
  EXPECT_EQ(any.alternatives[0].size(), 2U);
  EXPECT_EQ(any.alternatives[1].size(), 1U);
  EXPECT_EQ(any.alternatives[1][0].text, "{at: 1, done: [x-1]}");
  EXPECT_EQ(s.expect[4].text, "{any_of: [[{atomic: ['x*']}, {sim_ends: true}], {at: 1, done: [x-1]}]}");
  EXPECT_EQ(s.expect[1].line, 12);
}

TEST(ScenarioRead, ChecksMayBeWrittenAsBlocks) {
  const Scenario s = must_read(with_job("", "at: 5\n    running:\n      - x"));
  EXPECT_EQ(s.expect.at(0).text, "{at: 5, running: [x]}");
}

TEST(ScenarioRead, ReadsTenThousandCopies) {
  const Scenario s = must_read(with_job(", repeat: 10000", "{atomic: ['x*']}"));
  EXPECT_EQ(s.jobs.size(), 10'000U);
  EXPECT_EQ(check_of<AtomicCheck>(s, 0).jobs.size(), 10'000U);
}

}  // namespace
}  // namespace muster::scenario
