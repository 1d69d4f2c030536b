// What the tests of the trace readers share: a workload that must have been read, whose rows must add up.
#pragma once

#include <gtest/gtest.h>
#include <utility>

#include "trace/workload.hpp"

namespace muster {

inline constexpr ReadOptions kStrict{.strictness = Strictness::Strict};
inline constexpr ReadOptions kKeepTimes{.origin = Origin::Keep};

inline void expect_adds_up(const Report& report) {
  EXPECT_EQ(report.rows, report.kept + report.dropped()) << to_string(report);
}

/// The workload, or a failed test with the error's text.
inline Workload must(Result<Workload> result) {
  if (!result) {
    ADD_FAILURE() << to_string(result.error());
    return {};
  }
  expect_adds_up(result->report);
  return std::move(*result);
}

}  // namespace muster
