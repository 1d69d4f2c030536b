// Cluster files: what is read, and that every mistake is named with line, column, field and a hint.
#include <gtest/gtest.h>

#include "wire/cluster.hpp"
#include "wire/units.hpp"

using namespace muster;

namespace {

constexpr std::string_view kGood = R"(# two documents above all
kind: Cluster
name: dc1
levels: [spine, rack, node, nvlink]
nodes:
  - {match: "s[1-2]-r[01-02]-n[01-03]", gpu: "A100:80G", gpus: 8,
      nvlink: [4, 4], cpus: 128, mem: 2T, labels: {pool: old}}
  - {match: "s3-r01-n1", cpus: 4.5, in: {spine: s3}, state: drained}
---
{kind: Queue, name: nlp, guarantee: {gpu: 16}, limit: {gpu: 32, mem: 4T}, weight: 2, lend: false,
 children: {pretrain: {weight: 3, guarantee: {gpu: 8}}, research: {}}}
---
{kind: Queue, name: late, parent: early, priority: -1}
--- {kind: Queue, name: early}
---
{kind: User, name: ana, max_running: 5}
)";

Cluster good() {
  const auto cluster = read_cluster(kGood, "c.yaml");
  EXPECT_TRUE(cluster) << to_string(cluster.error());
  return cluster.value_or(Cluster{});
}

TEST(ClusterRead, NodesDevicesAndDomains) {
  const Cluster cluster = good();
  EXPECT_EQ(cluster.name, "dc1");
  EXPECT_EQ(cluster.levels.levels, (std::vector<std::string>{"spine", "rack"}));
  ASSERT_EQ(cluster.nodes.size(), 13U);
  EXPECT_EQ(cluster.gpus(), 96);
  const NodeSpec& node = cluster.nodes[4].spec;
  EXPECT_EQ(node.name, "s1-r02-n02");
  EXPECT_EQ(node.domains, (std::vector<std::string>{"s1", "s1-r02"}));
  EXPECT_EQ(node.gpu_type, "A100");
  EXPECT_EQ(node.devices[0].mem, 80 * 1024);
  EXPECT_EQ(node.devices[3].island, 0);
  EXPECT_EQ(node.devices[4].island, 1);
  EXPECT_EQ(node.cpu, 128'000);
  EXPECT_EQ(node.mem, std::int64_t{2} << 40);
  EXPECT_EQ(node.labels.front().second, "old");
  const ClusterNode& last = cluster.nodes.back();
  EXPECT_EQ(last.state, NodeState::Drained);
  EXPECT_EQ(last.spec.cpu, 4500);
  EXPECT_EQ(last.spec.domains, (std::vector<std::string>{"s3", ""}));
}

TEST(ClusterRead, QueuesAndUsers) {
  const Cluster cluster = good();
  std::vector<std::string> names;
  for (const QueueSpec& queue : cluster.queues) names.push_back(queue.name);
  EXPECT_EQ(names, (std::vector<std::string>{"nlp", "nlp/pretrain", "nlp/research", "early", "late"}));
  EXPECT_EQ(cluster.queues[0].guarantee[kGpu], 16'000);
  EXPECT_EQ(cluster.queues[0].limit[kMem], std::int64_t{4} << 40);
  EXPECT_EQ(cluster.queues[0].limit[kCpu], kUnlimited);
  EXPECT_FALSE(cluster.queues[0].lend);
  EXPECT_EQ(cluster.queues[1].parent, "nlp");
  EXPECT_EQ(cluster.queues[4].parent, "early");
  EXPECT_EQ(cluster.queues[4].priority, -1);
  ASSERT_EQ(cluster.users.size(), 1U);
  EXPECT_EQ(cluster.users[0].max_running, 5);
}

struct Mistake {
  const char* name;
  std::string text;
  int line;
  int column;
  const char* field;
  const char* says;  ///< in the message or the hint
};

// Keeps failures readable.
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

std::string nodes(const std::string& node) {
  return "kind: Cluster\nlevels: [rack]\nnodes:\n  - " + node + "\n";
}
std::string queues(const std::string& rest) {
  return "kind: Cluster\nnodes: [{match: n1}]\n---\n" + rest + "\n";
}

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"Empty", "", 0, 0, "", "no document of kind Cluster"},
      {"NoKind", "nodes: []\n", 1, 1, "kind", "missing"},
      {"WrongKind", "kind: Clutser\n", 1, 7, "kind", "did you mean \"Cluster\""},
      {"NoNodes", "kind: Cluster\n", 1, 1, "nodes", "missing"},
      {"EmptyNodes", "kind: Cluster\nnodes: []\n", 2, 8, "nodes", "without nodes"},
      {"TwoClusters", "kind: Cluster\nnodes: [{match: a}]\n---\nkind: Cluster\nnodes: [{match: b}]\n", 4, 7,
       "kind", "second Cluster"},
      {"UnknownKey", nodes("{match: r1-n1, lables: {}}"), 4, 20, "nodes[0]", "did you mean \"labels\""},
      {"DuplicateKey", nodes("{match: r1-n1, gpus: 8, gpus: 4}"), 4, 29, "nodes[0]", "given twice"},
      {"SizeWithoutUnit", nodes("{match: r1-n1, mem: 512}"), 4, 25, "nodes[0].mem", "512G"},
      {"TooManyGpus", nodes("{match: r1-n1, gpus: 129}"), 4, 26, "nodes[0].gpus", "128"},
      {"TypeWithoutGpus", nodes("{match: r1-n1, gpu: H100}"), 4, 25, "nodes[0].gpu", "gpus: 8"},
      {"BadMemory", nodes("{match: r1-n1, gpu: 'A:80', gpus: 1}"), 4, 25, "nodes[0].gpu", "A100:80G"},
      {"IslandsDoNotAddUp", nodes("{match: r1-n1, gpus: 8, nvlink: [4, 3]}"), 4, 37, "nodes[0].nvlink",
       "8 gpus"},
      {"NameWithoutRack", nodes("{match: n1}"), 4, 13, "nodes[0].match", "rack1-n1"},
      {"UnknownLevel", nodes("{match: n1, in: {rak: r1}}"), 4, 22, "nodes[0].in.rak",
       "did you mean \"rack\""},
      {"OpenBracket", nodes("{match: 'r1-n[1-2'}"), 4, 13, "nodes[0].match", "open bracket"},
      {"BackwardRange", nodes("{match: 'r1-n[2-1]'}"), 4, 13, "nodes[0].match", "2-1"},
      {"HugeRange", nodes("{match: 'r[1-999999]-n[1-999999]'}"), 4, 13, "nodes[0].match", "1-999999"},
      {"SecondNode", nodes("{match: 'r1-n[1,1]'}"), 4, 13, "nodes[0].match", "second node"},
      {"HiddenLabel", nodes("{match: r1-n1, labels: {gpu_type: x}}"), 4, 29, "nodes[0].labels.gpu_type",
       "hide"},
      {"LevelInsideNode", "kind: Cluster\nlevels: [node, rack]\nnodes: [{match: a}]\n", 2, 16, "levels[1]",
       "wide"},
      {"SecondLevel", "kind: Cluster\nlevels: [rack, rack]\nnodes: [{match: a-b}]\n", 2, 16, "levels[1]",
       "second"},
      {"UnknownQueueKey", queues("{kind: Queue, name: q, guaranteed: {gpu: 1}}"), 4, 24, "", "\"guarantee\""},
      {"QuotaByType", queues("{kind: Queue, name: q, limit: {H100: 1}}"), 4, 32, "limit", "gpu, cpu, mem"},
      {"SecondQueue", queues("{kind: Queue, name: q}\n---\n{kind: Queue, name: q}"), 6, 21, "name",
       "second queue"},
      {"UnknownParent", queues("{kind: Queue, name: q, parent: r}"), 4, 32, "parent", "unknown queue"},
      {"HoldsItself", queues("{kind: Queue, name: q, parent: q}"), 4, 32, "parent", "holds itself"},
      {"AboveItsLimit", queues("{kind: Queue, name: q, guarantee: {gpu: 2}, limit: {gpu: 1}}"), 4, 41,
       "guarantee.gpu", "more than its limit"},
      {"AboveTheParent", queues("{kind: Queue, name: q, limit: {gpu: 1}, children: {c: {limit: {gpu: 2}}}}"),
       4, 69, "children.c.limit.gpu", "\"q\""},
      {"ChildrenTogether",
       queues("{kind: Queue, name: q, guarantee: {gpu: 1}, children: {c: {guarantee: {gpu: 2}}}}"), 4, 41,
       "guarantee.gpu", "together"},
      {"ZeroWeight", queues("{kind: Queue, name: q, weight: 0}"), 4, 32, "weight", "1 to"},
      {"SecondUser", queues("{kind: User, name: u}\n---\n{kind: User, name: u}"), 6, 20, "name",
       "second user"},
  };
  return all;
}

class ClusterMistake : public testing::TestWithParam<Mistake> {};

TEST_P(ClusterMistake, IsNamedWithItsPlace) {
  const Mistake& mistake = GetParam();
  const auto cluster = read_cluster(mistake.text, "c.yaml");
  ASSERT_FALSE(cluster);
  const Error& error = cluster.error();
  const std::string told = to_string(error);
  EXPECT_EQ(error.where.file, "c.yaml");
  EXPECT_EQ(error.where.line, mistake.line) << told;
  EXPECT_EQ(error.where.column, mistake.column) << told;
  EXPECT_EQ(error.field, mistake.field) << told;
  EXPECT_NE((error.message + " " + error.hint).find(mistake.says), std::string::npos) << told;
}

INSTANTIATE_TEST_SUITE_P(All, ClusterMistake, testing::ValuesIn(mistakes()),
                         [](const auto& at) { return std::string(at.param.name); });

TEST(ExpandNames, RangesKeepTheirWidth) {
  EXPECT_EQ(*expand_names("n[08-10]", 100), (std::vector<std::string>{"n08", "n09", "n10"}));
  EXPECT_EQ(*expand_names("a[1,3]b[1-2]", 100), (std::vector<std::string>{"a1b1", "a1b2", "a3b1", "a3b2"}));
  EXPECT_EQ(*expand_names("plain", 1), std::vector<std::string>{"plain"});
  EXPECT_FALSE(expand_names("n[1-11]", 10));
  EXPECT_FALSE(expand_names("n]1[", 10));
  EXPECT_FALSE(expand_names("n[]", 10));
}

TEST(Units, Sizes) {
  EXPECT_EQ(parse_size("2T"), std::int64_t{2} << 40);
  EXPECT_EQ(parse_size("1.5GiB"), std::int64_t{3} << 29);
  EXPECT_EQ(parse_size("0"), 0);
  for (const char* bad : {"", "5", "G", "-1G", "1.0000000001K", "2TB!", "1e3G", "9999999P"}) {
    EXPECT_FALSE(parse_size(bad).has_value()) << bad;
  }
}

TEST(Units, Durations) {
  EXPECT_EQ(parse_duration("90m"), seconds(5400));
  EXPECT_EQ(parse_duration("1h30m"), seconds(5400));
  EXPECT_EQ(parse_duration("2d"), seconds(172'800));
  EXPECT_EQ(parse_duration("7.5"), Duration{7500});
  EXPECT_EQ(parse_duration("250ms"), Duration{250});
  for (const char* bad : {"", "1:30:00", "m", "30m1h", "5m5m", "-3s", "1h 3m", "400000d"}) {
    EXPECT_FALSE(parse_duration(bad).has_value()) << bad;
  }
  for (const std::int64_t ms : {0LL, 1LL, 1500LL, 90'000LL, 86'400'000LL, 93'784'005LL}) {
    EXPECT_EQ(parse_duration(exact_duration(Duration{ms})), Duration{ms}) << ms;
  }
}

}  // namespace
