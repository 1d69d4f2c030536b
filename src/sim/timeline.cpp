#include "sim/timeline.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/match.hpp"
#include "core/apply.hpp"

namespace muster {
namespace {

class Reader {
 public:
  Reader() { out_.state = initial_state(); }

  void read(const Record& record) {
    apply(out_.state, record);
    if (const auto job = job_of(record.event)) note_seats(*job, record.at);
    match(
        record.event,
        [&](const NodeJoined& e) {
          if (e.state != NodeState::Up)
            note_node(NodeId{out_.state.ledger.nodes().size() - 1}, e.state, record.at);
        },
        [&](const NodeChanged& e) { note_node(e.node, e.state, record.at); }, [](const auto&) {});
  }

  Timeline finish(Instant end) {
    for (const auto& [job, places] : open_) {
      for (const std::size_t at : places) out_.stretches[at].to = end;
    }
    for (const auto& [node, at] : shut_) out_.closed[at].to = end;
    out_.state.ledger.lay_out();
    return std::move(out_);
  }

 private:
  /// The job whose seats the record can change.
  static std::optional<JobId> job_of(const Event& event) {
    return match(
        event, [](const TaskExited& e) { return std::optional(e.job); },
        [](const StartFailed& e) { return std::optional(e.job); },
        [](const JobCancelled& e) { return std::optional(e.job); },
        [](const JobHeld& e) { return std::optional(e.job); },
        [](const Decided& e) {
          return match(
              e.decision.what, [](const Hold&) { return std::optional<JobId>(); },
              [](const Unreserve&) { return std::optional<JobId>(); },
              [](const Reserve&) { return std::optional<JobId>(); },
              [](const auto& what) { return std::optional(what.job); });
        },
        [](const auto&) { return std::optional<JobId>(); });
  }

  /// Closes what was open and opens what the job holds now: a resize is a new stretch.
  void note_seats(JobId id, Instant at) {
    if (const auto open = open_.find(id); open != open_.end()) {
      for (const std::size_t stretch : open->second) out_.stretches[stretch].to = at;
      open_.erase(open);
    }
    if (id.index() >= out_.state.jobs.size()) return;
    const Job& job = out_.state.job(id);
    if (!job.running()) return;
    std::map<NodeId, std::int64_t> on;
    for (const Seat& seat : job.seats) {
      const Shape& shape = out_.state.ledger.catalogue().shape(job.asked);
      on[seat.node] += shape.roles[seat.role].each.charge()[kGpu];
    }
    for (const auto& [node, milli] : on) {
      open_[id].push_back(out_.stretches.size());
      out_.stretches.push_back(
          {.job = id, .node = node, .attempt = job.attempt, .milli_gpus = milli, .from = at, .to = at});
    }
  }

  void note_node(NodeId node, NodeState state, Instant at) {
    if (const auto shut = shut_.find(node); shut != shut_.end()) {
      out_.closed[shut->second].to = at;
      shut_.erase(shut);
    }
    if (state == NodeState::Up) return;
    shut_[node] = out_.closed.size();
    out_.closed.push_back({.node = node, .state = state, .from = at, .to = at});
  }

  Timeline out_;
  std::map<JobId, std::vector<std::size_t>> open_;
  std::map<NodeId, std::size_t> shut_;
};

}  // namespace

Timeline timeline_of(std::span<const Record> log) {
  Reader reader;
  for (const Record& record : log) reader.read(record);
  return reader.finish(log.empty() ? Instant{} : log.back().at);
}

std::span<const Record> up_to(std::span<const Record> log, Instant at) {
  const auto later =
      std::partition_point(log.begin(), log.end(), [&](const Record& r) { return r.at <= at; });
  return log.first(static_cast<std::size_t>(later - log.begin()));
}

}  // namespace muster
