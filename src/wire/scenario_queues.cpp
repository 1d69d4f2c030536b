// Queues and users. What a queue promises must be possible on paper, whatever the cluster has today: no
// guarantee above the queue's own limit, no limit above the nearest stated limit of a queue that holds it,
// and the guarantees of a queue's children within its own where it states one. A resource that a queue does
// not list has no limit from that queue and no guarantee.
#include <algorithm>

#include "base/text.hpp"
#include "wire/scenario_parts.hpp"

namespace muster::scenario {
namespace {

constexpr std::size_t kMaxQueues = 10'000;
constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);

struct Written {
  QueueSpec spec;
  Field field;
  std::size_t parent = kNoParent;
};

std::string shown(std::size_t resource, std::int64_t amount) {
  if (resource != kMem) return format_milli(amount);
  const std::int64_t gibibyte = std::int64_t{1} << 30;
  const auto thousandths = static_cast<std::int64_t>(static_cast<__int128>(amount) * 1000 / gibibyte);
  return format_milli(thousandths);
}

std::string resource_name(std::size_t resource) { return ResourceNames{}.name(resource); }

bool states(const Field& queue, const char* what, std::size_t resource) {
  return static_cast<bool>(queue[what][resource_name(resource)]);
}

void read_queue(const Field& queue, Reading& reading, std::vector<Written>& out) {
  queue.only({"name", "parent", "guarantee", "limit", "weight", "priority"});
  QueueSpec spec;
  const Field name = queue.need("name");
  name.name(spec.name);
  reading.names.queues.add(name, spec.name);
  read_amounts(queue["guarantee"], spec.guarantee);
  read_amounts(queue["limit"], spec.limit);
  queue["weight"].whole(spec.weight, {.low = 1, .high = 1'000'000});
  queue["priority"].whole(spec.priority, {.low = -kMaxCount, .high = kMaxCount});
  reading.promised.add(queue, spec.guarantee, 1);
  out.push_back({.spec = std::move(spec), .field = queue});
}

void link_parents(std::vector<Written>& queues, const Names& names) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < queues.size(); ++i) index.emplace(queues[i].spec.name, i);
  for (Written& queue : queues) {
    names.queues.refer(queue.field["parent"], queue.spec.parent);
    const auto parent = index.find(queue.spec.parent);
    if (parent != index.end()) queue.parent = parent->second;
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    std::size_t steps = 0;
    for (std::size_t at = queues[i].parent; at != kNoParent; at = queues[at].parent) {
      if (at == i) {
        const Field parent = queues[i].field["parent"];
        return parent.problem("the queue " + yaml::quoted(queues[i].spec.name) + " holds itself");
      }
      if (++steps > queues.size()) break;  // a loop further up, reported for a queue that is part of it
    }
  }
}

void check_own(const Written& queue, std::size_t r) {
  const QueueSpec& spec = queue.spec;
  if (!states(queue.field, "limit", r) || spec.guarantee[r] <= spec.limit[r]) return;
  queue.field["guarantee"][resource_name(r)].problem("the queue " + yaml::quoted(spec.name) + " guarantees " +
                                                     shown(r, spec.guarantee[r]) + " " + resource_name(r) +
                                                     " above its limit " + shown(r, spec.limit[r]));
}

void check_limit_above(const std::vector<Written>& queues, const Written& queue, std::size_t r) {
  if (!states(queue.field, "limit", r)) return;
  for (std::size_t at = queue.parent; at != kNoParent; at = queues[at].parent) {
    const QueueSpec& above = queues[at].spec;
    if (above.limit[r] >= kUnlimited) continue;
    if (queue.spec.limit[r] > above.limit[r]) {
      queue.field["limit"][resource_name(r)].problem(
          "the queue " + yaml::quoted(queue.spec.name) + " has the limit " + shown(r, queue.spec.limit[r]) +
          " " + resource_name(r) + " above the limit " + shown(r, above.limit[r]) + " of " +
          yaml::quoted(above.name));
    }
    return;
  }
}

void check_children(const std::vector<Written>& queues, std::size_t r) {
  std::vector<std::int64_t> sums(queues.size(), 0);
  for (const Written& queue : queues) {
    if (queue.parent != kNoParent) sums[queue.parent] += queue.spec.guarantee[r];
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const Written& queue = queues[i];
    if (!states(queue.field, "guarantee", r) || sums[i] <= queue.spec.guarantee[r]) continue;
    queue.field["guarantee"][resource_name(r)].problem(
        "the queues in " + yaml::quoted(queue.spec.name) + " are guaranteed " + shown(r, sums[i]) + " " +
        resource_name(r) + " together, above its own guarantee " + shown(r, queue.spec.guarantee[r]));
  }
}

/// A queue comes after the one that holds it; otherwise the order of the file stays.
void put_parents_first(std::vector<Written>& queues, std::vector<QueueSpec>& out) {
  std::vector<bool> done(queues.size(), false);
  for (std::size_t i = 0; i < queues.size(); ++i) {
    std::vector<std::size_t> chain;
    for (std::size_t at = i; at != kNoParent && !done[at]; at = queues[at].parent) {
      chain.push_back(at);
      done[at] = true;
    }
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) out.push_back(std::move(queues[*at].spec));
  }
}

}  // namespace

void read_queues(const Field& queues, Reading& reading, Scenario& out) {
  std::vector<Written> written;
  for (const Field& queue : queues.items()) read_queue(queue, reading, written);
  if (written.size() > kMaxQueues) queues.problem("more than " + std::to_string(kMaxQueues) + " queues");
  if (queues.failed()) return;
  if (!reading.names.queues.has("default")) reading.names.queues.imply("default");
  link_parents(written, reading.names);
  if (queues.failed()) return;
  for (const std::size_t resource : {kGpu, kCpu, kMem}) {
    for (const Written& queue : written) {
      check_own(queue, resource);
      check_limit_above(written, queue, resource);
    }
    check_children(written, resource);
  }
  put_parents_first(written, out.queues);
}

void read_users(const Field& users, Reading& reading, Scenario& out) {
  for (const Field& user : users.items()) {
    user.only({"name", "max_running", "past_use"});
    UserSpec spec;
    const Field name = user.need("name");
    name.name(spec.name);
    reading.names.users.add(name, spec.name);
    user["max_running"].whole(spec.max_running, {.low = 0, .high = kMaxCount});
    user["past_use"].scaled(spec.past_use, {.scale = 1000}, {.low = 0, .high = kMaxCount * 1000});
    out.users.push_back(std::move(spec));
  }
}

}  // namespace muster::scenario
