#include "sim/report.hpp"

#include <algorithm>

namespace muster {
namespace {

constexpr double kMillisPerHour = 3'600'000.0;

/// Nearest rank: the value at position ceil(p n) of the sorted values, counted from 1.
double percentile(const std::vector<double>& sorted, std::size_t percent) {
  const std::size_t rank = (sorted.size() * percent + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

std::optional<double> share(double part, double whole) {
  if (whole <= 0) return std::nullopt;
  return part / whole;
}

/// The part of the cluster that the job asks for, of the resource of which it asks for most.
double part_asked(const TraceJob& job, const Meter& meter) {
  double part = 0;
  if (meter.gpu_capacity() > 0) {
    part = static_cast<double>(job.gpu_milli()) / static_cast<double>(meter.gpu_capacity());
  }
  if (meter.cpu_capacity().value_or(0) > 0) {
    const auto cpu = static_cast<double>(job.each.cpu) * job.workers;
    part = std::max(part, cpu / static_cast<double>(*meter.cpu_capacity()));
  }
  return part;
}

std::optional<double> rho_of(const TraceJob& job, const JobMeter& seen, double completion,
                             const Meter& meter) {
  if (!job.run || *job.run <= Duration{0}) return std::nullopt;
  const double slowdown = std::max(1.0, part_asked(job, meter) * seen.contention);
  return completion / (as_seconds(*job.run) * slowdown);
}

bool came_to_its_end(JobState state) {
  return state == JobState::Done || state == JobState::Failed || state == JobState::Cancelled;
}

void count(RunReport& report, JobState state, bool never_fits) {
  switch (state) {
    case JobState::Done: ++report.done; break;
    case JobState::Failed: ++report.failed; break;
    case JobState::Cancelled:
    case JobState::Stopped: ++report.cancelled; break;
    case JobState::TimedOut: ++report.timed_out; break;
    case JobState::Rejected: ++report.refused; break;
    case JobState::Running: ++report.running; break;
    default: ++(never_fits ? report.never_fit : report.waiting); break;
  }
}

std::vector<LevelShares> fragmentation(const Replay& replay) {
  const auto unusable = [](const Integrals& in, std::size_t level) {
    return level < in.gpu_whole.size() ? share(in.gpu_free - in.gpu_whole[level], in.gpu_free) : std::nullopt;
  };
  std::vector<LevelShares> out;
  std::vector<std::string> levels = replay.state().ledger.topology().levels();
  levels.emplace_back("node");
  for (std::size_t level = 0; level < levels.size(); ++level) {
    out.push_back({.level = levels[level],
                   .shares = {.loaded = unusable(replay.meter().loaded(), level),
                              .whole = unusable(replay.meter().whole(), level)}});
  }
  return out;
}

Shares used(const Replay& replay, double Integrals::* of, std::optional<std::int64_t> capacity) {
  if (!capacity) return {};
  const auto total = static_cast<double>(*capacity);
  const Integrals& loaded = replay.meter().loaded();
  const Integrals& whole = replay.meter().whole();
  return {.loaded = share(loaded.*of, loaded.span * total), .whole = share(whole.*of, whole.span * total)};
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += value;
  return {.count = values.size(),
          .mean = sum / static_cast<double>(values.size()),
          .median = percentile(values, 50),
          .p95 = percentile(values, 95),
          .p99 = percentile(values, 99),
          .max = values.back()};
}

std::vector<JobReport> jobs_of(const Replay& replay) {
  std::vector<JobReport> out;
  const State& state = replay.state();
  out.reserve(state.jobs.size());
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {
    const Job& job = state.jobs[j];
    const JobMeter& seen = replay.meter().job(JobId{j});
    JobReport line{.id = JobId{j},
                   .state = job.state,
                   .submitted = job.submitted,
                   .first_start = seen.first_start,
                   .ended = std::nullopt,
                   .rho = std::nullopt,
                   .evictions = seen.evictions,
                   .milli_gpus = replay.workload().jobs[j].gpu_milli()};
    if (is_over(job.state)) {
      line.ended = job.ended;
      line.completion = as_seconds(job.ended - job.submitted);
      line.waited = as_seconds(job.ended - job.submitted - seen.held);
      if (came_to_its_end(job.state)) {
        line.rho = rho_of(replay.workload().jobs[j], seen, line.completion, replay.meter());
      }
    }
    out.push_back(line);
  }
  return out;
}

RunReport report_of(const Replay& replay) {
  RunReport report;
  const Meter& meter = replay.meter();
  std::vector<double> completion;
  std::vector<double> waited;
  std::vector<double> rho;
  const std::vector<JobReport> jobs = jobs_of(replay);
  for (const JobReport& job : jobs) {
    const JobMeter& seen = meter.job(job.id);
    count(report, job.state, seen.never_fits);
    report.evictions += seen.evictions;
    report.evicted_jobs += seen.evictions > 0 ? 1 : 0;
    report.lost_gpu_hours += static_cast<double>(seen.lost) / kMillisPerHour;
    if (!came_to_its_end(job.state)) continue;
    completion.push_back(job.completion);
    waited.push_back(job.waited);
    if (job.rho) rho.push_back(*job.rho);
  }
  report.jobs = replay.workload().jobs.size();
  report.not_arrived = report.jobs - jobs.size();
  const auto above = std::count_if(rho.begin(), rho.end(), [](double value) { return value > 1; });
  report.unfair = rho.empty() ? 0 : static_cast<double>(above) / static_cast<double>(rho.size());
  report.completion = spread_of(std::move(completion));
  report.waited = spread_of(std::move(waited));
  report.rho = spread_of(std::move(rho));
  if (!jobs.empty()) report.makespan = as_seconds(meter.last_end() - jobs.front().submitted);
  report.makespan = std::max(report.makespan, 0.0);
  const std::int64_t gpus = meter.gpu_capacity();
  report.gpu_used = used(replay, &Integrals::gpu_used, gpus > 0 ? std::optional(gpus) : std::nullopt);
  report.cpu_used = used(replay, &Integrals::cpu_used, meter.cpu_capacity());
  report.used_gpu_hours = meter.whole().gpu_used / static_cast<double>(kDevice) / kMillisPerHour;
  report.fragmentation = fragmentation(replay);
  report.records = replay.log().records();
  report.decisions = replay.log().decisions();
  report.digest = replay.log().digest();
  return report;
}

}  // namespace muster
