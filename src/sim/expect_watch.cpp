// Looking things up on the tape, and the words in which the judge speaks.
#include <algorithm>

#include "base/text.hpp"
#include "sim/expect_parts.hpp"

namespace muster::sim {

Watch::Watch(const scenario::Scenario& scenario, const Tape& tape) : scenario_(&scenario), tape_(&tape) {
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) jobs_.emplace(scenario.jobs[i].spec.name, i);
  for (std::size_t i = 0; i < scenario.experiments.size(); ++i) {
    experiments_.emplace(scenario.experiments[i].spec.name, i);
  }
}

const Frame* Watch::frame_at(Instant t) const {
  const auto& frames = tape_->frames;
  const auto next = std::upper_bound(frames.begin(), frames.end(), t,
                                     [](Instant at, const Frame& frame) { return at < frame.at; });
  return next == frames.begin() ? nullptr : &*std::prev(next);
}

std::vector<const Frame*> Watch::frames_inside(const scenario::Span& span) const {
  std::vector<const Frame*> inside;
  const auto& frames = tape_->frames;
  for (std::size_t i = 0; i < frames.size() && frames[i].at < span.to; ++i) {
    const Instant until = i + 1 < frames.size() ? frames[i + 1].at : kNever;
    if (until > span.from && until > frames[i].at) inside.push_back(&frames[i]);
  }
  return inside;
}

std::vector<const Moved*> Watch::moves_inside(const scenario::Span& span) const {
  std::vector<const Moved*> inside;
  for (const Moved& moved : tape_->moves) {
    if (span.from < moved.at && moved.at < span.to) inside.push_back(&moved);
  }
  return inside;
}

const JobView& Watch::job(const Frame& frame, const std::string& name) const {
  const auto found = jobs_.find(name);
  if (found == jobs_.end() || found->second >= frame.jobs.size()) return absent_;
  return frame.jobs[found->second];
}

std::optional<JobState> Watch::state(const Frame& frame, const std::string& name) const {
  const JobView& view = job(frame, name);
  return view.submitted ? std::optional(view.state) : std::nullopt;
}

bool Watch::is_running(const Frame& frame, const std::string& name) const {
  return state(frame, name) == JobState::Running;
}

std::int64_t Watch::workers(const Frame& frame, const std::string& name) const {
  return static_cast<std::int64_t>(seats(frame, name).size());
}

const Placement& Watch::seats(const Frame& frame, const std::string& name) const {
  return is_running(frame, name) ? job(frame, name).seats : nowhere_;
}

const ExperimentView* Watch::experiment(const Frame& frame, const std::string& name) const {
  const auto found = experiments_.find(name);
  if (found == experiments_.end() || found->second >= frame.experiments.size()) return nullptr;
  return &frame.experiments[found->second];
}

const scenario::Job* Watch::job_named(const std::string& name) const {
  const auto found = jobs_.find(name);
  return found == jobs_.end() ? nullptr : &scenario_->jobs[found->second];
}

std::string Watch::node_name(NodeId node) const {
  if (node.index() < tape_->node_names.size()) return tape_->node_names[node.index()];
  return "node " + std::to_string(node.value());
}

std::optional<std::size_t> Watch::level(const std::string& name) const {
  const auto& levels = tape_->levels;
  const auto found = std::find(levels.begin(), levels.end(), name);
  if (found == levels.end()) return std::nullopt;
  return static_cast<std::size_t>(found - levels.begin());
}

std::vector<std::string> Watch::domain(NodeId node, std::size_t level) const {
  const auto found = tape_->domains.find(node.value());
  if (found == tape_->domains.end()) return {};
  const auto& path = found->second;
  if (level >= path.size() || path[level].empty()) return {};
  return {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(level) + 1};
}

std::string Watch::decision_before(const std::string& job, Instant t) const {
  const Moved* last = nullptr;
  for (const Moved& moved : tape_->moves) {
    if (moved.at > t) break;
    if (moved.job == job) last = &moved;
  }
  return last == nullptr ? std::string() : last->decision;
}

std::string_view word_of(JobState state) {
  switch (state) {
    case JobState::Pending: return "pending";
    case JobState::Running: return "running";
    case JobState::Held: return "held";
    case JobState::Done: return "done";
    case JobState::Failed: return "failed";
    case JobState::TimedOut: return "timeout";
    case JobState::Cancelled: return "cancelled";
    case JobState::Rejected: return "rejected";
    case JobState::Stopped: return "stopped";
  }
  return "?";
}

std::string text_of(Instant t) { return t >= kNever ? "never" : format_milli(millis(t)) + "s"; }

std::string text_of(const scenario::Range& range) {
  if (range.low == range.high) return std::to_string(range.low);
  if (range.high >= kUnlimited) return "at least " + std::to_string(range.low);
  if (range.low <= 0) return "at most " + std::to_string(range.high);
  return std::to_string(range.low) + ".." + std::to_string(range.high);
}

std::string text_of(const scenario::Span& span) {
  return span.from == span.to ? text_of(span.from) : text_of(span.from) + ".." + text_of(span.to);
}

}  // namespace muster::sim
