// Is the judge blind anywhere? Every expectation of every scenario is bent so that it contradicts what was
// recorded; the judge must notice. Prints the share.
#include "sim/falsify.hpp"

#include <cstdio>
#include <gtest/gtest.h>

#include "scenario_files.hpp"
#include "sim/expect.hpp"
#include "sim/play.hpp"

namespace muster::sim {
namespace {

struct Count {
  std::size_t bent = 0;
  std::size_t noticed = 0;
  std::vector<std::string> missed;
};

void falsify(const std::string& file, Count& count) {
  auto scenario = scenario_in(file);
  ASSERT_TRUE(scenario) << to_string(scenario.error());
  const auto run = play(*scenario);
  ASSERT_TRUE(run) << to_string(run.error());
  ASSERT_TRUE(run->tape.broken.empty()) << file << ": a broken tape makes the judge object to anything";
  for (Mutation& mutation : mutations(*scenario, run->tape)) {
    scenario->expect = {std::move(mutation.check)};
    ++count.bent;
    if (judge(*scenario, run->tape).empty()) {
      count.missed.push_back(scenario->id + ": " + mutation.what);
    } else {
      ++count.noticed;
    }
  }
}

Count falsify_all(const std::vector<std::string>& files) {
  Count count;
  for (const std::string& file : files) falsify(file, count);
  return count;
}

void expect_noticed(const Count& count, const char* whose) {
  ASSERT_GE(count.bent, 300U);
  std::printf("%s: %zu of %zu bent expectations were noticed (%.2f %%)\n", whose, count.noticed, count.bent,
              100.0 * static_cast<double>(count.noticed) / static_cast<double>(count.bent));
  for (const std::string& missed : count.missed) std::printf("  not noticed: %s\n", missed.c_str());
  EXPECT_GE(count.noticed * 100, count.bent * 98);
}

TEST(Falsify, TheJudgeNoticesWhatOurScenariosDoNotShow) {
  expect_noticed(falsify_all(own_scenario_files()), "own");
}

TEST(Falsify, TheJudgeNoticesWhatTheSharedScenariosDoNotShow) {
  if (shared_scenario_files().empty()) GTEST_SKIP() << "no shared scenarios beside the repository";
  expect_noticed(falsify_all(shared_scenario_files()), "shared");
}

}  // namespace
}  // namespace muster::sim
