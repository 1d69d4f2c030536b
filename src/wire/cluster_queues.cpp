// Queues of a cluster file: children written inside or named by `parent`. What a queue promises must be
// possible on paper: no guarantee above its own limit, no limit above that of a queue that holds it, and the
// guarantees of its children within its own where it states one.
#include <algorithm>

#include "base/text.hpp"
#include "wire/cluster_parts.hpp"

namespace muster::cluster {
namespace {

constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);
constexpr std::int64_t kMost = 1'000'000'000;

std::string resource_name(std::size_t r) { return ResourceNames{}.name(r); }

void read_amounts(const Field& amounts, Amounts& out) {
  amounts.only({"gpu", "cpu", "mem"});
  amounts["gpu"].scaled(out[kGpu], {.scale = kDevice, .unit = "devices"},
                        {.low = 0, .high = kMost * kDevice});
  amounts["cpu"].scaled(out[kCpu], {.scale = 1000, .unit = "CPUs"}, {.low = 0, .high = kMost * 1000});
  read_size(amounts["mem"], out[kMem]);
}

void read_body(const Field& body, QueueSpec& spec) {
  read_amounts(body["guarantee"], spec.guarantee);
  read_amounts(body["limit"], spec.limit);
  body["weight"].whole(spec.weight, {.low = 1, .high = 1'000'000});
  body["priority"].whole(spec.priority, {.low = -kMost, .high = kMost});
  body["lend"].flag(spec.lend);
}

void add(const Field& name, const Field& body, QueueSpec spec, Reading& reading);

void read_children(const Field& children, const std::string& parent, Reading& reading) {
  for (const auto& [key, value] : children.entries()) {
    std::string child;
    key.name(child);
    value.only({"guarantee", "limit", "weight", "priority", "lend", "children"});
    QueueSpec spec;
    (spec.name = parent).append("/").append(child);
    spec.parent = parent;
    add(key, value, std::move(spec), reading);
  }
}

void add(const Field& name, const Field& body, QueueSpec spec, Reading& reading) {
  if (!name) return;
  if (spec.name.size() > yaml::kMaxName) return name.problem("the queue's whole name is too long");
  if (reading.written.size() >= kMaxQueues) {
    return name.problem("more than " + std::to_string(kMaxQueues) + " queues");
  }
  if (!reading.queues.emplace(spec.name, reading.written.size()).second) {
    return name.problem("a second queue named " + yaml::quoted(spec.name));
  }
  read_body(body, spec);
  const std::string own = spec.name;
  reading.written.push_back({.spec = std::move(spec), .field = body});
  read_children(body["children"], own, reading);
}

std::size_t parent_of(const Reading& reading, std::size_t queue) {
  const auto at = reading.queues.find(reading.written[queue].spec.parent);
  return at == reading.queues.end() ? kNoParent : at->second;
}

/// Every parent exists, and no queue holds itself.
void check_tree(const Reading& reading) {
  std::vector<std::string> names;
  for (const auto& written : reading.written) names.push_back(written.spec.name);
  for (std::size_t i = 0; i < reading.written.size(); ++i) {
    const auto& [spec, field] = reading.written[i];
    if (!spec.parent.empty() && parent_of(reading, i) == kNoParent) field["parent"].no_such("queue", names);
    std::size_t steps = 0;
    for (std::size_t at = parent_of(reading, i); at != kNoParent && steps <= names.size(); ++steps) {
      if (at == i) return field["parent"].problem("the queue " + yaml::quoted(spec.name) + " holds itself");
      at = parent_of(reading, at);
    }
  }
}

void check_promise(const Reading& reading, std::size_t queue, std::size_t r) {
  const auto& [spec, field] = reading.written[queue];
  if (spec.limit[r] < kUnlimited && spec.guarantee[r] > spec.limit[r]) {
    field["guarantee"][resource_name(r)].problem("the queue " + yaml::quoted(spec.name) +
                                                 " is guaranteed more than its limit");
  }
  if (spec.limit[r] >= kUnlimited) return;
  for (std::size_t at = parent_of(reading, queue); at != kNoParent; at = parent_of(reading, at)) {
    const QueueSpec& above = reading.written[at].spec;
    if (above.limit[r] < spec.limit[r]) {
      return field["limit"][resource_name(r)].problem("the limit is above that of " +
                                                      yaml::quoted(above.name) + ", which holds the queue");
    }
  }
}

void check_children(const Reading& reading, std::size_t r) {
  std::vector<std::int64_t> sums(reading.written.size(), 0);
  for (std::size_t i = 0; i < reading.written.size(); ++i) {
    const std::size_t parent = parent_of(reading, i);
    if (parent != kNoParent) sums[parent] += reading.written[i].spec.guarantee[r];
  }
  for (std::size_t i = 0; i < reading.written.size(); ++i) {
    const auto& [spec, field] = reading.written[i];
    const Field stated = field["guarantee"][resource_name(r)];
    if (stated && sums[i] > spec.guarantee[r]) {
      stated.problem("the queues in " + yaml::quoted(spec.name) + " are guaranteed more together than it is");
    }
  }
}

}  // namespace

void read_queue_document(const Field& root, Reading& reading) {
  root.only({"kind", "name", "parent", "guarantee", "limit", "weight", "priority", "lend", "children"});
  QueueSpec spec;
  const Field name = root.need("name");
  name.name(spec.name);
  root["parent"].name(spec.parent);
  add(name, root, std::move(spec), reading);
}

void link_queues(Reading& reading, Cluster& out) {
  check_tree(reading);
  if (reading.written.empty() || reading.written.front().field.failed()) return;
  for (const std::size_t resource : {kGpu, kCpu, kMem}) {
    for (std::size_t i = 0; i < reading.written.size(); ++i) check_promise(reading, i, resource);
    check_children(reading, resource);
  }
  std::vector<bool> done(reading.written.size(), false);
  for (std::size_t i = 0; i < reading.written.size(); ++i) {
    std::vector<std::size_t> chain;
    for (std::size_t at = i; at != kNoParent && !done[at]; at = parent_of(reading, at)) {
      chain.push_back(at);
      done[at] = true;
    }
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) out.queues.push_back(reading.written[*at].spec);
  }
}

}  // namespace muster::cluster
