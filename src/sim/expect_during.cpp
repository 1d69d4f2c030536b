// Conditions on a stretch of time. Counts and `steady` read the list of moves; `never` and `atomic` read
// every frame. Windows are open: what happens exactly at an edge belongs to neither side, so a window may
// end where an event is due.
#include <algorithm>

#include "base/text.hpp"
#include "sim/expect_parts.hpp"

namespace muster::sim {
namespace {

std::string_view word_of(Move move) {
  switch (move) {
    case Move::Start: return "started";
    case Move::Evict: return "was evicted";
    case Move::End: return "ended";
    case Move::Grow: return "grew";
    case Move::Shrink: return "shrank";
    case Move::OtherStop: return "was stopped";
  }
  return "?";
}

class WindowJudge {
 public:
  WindowJudge(const Watch& watch, const scenario::DuringCheck& check)
      : watch_(watch),
        check_(check),
        moves_(watch.moves_inside(check.during)),
        frames_(watch.frames_inside(check.during)) {}

  Findings run() {
    for (const auto& [job, range] : check_.evictions) count_moves("evictions", Move::Evict, job, range);
    if (check_.evictions_total) count_moves("evictions_total", Move::Evict, "", *check_.evictions_total);
    for (const auto& [job, range] : check_.starts) count_moves("starts", Move::Start, job, range);
    if (check_.steady) steady();
    for (const auto& job : check_.never_running) never_running(job);
    for (const auto& [job, sizes] : check_.never_workers) never_workers(job, sizes);
    for (const auto& jobs : check_.never_together) never_together(jobs);
    for (const auto& moment : check_.never_state) never_state(moment);
    return std::move(findings_);
  }

 private:
  void report(Instant at, const std::string& job, const std::string& expected, std::string seen) {
    findings_.push_back(
        {.at = at,
         .job = job,
         .expected = expected + " inside " + text_of(check_.during.from) + ".." + text_of(check_.during.to),
         .seen = std::move(seen)});
  }

  /// When the frame was first seen inside the window.
  [[nodiscard]] Instant first_seen(const Frame& frame) const {
    return std::max(frame.at, check_.during.from);
  }

  /// An empty `job` counts those of all jobs.
  void count_moves(const std::string& key, Move what, const std::string& job, const scenario::Range& range) {
    std::vector<std::string> seen;
    const Moved* last = nullptr;
    for (const Moved* moved : moves_) {
      if (moved->what != what || (!job.empty() && moved->job != job)) continue;
      seen.push_back((job.empty() ? moved->job + " at " : "at ") + text_of(moved->at));
      last = moved;
    }
    if (range.has(static_cast<std::int64_t>(seen.size()))) return;
    const std::string subject = job.empty() ? "" : job + " ";
    const std::string times = seen.empty() ? "" : " (" + join(seen, ", ") + ")";
    report(last == nullptr ? check_.during.to : last->at, last == nullptr ? job : last->job,
           key + ": " + subject + text_of(range), subject + std::to_string(seen.size()) + times);
  }

  void steady() {
    if (moves_.empty()) return;
    const Moved& first = *moves_.front();
    const std::string more =
        moves_.size() == 1 ? "" : " and " + std::to_string(moves_.size() - 1) + " more moves";
    report(first.at, first.job, "steady", first.job + " " + std::string(word_of(first.what)) + more);
  }

  void never_running(const std::string& job) {
    for (const Frame* frame : frames_) {
      if (watch_.is_running(*frame, job)) {
        return report(first_seen(*frame), job, "never running: " + job, job + " running");
      }
    }
  }

  void never_workers(const std::string& job, const std::vector<std::int64_t>& sizes) {
    for (const std::int64_t size : sizes) {
      for (const Frame* frame : frames_) {
        if (watch_.workers(*frame, job) != size) continue;
        report(first_seen(*frame), job, "never workers: " + job + " " + std::to_string(size),
               job + " " + std::to_string(size));
        break;
      }
    }
  }

  void never_together(const scenario::Jobs& jobs) {
    for (const Frame* frame : frames_) {
      const auto runs = [&](const std::string& job) { return watch_.is_running(*frame, job); };
      if (jobs.empty() || !std::all_of(jobs.begin(), jobs.end(), runs)) continue;
      const std::string names = "[" + join(jobs, " ") + "]";
      return report(first_seen(*frame), jobs.back(), "never together: " + names, names + " running");
    }
  }

  void never_state(const scenario::Moment& moment) {
    for (const Frame* frame : frames_) {
      if (!unmet(watch_, *frame, moment, frame->at).empty()) continue;
      return report(first_seen(*frame), "", "never state", "all of its conditions met");
    }
  }

  const Watch& watch_;
  const scenario::DuringCheck& check_;
  std::vector<const Moved*> moves_;
  std::vector<const Frame*> frames_;
  Findings findings_;
};

std::int64_t least_workers(const JobSpec& spec) {
  std::int64_t least = 0;
  for (const RoleSpec& role : spec.roles) least += role.count.min;
  return least;
}

/// Workers of `job` that finished their part (code 0) until `t`; only a running job has workers to finish.
std::int64_t finished_workers(const Watch& watch, const std::string& job, Instant t) {
  std::int64_t finished = 0;
  for (const scenario::Event& event : watch.scenario().events) {
    if (event.at > t || event.what != scenario::Do::WorkerExit || event.job != job || event.code != 0)
      continue;
    const Frame* before = watch.frame_at(event.at - Duration{1});
    if (before == nullptr || !watch.is_running(*before, job)) continue;
    finished += event.workers > 0 ? event.workers : 1;
  }
  return finished;
}

}  // namespace

Findings unmet(const Watch& watch, const scenario::DuringCheck& check) {
  return WindowJudge(watch, check).run();
}

Findings unmet(const Watch& watch, const scenario::AtomicCheck& check) {
  Findings findings;
  for (const auto& name : check.jobs) {
    const scenario::Job* job = watch.job_named(name);
    if (job == nullptr) {
      findings.push_back({.at = {}, .job = name, .expected = "atomic: " + name, .seen = "no job " + name});
      continue;
    }
    const std::int64_t least = least_workers(job->spec);
    for (const Frame& frame : watch.tape().frames) {
      const std::int64_t seen = watch.workers(frame, name);
      if (seen == 0 || seen >= least || seen >= least - finished_workers(watch, name, frame.at)) continue;
      findings.push_back(
          {.at = frame.at,
           .job = name,
           .expected = "atomic: " + name + " 0 or at least " + std::to_string(least) + " workers",
           .seen = name + " " + std::to_string(seen)});
      break;
    }
  }
  return findings;
}

}  // namespace muster::sim
