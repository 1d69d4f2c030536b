#include "trace/intake.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace muster {

Intake::Intake(std::string file, ReadOptions options) : file_(std::move(file)), options_(options) {}

void Intake::Tally::add(std::string_view cause, int line, int column, std::string_view value) {
  const auto known = index_.find(cause);
  if (known != index_.end()) {
    ++findings[known->second].count;
    return;
  }
  index_.emplace(std::string(cause), findings.size());
  findings.push_back(Finding{.cause = std::string(cause),
                             .count = 1,
                             .first_line = line,
                             .first_column = column,
                             .example = shown(value)});
}

Result<void> Intake::drop(const RowFault& fault) {
  if (options_.strictness == Strictness::Strict) {
    const std::string value = fault.value.empty() ? "" : ": '" + shown(fault.value) + "'";
    return fail(Error{
        .where = {.file = file_, .line = fault.line, .column = fault.column},
        .field = fault.field,
        .message = fault.cause + value,
        .hint = fault.hint.empty() ? "without strict reading the row is dropped and counted" : fault.hint});
  }
  skip(fault.cause, fault.line, fault.column, fault.value);
  return {};
}

void Intake::skip(std::string_view cause, int line, int column, std::string_view value) {
  ++rows_;
  drops_.add(cause, line, column, value);
}

void Intake::flag(std::string_view cause, int line, int column, std::string_view value) {
  flags_.add(cause, line, column, value);
}

void Intake::reaches(Instant time) { last_ = last_ ? std::max(*last_, time) : time; }

void Intake::keep(RawJob raw) {
  if (!raw.untimed && !raw.before_window) reaches(raw.job.submit);
  if (raw.start) reaches(*raw.start);
  if (raw.end) reaches(*raw.end);
  raw_.push_back(std::move(raw));
}

void Intake::keep(NodeSpec node) {
  ++rows_;
  nodes_.push_back(std::move(node));
}

std::optional<Instant> Intake::first_submit() const {
  std::optional<Instant> first;
  for (const RawJob& raw : raw_) {
    if (raw.before_window || raw.untimed || !raw.refused.empty()) continue;
    if (!first || raw.job.submit < *first) first = raw.job.submit;
  }
  return first;
}

Result<Workload> Intake::finish(Workload extra) {
  for (RawJob& raw : raw_) {
    if (!raw.before_window) close(raw);
  }
  const bool to_zero = options_.origin == Origin::FirstSubmitIsZero;
  const Instant first = first_submit().value_or(Instant{});
  Workload out = std::move(extra);
  for (RawJob& raw : raw_) {
    if (raw.before_window) {
      // To the beginning: time 0 as the file counts, or the first submit if that becomes 0. The end stays
      // where it was, so the run is what of it lies inside the window.
      raw.job.submit = to_zero ? first : Instant{};
      raw.start = raw.job.submit;
      raw.job.wait_seen.reset();
      close(raw);
    }
    if (auto settled = settle(raw, to_zero ? first : Instant{} - options_.shift, out); !settled) {
      return tl::unexpected<Error>(std::move(settled).error());
    }
  }
  raw_.clear();
  sort_by_submit(out.jobs);
  for (NodeSpec& node : nodes_) out.nodes.push_back(std::move(node));
  out.report.rows = rows_;
  out.report.kept = rows_;
  for (const Finding& drop : drops_.findings) out.report.kept -= drop.count;
  out.report.drops = std::move(drops_.findings);
  out.report.flags = std::move(flags_.findings);
  return out;
}

void Intake::close(RawJob& raw) const {
  const auto end = raw.open_end ? last_ : raw.end;
  if (raw.start && end) {
    if (*end < *raw.start) {
      raw.refused = raw.before_window ? "ended before the window begins" : "ends before it starts";
      return;
    }
    // What began at the very last time stamp has no length to speak of: unknown, not zero.
    if (!raw.open_end || *end > *raw.start) raw.job.run = *end - *raw.start;
  }
  raw.job.censored = raw.job.censored || raw.open_end;
  if (!raw.job.run && options_.unknown_run == UnknownRun::Drop) raw.refused = "run time unknown";
}

Result<void> Intake::settle(RawJob& raw, Instant origin, Workload& out) {
  TraceJob& job = raw.job;
  if (!raw.refused.empty()) {
    return drop(RowFault{.cause = std::string(raw.refused),
                         .field = {},
                         .value = job.name,
                         .line = job.line,
                         .column = raw.column,
                         .hint = {}});
  }
  const auto note = [&](bool applies, std::string_view cause) {
    if (applies) flag(cause, job.line, raw.column, job.name);
  };
  note(raw.before_window, "submitted before the window: placed at its beginning");
  note(job.censored, "still running at the last time stamp: run is a lower bound");
  note(!job.run, "run time unknown");
  note(raw.untimed, "no submit time in the file: placed at 0");
  job.submit = raw.untimed ? Instant{} : Instant{job.submit - origin};
  ++rows_;
  out.jobs.push_back(std::move(job));
  return {};
}

std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string out(text.substr(0, most));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  if (text.size() > most) out += "...";
  return out;
}

void sort_by_submit(std::vector<TraceJob>& jobs) {
  std::vector<std::pair<Instant, std::size_t>> order;
  order.reserve(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) order.emplace_back(jobs[i].submit, i);
  std::sort(order.begin(), order.end());
  std::vector<TraceJob> sorted;
  sorted.reserve(jobs.size());
  for (const auto& [submit, at] : order) sorted.push_back(std::move(jobs[at]));
  jobs = std::move(sorted);
}

Cut cut_evenly(std::int32_t total, std::int32_t per_node) {
  CHECK_GE(total, 1);
  const std::int32_t most = std::max(1, std::min(total, per_node));
  std::int32_t each = most;
  while (total % each != 0) --each;
  return Cut{.workers = total / each, .each = each};
}

}  // namespace muster
