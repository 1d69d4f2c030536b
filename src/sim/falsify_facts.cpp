// The falsifier's own reading of the tape. Slow and plain on purpose: it is the second opinion.
#include "sim/falsify_parts.hpp"

namespace muster::sim {

const Frame* Facts::at(Instant t) const {
  const Frame* last = nullptr;
  for (const Frame& frame : tape.frames) {
    if (frame.at <= t) last = &frame;
  }
  return last;
}

std::vector<const Frame*> Facts::inside(const scenario::Span& window) const {
  std::vector<const Frame*> seen;
  for (std::size_t i = 0; i < tape.frames.size(); ++i) {
    const bool last = i + 1 == tape.frames.size();
    const bool lasted = last || tape.frames[i + 1].at > tape.frames[i].at;
    const bool reaches_in = last || tape.frames[i + 1].at > window.from;
    if (lasted && reaches_in && tape.frames[i].at < window.to) seen.push_back(&tape.frames[i]);
  }
  return seen;
}

const JobView* Facts::view(const Frame& frame, const std::string& job) const {
  for (std::size_t i = 0; i < scenario.jobs.size() && i < frame.jobs.size(); ++i) {
    if (scenario.jobs[i].spec.name == job) return frame.jobs[i].submitted ? &frame.jobs[i] : nullptr;
  }
  return nullptr;
}

bool Facts::runs(const Frame& frame, const std::string& job) const {
  const JobView* seen = view(frame, job);
  return seen != nullptr && seen->state == JobState::Running;
}

Placement Facts::seats(const Frame& frame, const std::string& job) const {
  return runs(frame, job) ? view(frame, job)->seats : Placement{};
}

std::int64_t Facts::moves(const scenario::Span& window, Move what, const std::string& job) const {
  std::int64_t count = 0;
  for (const Moved& moved : tape.moves) {
    const bool meant = moved.what == what && (job.empty() || moved.job == job);
    if (meant && moved.at > window.from && moved.at < window.to) ++count;
  }
  return count;
}

std::int64_t Facts::on_edges(const scenario::Span& window, Move what, const std::string& job) const {
  std::int64_t count = 0;
  for (const Moved& moved : tape.moves) {
    const bool meant = moved.what == what && (job.empty() || moved.job == job);
    if (meant && (moved.at == window.from || moved.at == window.to)) ++count;
  }
  return count;
}

}  // namespace muster::sim
