// The workload generator: equal jobs on every compiler, the stated shape, the load that was asked for.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "base/digest.hpp"
#include "trace/draw.hpp"
#include "trace/synth.hpp"
#include "trace_loads.hpp"

namespace muster {
namespace {

TEST(Draw, NormalHasTheRightMomentsAndTails) {
  Random random(7);
  constexpr int draws = 200'000;
  double sum = 0;
  double squares = 0;
  int beyond_two = 0;
  for (int i = 0; i < draws; ++i) {
    const double z = static_cast<double>(draw_normal(random)) / 1e6;
    ASSERT_LT(std::abs(z), 4.91);
    sum += z;
    squares += z * z;
    beyond_two += z > 2 ? 1 : 0;
  }
  EXPECT_NEAR(sum / draws, 0, 0.01);
  EXPECT_NEAR(squares / draws, 1, 0.02);
  EXPECT_NEAR(beyond_two / double{draws}, 0.02275, 0.0015);
}

TEST(Draw, OctavesScaleAndClip) {
  EXPECT_EQ(scale_by_octaves(1000, 0, 1'000'000), 1000);
  EXPECT_EQ(scale_by_octaves(1000, 3'000'000, 1'000'000), 8000);
  EXPECT_EQ(scale_by_octaves(1000, -1'000'000, 1'000'000), 500);
  EXPECT_NEAR(static_cast<double>(scale_by_octaves(1'000'000, 500'000, 10'000'000)), 1414213.6, 60);
  EXPECT_EQ(scale_by_octaves(1000, 30'000'000, 1'000'000), 1'000'000);
  EXPECT_EQ(scale_by_octaves(1000, 900'000'000'000, 1'000'000), 1'000'000);
  EXPECT_EQ(scale_by_octaves(1000, -900'000'000'000, 1'000'000), 0);
}

std::string digest_of(const Workload& load) {
  Digest digest;
  for (const TraceJob& job : load.jobs) {
    digest.add_text(job.name + "," + job.user + "," + job.queue);
    for (const std::int64_t word :
         {millis(job.submit), millis(*job.run), millis(job.limit.value_or(Duration{-1})),
          std::int64_t{job.workers}, std::int64_t{job.each.gpus}}) {
      digest.add(static_cast<std::uint64_t>(word));
    }
    digest.add(static_cast<std::uint64_t>(*job.outcome_seen));
  }
  return digest.hex();
}

/// Sum of GPUs x run over GPUs x span, in thousandths.
std::int64_t load_of(const Workload& load, std::int64_t gpus, Duration span) {
  __int128 work = 0;
  for (const TraceJob& job : load.jobs) work += static_cast<__int128>(job.gpu_milli()) * millis(*job.run);
  return static_cast<std::int64_t>(work / gpus / millis(span));
}

TEST(Synth, EqualSeedsGiveEqualJobsEverywhere) {
  const SynthSpec spec{
      .seed = 42, .jobs = 5000, .gpus = 256, .limits = SynthLimits::AsSeen, .failed_permille = 305};
  const Workload one = must(synthesize(spec));
  EXPECT_EQ(one.jobs, must(synthesize(spec)).jobs);
  // Holds for every compiler and optimisation level; changes only with the generator itself.
  EXPECT_EQ(digest_of(one), "5d31d124d7d4c079");
  SynthSpec other = spec;
  other.seed = 43;
  EXPECT_NE(digest_of(one), digest_of(must(synthesize(other))));
}

TEST(Synth, HasTheStatedShape) {
  const Workload load = must(
      synthesize({.seed = 1, .jobs = 100'000, .gpus = 2048, .users = 100, .limits = SynthLimits::AsSeen}));
  ASSERT_EQ(load.jobs.size(), 100'000u);
  EXPECT_EQ(load.nodes.size(), 256u);
  std::vector<std::int64_t> runs;
  std::vector<std::int64_t> ratios;
  std::map<std::int64_t, int> per_hour;
  std::map<std::string, int> per_user;
  std::array<double, 3> time{};
  int single = 0;
  int small = 0;
  int short_limits = 0;
  for (const TraceJob& job : load.jobs) {
    const std::int64_t gpus = job.gpu_milli() / 1000;
    EXPECT_LE(job.each.gpus, 8);
    runs.push_back(millis(*job.run));
    if (millis(*job.run) > 600'000) ratios.push_back(millis(*job.limit) * 1000 / millis(*job.run));
    short_limits += *job.limit < *job.run ? 1 : 0;
    single += gpus == 1 ? 1 : 0;
    small += gpus <= 8 ? 1 : 0;
    time[gpus == 1 ? 0 : gpus <= 8 ? 1 : 2] += static_cast<double>(gpus) * as_seconds(*job.run);
    ++per_hour[millis(job.submit) / 3'600'000];
    ++per_user[job.user];
  }
  const auto middle = [](std::vector<std::int64_t>& values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
  };
  const double total = time[0] + time[1] + time[2];
  EXPECT_NEAR(single, 82'400, 2500);  // bursts make such sums noisy
  EXPECT_NEAR(small, 98'900, 500);
  EXPECT_NEAR(time[0] / total, 0.164, 0.05);
  EXPECT_NEAR(time[2] / total, 0.12, 0.05);
  EXPECT_NEAR(static_cast<double>(middle(runs)) / 1000, 900, 250);
  EXPECT_NEAR(static_cast<double>(middle(ratios)), 13'500, 2000);
  EXPECT_NEAR(short_limits, 3500, 700);
  EXPECT_GT(per_user["user-001"], 5 * per_user["user-050"]);
  // Bursty: the index of dispersion of hourly arrivals is far above the 1 of independent arrivals.
  const double hours = static_cast<double>(per_hour.rbegin()->first + 1);
  const double mean = 100'000 / hours;
  double squares = 0;
  for (const auto& [hour, count] : per_hour) squares += static_cast<double>(count) * count;
  EXPECT_GT((squares / hours - mean * mean) / mean, 20);
}

TEST(Synth, MeetsTheLoadWithAndWithoutASpan) {
  const Workload free = must(synthesize({.seed = 3, .jobs = 4000, .gpus = 128, .load_permille = 900}));
  EXPECT_NEAR(static_cast<double>(load_of(free, 128, free.jobs.back().submit - free.jobs.front().submit)),
              900, 45);
  const Duration week = seconds(7 * 86400);
  const Workload fixed =
      must(synthesize({.seed = 3, .jobs = 4000, .gpus = 128, .load_permille = 900, .span = week}));
  EXPECT_NEAR(static_cast<double>(load_of(fixed, 128, week)), 900, 2);
  EXPECT_LE(fixed.jobs.back().submit, Instant{week});
  EXPECT_EQ(fixed.jobs.front().submit, Instant{});
  for (const TraceJob& job : fixed.jobs) {
    EXPECT_GE(*job.limit, *job.run);  // Ample
    EXPECT_LE(job.gpu_milli(), 128'000);
  }
}

TEST(Synth, RefusesImpossibleKnobs) {
  EXPECT_FALSE(synthesize({.jobs = 0}));
  EXPECT_FALSE(synthesize({.load_permille = 0}));
  EXPECT_FALSE(synthesize({.span = Duration{0}}));
  EXPECT_FALSE(synthesize({.failed_permille = 600, .cancelled_permille = 600}));
  const auto sparse = synthesize({.jobs = 1'000'000, .gpus = 1, .load_permille = 1});
  ASSERT_FALSE(sparse);
  EXPECT_EQ(sparse.error().field, "load_permille");
  const Workload tiny = must(
      synthesize({.jobs = 3, .gpus = 3, .gpus_per_node = 2, .load_permille = 100'000, .span = seconds(1)}));
  EXPECT_EQ(tiny.nodes.size(), 2u);
  EXPECT_EQ(tiny.nodes[1].devices.size(), 1u);
}

}  // namespace
}  // namespace muster
