#include "engine/outlook.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "base/text.hpp"
#include "engine/asked.hpp"
#include "engine/binding.hpp"
#include "engine/elsewhere.hpp"
#include "policy/limits.hpp"
#include "policy/promise.hpp"

namespace muster {
namespace {

/// Capacity that comes back: a running job's at its end (kNever where nobody knows), a stopped attempt's.
struct Return {
  Instant at{};
  JobId job;
  bool leaving = false;
};

enum class Until : std::uint8_t { Limit, Guess };

Instant end_by(const State& state, const Job& job, Until until) {
  const Instant limit = end_of(state, job);
  if (until == Until::Limit || job.expect >= kForever) return limit;
  return std::min(limit, after(after(job.started, job.expect), state.cleanup));
}

std::vector<Return> returns_by(const WhatIf& what_if, Until until) {
  const State& state = what_if.state();
  std::vector<Return> returns;
  for (const JobId id : state.running) {
    const auto& unit = what_if.unit();
    if (std::find(unit.begin(), unit.end(), id) == unit.end())
      returns.push_back({.at = end_by(state, state.job(id), until), .job = id});
  }
  for (const JobId id : state.leaving) {
    Instant last{};
    for (const auto& leaving : state.job(id).extra->leaving)
      last = std::max(last, after(leaving.since, state.cleanup));
    returns.push_back({.at = last, .job = id, .leaving = true});
  }
  std::sort(returns.begin(), returns.end(), [](const Return& a, const Return& b) {
    return std::make_tuple(a.at, a.job, a.leaving) < std::make_tuple(b.at, b.job, b.leaving);
  });
  return returns;
}

/// The last of the fewest returns, in order, after which the unit fits.
std::optional<Return> decisive(WhatIf& what_if, const std::vector<Return>& returns) {
  const auto fits_after = [&](std::size_t count) {
    Draft draft = what_if.view(View::Now);
    for (std::size_t i = 0; i < count; ++i) {
      if (returns[i].leaving) {
        draft.remove_leaving(returns[i].job);
      } else {
        draft.remove(returns[i].job);
      }
    }
    return seat_unit(draft, what_if.scene(), what_if.unit()).has_value();
  };
  if (returns.empty() || !fits_after(returns.size())) return std::nullopt;
  std::size_t low = 1;
  std::size_t high = returns.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (fits_after(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return returns[high - 1];
}

/// Tries single changes of one job with one role.
class Adviser {
 public:
  explicit Adviser(WhatIf& what_if)
      : what_if_(what_if), state_(what_if.state()), job_(state_.job(what_if.unit().front())) {}

  std::vector<Advice> run(const std::vector<Why>& reasons) {
    for (const Why& why : reasons) earlier_end(why);
    if (what_if_.starts(View::Now)) return std::move(found_);
    limits();
    if (what_if_.starts(View::Now, {.topology = true})) topology();
    kinds();
    if (what_if_.unit().size() == 1 && state_.shape(job_).roles.size() == 1) {
      workers();
      amounts();
    }
    return std::move(found_);
  }

 private:
  void add(std::string change, std::string what) {
    found_.push_back({.change = std::move(change), .what = std::move(what)});
  }

  void limits() {
    if (!what_if_.starts(View::Now, kNoLimits)) return;
    const std::vector<Why> binding = binding_limits(what_if_);
    if (binding.size() != 1) return;
    const Why& why = binding.front();
    const std::int64_t needed = why.limit - why.available + why.asked;
    const std::string name = why.names.front().name;
    if (why.reason == Reason::UserLimit) {
      add("user " + name + " max_running=" + std::to_string(needed), "a higher cap of the user");
    } else if (why.reason == Reason::QueueLimit) {
      add("queue " + name + " limit " + setting(why.names.back().name, needed),
          "a higher limit of the queue");
    } else {
      add("queue " + name + " lend=true", "if the queue lent what it leaves idle");
    }
  }

  static std::string setting(const std::string& resource, std::int64_t value) {
    const bool milli = resource == "gpu" || resource == "cpu";
    return resource + "=" + (milli ? format_milli(value) : std::to_string(value));
  }

  void topology() {
    std::vector<WhyName> names;
    name_levels(state_, what_if_.unit(), names);
    if (names.empty()) return;
    const bool spread = names.back() == WhyName{Named::Key, "spread"};
    add(spread ? "spread=false" : "near.mode=preferred",
        spread ? "with several workers on a node" : "not all within one " + names.front().name);
  }

  /// Nodes of another device type or label value.
  void kinds() {
    if (!binding_limits(what_if_).empty()) return;
    std::set<std::pair<std::string, std::string>> offers;
    for (const RoleAsked& role : roles_of(state_, what_if_.unit())) {
      for (const Selector& select : role.spec->select) {
        for (const NodeEntry& entry : state_.ledger.nodes()) {
          if (select.key == "gpu_type" && !entry.spec.gpu_type.empty())
            offers.emplace(select.key, entry.spec.gpu_type);
          for (const auto& [key, value] : entry.spec.labels) {
            if (key == select.key) offers.emplace(key, value);
          }
        }
      }
    }
    for (const auto& [key, value] : offers) {
      if (fits_instead(what_if_, {.key = key, .value = value}))
        add(key + "=" + value, "on nodes of another kind");
    }
  }

  /// Would a gang of so many workers, each asking for this, start now within the limits?
  [[nodiscard]] bool would_start(const Demand& each, std::int32_t workers) {
    const Draft& now = what_if_.view(View::Now);
    if (!job_.running() && user_is_full(now, job_.user)) return false;
    if (broken_bound(now, job_.queue, each.charge() * workers)) return false;
    Placing what = gang_of(state_, what_if_.unit().front(), what_if_.policy().knobs().colocation);
    Shape changed = *what.shape;
    changed.roles.front().each = each;
    what.shape = &changed;
    what.counts.front() = workers;
    Draft draft = now;
    return place(draft, what).has_value();
  }

  /// The largest value below `asked` with which it would start; 0 where there is none.
  static std::int64_t largest(std::int64_t asked, const std::function<bool(std::int64_t)>& starts_with) {
    std::int64_t low = 0;
    std::int64_t high = asked;
    while (low + 1 < high) {
      const std::int64_t middle = low + (high - low) / 2;
      (starts_with(middle) ? low : high) = middle;
    }
    return low;
  }

  void workers() {
    const RoleSpec& role = state_.shape(job_).roles.front();
    if (state_.shape(job_).kind == JobKind::Service) return;
    const auto fewer = largest(role.count.min, [&](std::int64_t workers) {
      return would_start(role.each, static_cast<std::int32_t>(workers));
    });
    if (fewer > 0)
      add("workers=" + std::to_string(fewer),
          "with " + std::to_string(fewer) + " of its " + std::to_string(role.count.min) + " workers");
  }

  /// Less CPU or memory a worker.
  void amounts() {
    const Shape& shape = state_.shape(job_);
    const Demand& each = shape.roles.front().each;
    const auto count = gang_of(state_, what_if_.unit().front(), {}).counts.front();
    const auto cpu = largest(each.cpu, [&](std::int64_t value) {
      Demand less = each;
      less.cpu = value;
      return would_start(less, count);
    });
    if (cpu > 0) add("each.cpu=" + format_milli(cpu), "with less CPU for each worker");
    const auto mem = largest(each.mem, [&](std::int64_t value) {
      Demand less = each;
      less.mem = value;
      return would_start(less, count);
    });
    if (mem > 0) add("each.mem=" + std::to_string(mem), "with less memory for each worker");
  }

  /// What ends before the promised start of another delays nobody.
  void earlier_end(const Why& why) {
    if (why.reason != Reason::Ahead || why.until >= kNever) return;
    const Duration longest = why.until - what_if_.now() - state_.cleanup;
    const bool shorter = std::all_of(what_if_.unit().begin(), what_if_.unit().end(),
                                     [&](JobId id) { return state_.job(id).limit > longest; });
    if (longest > Duration{0} && shorter)
      add("limit=" + format_milli(millis(longest)) + "s",
          "with a time limit that ends before the promised start");
  }

  WhatIf& what_if_;
  const State& state_;
  const Job& job_;
  std::vector<Advice> found_;
};

/// The job waits for something no setting of place or size can change.
bool waits_by_itself(const Why& why) {
  switch (why.reason) {
    case Reason::Held:
    case Reason::NotBefore:
    case Reason::BackingOff:
    case Reason::Preempted:
    case Reason::DependencyFailed:
    case Reason::Dependency:
    case Reason::Gang: return true;
    default: return false;
  }
}

}  // namespace

Forecast forecast(WhatIf& what_if) {
  Forecast found;
  if (what_if.starts(View::Now)) {
    found.by_limits = found.by_guess = what_if.now();
    return found;
  }
  const auto by_limit = decisive(what_if, returns_by(what_if, Until::Limit));
  if (!by_limit) return found;
  if (by_limit->at < kNever) {
    found.by_limits = std::max(what_if.now(), by_limit->at);
  } else {
    found.needs = what_if.state().job(by_limit->job).name;
  }
  const auto by_guess = decisive(what_if, returns_by(what_if, Until::Guess));
  if (by_guess && by_guess->at < kNever) found.by_guess = std::max(what_if.now(), by_guess->at);
  return found;
}

std::vector<Advice> advice(WhatIf& what_if, const std::vector<Why>& reasons) {
  if (reasons.empty() || std::any_of(reasons.begin(), reasons.end(), waits_by_itself)) return {};
  return Adviser(what_if).run(reasons);
}

}  // namespace muster
