// Every scenario file is a test: what it expects is what happens, twice alike; every reason that any waiting
// job is given at any instant is true; the log folds to the live state; and a scheduler that crashes at any
// point, even between the records of one step, goes on to the same end. Two more tests look at the files
// themselves: together they use every key and value of the schema.
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "core/audit.hpp"
#include "core/fingerprint.hpp"
#include "engine/engine.hpp"
#include "scenario_files.hpp"
#include "sim/expect.hpp"
#include "sim/play.hpp"
#include "wire/record_bytes.hpp"
#include "wire/yaml/tree.hpp"

namespace muster::sim {
namespace {

class ScenarioFile : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto read = scenario_in(GetParam());
    ASSERT_TRUE(read) << to_string(read.error());
    scenario_ = std::move(*read);
  }

  [[nodiscard]] Played played(const PlayOptions& options = {}) const {
    auto run = play(scenario_, options);
    EXPECT_TRUE(run) << to_string(run.error());
    return run ? std::move(*run) : Played{};
  }

  scenario::Scenario scenario_;
};

std::string text_of(const std::vector<Failure>& failures) {
  std::string text;
  for (const Failure& failure : failures) text += to_string(failure) + "\n";
  return text;
}

TEST_P(ScenarioFile, HappensAsExpectedTwice) {
  const Played first = played();
  EXPECT_EQ(text_of(judge(scenario_, first.tape)), "");
  EXPECT_EQ(first.tape.digest, played().tape.digest);
}

TEST_P(ScenarioFile, EveryReasonOfEveryWaitingJobIsTrueAtEveryInstant) {
  const Played run = played({.explain = Explain::EveryInstant});
  EXPECT_EQ(run.tape.broken, std::vector<std::string>{});
  EXPECT_EQ(run.tape.digest, played().tape.digest) << "asking for reasons changed what happened";
}

TEST_P(ScenarioFile, TheLogFoldsToTheLiveState) {
  const Played run = played();
  State state = initial_state();
  std::size_t folded = 0;
  for (const Mark& mark : run.rounds) {
    for (; folded < mark.records; ++folded) apply(state, run.log[folded]);
    ASSERT_EQ(fingerprint(state), mark.fingerprint) << "after " << folded << " records";
  }
  EXPECT_EQ(folded, run.log.size());
}

/// A log that ends anywhere, between the records of one step too, is a log: the engine starts from it with
/// accounts in order, and the next call decides without upsetting them.
TEST_P(ScenarioFile, AnyPrefixOfTheLogIsAStateToGoOnFrom) {
  const Played run = played();
  const Knobs knobs = knobs_of(scenario_.policy);
  for (std::size_t length = 0; length <= run.log.size(); ++length) {
    const std::span<const Record> prefix(run.log.data(), length);
    Engine engine(knobs, prefix);
    ASSERT_EQ(audit(engine.state()), std::vector<std::string>{}) << "after " << length << " records";
    State fold = initial_state();
    for (const Record& record : prefix) apply(fold, record);
    ASSERT_EQ(fingerprint(engine.state()), fingerprint(fold)) << "after " << length << " records";
    const Instant now = length == 0 ? Instant{} : prefix.back().at;
    engine.advance(now, {});
    ASSERT_EQ(audit(engine.state()), std::vector<std::string>{}) << "resumed after " << length << " records";
    // A limit of zero ends an attempt in the instant that began it: the engine asks to be called again.
    Step again = engine.advance(now, {});
    for (int calls = 0; calls < 4 && again.plan.wake_at && *again.plan.wake_at <= now; ++calls) {
      again = engine.advance(now, {});
    }
    again = engine.advance(now, {});
    ASSERT_TRUE(again.log.empty()) << "resumed after " << length << " records, it does not come to rest";
  }
}

TEST_P(ScenarioFile, ACrashAfterAnyRoundLeadsToTheSameEnd) {
  const Played whole = played();
  const std::size_t rounds = whole.rounds.size();
  EXPECT_EQ(played({.crashes = Crashes{.first = 1, .period = 1}}).tape.digest, whole.tape.digest)
      << "with a crash after every round";
  constexpr std::size_t kCrashes = 16;
  const std::size_t stride = std::max<std::size_t>(1, rounds / kCrashes);
  for (std::size_t at = 1; at <= rounds; at += stride) {
    EXPECT_EQ(played({.crashes = Crashes{.first = at, .period = rounds + 1}}).tape.digest, whole.tape.digest)
        << "with a crash after round " << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Own, ScenarioFile, testing::ValuesIn(own_scenario_files()),
                         [](const auto& parameter) { return test_name_of(parameter.param); });
INSTANTIATE_TEST_SUITE_P(Shared, ScenarioFile, testing::ValuesIn(shared_scenario_files()),
                         [](const auto& parameter) { return test_name_of(parameter.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ScenarioFile);

TEST(ScenarioFiles, TheSharedOnesAreThere) {
  if (shared_scenario_files().empty()) GTEST_SKIP() << "no shared scenarios beside the repository";
  EXPECT_GE(shared_scenario_files().size(), 68U);
}

TEST(ScenarioFiles, ThereAreAtLeastSixtyOfOurOwn) { EXPECT_GE(own_scenario_files().size(), 60U); }

// ---- what the files use

/// Maps whose keys are names of the file's own things: such a key reads as `*`.
const std::set<std::string> kNamed{"cluster.nodes.labels",
                                   "cluster.nodes.in",
                                   "jobs.select",
                                   "jobs.roles.select",
                                   "expect.workers",
                                   "expect.nodes",
                                   "expect.within",
                                   "expect.span",
                                   "expect.span.*",
                                   "expect.distinct_nodes",
                                   "expect.copies",
                                   "expect.queue_use",
                                   "expect.trials",
                                   "expect.evictions",
                                   "expect.starts",
                                   "expect.never.workers",
                                   "expect.never.state.workers",
                                   "experiments.runs",
                                   "experiments.score",
                                   "experiments.stop"};

/// Everything a document says, as paths and "path=value"; lists add nothing to a path.
void collect(const yaml::Tree& tree, const std::string& path, std::set<std::string>& used) {
  used.insert(path);
  if (tree.kind == yaml::Kind::Scalar) used.insert(path + "=" + tree.text);
  if (tree.kind == yaml::Kind::List) {
    used.insert(path + "=list");
    for (const yaml::Tree& item : tree.items) collect(item, path, used);
  }
  if (tree.kind != yaml::Kind::Map) return;
  used.insert(path + "=map");
  for (std::size_t i = 0; i < tree.items.size(); ++i) {
    std::string key = kNamed.count(path) > 0 ? "*" : tree.keys[i].text;
    if (path == "experiments.fails" && key != "all") key = "*";
    if (path == "expect.any_of") {
      collect(tree.items[i], "expect." + key, used);
    } else {
      collect(tree.items[i], path.empty() ? key : path + "." + key, used);
    }
  }
}

/// The whole schema: "path: keys or values". A leading "=" makes a word a value.
const std::vector<std::pair<std::string, std::vector<std::string>>> kSchema{
    {"",
     {"schema", "case", "title", "theme", "policy", "cluster", "queues", "users", "jobs", "experiments",
      "events", "end", "expect", "note"}},
    {"theme",
     {"=gang", "=quota", "=fairness", "=elastic", "=preemption", "=topology", "=backfill", "=order",
      "=failure", "=lifecycle", "=gpu-share", "=automl", "=colocation", "=simulator"}},
    {"policy",
     {"order", "blocking", "backfill", "preemption", "reclaim", "fair_share", "elastic_yield",
      "starvation_guard", "lost_after", "cleanup", "settle", "colocate"}},
    {"policy.order", {"=priority", "=submit"}},
    {"policy.blocking", {"=none", "=head"}},
    {"policy.backfill", {"=off", "=easy"}},
    {"policy.preemption", {"=off", "=priority"}},
    {"policy.reclaim", {"=true", "=false"}},
    {"policy.fair_share", {"=true", "=false"}},
    {"policy.elastic_yield", {"=true", "=false"}},
    {"policy.starvation_guard", {"=none"}},
    {"policy.colocate", {"=none", "margin", "system"}},
    {"cluster", {"levels", "nodes"}},
    {"cluster.nodes",
     {"name", "names", "gpu", "gpu_type", "gpu_mem", "cpu", "mem", "labels", "in", "bad_gpus", "state"}},
    {"cluster.nodes.state", {"=up", "=down", "=drained"}},
    {"queues", {"name", "parent", "guarantee", "limit", "weight", "priority"}},
    {"queues.guarantee", {"gpu", "cpu", "mem"}},
    {"queues.limit", {"gpu", "cpu", "mem"}},
    {"users", {"name", "max_running", "past_use"}},
    {"jobs", {"name",        "queue",       "user",          "submit",      "priority", "class",
              "workers",     "each",        "roles",         "run",         "limit",    "spread",
              "near",        "select",      "placed",        "group",       "after",    "repeat",
              "every",       "checkpoint",  "max_restarts",  "fails",       "kind",     "keep",
              "best_effort", "avoid_evict", "exit_on_evict", "never_ready", "held"}},
    {"jobs.workers", {"min", "max"}},
    {"jobs.each", {"gpu", "cpu", "mem", "gpu_mem"}},
    {"jobs.roles", {"name", "workers", "each", "select"}},
    {"jobs.near", {"level", "mode"}},
    {"jobs.near.mode", {"=required", "=preferred"}},
    {"jobs.select", {"*"}},
    {"jobs.group", {"name", "jobs"}},
    {"jobs.after", {"job", "when"}},
    {"jobs.after.when", {"=ok", "=any"}},
    {"jobs.checkpoint", {"=none", "=always", "every"}},
    {"jobs.fails", {"after", "worker", "code", "times"}},
    {"jobs.fails.times", {"=always"}},
    {"jobs.kind", {"=service"}},
    {"experiments",
     {"name", "queue", "submit", "trials", "parallel", "trial", "runs", "fails", "fail_at", "search",
      "points", "halving", "score", "stop"}},
    {"experiments.trial", {"workers", "each", "run"}},
    {"experiments.fails", {"*", "all"}},
    {"experiments.search", {"=grid", "=list", "=halving"}},
    {"experiments.halving", {"unit", "eta", "rungs"}},
    {"events",
     {"at", "do", "node", "job", "workers", "worker", "code", "queue", "limit", "guarantee", "cpu"}},
    {"events.do",
     {"=node_down", "=node_up", "=drain", "=drain_now", "=undrain", "=node_unreachable", "=node_reachable",
      "=cancel", "=hold", "=release", "=launch_error", "=resize", "=worker_exit", "=set_queue",
      "=scheduler_restart", "=observe", "=remove"}},
    {"expect",
     {"at",
      "running",
      "pending",
      "done",
      "failed",
      "timeout",
      "cancelled",
      "rejected",
      "held",
      "stopped",
      "workers",
      "nodes",
      "within",
      "span",
      "distinct_nodes",
      "count",
      "queue_use",
      "copies",
      "per_device",
      "during",
      "evictions",
      "evictions_total",
      "starts",
      "steady",
      "never",
      "atomic",
      "job",
      "start",
      "end",
      "outcome",
      "attempts",
      "reason",
      "kind",
      "names",
      "trials",
      "experiment",
      "best",
      "work",
      "sim_ends",
      "any_of"}},
    {"expect.outcome", {"=done", "=failed", "=timeout", "=cancelled", "=rejected", "=stopped"}},
    {"expect.kind",
     {"=held", "=dependency-failed", "=dependency", "=never-fits", "=node", "=user-limit", "=quota",
      "=topology", "=capacity"}},
    {"expect.count", {"state", "of", "is"}},
    {"expect.per_device", {"jobs"}},
    {"expect.never", {"running", "workers", "together", "state"}},
    {"expect.workers.*", {"min", "max"}},
    {"expect.evictions_total", {"max"}},
    {"expect.start", {"=list"}},
    {"expect.end", {"=list"}},
    {"expect.queue_use.*", {"gpu", "cpu", "mem"}},
    {"expect.trials.*", {"running", "done", "failed", "created"}},
};

TEST(ScenarioFiles, OurOwnUseEveryKeyAndValueOfTheSchema) {
  std::set<std::string> used;
  for (const std::string& file : own_scenario_files()) {
    const auto tree = yaml::parse(muster::text_of(file), file);
    ASSERT_TRUE(tree) << to_string(tree.error());
    collect(*tree, "", used);
  }
  std::vector<std::string> unused;
  for (const auto& [path, words] : kSchema) {
    for (const std::string& word : words) {
      const std::string full = word.front() == '=' || path.empty() ? path + word : path + "." + word;
      if (used.count(full) == 0) unused.push_back(full);
    }
  }
  EXPECT_EQ(unused, std::vector<std::string>{});
}

TEST(ScenarioFiles, NoTwoMakeTheSameClaim) {
  std::map<std::string, std::string> titles;
  for (const std::string& file : own_scenario_files()) {
    const auto scenario = scenario_in(file);
    ASSERT_TRUE(scenario) << to_string(scenario.error());
    EXPECT_EQ(scenario->id, std::filesystem::path(file).stem().string());
    const auto [at, fresh] = titles.emplace(scenario->title, file);
    EXPECT_TRUE(fresh) << file << " repeats the title of " << at->second;
  }
}

}  // namespace
}  // namespace muster::sim
