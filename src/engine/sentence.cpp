#include "base/text.hpp"
#include "engine/explain.hpp"

namespace muster {
namespace {

std::string amount(const std::string& resource, std::int64_t value) {
  if (value >= kUnlimited) return "unlimited " + resource;
  if (resource == "cpu" || resource == "gpu") return format_milli(value) + " " + resource;
  if (resource == "mem") return format_milli(value * 125 / (std::int64_t{1} << 27)) + " GiB " + resource;
  return std::to_string(value) + " " + resource;
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

std::string pool(const Why& why) {
  const std::string values = names(why, Named::Value);
  return values.empty() ? "" : " with " + names(why, Named::Key) + " = " + values;
}

std::string never_fits(const Why& why) {
  if (!names(why, Named::Queue).empty()) {
    return "can never start: asks for " + amount(first_resource(why), why.asked) + ", the limit of queue " +
           names(why, Named::Queue) + " is " + amount(first_resource(why), why.limit);
  }
  std::string text = "can never start on this cluster";
  if (!names(why, Named::Resource).empty()) text += ": too little " + names(why, Named::Resource);
  if (!names(why, Named::Level).empty()) text += ", within one " + names(why, Named::Level);
  return text + pool(why);
}

}  // namespace

std::string sentence(const Why& why) {
  const std::string jobs = names(why, Named::Job);
  const std::string nodes = names(why, Named::Node);
  switch (why.reason) {
    case Reason::Held: return "is held";
    case Reason::NotBefore: return "may not start before " + format_duration(why.until.time_since_epoch());
    case Reason::BackingOff:
      return "backs off after a failure until " + format_duration(why.until.time_since_epoch());
    case Reason::DependencyFailed: return "needs " + jobs + ", which failed";
    case Reason::Dependency: return "waits for " + jobs;
    case Reason::Gang:
      return "waits for its group: " + std::to_string(why.available) + " of " + std::to_string(why.asked) +
             " there";
    case Reason::NeverFits: return never_fits(why);
    case Reason::Draining: return "would start if these nodes were usable: " + nodes;
    case Reason::Unhealthy: return "would start if broken gpu devices worked on " + nodes;
    case Reason::UserLimit:
      return "user " + names(why, Named::User) + " runs the " + std::to_string(why.limit) + " jobs it may";
    case Reason::QueueLimit:
      return "queue " + names(why, Named::Queue) + " has " + amount(first_resource(why), why.available) +
             " left of " + amount(first_resource(why), why.limit) + ", needs " +
             amount(first_resource(why), why.asked);
    case Reason::Topology:
      return "no single " + names(why, Named::Level) + " has room; it would start without that";
    case Reason::Capacity:
      return "needs " + amount(first_resource(why), why.asked) + ", " +
             amount(first_resource(why), why.available) + " free" + pool(why);
    case Reason::Fragmentation:
      return amount(first_resource(why), why.available) + " free" + pool(why) + ", but not where " +
             amount(first_resource(why), why.asked) + " fit";
    case Reason::GpuType: return "other devices are free, but not" + pool(why);
    case Reason::Reserved: return "what is free is kept for " + jobs;
    case Reason::QueueShare:
      return "queue " + names(why, Named::Queue) + " keeps " + first_resource(why) + " it does not lend";
    case Reason::Ahead: return "would delay " + (jobs.empty() ? "a job ahead of it" : jobs);
    case Reason::Budget:
      return "the best-effort allowance is used up: needs " + amount(first_resource(why), why.asked);
    case Reason::Fits: return "fits";
    case Reason::Preempts: return "takes the place of " + jobs;
    case Reason::Reclaims: return "its queue takes back what it is entitled to from " + jobs;
    case Reason::Yields: return "surplus workers of " + jobs + " give way";
    case Reason::MadeRoom: return "makes room for " + jobs;
    case Reason::NodeLost: return "lost node " + nodes;
    case Reason::TimeLimit: return "reached its limit of " + format_duration(Duration{why.limit});
    case Reason::OwnFailure: return "failed";
    case Reason::LaunchFailed: return "could not be launched";
    case Reason::ByUser: return "as its user asked";
    case Reason::OverAllowance: return "best-effort work on " + nodes + " is beyond its allowance";
    case Reason::ExperimentOver: return "its experiment is over";
    case Reason::EarlyStop: return "stopped early by the search";
    case Reason::GrowsIntoFree: return "grows into what is free";
  }
  return "";
}

}  // namespace muster
