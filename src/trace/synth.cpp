#include "trace/synth.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "trace/draw.hpp"
#include "trace/intake.hpp"

namespace muster {
namespace {

/// One size of job: share of the jobs in 1/10,000; median run; deviation in thousandths of an octave.
struct SizeClass {
  std::int32_t gpus;
  std::int64_t weight;
  Duration median;
  std::int64_t milli_octaves;
};

constexpr std::array<SizeClass, 8> kSizes{{{1, 8240, seconds(620), 3519},
                                           {2, 306, seconds(5000), 2885},
                                           {4, 652, seconds(6000), 3030},
                                           {8, 692, seconds(5500), 3030},
                                           {16, 70, seconds(5000), 2597},
                                           {32, 30, seconds(5000), 2597},
                                           {64, 7, seconds(5000), 2597},
                                           {128, 3, seconds(5000), 2597}}};

/// Burst of `low` to `high` jobs, in 1/100 of the bursts.
struct BurstClass {
  std::int64_t weight;
  std::int64_t low;
  std::int64_t high;
};
constexpr std::array<BurstClass, 4> kBursts{{{60, 1, 1}, {30, 2, 9}, {9, 10, 49}, {1, 50, 399}}};

// Submissions in percent of the mean hour and of the mean day, from Monday; counted in philly_jobs.
constexpr std::array<std::int64_t, 24> kHours{127, 98, 112, 110, 70, 115, 167, 209, 111, 101, 102, 87,
                                              75,  70, 64,  65,  88, 67,  80,  73,  102, 92,  113, 101};
constexpr std::array<std::int64_t, 7> kDays{86, 107, 114, 129, 144, 61, 59};

constexpr Duration kHour = seconds(3600);
constexpr Duration kShortestRun = seconds(1);
constexpr Duration kLongestRun = seconds(60 * 86400);  // Philly's longest is 54 days
constexpr Duration kLongestLimit = seconds(365 * 86400);
constexpr Duration kLongestSpan = seconds(std::int64_t{100} * 365 * 86400);
constexpr std::int64_t kLimitOctaves = 2131;  // deviation 1.477: 3.9 % of the limits fall below the run

Result<void> check_range(std::string_view knob, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return {};
  return fail(Error{.where = {},
                    .field = std::string(knob),
                    .message = std::to_string(value) + " is out of range",
                    .hint = std::to_string(low) + " to " + std::to_string(high)});
}

Result<void> check(const SynthSpec& spec) {
  struct Knob {
    std::string_view name;
    std::int64_t value;
    std::int64_t low;
    std::int64_t high;
  };
  const std::array<Knob, 11> knobs{
      {{"jobs", spec.jobs, 1, 10'000'000},
       {"gpus", spec.gpus, 1, 10'000'000},
       {"gpus_per_node", spec.gpus_per_node, 1, static_cast<std::int64_t>(kMaxDevices)},
       {"load_permille", spec.load_permille, 1, 100'000},
       {"span", millis(spec.span.value_or(kHour)), 1000, millis(kLongestSpan)},
       {"users", spec.users, 1, 1'000'000},
       {"queues", spec.queues, 1, 100'000},
       {"limit_factor_milli", spec.limit_factor_milli, 1, 1'000'000},
       {"failed_permille", spec.failed_permille, 0, 1000},
       {"cancelled_permille", spec.cancelled_permille, 0, 1000},
       {"failed_permille + cancelled_permille", std::int64_t{spec.failed_permille} + spec.cancelled_permille,
        0, 1000}}};
  for (const Knob& knob : knobs) {
    if (auto fine = check_range(knob.name, knob.value, knob.low, knob.high); !fine) return fine;
  }
  return {};
}

Lottery size_weights(std::int32_t gpus) {
  std::vector<std::int64_t> weights;
  for (const SizeClass& size : kSizes) weights.push_back(size.gpus <= gpus ? size.weight : 0);
  return Lottery(weights);
}

/// 1, 1/2, 1/3, ...
Lottery by_rank(std::int32_t count) {
  std::vector<std::int64_t> weights;
  for (std::int64_t rank = 1; rank <= count; ++rank) weights.push_back(1'000'000'000 / rank);
  return Lottery(weights);
}

std::string padded(std::string_view prefix, std::size_t number, std::size_t of) {
  const std::string digits = std::to_string(number);
  const std::size_t width = std::to_string(of).size();
  return std::string(prefix) + std::string(width - digits.size(), '0') + digits;
}

/// A job before it has a time: which burst it is of decides that.
struct Drawn {
  std::size_t burst = 0;
  std::size_t size = 0;
  std::size_t user = 0;
  Duration run{0};
};

struct Work {
  std::vector<Drawn> jobs;
  std::size_t bursts = 0;
};

Work draw_work(const SynthSpec& spec) {
  Random random(spec.seed, "work");
  const Lottery sizes = size_weights(spec.gpus);
  const Lottery users = by_rank(spec.users);
  std::vector<std::int64_t> burst_weights;
  for (const BurstClass& burst : kBursts) burst_weights.push_back(burst.weight);
  const Lottery bursts(burst_weights);
  Work work;
  const auto wanted = static_cast<std::size_t>(spec.jobs);
  work.jobs.reserve(wanted);
  for (; work.jobs.size() < wanted; ++work.bursts) {
    const BurstClass& burst = kBursts[bursts.draw(random)];
    const std::int64_t count = random.between(burst.low, burst.high);
    const std::size_t user = users.draw(random);
    const std::size_t usual = sizes.draw(random);
    const std::int64_t common = draw_normal(random);
    for (std::int64_t i = 0; i < count && work.jobs.size() < wanted; ++i) {
      // Four of five jobs have the burst's size; 0.9^2 + 0.436^2 = 1 keeps z standard normal.
      Drawn job{.burst = work.bursts, .size = random.chance(4, 5) ? usual : sizes.draw(random), .user = user};
      const std::int64_t z = (common * 900 + draw_normal(random) * 436) / 1000;
      const SizeClass& size = kSizes[job.size];
      const std::int64_t run =
          scale_by_octaves(millis(size.median), z * size.milli_octaves / 1000, millis(kLongestRun));
      job.run = std::max(Duration{run}, kShortestRun);
      work.jobs.push_back(job);
    }
  }
  return work;
}

/// GPU-milliseconds times 1000 / load: what the span times the cluster must be.
__int128 capacity_needed(const Work& work, const SynthSpec& spec) {
  __int128 sum = 0;
  for (const Drawn& job : work.jobs) sum += static_cast<__int128>(millis(job.run)) * kSizes[job.size].gpus;
  return sum * 1000 / spec.load_permille;
}

Result<Duration> fit_span(Work& work, const SynthSpec& spec) {
  const __int128 needed = std::max<__int128>(capacity_needed(work, spec), 1);
  if (!spec.span) {
    const __int128 span = std::max<__int128>(needed / spec.gpus, 1000);
    if (span > millis(kLongestSpan)) {
      return fail(Error{.where = {},
                        .field = "load_permille",
                        .message = "the jobs would be spread over more than a century",
                        .hint = "fewer jobs, more GPUs or more load"});
    }
    return Duration{static_cast<std::int64_t>(span)};
  }
  const __int128 given = static_cast<__int128>(millis(*spec.span)) * spec.gpus;
  for (Drawn& job : work.jobs) {
    const __int128 run = static_cast<__int128>(millis(job.run)) * given / needed;
    const auto most = static_cast<__int128>(millis(kLongestSpan));
    job.run = std::max(Duration{static_cast<std::int64_t>(std::min(run, most))}, kShortestRun);
  }
  return *spec.span;
}

/// Begin of each burst, by the profile of the week; time 0 is a Monday at midnight.
std::vector<Instant> draw_begins(const SynthSpec& spec, std::size_t bursts, Duration span) {
  Random random(spec.seed, "arrivals");
  const auto hours = static_cast<std::size_t>((span + kHour - Duration{1}) / kHour);
  std::vector<std::int64_t> weights;
  weights.reserve(hours);
  for (std::size_t hour = 0; hour < hours; ++hour)
    weights.push_back(kHours[hour % 24] * kDays[hour / 24 % 7]);
  const Lottery week(weights);
  std::vector<Instant> begins;
  for (std::size_t i = 0; i < bursts; ++i) {
    const auto hour = static_cast<std::int64_t>(week.draw(random));
    const Duration in_hour{
        static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(millis(kHour))))};
    begins.push_back(Instant{(kHour * hour + in_hour) % span});
  }
  return begins;
}

std::optional<Duration> draw_limit(const SynthSpec& spec, Duration run, Random& random) {
  if (spec.limits == SynthLimits::None) return std::nullopt;
  const __int128 usual = static_cast<__int128>(millis(run)) * spec.limit_factor_milli / 1000;
  const std::int64_t most = millis(kLongestLimit);
  const std::int64_t octaves = draw_normal(random) * kLimitOctaves / 1000;
  const std::int64_t asked =
      scale_by_octaves(static_cast<std::int64_t>(std::min<__int128>(usual, most)), octaves, most);
  const Duration least = spec.limits == SynthLimits::Ample ? run : kShortestRun;
  // People ask for whole minutes.
  constexpr Duration minute = seconds(60);
  return (std::max(Duration{asked}, least) + minute - Duration{1}) / minute * minute;
}

JobState draw_outcome(const SynthSpec& spec, Random& random) {
  const auto point = static_cast<std::int32_t>(random.below(1000));
  if (point < spec.failed_permille) return JobState::Failed;
  return point < spec.failed_permille + spec.cancelled_permille ? JobState::Cancelled : JobState::Done;
}

std::vector<TraceJob> make_jobs(const SynthSpec& spec, const Work& work, const std::vector<Instant>& begins,
                                Duration span) {
  Random random(spec.seed, "jobs");
  const Lottery by_queue = by_rank(spec.queues);
  std::vector<std::size_t> queue_of;
  for (std::int32_t user = 0; user < spec.users; ++user) queue_of.push_back(by_queue.draw(random));
  std::vector<TraceJob> jobs;
  jobs.reserve(work.jobs.size());
  Duration gap{0};
  for (std::size_t i = 0; i < work.jobs.size(); ++i) {
    const Drawn& drawn = work.jobs[i];
    const bool first = i == 0 || work.jobs[i - 1].burst != drawn.burst;
    gap = first ? Duration{0} : gap + Duration{random.between(1000, 20'000)};
    TraceJob& job = jobs.emplace_back();
    job.submit = Instant{(begins[drawn.burst].time_since_epoch() + gap) % span};
    job.run = drawn.run;
    job.user = padded("user-", drawn.user + 1, static_cast<std::size_t>(spec.users));
    job.queue = padded("queue-", queue_of[drawn.user] + 1, static_cast<std::size_t>(spec.queues));
    const Cut cut = cut_evenly(kSizes[drawn.size].gpus, spec.gpus_per_node);
    job.workers = cut.workers;
    job.each.gpus = cut.each;
    job.limit = draw_limit(spec, drawn.run, random);
    job.outcome_seen = draw_outcome(spec, random);
  }
  return jobs;
}

std::vector<NodeSpec> make_nodes(const SynthSpec& spec) {
  std::vector<NodeSpec> nodes;
  const auto count = static_cast<std::size_t>((spec.gpus + spec.gpus_per_node - 1) / spec.gpus_per_node);
  for (std::int32_t left = spec.gpus; left > 0; left -= spec.gpus_per_node) {
    NodeSpec& node = nodes.emplace_back();
    node.name = padded("node-", nodes.size(), count);
    node.devices.resize(static_cast<std::size_t>(std::min(left, spec.gpus_per_node)));
  }
  return nodes;
}

}  // namespace

Result<Workload> synthesize(const SynthSpec& spec) {
  if (auto fine = check(spec); !fine) return fail(std::move(fine).error());
  Work work = draw_work(spec);
  const auto span = fit_span(work, spec);
  if (!span) return fail(span.error());
  Workload out;
  out.jobs = make_jobs(spec, work, draw_begins(spec, work.bursts, *span), *span);
  sort_by_submit(out.jobs);
  const Duration first = out.jobs.front().submit.time_since_epoch();
  for (std::size_t i = 0; i < out.jobs.size(); ++i) {
    out.jobs[i].submit -= first;
    out.jobs[i].name = padded("job-", i + 1, out.jobs.size());
  }
  out.nodes = make_nodes(spec);
  out.report.rows = out.report.kept = static_cast<std::int64_t>(out.jobs.size());
  return out;
}

}  // namespace muster
