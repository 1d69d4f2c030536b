// The conditions on one moment: which jobs are in which state, how many workers run and where, what queues
// use. The same keys serve `at` checks and the states that `never` forbids.
#include "wire/scenario_parts.hpp"

namespace muster::scenario {
namespace {

using StateName = std::pair<std::string_view, JobState>;
constexpr StateName kStates[] = {
    {"running", JobState::Running},   {"pending", JobState::Pending},  {"done", JobState::Done},
    {"failed", JobState::Failed},     {"timeout", JobState::TimedOut}, {"cancelled", JobState::Cancelled},
    {"rejected", JobState::Rejected}, {"held", JobState::Held},        {"stopped", JobState::Stopped}};

void read_nodes(const Field& list, const Names& names, std::vector<std::string>& out) {
  for (const Field& node : list.items()) names.nodes.refer(node, out.emplace_back());
}

void read_domain_counts(const Field& map, const Names& names, std::map<std::string, std::int64_t>& out) {
  for (const auto& [key, value] : map.entries()) {
    std::string level;
    names.levels.refer(key, level);
    value.whole(out[level], {.low = 0, .high = kMaxCount});
  }
}

void read_count_of(const Field& count, Reading& reading, Moment& out) {
  for (const Field& item : count.one_or_more()) {
    item.only({"state", "of", "is"});
    Moment::CountOf read;
    read_state(item.need("state"), read.state);
    read_job_names(item.need("of"), reading, read.of);
    read_range(item.need("is"), read.is);
    out.counts.push_back(std::move(read));
  }
}

void read_queue_use(const Field& map, const Names& names, Moment& out) {
  const ResourceNames resources;
  for (const auto& [key, value] : map.entries()) {
    std::string queue;
    names.queues.refer(key, queue);
    value.only({"gpu", "cpu", "mem"});
    for (const auto& [resource, amount] : value.entries()) {
      const std::string& name = resource.tree().text;
      read_amount(amount, resources.find(name), out.queue_use[queue][name]);
    }
  }
}

void read_trials(const Field& map, const Names& names, Moment& out) {
  for (const auto& [key, value] : map.entries()) {
    std::string experiment;
    names.experiments.refer(key, experiment);
    value.only({"running", "done", "failed", "created"});
    Moment::Trials& trials = out.trials[experiment];
    if (value["running"]) read_range(value["running"], trials.running.emplace());
    if (value["done"]) read_range(value["done"], trials.done.emplace());
    if (value["failed"]) read_range(value["failed"], trials.failed.emplace());
    if (value["created"]) read_range(value["created"], trials.created.emplace());
  }
}

void read_places(const Field& moment, const Names& names, Moment& out) {
  for_each_job(moment["nodes"], names,
               [&](const std::string& job, const Field& value) { read_nodes(value, names, out.nodes[job]); });
  for_each_job(moment["within"], names, [&](const std::string& job, const Field& value) {
    names.levels.refer(value, out.within[job]);
  });
  for_each_job(moment["span"], names, [&](const std::string& job, const Field& value) {
    read_domain_counts(value, names, out.span[job]);
  });
  for_each_job(moment["distinct_nodes"], names, [&](const std::string& job, const Field& value) {
    value.whole(out.distinct_nodes[job], {.low = 0, .high = kMaxCount});
  });
}

}  // namespace

std::vector<std::string_view> moment_keys() {
  std::vector<std::string_view> keys{"workers", "nodes",     "within", "span",       "distinct_nodes",
                                     "count",   "queue_use", "copies", "per_device", "trials"};
  for (const auto& state : kStates) keys.push_back(state.first);
  return keys;
}

void read_state(const Field& state, JobState& out) { state.choice<JobState>(out, kStates); }

void read_moment(const Field& moment, Reading& reading, Moment& out) {
  const Names& names = reading.names;
  for (const auto& [word, state] : kStates) {
    if (const Field jobs = moment[word]) read_job_names(jobs, reading, out.states[state]);
  }
  for_each_job(moment["workers"], names,
               [&](const std::string& job, const Field& value) { read_range(value, out.workers[job]); });
  for_each_job(moment["copies"], names,
               [&](const std::string& job, const Field& value) { read_range(value, out.copies[job]); });
  read_places(moment, names, out);
  read_count_of(moment["count"], reading, out);
  read_queue_use(moment["queue_use"], names, out);
  read_trials(moment["trials"], names, out);
  if (const Field per_device = moment["per_device"]) {
    per_device.only({"jobs"});
    per_device.need("jobs").whole(out.jobs_per_device.emplace(), {.low = 0, .high = kMaxCount});
  }
}

void read_job_name(const Field& name, const Names& names, std::string& out) {
  if (name.is(yaml::Kind::Scalar)) {
    const auto copies = names.copies.find(name.tree().text);
    if (copies != names.copies.end() && !names.jobs.has(copies->first)) {
      name.problem(
          "there are " + std::to_string(copies->second.size()) + " copies of " + yaml::quoted(copies->first),
          "name one, such as " + copies->second.front() + "; in lists of jobs '" + copies->first +
              "*' means all");
    }
  }
  names.jobs.refer(name, out);
}

void read_job_names(const Field& list, Reading& reading, Jobs& out) {
  for (const Field& item : list.items()) {
    if (!item.is(yaml::Kind::Scalar) || !item.tree().text.ends_with('*')) {
      read_job_name(item, reading.names, out.emplace_back());
      continue;
    }
    std::string base = item.tree().text;
    base.pop_back();
    const auto copies = reading.names.copies.find(base);
    if (copies == reading.names.copies.end())
      return item.no_such("repeated job", reading.names.families.names());
    const auto size = static_cast<std::int64_t>(copies->second.size());
    if (!reading.budget.spend(item, size)) return;
    out.insert(out.end(), copies->second.begin(), copies->second.end());
  }
}

void for_each_job(const Field& map, const Names& names,
                  const std::function<void(const std::string&, const Field&)>& read) {
  for (const auto& [key, value] : map.entries()) {
    std::string job;
    read_job_name(key, names, job);
    if (value) read(job, value);
  }
}

}  // namespace muster::scenario
