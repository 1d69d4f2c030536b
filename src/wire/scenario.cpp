// The parts of a scenario file in the order in which they need each other: names first, then what refers to
// them. The first problem found, wherever it stands, is the result.
#include "wire/scenario.hpp"

#include "wire/scenario_parts.hpp"

namespace muster::scenario {
namespace {

constexpr std::string_view kSchema = "sched-case/1";

void read_document(const Field& root, Scenario& out) {
  root.only({"schema", "case", "title", "theme", "from", "policy", "cluster", "queues", "users", "jobs",
             "experiments", "events", "end", "expect", "note"});
  std::string schema;
  root.need("schema").choice<std::string>(schema, {{kSchema, std::string(kSchema)}});
  root["case"].name(out.id);
  root["title"].text(out.title);
  root["theme"].name(out.theme);
  std::string unused;
  for (const Field& source : root["from"].items()) source.text(unused);
  root["note"].text(unused);
  root.need("end").time(out.end);
  Reading reading;
  read_policy(root["policy"], out.policy);
  read_cluster(root.need("cluster"), reading, out);
  read_queues(root["queues"], reading, out);
  read_users(root["users"], reading, out);
  read_jobs(root["jobs"], reading, out);
  read_experiments(root["experiments"], reading, out);
  read_events(root["events"], reading.names, out);
  read_expect(root.need("expect"), reading, out);
}

}  // namespace

Result<Scenario> read(std::string_view text, const std::string& file) {
  const auto tree = yaml::parse(text, file);
  if (!tree) return fail(tree.error());
  yaml::Problems problems(file);
  Scenario scenario;
  scenario.file = file;
  read_document(Field(*tree, problems), scenario);
  if (problems.any()) return fail(problems.first());
  return scenario;
}

}  // namespace muster::scenario
