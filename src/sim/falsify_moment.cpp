// False moments: each has ONE condition, next to what was seen at that instant, so that a judge blind to
// just that condition is found out.
#include <algorithm>
#include <set>

#include "sim/falsify_parts.hpp"

namespace muster::sim {
namespace {

using scenario::AtCheck;
using scenario::Moment;
using scenario::Range;

class MomentBender {
 public:
  MomentBender(const Facts& facts, const Frame& frame, const AtCheck& check, Bent& bent)
      : facts_(facts), frame_(frame), check_(check), bent_(bent) {}

  void run() {
    const Moment& moment = check_.moment;
    for (const auto& [state, jobs] : moment.states) {
      for (const auto& job : jobs) states(job);
    }
    for (const auto& [job, range] : moment.workers) workers(job);
    for (const auto& [job, names] : moment.nodes) nodes(job);
    for (const auto& [job, level] : moment.within) places(job);
    for (const auto& [job, levels] : moment.span) places(job);
    for (const auto& [job, count] : moment.distinct_nodes) distinct_nodes(job);
    for (const auto& count : moment.counts) counts(count);
    for (const auto& [queue, amounts] : moment.queue_use) queue_use(queue, amounts);
    for (const auto& [job, range] : moment.copies) copies(job);
    if (moment.jobs_per_device) per_device();
    for (const auto& [experiment, trials] : moment.trials) trials_of(experiment);
  }

 private:
  void add(Moment moment, const std::string& what) {
    bent_.add(AtCheck{.at = check_.at, .moment = std::move(moment)}, what);
  }

  void states(const std::string& job) {
    const JobView* view = facts_.view(frame_, job);
    const auto say = [&](JobState wrong, const char* word) {
      if (view != nullptr && view->state == wrong) return;
      Moment moment;
      moment.states[wrong] = {job};
      add(std::move(moment), "state of " + job + " -> " + word);
    };
    say(JobState::Running, "running");
    say(JobState::Pending, "pending");
    say(JobState::Done, "done");
    say(JobState::Failed, "failed");
    say(JobState::Held, "held");
  }

  void workers(const std::string& job) {
    const auto seen = static_cast<std::int64_t>(facts_.seats(frame_, job).size());
    const auto say = [&](Range wrong) {
      Moment moment;
      moment.workers[job] = wrong;
      add(std::move(moment),
          "workers of " + job + " -> " + std::to_string(wrong.low) + ".." + std::to_string(wrong.high));
    };
    say(exactly(seen + 1));
    say({.low = seen + 1, .high = seen + 3});
    if (seen > 0) say(exactly(seen - 1));
    if (seen > 0) say({.low = 0, .high = seen - 1});
  }

  void say_nodes(const std::string& job, std::vector<std::string> wrong, const char* how) {
    Moment moment;
    moment.nodes[job] = std::move(wrong);
    add(std::move(moment), "nodes of " + job + " with one " + how);
  }

  void nodes(const std::string& job) {
    const auto& names = facts_.tape.node_names;
    std::vector<std::string> seen;
    for (const Seat& seat : facts_.seats(frame_, job)) {
      if (seat.node.index() >= names.size()) return;
      seen.push_back(names[seat.node.index()]);
    }
    if (!names.empty()) {
      auto more = seen;
      more.push_back(names.front());
      say_nodes(job, std::move(more), "more");
    }
    if (seen.empty()) return;
    say_nodes(job, {seen.begin() + 1, seen.end()}, "fewer");
    const auto other =
        std::find_if(names.begin(), names.end(), [&](const auto& n) { return n != seen.back(); });
    if (other == names.end()) return;
    seen.back() = *other;  // one name less of the old, one more of the new: never the same multiset
    say_nodes(job, std::move(seen), "other");
  }

  /// How many different domains of the level the job is in; none where that is open to interpretation.
  [[nodiscard]] std::optional<std::int64_t> domains(const std::string& job, std::size_t level) const {
    std::set<std::string> paths;
    for (const Seat& seat : facts_.seats(frame_, job)) {
      const auto known = facts_.tape.domains.find(seat.node.value());
      if (known == facts_.tape.domains.end() || level >= known->second.size()) return std::nullopt;
      if (known->second[level].empty()) return std::nullopt;
      std::string path;
      for (std::size_t i = 0; i <= level; ++i) path += known->second[i] + '\n';
      paths.insert(std::move(path));
    }
    return static_cast<std::int64_t>(paths.size());
  }

  void places(const std::string& job) {
    for (std::size_t i = 0; i < facts_.tape.levels.size(); ++i) {
      if (const auto seen = domains(job, i)) places_at(facts_.tape.levels[i], job, *seen);
    }
  }

  void places_at(const std::string& level, const std::string& job, std::int64_t seen) {
    if (seen > 1) {
      Moment moment;
      moment.within[job] = level;
      add(std::move(moment), "within of " + job + " -> one " + level);
    }
    if (seen > 0) {
      Moment moment;
      moment.span[job][level] = seen - 1;
      add(std::move(moment), "span of " + job + " -> " + level + " " + std::to_string(seen - 1));
    }
  }

  void distinct_nodes(const std::string& job) {
    std::set<std::uint32_t> nodes;
    for (const Seat& seat : facts_.seats(frame_, job)) nodes.insert(seat.node.value());
    const auto seen = static_cast<std::int64_t>(nodes.size());
    for (const std::int64_t wrong : {seen - 1, seen + 1}) {
      if (wrong < 0) continue;
      Moment moment;
      moment.distinct_nodes[job] = wrong;
      add(std::move(moment), "distinct nodes of " + job + " -> " + std::to_string(wrong));
    }
  }

  void counts(const Moment::CountOf& count) {
    std::int64_t seen = 0;
    for (const auto& job : count.of) {
      const JobView* view = facts_.view(frame_, job);
      if (view != nullptr && view->state == count.state) ++seen;
    }
    for (const std::int64_t wrong : {seen - 1, seen + 1}) {
      if (wrong < 0) continue;
      Moment moment;
      moment.counts.push_back({.state = count.state, .of = count.of, .is = exactly(wrong)});
      add(std::move(moment), "count -> " + std::to_string(wrong));
    }
  }

  void queue_use(const std::string& queue, const std::map<std::string, std::int64_t>& amounts) {
    const auto used = frame_.queue_use.find(queue);
    if (used == frame_.queue_use.end()) return;
    std::map<std::string, std::size_t> slots = {{"cpu", kCpu}, {"mem", kMem}, {"gpu", kGpu}};
    const auto& extended = facts_.scenario.levels.extended;
    for (std::size_t i = 0; i < extended.size() && i < kExtended; ++i) {
      slots.emplace(extended[i], kFirstExtended + i);
    }
    for (const auto& [resource, amount] : amounts) {
      const auto slot = slots.find(resource);
      if (slot != slots.end()) queue_use_of(queue, resource, used->second[slot->second]);
    }
  }

  void queue_use_of(const std::string& queue, const std::string& resource, std::int64_t seen) {
    const std::string what = "use of " + queue + " -> " + resource;
    for (const std::int64_t wrong : {seen - 1, seen + 1, seen + kDevice}) {
      Moment moment;
      moment.queue_use[queue][resource] = wrong;
      std::string text = what;
      text.append(" ").append(std::to_string(wrong));
      add(std::move(moment), text);
    }
  }

  void copies(const std::string& job) {
    const JobView* view = facts_.view(frame_, job);
    if (view == nullptr) return;
    for (const std::int64_t wrong : {view->copies - 1, view->copies + 1}) {
      if (wrong < 0) continue;
      Moment moment;
      moment.copies[job] = exactly(wrong);
      add(std::move(moment), "copies of " + job + " -> " + std::to_string(wrong));
    }
  }

  [[nodiscard]] std::int64_t jobs_on(std::size_t node, std::size_t device) const {
    std::int64_t jobs = 0;
    for (const auto& job : facts_.scenario.jobs) {
      const Placement seats = facts_.seats(frame_, job.spec.name);
      jobs += std::any_of(seats.begin(), seats.end(), [&](const Seat& seat) {
        return seat.node.index() == node && seat.devices.has(device);
      });
    }
    return jobs;
  }

  /// Of a worker with several devices the first will do: what is seen there is seen.
  void per_device() {
    std::int64_t most = 0;
    for (const auto& job : facts_.scenario.jobs) {
      for (const Seat& seat : facts_.seats(frame_, job.spec.name)) {
        if (!seat.devices.empty()) most = std::max(most, jobs_on(seat.node.index(), seat.devices.first()));
      }
    }
    if (most == 0) return;
    Moment moment;
    moment.jobs_per_device = most - 1;
    add(std::move(moment), "jobs per device -> " + std::to_string(most - 1));
  }

  void trials_of(const std::string& experiment) {
    const auto& all = facts_.scenario.experiments;
    const auto named = [&](const auto& e) { return e.spec.name == experiment; };
    const auto index = static_cast<std::size_t>(std::find_if(all.begin(), all.end(), named) - all.begin());
    if (index >= all.size() || index >= frame_.experiments.size()) return;
    const ExperimentView& view = frame_.experiments[index];
    using Member = std::optional<Range> Moment::Trials::*;
    const auto say = [&](Member member, std::int32_t seen, const char* word) {
      for (const std::int32_t wrong : {seen - 1, seen + 1}) {
        if (wrong < 0) continue;
        Moment moment;
        moment.trials[experiment].*member = exactly(wrong);
        add(std::move(moment), "trials of " + experiment + " -> " + word + " " + std::to_string(wrong));
      }
    };
    say(&Moment::Trials::running, view.running, "running");
    say(&Moment::Trials::done, view.done, "done");
    say(&Moment::Trials::failed, view.failed, "failed");
    say(&Moment::Trials::created, view.created, "created");
  }

  const Facts& facts_;
  const Frame& frame_;
  const AtCheck& check_;
  Bent& bent_;
};

}  // namespace

void bend(const Facts& facts, const AtCheck& check, Bent& bent) {
  const Frame* frame = facts.at(check.at);
  if (frame != nullptr) MomentBender(facts, *frame, check, bent).run();
}

}  // namespace muster::sim
