// Jobs: read once as written, then copied `repeat` times. All copies stand where the job is listed, each
// `every` later than the one before; they share the base name, by which dependencies and `x*` mean them all.
// A dependency may point to a job further down, so those names are looked up after the last job.
#include <algorithm>

#include "wire/scenario_parts.hpp"

namespace muster::scenario {
namespace {

constexpr Bounds kRank{.low = -kMaxCount, .high = kMaxCount};

struct Repeat {
  bool numbered = false;  ///< `repeat` is given: copies are name-1, name-2, ...
  std::int32_t copies = 1;
  Duration every{0};
};

struct Workers {
  std::int64_t min = 0;
  std::int64_t max = 0;
};

Workers workers_of(const JobSpec& spec) {
  Workers sum;
  for (const RoleSpec& role : spec.roles) {
    sum.min += role.count.min;
    sum.max += role.count.max;
  }
  return sum;
}

void read_identity(const Field& job, const Names& names, Job& out) {
  const Field name = job.need("name");
  name.name(out.base);
  if (out.base.find('*') != std::string::npos) {
    name.problem("the name " + yaml::quoted(out.base) + " has a *", "x* means all copies of x");
  }
  names.queues.refer(job["queue"], out.spec.queue);
  names.users.refer(job["user"], out.spec.user);
  job["submit"].time(out.submit);
  job["priority"].whole(out.spec.priority, kRank);
  job["class"].whole(out.spec.class_rank, kRank);
}

void read_role(const Field& role, const Names& names, RoleSpec& out) {
  role.only({"name", "workers", "each", "select", "near"});
  role.need("name").name(out.name);
  read_count(role.need("workers"), out.count);
  read_demand(role.need("each"), out.each);
  read_select(role["select"], out.select);
  read_near(role["near"], names, out.near);
}

void read_roles(const Field& job, const Names& names, JobSpec& out) {
  std::vector<Selector> select;
  read_select(job["select"], select);
  const Field roles = job["roles"];
  if (!roles) {
    RoleSpec& role = out.roles.emplace_back();
    role.name = "worker";
    role.select = std::move(select);
    read_count(job.need("workers"), role.count);
    read_demand(job.need("each"), role.each);
    return;
  }
  for (const char* key : {"workers", "each"}) {
    job[key].problem("given beside roles", "each role has its own");
  }
  Roll known("role");
  for (const Field& item : roles.items()) {
    RoleSpec& role = out.roles.emplace_back();
    role.select = select;
    read_role(item, names, role);
    known.add(item["name"], role.name);
  }
  if (out.roles.empty()) roles.problem("an empty list of roles");
  if (workers_of(out).max > kMaxWorkers) {
    roles.problem("more than " + std::to_string(kMaxWorkers) + " workers together");
  }
}

void read_checkpoint(const Field& checkpoint, Checkpoint& out) {
  if (!checkpoint.is(yaml::Kind::Map)) {
    return checkpoint.choice<CheckpointMode>(
        out.mode, {{"none", CheckpointMode::None}, {"always", CheckpointMode::Always}});
  }
  checkpoint.only({"every"});
  out.mode = CheckpointMode::Every;
  const Field every = checkpoint.need("every");
  every.time(out.every);
  if (out.every == Duration{0}) every.problem("an interval of 0 seconds", "write checkpoint: always");
}

void read_fails(const Field& fails, std::int64_t workers, std::optional<Fails>& out) {
  if (!fails) return;
  fails.only({"after", "worker", "code", "times"});
  Fails read;
  fails.need("after").time(read.after);
  fails["worker"].whole(read.worker, {.low = 0, .high = workers - 1});
  fails["code"].whole(read.code, {.low = 1, .high = 255});
  if (fails["times"].is_word("always")) {
    read.times = -1;
  } else {
    fails["times"].whole(read.times, {.low = 0, .high = kMaxCount});
  }
  out = read;
}

void read_life(const Field& job, Job& out) {
  job["run"].time(out.run);
  job["limit"].time(out.spec.limit);
  job["max_restarts"].whole(out.spec.max_restarts, {.low = 0, .high = kMaxCount});
  job["exit_on_evict"].whole(out.exit_on_evict, {.low = 0, .high = 255});
  job["never_ready"].flag(out.never_ready);
  job["held"].flag(out.spec.held);
  read_checkpoint(job["checkpoint"], out.spec.checkpoint);
  read_fails(job["fails"], workers_of(out.spec).max, out.fails);
}

void read_protection(const Field& job, JobSpec& out) {
  job["kind"].choice<JobKind>(out.kind, {{"batch", JobKind::Batch}, {"service", JobKind::Service}});
  const Field keep = job["keep"];
  if (keep && out.kind != JobKind::Service)
    keep.problem("only a service keeps replicas", "add kind: service");
  keep.whole(out.keep, {.low = 0, .high = workers_of(out).max});
  job["best_effort"].flag(out.best_effort);
  bool avoid = false;
  job["avoid_evict"].flag(avoid);
  if (avoid) out.evictable = Evictable::Avoid;
}

void read_group(const Field& group, JobSpec& out) {
  if (!group) return;
  group.only({"name", "jobs"});
  group.need("name").name(out.group);
  group.need("jobs").whole(out.group_size, {.low = 1, .high = kMaxCopies});
}

void read_placed(const Field& placed, const Names& names, JobSpec& out) {
  if (!placed) return;
  for (const Field& node : placed.items()) names.nodes.refer(node, out.placed.emplace_back());
  const Workers workers = workers_of(out);
  const auto given = static_cast<std::int64_t>(out.placed.size());
  if (given >= workers.min && given <= workers.max) return;
  std::string wanted = std::to_string(workers.min);
  if (workers.max > workers.min) wanted += " to " + std::to_string(workers.max);
  placed.problem("names " + std::to_string(given) + " nodes for " + wanted + " workers",
                 "one node per worker");
}

void read_after(const Field& after, JobSpec& out) {
  for (const Field& item : after.items()) {
    item.only({"job", "when"});
    Dependency& dependency = out.after.emplace_back();
    item.need("job").name(dependency.family);
    item["when"].choice<DependencyWhen>(dependency.when,
                                        {{"ok", DependencyWhen::Ok}, {"any", DependencyWhen::Any}});
  }
}

/// The names in `after`, once all jobs are known.
void check_after(const Field& job, const Names& names) {
  for (const Field& item : job["after"].items()) {
    const Field other = item["job"];
    if (other && names.jobs.has(other.tree().text) && !names.families.has(other.tree().text)) {
      other.problem(yaml::quoted(other.tree().text) + " is one copy of a repeated job",
                    "name the job without its number: it is complete when all copies are");
    }
    std::string name;
    names.families.refer(other, name);
    if (other && job["name"].tree().text == name) other.problem("the job waits for itself");
  }
}

void read_repeat(const Field& job, Repeat& out) {
  const Field repeat = job["repeat"];
  out.numbered = static_cast<bool>(repeat);
  repeat.whole(out.copies, {.low = 1, .high = kMaxCopies});
  job["every"].time(out.every);
  if (job["every"] && !out.numbered) job["every"].problem("given without repeat");
}

void add_copies(const Field& job, const Repeat& repeat, const Job& read, Reading& reading, Scenario& out) {
  const Field name = job["name"];
  if (!name) return;
  reading.names.families.add(name, read.base);
  const auto last = millis(read.submit) + (repeat.copies - 1) * repeat.every.count();
  if (last > yaml::kMaxSeconds * 1000) job["every"].problem("the last copy would be submitted too late");
  for (const RoleSpec& role : read.spec.roles) {
    reading.demand.add(job, role.each.charge(), std::int64_t{role.count.max} * repeat.copies);
  }
  const auto size = static_cast<std::int64_t>(yaml::size_of(job.tree()));
  if (!reading.budget.spend(name, size * repeat.copies)) return;
  std::vector<std::string>& copies = reading.names.copies[read.base];
  for (std::int32_t i = 0; i < repeat.copies; ++i) {
    Job copy = read;
    copy.spec.name = repeat.numbered ? read.base + "-" + std::to_string(i + 1) : read.base;
    copy.spec.family = read.base;
    copy.spec.family_size = repeat.copies;
    copy.submit += repeat.every * i;
    reading.names.jobs.add(name, copy.spec.name);
    copies.push_back(copy.spec.name);
    out.jobs.push_back(std::move(copy));
  }
}

void read_job(const Field& job, Reading& reading, Scenario& out) {
  job.only({"name",        "queue",       "user",          "submit",      "priority", "class",
            "workers",     "each",        "roles",         "run",         "limit",    "spread",
            "near",        "select",      "placed",        "group",       "after",    "repeat",
            "every",       "checkpoint",  "max_restarts",  "fails",       "kind",     "keep",
            "best_effort", "avoid_evict", "exit_on_evict", "never_ready", "held"});
  Job read;
  read_identity(job, reading.names, read);
  read_roles(job, reading.names, read.spec);
  job["spread"].flag(read.spec.spread);
  read_near(job["near"], reading.names, read.spec.near);
  read_life(job, read);
  read_protection(job, read.spec);
  read_group(job["group"], read.spec);
  read_placed(job["placed"], reading.names, read.spec);
  read_after(job["after"], read.spec);
  Repeat repeat;
  read_repeat(job, repeat);
  add_copies(job, repeat, read, reading, out);
}

}  // namespace

void read_jobs(const Field& jobs, Reading& reading, Scenario& out) {
  const auto items = jobs.items();
  for (const Field& job : items) read_job(job, reading, out);
  for (const Field& job : items) check_after(job, reading.names);
}

}  // namespace muster::scenario
