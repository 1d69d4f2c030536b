// When a waiting job could start: by the time limits of what runs, and by what their owners expect.
#include "engine/outlook.hpp"

#include <gtest/gtest.h>

#include "explain_world.hpp"

namespace muster {
namespace {

TEST(Outlook, ForecastByLimitsAndByExpectations) {
  World world({node("n", 4)});
  JobSpec a = job("a", 1, 4);
  a.limit = seconds(100);
  a.expect = seconds(40);
  world.submit(a).submit(job("b", 1, 2));
  WhatIf what_if(world.state(), world.engine().policy(), {world.id("b")}, world.now());
  const Forecast bounded = forecast(what_if);
  EXPECT_EQ(bounded.by_limits, at_seconds(100));
  EXPECT_EQ(bounded.by_guess, at_seconds(40));
  World endless({node("n", 4)});
  endless.submit(job("a", 1, 4)).submit(job("b", 1, 2));
  WhatIf without(endless.state(), endless.engine().policy(), {endless.id("b")}, endless.now());
  const Forecast unknown = forecast(without);
  EXPECT_FALSE(unknown.by_limits);
  EXPECT_EQ(unknown.needs, "a");
}

}  // namespace
}  // namespace muster
