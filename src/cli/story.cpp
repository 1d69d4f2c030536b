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
#include "sim/lookback.hpp"

namespace muster::cli {
namespace {

/// A decision worth a line.
struct Line {
  std::vector<std::string> cells;
  Tint tint = Tint::None;
};

class Teller {
 public:
  Teller(std::span<const Record> log, const Knobs& knobs, const StoryOptions& options)
      : log_(log), knobs_(knobs), options_(options), state_(initial_state()) {}

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
    if (const auto* start = std::get_if<Start>(&decided->decision.what))
      tell_start(*start, decided->decision.why, record.at);
    if (const auto* hold = std::get_if<Hold>(&decided->decision.what)) tell_hold(hold->job, record.at);
    if (const auto* stop = std::get_if<Stop>(&decided->decision.what))
      tell_stop(*stop, decided->decision.why, record.at);
    return lines_.size() < options_.most;
  }

  [[nodiscard]] std::string text(const Paint& paint) const {
    const bool wide = paint.width >= kWide;
    std::vector<Column> columns{{"time", Align::Right}, {"job", Align::Left},      {"queue", Align::Left},
                                {"GPUs", Align::Right}, {"decision", Align::Left}, {"where", Align::Left}};
    if (wide) columns.push_back({"why", Align::Left});
    Table table(std::move(columns));
    for (const Line& line : lines_) {
      std::vector<std::string> cells = line.cells;
      if (!wide) cells.pop_back();
      table.add(std::move(cells), line.tint);
    }
    return wide ? table.text(paint) : interleaved(table.text(paint), paint);
  }

 private:
  static constexpr std::size_t kWide = 130;  ///< columns that hold the reasons too

  /// The reason of each line below it, where there is no room beside it.
  [[nodiscard]] std::string interleaved(const std::string& rows, const Paint& paint) const {
    std::string out;
    std::size_t row = 0;  // the first is the header
    for (const std::string_view text : split(rows, '\n')) {
      if (row > lines_.size()) break;
      (out += text) += "\n";
      if (row > 0) out += cut("            " + lines_[row - 1].cells.back(), paint.width, paint) + "\n";
      ++row;
    }
    return out;
  }

  /// Has this kind been told often enough?
  bool enough_of(const std::string& kind, std::size_t most) { return ++told_[kind] > most; }

  void add(Instant at, JobId id, std::string_view verb, const std::string& where, const std::string& why,
           Tint tint) {
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
      if (job.state == JobState::Pending && job.queue == state_.job(id).queue &&
          job.blocked_by != Reason::Fits) {
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
      reason = "fits where " + state_.job(*overtaken).name + ", submitted earlier, does not";
    } else if (why.reason == Reason::Fits && at - job.waiting_since >= seconds(1)) {
      kind = "after a wait";
      reason = "fits, after " + format_duration(at - job.waiting_since);
    }
    if (why.reason == Reason::Fits && what.seats.size() > 1) {
      kind = "gang";
      reason += "; its " + std::to_string(what.seats.size()) + " workers start together";
    }
    if (enough_of(kind, kind == "Fits" ? options_.plain : options_.each)) return;
    add(at, what.job, job.attempt > 1 ? "restart" : "start", where_text(state_, what.seats), reason,
        Tint::Good);
  }

  /// The record names the blocker only; the numbers come from a look back at that moment.
  void tell_hold(JobId id, Instant at) {
    if (holds_looked_at_++ > options_.most * 4) return;
    const Lookback past(knobs_, log_, at);
    const auto reasons = past.reasons(id);
    if (reasons.empty()) return;  // it started at the same instant after all
    if (enough_of("waits: " + std::string(name_of(reasons.front().reason)), options_.each)) return;
    add(at, id, "wait", "-", sentence(reasons.front()), Tint::Warn);
  }

  void tell_stop(const Stop& what, const Why& why, Instant at) {
    waiting_.insert(what.job);
    if (enough_of("stops: " + std::string(name_of(why.reason)), options_.each)) return;
    add(at, what.job, is_eviction(what.cause) ? "evict" : "stop", "-", sentence(why), Tint::Bad);
  }

  std::span<const Record> log_;
  const Knobs& knobs_;
  StoryOptions options_;
  State state_;
  std::size_t holds_looked_at_ = 0;
  std::set<JobId> waiting_;
  std::map<std::string, std::size_t> told_;
  std::vector<Line> lines_;
};

}  // namespace

std::string story(std::span<const Record> log, const Knobs& knobs, const StoryOptions& options,
                  const Paint& paint) {
  Teller teller(log, knobs, options);
  for (const Record& record : log) {
    if (!teller.hear(record)) break;
  }
  return teller.text(paint);
}

}  // namespace muster::cli
