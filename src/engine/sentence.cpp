// A reason in plain words: every number and every name it has, once.
#include <algorithm>

#include "base/text.hpp"
#include "engine/asked.hpp"
#include "engine/explain.hpp"

namespace muster {
namespace {

std::string amount(const std::string& resource, std::int64_t value) {
  if (value >= kUnlimited) return "unlimited " + resource;
  if (resource == "cpu" || resource == "gpu") return format_milli(value) + " " + resource;
  if (resource == "mem") return format_milli(value * 125 / (std::int64_t{1} << 27)) + " GiB " + resource;
  if (resource == kDeviceMemory) return std::to_string(value) + " MiB gpu memory";
  return std::to_string(value) + " " + resource;
}

std::string counted(std::int64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

/// Names of one kind, joined.
std::string names(const Why& why, Named kind) {
  std::vector<std::string> found;
  for (const WhyName& name : why.names) {
    if (name.kind == kind) found.push_back(name.name);
  }
  return join(found, ", ");
}

std::string first_resource(const Why& why) {
  for (const WhyName& name : why.names) {
    if (name.kind == Named::Resource) return name.name;
  }
  return "gpu";
}

bool has(const Why& why, const WhyName& name) {
  return std::find(why.names.begin(), why.names.end(), name) != why.names.end();
}

std::string asked(const Why& why) { return amount(first_resource(why), why.asked); }
std::string available(const Why& why) { return amount(first_resource(why), why.available); }
std::string limit(const Why& why) { return amount(first_resource(why), why.limit); }

/// " with gpu_type = a100, zone = east": the kind of node that it asks for.
std::string pool(const Why& why) {
  std::string text;
  for (const WhyName& name : why.names) {
    if (name.kind == Named::Key && name.name != "spread" && name.name != "node")
      text += (text.empty() ? " with " : ", ") + name.name + " =";
    if (name.kind == Named::Value) text += (text.back() == '=' ? " " : " or ") + name.name;
  }
  return text;
}

std::string never_fits(const Why& why) {
  if (!names(why, Named::Queue).empty()) {
    return "can never start: asks for " + asked(why) + ", the limit of queue " + names(why, Named::Queue) +
           " is " + limit(why);
  }
  std::string text = "can never start on this cluster";
  if (!names(why, Named::Resource).empty()) {
    text += ": needs " + asked(why) + ", there are " + available(why) + pool(why) + " in all, " + limit(why) +
            " on the largest node";
  } else if (!pool(why).empty()) {
    text += ": no node" + pool(why);
  } else if (!names(why, Named::Node).empty()) {
    text += ": no node is named " + names(why, Named::Node);
  }
  if (!names(why, Named::Level).empty()) text += ", within one " + names(why, Named::Level);
  return text;
}

std::string dependency(const Why& why) {
  const std::string jobs = names(why, Named::Job);
  if (why.reason == Reason::DependencyFailed) return "needs " + jobs + ", which failed";
  if (why.asked < 2) return "waits for " + jobs;
  return "waits for " + jobs + ": " + std::to_string(why.available) + " of " + counted(why.asked, "job") +
         " ended";
}

std::string group(const Why& why) {
  const std::string jobs = names(why, Named::Job);
  return "waits for its group: " + std::to_string(why.available) + " of " + std::to_string(why.asked) +
         " ready" + (jobs.empty() ? "" : ", not " + jobs);
}

std::string nodes(const Why& why) {
  const std::string named = names(why, Named::Node);
  const auto shown = std::count_if(why.names.begin(), why.names.end(),
                                   [](const WhyName& n) { return n.kind == Named::Node; });
  const std::string more =
      why.available > shown ? " and " + std::to_string(why.available - shown) + " more" : "";
  if (why.reason == Reason::Unhealthy) return "would start if broken gpu devices worked on " + named + more;
  return "would start if these nodes were usable: " + named + more;
}

std::string topology(const Why& why) {
  const bool known = why.available < kUnlimited;
  if (has(why, {Named::Key, "spread"})) {
    return "takes one node for each of its " + counted(why.asked, "worker") +
           (known ? ", and " + counted(why.available, "node") + (why.available == 1 ? " has" : " have") +
                        " room"
                  : "") +
           "; it would start without that";
  }
  const std::string room =
      known ? "the best has room for " + std::to_string(why.available) + " of " + counted(why.asked, "worker")
            : "none has room for its " + counted(why.asked, "worker");
  return "needs a single " + names(why, Named::Level) + ", and " + room + "; it would start without that";
}

std::string short_of(const Why& why) {
  const std::string usable = why.limit < kUnlimited ? ", but its workers fit for " + limit(why) + " of it"
                                                    : ", but not where they fit";
  switch (why.reason) {
    case Reason::Capacity: return "needs " + asked(why) + ", " + available(why) + " free" + pool(why);
    case Reason::Fragmentation:
      return "needs " + asked(why) + ", " + available(why) + " free" + pool(why) + usable;
    case Reason::Budget:
      return "needs " + asked(why) + " of the best-effort allowance, " + available(why) + " left" +
             pool(why) + (why.asked <= why.available ? usable : "");
    default:
      return "needs " + asked(why) + pool(why) + ", " + available(why) + " free; " + limit(why) +
             " of other kinds are free and would do";
  }
}

std::string queue_bound(const Why& why) {
  const std::string queue = "queue " + names(why, Named::Queue);
  if (why.reason == Reason::QueueLimit)
    return queue + " has " + available(why) + " left of " + limit(why) + ", needs " + asked(why);
  if (why.limit == 0) {
    return queue + " keeps what it does not lend: " + available(why) + " left for others, needs " +
           asked(why);
  }
  return queue + " has " + available(why) + " left of its share of " + limit(why) + ", needs " + asked(why) +
         ": it has no claim to what others hold";
}

std::string ahead(const Why& why) {
  std::string first;
  for (const WhyName& name : why.names) {
    if (name.kind == Named::Job && first.empty()) first = name.name;
  }
  std::string text = "fits, but ";
  if (why.until < kNever) {
    text +=
        "would delay " + first + ", promised to start at " + format_duration(why.until.time_since_epoch());
  } else if (!names(why, Named::Queue).empty()) {
    text += first + " goes first in queue " + names(why, Named::Queue);
  } else {
    text += "what it would use is kept clear for " + first + ", which has waited too long";
  }
  return text + " (" + counted(why.asked, "job") + " ahead)";
}

std::string users_cap(const Why& why) {
  return "user " + names(why, Named::User) + " runs " + std::to_string(why.limit - why.available) +
         " of the " + counted(why.limit, "job") + " it may" +
         (why.asked > 1 ? ", needs " + std::to_string(why.asked) + " more" : "");
}

}  // namespace

std::string sentence(const Why& why) {
  const std::string jobs = names(why, Named::Job);
  switch (why.reason) {
    case Reason::Held: return "is held";
    case Reason::NotBefore: return "may not start before " + format_duration(why.until.time_since_epoch());
    case Reason::BackingOff:
      return "backs off after a failure until " + format_duration(why.until.time_since_epoch());
    case Reason::Preempted:
      return "made room for others, its workers clean up until " +
             format_duration(why.until.time_since_epoch());
    case Reason::DependencyFailed:
    case Reason::Dependency: return dependency(why);
    case Reason::Gang: return group(why);
    case Reason::NeverFits: return never_fits(why);
    case Reason::Draining:
    case Reason::Unhealthy: return nodes(why);
    case Reason::UserLimit: return users_cap(why);
    case Reason::QueueLimit:
    case Reason::QueueShare: return queue_bound(why);
    case Reason::Topology: return topology(why);
    case Reason::Capacity:
    case Reason::Fragmentation:
    case Reason::GpuType:
    case Reason::Budget: return short_of(why);
    case Reason::Reserved:
      return "what is free is kept for " + jobs + " (" + counted(why.asked, "worker") + ")";
    case Reason::Ahead: return ahead(why);
    case Reason::Fits: return "fits";
    case Reason::Preempts: return "takes the place of " + jobs;
    case Reason::Reclaims: return "its queue takes back what it is entitled to from " + jobs;
    case Reason::Yields: return "surplus workers of " + jobs + " give way";
    case Reason::MadeRoom: return "makes room for " + jobs;
    case Reason::NodeLost: return "lost node " + names(why, Named::Node);
    case Reason::TimeLimit: return "reached its limit of " + format_duration(Duration{why.limit});
    case Reason::OwnFailure: return "failed";
    case Reason::LaunchFailed: return "could not be launched";
    case Reason::ByUser: return "as its user asked";
    case Reason::OverAllowance:
      return "best-effort work on " + names(why, Named::Node) + " is beyond its allowance";
    case Reason::ExperimentOver: return "its experiment is over";
    case Reason::EarlyStop: return "stopped early by the search";
    case Reason::GrowsIntoFree: return "grows into what is free";
  }
  return "";
}

}  // namespace muster
