// Everything bad in a scenario file is refused with line, column, field and, where one can be given, a hint;
// no input makes the reader grow without bound.
#include <algorithm>
#include <gtest/gtest.h>
#include <ostream>
#include <string>

#include "wire/scenario.hpp"

namespace muster::scenario {
namespace {

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

/// `@` marks the place that the error must name; it is taken out before reading.
struct Bad {
  std::string text;
  std::string field;
  std::string message;  ///< part of it
  std::string hint;     ///< part of it; empty = no hint
};

std::ostream& operator<<(std::ostream& out, const Bad& bad) { return out << bad.text; }

class ScenarioRefuses : public testing::TestWithParam<Bad> {};

TEST_P(ScenarioRefuses, WithPlaceFieldAndHint) {
  const Bad& bad = GetParam();
  const auto mark = bad.text.find('@');
  ASSERT_NE(mark, std::string::npos);
  const std::string before = bad.text.substr(0, mark);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto column = mark - (before.rfind('\n') + 1) + 1;
  const auto scenario = read(before + bad.text.substr(mark + 1), "s.yaml");
  ASSERT_FALSE(scenario.has_value());
  const Error& error = scenario.error();
  EXPECT_EQ(error.where.file, "s.yaml");
  EXPECT_EQ(error.where.line, line) << to_string(error);
  EXPECT_EQ(error.where.column, static_cast<int>(column)) << to_string(error);
  EXPECT_EQ(error.field, bad.field) << to_string(error);
  EXPECT_NE(error.message.find(bad.message), std::string::npos) << to_string(error);
  EXPECT_NE(error.hint.find(bad.hint), std::string::npos) << to_string(error);
  EXPECT_EQ(error.hint.empty(), bad.hint.empty()) << to_string(error);
}

std::string deep_field(int depth) {
  std::string field = "a";
  for (int i = 0; i < depth; ++i) field += "[0]";
  return field;
}

INSTANTIATE_TEST_SUITE_P(
    Yaml, ScenarioRefuses,
    testing::Values(Bad{"@", "", "empty", ""}, Bad{"a: [1, 2\n@", "", "not valid YAML", "bracket left open"},
                    Bad{"schema: sched-case/1\n@schema: sched-case/1\n", "", "\"schema\" is given twice",
                        "line 1"},
                    Bad{with_job(", near: {level: rack, @level: node}"), "jobs[0].near",
                        "\"level\" is given twice", "line 6"},
                    Bad{"schema: @&x sched-case/1\n", "schema", "anchor", "write the value out"},
                    Bad{"schema: @*x\n", "", "not valid YAML", "quote a text"},
                    Bad{"schema: @!!str sched-case/1\n", "schema", "tag", "leave it out"},
                    Bad{"end: 1\n@---\nend: 1\n", "", "second document", "one document"},
                    Bad{"end: 1\n? @[a]\n: 1\n", "", "key must be", "bracket"},
                    Bad{"end: \"a@\x01\"\n", "", "control character", ""},
                    Bad{"end: \"a@\xff\"\n", "", "not UTF-8", ""},
                    Bad{"a: " + std::string(23, '[') + "@[" + std::string(24, ']') + "\n", deep_field(23),
                        "more than 24 levels", ""}));

INSTANTIATE_TEST_SUITE_P(
    Top, ScenarioRefuses,
    testing::Values(
        Bad{"@[]\n", "", "want a map; got a list", ""},
        Bad{"schema: @sched-case/2\n", "schema", "want one of: sched-case/1", "did you mean"},
        Bad{"@end: 1\n", "schema", "is missing", ""},
        Bad{"@schema: sched-case/1\nend: 1\n", "cluster", "is missing", ""},
        Bad{"@schema: sched-case/1\ncluster: {nodes: []}\nexpect: []\n", "end", "is missing", ""},
        Bad{"@schema: sched-case/1\ncluster: {nodes: []}\nend: 1\n", "expect", "is missing", ""},
        Bad{"schema: sched-case/1\ncluster: {nodes: []}\nend: 1\nexpect: @[]\n", "expect", "empty list", ""},
        Bad{"schema: sched-case/1\ncluster: {nodes: []}\nend: @-1\n", "end", "want seconds", ""},
        Bad{"schema: sched-case/1\ncluster: {nodes: []}\nend: @.nan\n", "end", "\".nan\"", ""},
        Bad{"schema: sched-case/1\ncluster: {nodes: []}\nend: @0.0001\n", "end", "3 decimals", ""},
        Bad{"schema: sched-case/1\ncluster: {nodes: []}\nend: @'5'\n", "end", "the text \"5\"",
            "without quotes"},
        Bad{with_head("@evnets: []\n"), "", "unknown key \"evnets\"", "did you mean \"events\"?"},
        Bad{with_head("@zzzzz: []\n"), "", "unknown key", "known keys: schema, case"},
        Bad{with_head("end: 1\npolicy: {backfill: @eazy}\n"), "policy.backfill", "want one of: off, easy",
            "did you mean \"easy\"?"},
        Bad{with_head("end: 1\npolicy: {reclaim: @yes}\n"), "policy.reclaim", "true or false", ""},
        Bad{with_head("end: 1\npolicy: {cleanup: @-3}\n"), "policy.cleanup", "\"-3\"", ""},
        Bad{with_head("end: 1\npolicy: {settle: @}\n"), "policy.settle", "got nothing", "leave the key out"},
        Bad{with_head("end: 1\npolicy: {colocate: {margin: @1.5, system: 0}}\n"), "policy.colocate.margin",
            "from 0 to 1", ""}));

std::string with_node(const std::string& node, const std::string& levels = "[rack, block]") {
  return "schema: sched-case/1\nend: 1\ncluster:\n  levels: " + levels + "\n  nodes:\n    - {" + node + "}\n";
}

INSTANTIATE_TEST_SUITE_P(
    Cluster, ScenarioRefuses,
    testing::Values(
        Bad{with_node("name: n, gpu: @-1"), "cluster.nodes[0].gpu", "\"-1\"", ""},
        Bad{with_node("name: n, gpu: @129"), "cluster.nodes[0].gpu", "at most 128 devices; got 129", ""},
        Bad{with_node("name: n, gpu: @1.5"), "cluster.nodes[0].gpu", "whole number", ""},
        Bad{with_node("name: n, gpu: 2, bad_gpus: @3"), "cluster.nodes[0].bad_gpus",
            "3 broken devices on a node of 2", ""},
        Bad{with_node("name: n, @gpus: 2"), "cluster.nodes[0]", "unknown key \"gpus\"",
            "did you mean \"gpu\"?"},
        Bad{with_node("name: n, @rdma: 2"), "cluster.nodes[0]", "unknown key \"rdma\"",
            "known keys: name, names"},
        Bad{with_node("names: [n, m, @n]"), "cluster.nodes[0].names[2]", "a second node named \"n\"", ""},
        Bad{with_node("name: n, names: @[m]"), "cluster.nodes[0].names", "both name and names", "give one"},
        Bad{with_node("@gpu: 1").replace(with_node("@gpu: 1").find("{@"), 2, "@{"), "cluster.nodes[0].name",
            "is missing", ""},
        Bad{with_node("name: n, in: {@rak: r1}"), "cluster.nodes[0].in.rak", "unknown level \"rak\"",
            "did you mean \"rack\"?; known: rack, block"},
        Bad{with_node("name: n, state: @downed"), "cluster.nodes[0].state", "want one of: up, down, drained",
            "did you mean"},
        Bad{with_node("name: n, mem: @inf"), "cluster.nodes[0].mem", "want GiB", ""},
        Bad{with_node("name: n, labels: {@node: a}"), "cluster.nodes[0].labels.node", "would hide", ""},
        Bad{with_node("name: n", "[rack, @rack]"), "cluster.levels[1]", "a second level", ""},
        Bad{with_node("name: n", "[@node]"), "cluster.levels[0]", "implied", "leave it out"}));

std::string with_queues(const std::string& queues) {
  return "schema: sched-case/1\nend: 1\ncluster: {nodes: []}\nqueues:\n" + queues;
}

INSTANTIATE_TEST_SUITE_P(
    Queues, ScenarioRefuses,
    testing::Values(
        Bad{with_queues("  - {name: a, limit: {gpu: 4}, guarantee: {gpu: @8}}\n"), "queues[0].guarantee.gpu",
            "\"a\" guarantees 8 gpu above its limit 4", ""},
        Bad{with_queues("  - {name: p, limit: {gpu: 60}}\n  - {name: c, parent: p, limit: {gpu: @61}}\n"),
            "queues[1].limit.gpu", "\"c\" has the limit 61 gpu above the limit 60 of \"p\"", ""},
        Bad{with_queues("  - {name: p, limit: {mem: 2}}\n  - {name: m, parent: p}\n"
                        "  - {name: c, parent: m, limit: {mem: @2.5}}\n"),
            "queues[2].limit.mem", "the limit 2.5 mem above the limit 2 of \"p\"", ""},
        Bad{with_queues("  - {name: a, parent: p, guarantee: {cpu: 6}}\n  - {name: b, parent: p, guarantee: "
                        "{cpu: 6}}\n"
                        "  - {name: p, guarantee: {cpu: @10}}\n"),
            "queues[2].guarantee.cpu", "\"p\" are guaranteed 12 cpu together, above its own guarantee 10",
            ""},
        Bad{with_queues("  - {name: a, guarantee: {gpu: @-1}}\n"), "queues[0].guarantee.gpu", "\"-1\"", ""},
        Bad{with_queues("  - {name: prod}\n  - {name: b, parent: @prd}\n"), "queues[1].parent",
            "unknown queue \"prd\"", "did you mean \"prod\"?; known: prod, b, default"},
        Bad{with_queues("  - {name: a, parent: @b}\n  - {name: b, parent: c}\n  - {name: c, parent: a}\n"),
            "queues[0].parent", "\"a\" holds itself", ""},
        Bad{with_queues("  - {name: a}\n  - {name: @a}\n"), "queues[1].name", "a second queue", ""},
        Bad{with_queues("  - {name: a, weight: @0}\n"), "queues[0].weight", "from 1", ""},
        Bad{with_queues("  - {name: a, limit: {@gpus: 4}}\n"), "queues[0].limit", "unknown key \"gpus\"",
            "\"gpu\""}));

INSTANTIATE_TEST_SUITE_P(
    Jobs, ScenarioRefuses,
    testing::Values(
        Bad{with_job(", queue: @prd"), "jobs[0].queue", "unknown queue \"prd\"",
            "known: prod, test, default"},
        Bad{with_job(", user: @bob"), "jobs[0].user", "unknown user \"bob\"", "known: ann"},
        Bad{with_job(", @prority: 3"), "jobs[0]", "unknown key \"prority\"", "did you mean \"priority\"?"},
        Bad{with_job(", priority: @high"), "jobs[0].priority", "\"high\"", ""},
        Bad{with_job(", submit: @-1"), "jobs[0].submit", "\"-1\"", ""},
        Bad{with_job(", repeat: @0"), "jobs[0].repeat", "from 1", ""},
        Bad{with_job(", every: @5"), "jobs[0].every", "without repeat", ""},
        Bad{with_job(", near: {level: @rak, mode: required}"), "jobs[0].near.level", "unknown level \"rak\"",
            "did you mean \"rack\"?; known: rack, node, numa, nvlink"},
        Bad{with_job(", near: {level: rack, mode: @must}"), "jobs[0].near.mode", "required, preferred", ""},
        Bad{with_job(", placed: [n1, @n9]"), "jobs[0].placed[1]", "unknown node \"n9\"", "known: n1, n2"},
        Bad{with_job(", placed: @[n1]"), "jobs[0].placed", "names 1 nodes for 2 workers",
            "one node per worker"},
        Bad{with_job(", after: [{job: @y}]"), "jobs[0].after[0].job", "unknown job \"y\"", "known: x"},
        Bad{with_job(", after: [{job: @x}]"), "jobs[0].after[0].job", "waits for itself", ""},
        Bad{with_job(", after: [{job: y, when: @maybe}]"), "jobs[0].after[0].when", "ok, any", ""},
        Bad{with_job(", fails: {after: @-1}"), "jobs[0].fails.after", "\"-1\"", ""},
        Bad{with_job(", fails: {after: 1, worker: @2}"), "jobs[0].fails.worker", "from 0 to 1", ""},
        Bad{with_job(", fails: @{worker: 0}"), "jobs[0].fails.after", "is missing", ""},
        Bad{with_job(", checkpoint: @often"), "jobs[0].checkpoint", "none, always", ""},
        Bad{with_job(", checkpoint: {every: @0}"), "jobs[0].checkpoint.every", "interval of 0", "always"},
        Bad{with_job(", keep: @1"), "jobs[0].keep", "only a service", "kind: service"},
        Bad{with_job(", roles: [{name: a, workers: 1, each: {}}]")
                .replace(with_job("").find("workers: 2") + 9, 1, "@2"),
            "jobs[0].workers", "beside roles", "each role has its own"}));

std::string with_shape(const std::string& shape) {
  return with_head("end: 9\njobs:\n  - {name: x, " + shape + "}\nexpect: [{atomic: [x]}]\n");
}

INSTANTIATE_TEST_SUITE_P(
    Workers, ScenarioRefuses,
    testing::Values(
        Bad{with_shape("workers: @0, each: {gpu: 1}"), "jobs[0].workers", "from 1", ""},
        Bad{with_shape("workers: @{min: 4, max: 2}, each: {gpu: 1}"), "jobs[0].workers",
            "min 4 is above max 2", ""},
        Bad{with_shape("workers: @{min: 4}, each: {gpu: 1}"), "jobs[0].workers.max", "is missing", ""},
        Bad{with_shape("workers: @[2, 8, 4], each: {gpu: 1}"), "jobs[0].workers", "got 4 after 8", ""},
        Bad{with_shape("workers: @{min: 1, max: 8, legal: [2, 8]}, each: {gpu: 1}"), "jobs[0].workers",
            "begin with min 1 and end with max 8", ""},
        Bad{with_shape("workers: 1, each: {gpu: @1.5}"), "jobs[0].each.gpu",
            "whole number of devices or a part below 1", ""},
        Bad{with_shape("workers: 1, each: {gpu: @0.0005}"), "jobs[0].each.gpu", "3 decimals", ""},
        Bad{with_shape("workers: 1, each: {@rdma: 2}"), "jobs[0].each", "unknown key \"rdma\"", "known keys"},
        Bad{with_shape("workers: 1, each: {mem: @1e3}"), "jobs[0].each.mem", "\"1e3\"", ""},
        Bad{with_shape("roles: [{name: a, workers: 1, each: {}}, {name: @a, workers: 1, each: {}}]"),
            "jobs[0].roles[1].name", "a second role", ""},
        Bad{with_shape("workers: 100000, repeat: 200000, each: {mem: 100000000}")
                .insert(with_shape("").find("{name: x"), "@"),
            "jobs[0]", "more mem than can be counted", ""},
        Bad{with_head("end: 9\njobs:\n  - {name: x-1, workers: 1, each: {}}\n"
                      "  - {name: @x, repeat: 2, workers: 1, each: {}}\n"),
            "jobs[1].name", "a second job named \"x-1\"", ""},
        Bad{with_head("end: 9\njobs:\n  - {name: x, repeat: 2, workers: 1, each: {}}\n"
                      "  - {name: y, workers: 1, each: {}, after: [{job: @x-1}]}\n"),
            "jobs[1].after[0].job", "one copy of a repeated job", "without its number"}));

std::string with_events(const std::string& events) {
  return with_head("end: 9\njobs: [{name: x, repeat: 2, workers: 1, each: {gpu: 1}}]\nevents: [" + events +
                   "]\n");
}

INSTANTIATE_TEST_SUITE_P(
    Events, ScenarioRefuses,
    testing::Values(Bad{with_events("{at: 1, do: @cancle, job: x-1}"), "events[0].do", "want one of",
                        "did you mean \"cancel\"?"},
                    Bad{with_events("{at: @10, do: cancel, job: x-1}"), "events[0].at",
                        "after the scenario's end at 9", ""},
                    Bad{with_events("{at: 1, do: node_down, node: @n3}"), "events[0].node",
                        "unknown node \"n3\"", "did you mean"},
                    Bad{with_events("{at: 1, do: node_down, @job: x-1}"), "events[0]", "unknown key \"job\"",
                        "known keys: at, do, node"},
                    Bad{with_events("@{at: 1, do: node_down}"), "events[0].node", "is missing", ""},
                    Bad{with_events("{at: 1, do: cancel, job: @x}"), "events[0].job", "2 copies of \"x\"",
                        "x-1"},
                    Bad{with_events("@{at: 1, do: set_queue, queue: prod}"), "events[0]", "changes nothing",
                        "limit or guarantee"},
                    Bad{with_events("{at: 1, do: worker_exit, job: x-1, worker: 1, workers: @2}"),
                        "events[0].workers", "both", "counts"}));

INSTANTIATE_TEST_SUITE_P(
    Experiments, ScenarioRefuses,
    testing::Values(
        Bad{with_head("end: 9\nexperiments: [{name: e, trials: 2, parallel: 1, trial: {workers: 1, each: "
                      "{}}, runs: {@3: 1}}]\n"),
            "experiments[0].runs.3", "want a trial from 1 to 2; got \"3\"", ""},
        Bad{with_head("end: 9\nexperiments: [{name: e, trials: 2, parallel: 1, trial: {workers: 1, each: "
                      "{}}, search: @grd}]\n"),
            "experiments[0].search", "list, grid, halving", "did you mean \"grid\"?"},
        Bad{with_head("end: 9\nexperiments: [@{name: e, trials: 2, parallel: 1, trial: {workers: 1, each: "
                      "{}}, search: halving}]\n"),
            "experiments[0].halving", "is missing", ""},
        Bad{with_head("end: 9\nexperiments: [{name: e, trials: 2, parallel: 1, trial: {workers: 1, each: {}},"
                      " search: halving, halving: @{unit: 9, eta: 100, rungs: 60}}]\n"),
            "experiments[0].halving", "last rung", ""}));

INSTANTIATE_TEST_SUITE_P(
    Expect, ScenarioRefuses,
    testing::Values(
        Bad{with_job("", "{at: 5, running: [@y]}"), "expect[0].running[0]", "unknown job \"y\"", "known: x"},
        Bad{with_job("", "{at: 5, running: [@'y*']}"), "expect[0].running[0]", "unknown repeated job \"y*\"",
            "known: x"},
        Bad{with_job("", "{at: 5, @runing: [x]}"), "expect[0]", "unknown key \"runing\"",
            "did you mean \"running\"?"},
        Bad{with_job("", "{at: 5, running: @x}"), "expect[0].running", "want a list; got \"x\"", ""},
        Bad{with_job("", "@{at: 5}"), "expect[0]", "says nothing", ""},
        Bad{with_job("", "{at: @101, running: [x]}"), "expect[0].at", "after the scenario's end at 100", ""},
        Bad{with_job("", "@{atomics: [x]}"), "expect[0]", "no check", "did you mean \"atomic\"?"},
        Bad{with_job("", "{at: 5, workers: {@y: 1}}"), "expect[0].workers.y", "unknown job", "known: x"},
        Bad{with_job("", "{at: 5, workers: {x: @[3, 1]}}"), "expect[0].workers.x", "low end 3", ""},
        Bad{with_job("", "{at: 5, workers: {x: @[1, 2, 3]}}"), "expect[0].workers.x", "two numbers", ""},
        Bad{with_job("", "{at: 5, within: {x: @block}}"), "expect[0].within.x", "unknown level",
            "known: rack, node"},
        Bad{with_job("", "{at: 5, nodes: {x: [@n]}}"), "expect[0].nodes.x[0]", "unknown node",
            "did you mean"},
        Bad{with_job("", "{at: 5, queue_use: {@prd: {gpu: 1}}}"), "expect[0].queue_use.prd", "unknown queue",
            "\"prod\""},
        Bad{with_job("", "{at: 5, trials: {@e: {running: 1}}}"), "expect[0].trials.e", "unknown experiment",
            "no experiment"},
        Bad{with_job("", "{at: 5, count: {state: @runing, of: [x], is: 1}}"), "expect[0].count.state",
            "want one of", "did you mean \"running\"?"},
        Bad{with_job("", "{during: @[9, 3], steady: true}"), "expect[0].during", "ends before it begins", ""},
        Bad{with_job("", "{during: @[9, 101], steady: true}"), "expect[0].during", "after the scenario's end",
            ""},
        Bad{with_job("", "{during: [1, 2], steady: @false}"), "expect[0].steady", "only `steady: true`", ""},
        Bad{with_job("", "{during: [1, 2], never: {together: [@[x]]}}"), "expect[0].never.together[0]",
            "two jobs", ""},
        Bad{with_job("", "{job: x, outcome: @dne}"), "expect[0].outcome", "want one of",
            "did you mean \"done\"?"},
        Bad{with_job("", "{reason: x, at: 1, kind: @never-fit}"), "expect[0].kind", "want one of",
            "\"never-fits\""},
        Bad{with_job("", "@{reason: x, at: 1}"), "expect[0].kind", "is missing", ""},
        Bad{with_job("", "{experiment: @e, best: 1}"), "expect[0].experiment", "unknown experiment",
            "no experiment"},
        Bad{with_job("", "{any_of: [[{atomic: [@z]}]]}"), "expect[0].any_of[0][0].atomic[0]", "unknown job",
            "known: x"},
        Bad{with_job("", "{any_of: @[]}"), "expect[0].any_of", "never holds", ""},
        Bad{with_job("", "@5"), "expect[0]", "want a map", ""}));

// ---- no input grows without bound

TEST(ScenarioRefusal, RefusesAFileThatWouldGrowTooLarge) {
  const auto copies =
      read(with_job(", repeat: 200000, queue: prod, user: ann, run: 5, limit: 9, spread: true, held: true"),
           "s.yaml");
  ASSERT_FALSE(copies.has_value());
  EXPECT_NE(copies.error().message.find("grows too large"), std::string::npos);
  std::string stars = "{any_of: [";
  for (int i = 0; i < 100; ++i) stars += "{atomic: ['x*']}, ";
  const auto names = read(with_job(", repeat: 100000", stars + "]}"), "s.yaml");
  ASSERT_FALSE(names.has_value());
  EXPECT_NE(names.error().message.find("grows too large"), std::string::npos);
}

TEST(ScenarioRefusal, ReadingTwiceGivesTheSameError) {
  const std::string text = with_job(", queue: prd");
  EXPECT_EQ(to_string(read(text, "s.yaml").error()), to_string(read(text, "s.yaml").error()));
  EXPECT_EQ(
      to_string(read(text, "s.yaml").error()).rfind("s.yaml:6:50: jobs[0].queue: unknown queue \"prd\"", 0),
      0U);
}

}  // namespace
}  // namespace muster::scenario
