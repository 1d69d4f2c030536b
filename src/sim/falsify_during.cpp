// False stretches of time: counts next to what happened, `steady` over a move, `never` of what was.
#include <set>

#include "base/text.hpp"
#include "sim/falsify_parts.hpp"

namespace muster::sim {
namespace {

using scenario::DuringCheck;
using scenario::Moment;
using scenario::Range;
using scenario::Span;

class WindowBender {
 public:
  WindowBender(const Facts& facts, const DuringCheck& check, Bent& bent)
      : facts_(facts), check_(check), bent_(bent), frames_(facts.inside(check.during)) {}

  void run() {
    for (const auto& [job, range] : check_.evictions) counts(Move::Evict, job);
    for (const auto& [job, range] : check_.starts) counts(Move::Start, job);
    if (check_.evictions_total) counts(Move::Evict, "");
    if (check_.steady) steady();
    const bool forbids = !check_.never_running.empty() || !check_.never_workers.empty() ||
                         !check_.never_together.empty() || !check_.never_state.empty();
    if (!forbids) return;
    for (const auto& job : facts_.scenario.jobs) was_running(job.spec.name);
    together();
    states();
  }

 private:
  [[nodiscard]] DuringCheck blank() const {
    DuringCheck check;
    check.during = check_.during;
    return check;
  }

  void counts(Move what, const std::string& job) {
    const std::int64_t seen = facts_.moves(check_.during, what, job);
    const std::int64_t edges = facts_.on_edges(check_.during, what, job);
    const auto say = [&](Range wrong) {
      DuringCheck check = blank();
      if (what == Move::Start) {
        check.starts[job] = wrong;
      } else if (job.empty()) {
        check.evictions_total = wrong;
      } else {
        check.evictions[job] = wrong;
      }
      bent_.add(std::move(check), (what == Move::Start ? "starts of " : "evictions of ") +
                                      (job.empty() ? "all" : job) + " -> " + std::to_string(wrong.low) +
                                      ".." + std::to_string(wrong.high));
    };
    say(exactly(seen + 1));
    if (edges > 1) say(exactly(seen + edges));  // as if the window were closed
    if (seen == 0) return;
    say(exactly(seen - 1));
    say({.low = 0, .high = seen - 1});
  }

  /// A second around one move of each kind, whoever moved.
  void steady() {
    std::set<Move> kinds;
    for (const Moved& moved : facts_.tape.moves) {
      if (moved.at - seconds(1) < Instant{} || !kinds.insert(moved.what).second) continue;
      DuringCheck check;
      check.during = {.from = moved.at - seconds(1), .to = moved.at + seconds(1)};
      check.steady = true;
      bent_.add(std::move(check), "steady around a move of " + moved.job);
    }
    for (const Moved& moved : facts_.tape.moves) {
      if (moved.at <= check_.during.from || moved.at >= check_.during.to) continue;
      DuringCheck check = blank();
      check.steady = true;
      bent_.add(std::move(check), "steady where " + moved.job + " moves");
      return;
    }
  }

  void was_running(const std::string& job) {
    for (const Frame* frame : frames_) {
      if (!facts_.runs(*frame, job)) continue;
      DuringCheck running = blank();
      running.never_running = {job};
      bent_.add(std::move(running), "never running: " + job);
      DuringCheck size = blank();
      size.never_workers[job] = {static_cast<std::int64_t>(facts_.seats(*frame, job).size())};
      bent_.add(std::move(size), "never that many workers: " + job);
      return;
    }
  }

  void together() {
    for (const Frame* frame : frames_) {
      scenario::Jobs running;
      for (const auto& job : facts_.scenario.jobs) {
        if (facts_.runs(*frame, job.spec.name)) running.push_back(job.spec.name);
      }
      if (running.size() < 2) continue;
      DuringCheck check = blank();
      check.never_together = {{running.front(), running.back()}};
      bent_.add(std::move(check), "never together: " + running.front() + " " + running.back());
      return;
    }
  }

  /// The whole of one frame: all states and sizes in it.
  void states() {
    if (frames_.empty()) return;
    const Frame& frame = *frames_[frames_.size() / 2];
    Moment moment;
    for (const auto& job : facts_.scenario.jobs) {
      const JobView* view = facts_.view(frame, job.spec.name);
      if (view == nullptr) continue;
      moment.states[view->state].push_back(job.spec.name);
      moment.workers[job.spec.name] =
          exactly(static_cast<std::int64_t>(facts_.seats(frame, job.spec.name).size()));
    }
    if (moment.states.empty()) return;
    DuringCheck check = blank();
    check.never_state = {std::move(moment)};
    bent_.add(std::move(check), "never the state at " + format_milli(millis(frame.at)) + "s");
  }

  const Facts& facts_;
  const DuringCheck& check_;
  Bent& bent_;
  std::vector<const Frame*> frames_;
};

/// Whether some worker of the job finishes before the others, which makes a smaller count lawful.
bool has_finishing_workers(const scenario::Scenario& scenario, const std::string& job) {
  for (const auto& event : scenario.events) {
    if (event.what == scenario::Do::WorkerExit && event.job == job && event.code == 0) return true;
  }
  return false;
}

}  // namespace

void bend(const Facts& facts, const DuringCheck& check, Bent& bent) {
  WindowBender(facts, check, bent).run();
}

/// Only a job that was seen in part makes the check false; in a sound run there is none.
void bend(const Facts& facts, const scenario::AtomicCheck& /*check*/, Bent& bent) {
  for (const auto& job : facts.scenario.jobs) {
    if (has_finishing_workers(facts.scenario, job.spec.name)) continue;
    std::size_t least = 0;
    for (const RoleSpec& role : job.spec.roles) least += static_cast<std::size_t>(role.count.min);
    for (const Frame& frame : facts.tape.frames) {
      const std::size_t seen = facts.seats(frame, job.spec.name).size();
      if (seen == 0 || seen >= least) continue;
      bent.add(scenario::AtomicCheck{.jobs = {job.spec.name}}, "atomic: " + job.spec.name);
      break;
    }
  }
}

}  // namespace muster::sim
