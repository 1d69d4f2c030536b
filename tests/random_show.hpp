// A log in words, for the report of a property that failed: enough to rebuild the case by hand.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "base/match.hpp"
#include "engine/explain.hpp"
#include "model/event.hpp"

namespace muster {

inline std::string shown(const Placement& seats) {
  std::ostringstream out;
  for (const Seat& seat : seats)
    out << " w" << seat.worker << "@n" << seat.node.value() << "/" << seat.devices.low;
  return out.str();
}

inline std::string shown(const Decision& decision) {
  std::ostringstream out;
  match(
      decision.what,
      [&](const Start& e) { out << "start j" << e.job.value() << " #" << e.attempt << shown(e.seats); },
      [&](const Stop& e) { out << "stop j" << e.job.value() << " cause " << static_cast<int>(e.cause); },
      [&](const Grow& e) { out << "grow j" << e.job.value() << shown(e.seats); },
      [&](const Shrink& e) {
        out << "shrink j" << e.job.value() << " by";
        for (const std::uint32_t worker : e.workers) out << " w" << worker;
      },
      [&](const Reserve& e) { out << "reserve j" << e.job.value() << shown(e.seats); },
      [&](const Unreserve& e) { out << "unreserve j" << e.job.value(); },
      [&](const Hold& e) { out << "hold j" << e.job.value(); });
  out << " : " << name_of(decision.why.reason);
  for (const WhyName& name : decision.why.names) out << " " << name.name;
  return out.str();
}

inline std::string shown(const Demand& each) {
  std::ostringstream out;
  out << "{gpu " << each.gpus << " share " << each.share << " gpu_mem " << each.gpu_mem << " cpu " << each.cpu
      << " mem " << each.mem << "}";
  return out.str();
}

inline std::string shown(const JobSpec& job) {
  std::ostringstream out;
  out << job.name << " queue " << job.queue << " user " << job.user << " class " << job.class_rank << " prio "
      << job.priority << (job.kind == JobKind::Service ? " service keep " + std::to_string(job.keep) : "");
  for (const RoleSpec& role : job.roles) {
    out << " [" << role.count.min << ".." << role.count.max << (role.count.legal.empty() ? "" : " legal")
        << shown(role.each);
    for (const Selector& select : role.select) out << " " << select.key << "=" << select.values.front();
    for (const Near& near : role.near) out << " near " << near.level << static_cast<int>(near.mode);
    out << "]";
  }
  for (const Near& near : job.near) out << " near " << near.level << static_cast<int>(near.mode);
  if (job.spread) out << " spread";
  if (!job.group.empty()) out << " group " << job.group;
  if (!job.family.empty()) out << " family " << job.family << "/" << job.family_size;
  for (const Dependency& d : job.after) out << " after " << d.family;
  if (job.limit) out << " limit " << millis(*job.limit) / 1000;
  if (job.expect) out << " expect " << millis(*job.expect) / 1000;
  if (job.not_before) out << " not_before " << millis(*job.not_before) / 1000;
  if (job.evictable != Evictable::Yes) out << " evictable " << static_cast<int>(job.evictable);
  if (job.best_effort) out << " best_effort";
  if (job.held) out << " held";
  if (!job.placed.empty()) out << " placed";
  return out.str();
}

inline std::string shown(const NodeSpec& node) {
  std::ostringstream out;
  out << node.name << " gpus " << node.devices.size() << " type " << node.gpu_type;
  if (!node.devices.empty() && node.devices.front().mem < kUnlimited)
    out << " gpu_mem " << node.devices.front().mem;
  for (std::size_t d = 0; d < node.devices.size(); ++d) {
    if (!node.devices[d].healthy) out << " bad " << d;
  }
  if (node.cpu < kUnlimited) out << " cpu " << node.cpu;
  if (node.mem < kUnlimited) out << " mem " << node.mem;
  for (const std::string& domain : node.domains) out << " /" << domain;
  return out.str();
}

inline std::string shown(const Event& event) {
  std::ostringstream out;
  match(
      event, [&](const LevelsSet& e) { out << "levels, cleanup " << millis(e.cleanup) / 1000; },
      [&](const NodeJoined& e) { out << "node " << shown(*e.spec); },
      [&](const NodeChanged& e) { out << "node n" << e.node.value() << " -> " << static_cast<int>(e.state); },
      [&](const NodeLost& e) { out << "lost n" << e.node.value(); },
      [&](const QueueSet& e) {
        out << "queue " << e.spec->name << " in '" << e.spec->parent << "' g " << e.spec->guarantee[kGpu]
            << " l " << (e.spec->limit[kGpu] >= kUnlimited ? -1 : e.spec->limit[kGpu]) << " cpu "
            << (e.spec->limit[kCpu] >= kUnlimited ? -1 : e.spec->limit[kCpu]) << " w " << e.spec->weight
            << " p " << e.spec->priority << (e.spec->lend ? "" : " no lending");
      },
      [&](const UserSet& e) { out << "user " << e.spec->name << " max " << e.spec->max_running; },
      [&](const JobSubmitted& e) { out << "submit " << shown(*e.spec); },
      [&](const JobCancelled& e) {
        out << "cancel j" << e.job.value() << " cause " << static_cast<int>(e.cause);
      },
      [&](const JobHeld& e) { out << "user holds j" << e.job.value(); },
      [&](const JobReleased& e) { out << "user releases j" << e.job.value(); },
      [&](const JobResized& e) { out << "resize j" << e.job.value() << " to " << e.workers; },
      [&](const TaskStarted& e) { out << "up j" << e.job.value() << " #" << e.attempt; },
      [&](const StartFailed& e) { out << "launch failed j" << e.job.value() << " #" << e.attempt; },
      [&](const TaskExited& e) {
        out << "exit j" << e.job.value() << " #" << e.attempt << " code " << e.code;
        for (const std::uint32_t worker : e.workers) out << " w" << worker;
      },
      [&](const Checkpointed& e) { out << "checkpoint j" << e.job.value(); },
      [&](const Observed& e) { out << "observe j" << e.job.value() << " cpu " << e.cpu; },
      [&](const Decided& e) { out << "  => " << shown(e.decision); },
      [&](const Cleaned& e) { out << "cleaned j" << e.job.value() << " #" << e.attempt; },
      [&](const auto&) { out << "other"; });
  return out.str();
}

inline std::string shown(const std::vector<Record>& log) {
  std::ostringstream out;
  for (const Record& record : log) {
    out << millis(record.at) << "ms " << shown(record.event) << "\n";
  }
  return out.str();
}

inline std::string shown(const Knobs& knobs) {
  std::ostringstream out;
  out << "knobs " << knobs.name << ": order " << static_cast<int>(knobs.order) << " blocking "
      << static_cast<int>(knobs.blocking) << " backfill " << static_cast<int>(knobs.backfill)
      << " preemption " << static_cast<int>(knobs.preemption) << " victims "
      << static_cast<int>(knobs.victims) << " reclaim " << knobs.reclaim << " fair " << knobs.fair_share
      << " yield " << knobs.elastic_yield << " guard "
      << (knobs.starvation_guard >= kForever ? -1 : millis(knobs.starvation_guard)) << " lost_after "
      << millis(knobs.lost_after) << " protected " << millis(knobs.protected_run) << " backoff "
      << millis(knobs.restart_backoff) << " cool " << millis(knobs.cool_down) << " colocate "
      << knobs.colocation.has_value() << "\n";
  return out.str();
}

}  // namespace muster
