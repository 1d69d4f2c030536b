// Conditions on one frame: states, sizes, places, use. A question about places (`within`, `span`) fails
// for a job that is not running: a job that is nowhere must not pass as well placed. A node that lacks a
// topology level is in no domain of it, so it is never `within`, and counts as a domain of its own in a
// `span`: the stricter reading of both.
#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "sim/expect_parts.hpp"

namespace muster::sim {
namespace {

std::string text_of_names(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return "[" + join(names, " ") + "]";
}

std::string text_of_amount(std::size_t resource, std::int64_t amount) {
  return resource == kCpu || resource == kGpu ? format_milli(amount) : std::to_string(amount);
}

class MomentJudge {
 public:
  MomentJudge(const Watch& watch, const Frame& frame, Instant at) : watch_(watch), frame_(frame), at_(at) {}

  Findings run(const scenario::Moment& moment) {
    for (const auto& [state, jobs] : moment.states) {
      for (const auto& job : jobs) in_state(state, job);
    }
    for (const auto& [job, range] : moment.workers) workers(job, range);
    for (const auto& [job, names] : moment.nodes) nodes(job, names);
    for (const auto& [job, level] : moment.within) within(job, level);
    for (const auto& [job, levels] : moment.span) {
      for (const auto& [level, most] : levels) span(job, level, most);
    }
    for (const auto& [job, count] : moment.distinct_nodes) distinct_nodes(job, count);
    for (const auto& count : moment.counts) count_of(count);
    for (const auto& [queue, amounts] : moment.queue_use) queue_use(queue, amounts);
    for (const auto& [job, range] : moment.copies) copies(job, range);
    if (moment.jobs_per_device) jobs_per_device(*moment.jobs_per_device);
    for (const auto& [experiment, trials] : moment.trials) trials_of(experiment, trials);
    return std::move(findings_);
  }

 private:
  void report(const std::string& job, std::string expected, std::string seen) {
    findings_.push_back({.at = at_, .job = job, .expected = std::move(expected), .seen = std::move(seen)});
  }

  [[nodiscard]] std::string seen_state(const std::string& job) const {
    const auto state = watch_.state(frame_, job);
    return job + " " + (state ? std::string(word_of(*state)) : "not submitted");
  }

  void in_state(JobState state, const std::string& job) {
    if (watch_.state(frame_, job) == state) return;
    report(job, std::string(word_of(state)) + ": " + job, seen_state(job));
  }

  void workers(const std::string& job, const scenario::Range& range) {
    const std::int64_t seen = watch_.workers(frame_, job);
    if (range.has(seen)) return;
    report(job, "workers: " + job + " " + text_of(range), job + " " + std::to_string(seen));
  }

  [[nodiscard]] std::vector<std::string> node_names(const std::string& job) const {
    std::vector<std::string> names;
    for (const Seat& seat : watch_.seats(frame_, job)) names.push_back(watch_.node_name(seat.node));
    std::sort(names.begin(), names.end());
    return names;
  }

  void nodes(const std::string& job, std::vector<std::string> expected) {
    const auto seen = node_names(job);
    std::sort(expected.begin(), expected.end());
    if (seen == expected) return;
    report(job, "nodes: " + job + " " + text_of_names(expected), job + " " + text_of_names(seen));
  }

  void within(const std::string& job, const std::string& level) {
    const std::string expected = "within: " + job + " one " + level;
    const auto index = watch_.level(level);
    if (!index) return report(job, expected, "no level " + level);
    const Placement& seats = watch_.seats(frame_, job);
    if (seats.empty()) return report(job, expected, seen_state(job));
    const auto first = watch_.domain(seats.front().node, *index);
    const bool same = !first.empty() && std::all_of(seats.begin(), seats.end(), [&](const Seat& seat) {
      return watch_.domain(seat.node, *index) == first;
    });
    if (!same) report(job, expected, job + " on " + text_of_names(node_names(job)));
  }

  void span(const std::string& job, const std::string& level, std::int64_t most) {
    const std::string expected = "span: " + job + " at most " + std::to_string(most) + " " + level;
    const auto index = watch_.level(level);
    if (!index) return report(job, expected, "no level " + level);
    const Placement& seats = watch_.seats(frame_, job);
    if (seats.empty()) return report(job, expected, seen_state(job));
    std::set<std::vector<std::string>> domains;
    std::set<NodeId> outside;
    for (const Seat& seat : seats) {
      auto domain = watch_.domain(seat.node, *index);
      if (domain.empty()) {
        outside.insert(seat.node);
      } else {
        domains.insert(std::move(domain));
      }
    }
    const auto seen = static_cast<std::int64_t>(domains.size() + outside.size());
    if (seen <= most) return;
    report(job, expected, job + " over " + std::to_string(seen) + " on " + text_of_names(node_names(job)));
  }

  void distinct_nodes(const std::string& job, std::int64_t count) {
    std::set<NodeId> nodes;
    for (const Seat& seat : watch_.seats(frame_, job)) nodes.insert(seat.node);
    if (static_cast<std::int64_t>(nodes.size()) == count) return;
    report(job, "distinct_nodes: " + job + " " + std::to_string(count),
           job + " " + std::to_string(nodes.size()) + " on " + text_of_names(node_names(job)));
  }

  void count_of(const scenario::Moment::CountOf& count) {
    std::vector<std::string> in;
    for (const auto& job : count.of) {
      if (watch_.state(frame_, job) == count.state) in.push_back(job);
    }
    if (count.is.has(static_cast<std::int64_t>(in.size()))) return;
    report("",
           "count: " + text_of(count.is) + " " + std::string(word_of(count.state)) + " of [" +
               join(count.of, " ") + "]",
           std::to_string(in.size()) + " [" + join(in, " ") + "]");
  }

  void queue_use(const std::string& queue, const std::map<std::string, std::int64_t>& amounts) {
    ResourceNames names;
    for (const auto& extended : watch_.scenario().levels.extended) names.intern(extended);
    const auto found = frame_.queue_use.find(queue);
    const Amounts use = found == frame_.queue_use.end() ? Amounts{} : found->second;
    for (const auto& [name, amount] : amounts) {
      const std::size_t resource = names.find(name);
      std::string what = queue;
      what.append(" ").append(name).append(" ");
      if (resource == kResources) {
        report("", "queue_use: " + what + std::to_string(amount), "no resource " + name);
      } else if (use[resource] != amount) {
        report("", "queue_use: " + what + text_of_amount(resource, amount),
               what + text_of_amount(resource, use[resource]));
      }
    }
  }

  void copies(const std::string& job, const scenario::Range& range) {
    const std::int64_t seen = watch_.job(frame_, job).copies;
    if (range.has(seen)) return;
    report(job, "copies: " + job + " " + text_of(range), job + " " + std::to_string(seen));
  }

  void jobs_per_device(std::int64_t most) {
    std::map<std::pair<NodeId, std::size_t>, std::set<std::string>> users;
    for (const auto& job : watch_.scenario().jobs) {
      for (const Seat& seat : watch_.seats(frame_, job.spec.name)) {
        for (std::size_t device = 0; device < kMaxDevices; ++device) {
          if (seat.devices.has(device)) users[{seat.node, device}].insert(job.spec.name);
        }
      }
    }
    for (const auto& [device, jobs] : users) {
      if (static_cast<std::int64_t>(jobs.size()) <= most) continue;
      const std::vector<std::string> names(jobs.begin(), jobs.end());
      report(names.back(), "per_device: at most " + std::to_string(most) + " jobs",
             text_of_names(names) + " on device " + std::to_string(device.second) + " of " +
                 watch_.node_name(device.first));
    }
  }

  void trials_of(const std::string& experiment, const scenario::Moment::Trials& trials) {
    const ExperimentView* view = watch_.experiment(frame_, experiment);
    if (view == nullptr) return report("", "trials: " + experiment, "no experiment " + experiment);
    const auto compare = [&](const char* what, const std::optional<scenario::Range>& range,
                             std::int64_t seen) {
      if (!range || range->has(seen)) return;
      report("", "trials: " + experiment + " " + what + " " + text_of(*range),
             std::string(what) + " " + std::to_string(seen));
    };
    compare("running", trials.running, view->running);
    compare("done", trials.done, view->done);
    compare("failed", trials.failed, view->failed);
    compare("created", trials.created, view->created);
  }

  const Watch& watch_;
  const Frame& frame_;
  Instant at_;
  Findings findings_;
};

}  // namespace

Findings unmet(const Watch& watch, const Frame& frame, const scenario::Moment& moment, Instant at) {
  return MomentJudge(watch, frame, at).run(moment);
}

}  // namespace muster::sim
