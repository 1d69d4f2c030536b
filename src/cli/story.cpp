#include "cli/story.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/text.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "core/apply.hpp"
#include "engine/explain.hpp"

namespace muster::cli {
namespace {

/// A decision worth a line.
struct Line {
  std::vector<std::string> cells;
  Tint tint = Tint::None;
};

class Teller {
 public:
  explicit Teller(const StoryOptions& options) : options_(options), state_(initial_state()) {}

  /// False once enough is told.
  bool hear(const Record& record) {
    apply(state_, record);
    const auto* decided = std::get_if<Decided>(&record.event);
    if (const auto* submitted = std::get_if<JobSubmitted>(&record.event)) {
      waiting_.insert(JobId{state_.jobs.size() - 1});
      (void)submitted;
    }
    if (const auto* cancelled = std::get_if<JobCancelled>(&record.event)) waiting_.erase(cancelled->job);
    if (decided == nullptr) return true;
    state_.ledger.lay_out();
    if (const auto* start = std::get_if<Start>(&decided->decision.what)) tell_start(*start, decided->decision.why, record.at);
    if (const auto* hold = std::get_if<Hold>(&decided->decision.what)) tell_hold(hold->job, decided->decision.why, record.at);
    if (const auto* stop = std::get_if<Stop>(&decided->decision.what)) tell_stop(*stop, decided->decision.why, record.at);
    return lines_.size() < options_.most;
  }

  [[nodiscard]] std::string text(const Paint& paint) const {
    Table table({{"time", Align::Right},
                 {"job", Align::Left},
                 {"queue", Align::Left},
                 {"GPUs", Align::Right},
                 {"decision", Align::Left},
                 {"where", Align::Left},
                 {"why", Align::Left}});
    for (const Line& line : lines_) table.add(line.cells, line.tint);
    return table.text(paint);
  }

 private:
  /// Has this kind been told often enough?
  bool enough_of(const std::string& kind, std::size_t most) { return ++told_[kind] > most; }

  void add(Instant at, JobId id, std::string_view verb, const std::string& where, const std::string& why, Tint tint) {
    const Job& job = state_.job(id);
    const Shape& shape = state_.shape(job);
    std::int64_t milli = 0;
    for (const RoleSpec& role : shape.roles) milli += role.each.charge()[kGpu] * role.count.min;
    lines_.push_back({.cells = {clock_text(at), job.name, state_.ledger.queue(job.queue).spec.name,
                                format_milli(milli), std::string(verb), where, why},
                      .tint = tint});
  }

  /// The first job of its queue, submitted earlier, that still waits.
  [[nodiscard]] std::optional<JobId> overtaken_by(JobId id) const {
    for (const JobId other : waiting_) {
      const Job& job = state_.job(other);
      if (other >= id) return std::nullopt;
      if (job.state == JobState::Pending && job.queue == state_.job(id).queue && job.blocked_by != Reason::Fits) {
        return other;
      }
    }
    return std::nullopt;
  }

  void tell_start(const Start& what, const Why& why, Instant at) {
    waiting_.erase(what.job);
    const auto overtaken = overtaken_by(what.job);
    std::string kind(name_of(why.reason));
    std::string reason = sentence(why);
    const Job& job = state_.job(what.job);
    if (why.reason == Reason::Fits && overtaken) {
      kind = "overtakes";
      reason = "fits without delaying " + state_.job(*overtaken).name;
    } else if (why.reason == Reason::Fits && at > job.waiting_since) {
      kind = "after a wait";
      reason = "fits, after " + format_duration(at - job.waiting_since);
    }
    if (enough_of(kind, kind == "Fits" ? options_.plain : options_.each)) return;
    add(at, what.job, job.attempt > 1 ? "restart" : "start", where_text(state_, what.seats), reason, Tint::Good);
  }

  void tell_hold(JobId id, const Why& why, Instant at) {
    if (enough_of("waits: " + std::string(name_of(why.reason)), options_.each)) return;
    add(at, id, "wait", "-", sentence(why), Tint::Warn);
  }

  void tell_stop(const Stop& what, const Why& why, Instant at) {
    waiting_.insert(what.job);
    if (enough_of("stops: " + std::string(name_of(why.reason)), options_.each)) return;
    add(at, what.job, is_eviction(what.cause) ? "evict" : "stop", "-", sentence(why), Tint::Bad);
  }

  StoryOptions options_;
  State state_;
  std::set<JobId> waiting_;
  std::map<std::string, std::size_t> told_;
  std::vector<Line> lines_;
};

}  // namespace

std::string story(std::span<const Record> log, const StoryOptions& options, const Paint& paint) {
  Teller teller(options);
  for (const Record& record : log) {
    if (!teller.hear(record)) break;
  }
  return teller.text(paint);
}

}  // namespace muster::cli
