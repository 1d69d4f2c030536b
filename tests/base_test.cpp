// The lowest storey: checked arithmetic, time, text, the bit index and the flat map against the standard
// containers, and the random generator's golden values.
#include <array>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "base/bit_index.hpp"
#include "base/box.hpp"
#include "base/digest.hpp"
#include "base/flat_map.hpp"
#include "base/ids.hpp"
#include "base/quantity.hpp"
#include "base/random.hpp"
#include "base/result.hpp"
#include "base/text.hpp"
#include "base/time.hpp"

namespace muster {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

TEST(Quantity, AddsAndMultiplies) {
  EXPECT_EQ(Millicores{1500} + Millicores{500}, Millicores{2000});
  EXPECT_EQ(Bytes{7} - Bytes{9}, Bytes{-2});
  EXPECT_EQ(MilliGpus{250} * 3, MilliGpus{750});
  EXPECT_EQ(Bytes{kMost - 1} + Bytes{1}, Bytes{kMost});
}

TEST(QuantityDeathTest, AnOverflowStopsTheProgram) {
  EXPECT_DEATH(static_cast<void>(Bytes{kMost} + Bytes{1}), "overflow");
  EXPECT_DEATH(static_cast<void>(Bytes{kLeast} - Bytes{1}), "overflow");
  EXPECT_DEATH(static_cast<void>(Bytes{kMost / 2 + 1} * 2), "overflow");
  EXPECT_DEATH(static_cast<void>(checked_mul(kLeast, -1)), "overflow");
}

TEST(CheckDeathTest, PrintsBothSides) { EXPECT_DEATH(CHECK_EQ(2 + 2, 5), "2 \\+ 2 == 5 \\(4 vs 5\\)"); }

TEST(Id, TheDefaultNamesNothing) {
  EXPECT_FALSE(JobId{}.valid());
  EXPECT_TRUE(JobId{0U}.valid());
  EXPECT_LT(JobId{1U}, JobId{2U});
  EXPECT_LT(JobId{1U}, JobId{}) << "none comes last";
}

TEST(Time, NeverAbsorbs) {
  EXPECT_EQ(after(at_seconds(2), seconds(3)), at_seconds(5));
  EXPECT_EQ(after(kNever, seconds(3)), kNever);
  EXPECT_EQ(after(at_seconds(2), kForever), kNever);
  EXPECT_EQ(after(kNever, kForever), kNever);
  EXPECT_EQ(millis(at_seconds(2)), 2000);
  EXPECT_DOUBLE_EQ(as_seconds(Duration{1500}), 1.5);
}

TEST(Text, IntegersAreReadWholeOrNotAtAll) {
  EXPECT_EQ(parse_int("0"), 0);
  EXPECT_EQ(parse_int("-12"), -12);
  EXPECT_EQ(parse_int("9223372036854775807"), kMost);
  EXPECT_EQ(parse_int("-9223372036854775808"), kLeast);
  for (const char* bad : {"", "-", "+1", " 1", "1 ", "1.0", "0x10", "1e3", "9223372036854775808", "1_000"}) {
    EXPECT_FALSE(parse_int(bad)) << bad;
  }
}

TEST(Text, DecimalsAreExact) {
  EXPECT_EQ(parse_scaled("0.5", 1000), 500);
  EXPECT_EQ(parse_scaled("12", 1000), 12'000);
  EXPECT_EQ(parse_scaled("-0.001", 1000), -1);
  EXPECT_EQ(parse_scaled("0.0010", 1000), 1) << "a zero beyond the scale says nothing new";
  EXPECT_EQ(parse_scaled("3.125", 1 << 30), 3'355'443'200);
  for (const char* bad :
       {"", ".", "0.0001", "1e3", "nan", "inf", "1.2.3", "--1", "9223372036854775.808", " 1"}) {
    EXPECT_FALSE(parse_scaled(bad, 1000)) << bad;
  }
}

TEST(Text, NearestIsASlipOfTheKeyboard) {
  const std::array<std::string, 3> words{"priority", "preemption", "placed"};
  EXPECT_EQ(nearest("prioriy", words), "priority");
  EXPECT_EQ(nearest("plcaed", words), "placed");
  EXPECT_FALSE(nearest("gpu", words));
}

TEST(Text, SplitsTrimsJoins) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(split("", ',').size(), 1U);
  EXPECT_EQ(trim("  a b\t\r\n"), "a b");
  EXPECT_EQ(trim(" \t"), "");
  EXPECT_EQ(lower("GpU-1"), "gpu-1");
  const std::vector<std::string> parts{"a", "b", "c"};
  EXPECT_EQ(join(parts, ", "), "a, b, c");
}

TEST(Text, FormatsForPeople) {
  EXPECT_EQ(format_milli(500), "0.5");
  EXPECT_EQ(format_milli(12'000), "12");
  EXPECT_EQ(format_milli(3'125), "3.125");
  EXPECT_EQ(format_milli(-1'500), "-1.5");
  EXPECT_EQ(format_duration(seconds(42)), "42s");
  EXPECT_EQ(format_duration(seconds(725)), "12m05s");
  EXPECT_EQ(format_duration(seconds(3 * 3600 + 7 * 60)), "3h07m");
  EXPECT_EQ(format_duration(seconds(52 * 3600)), "2d04h");
}

TEST(Text, FormatMilliIsReadBackAlike) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t value = random.between(-5'000'000, 5'000'000);
    EXPECT_EQ(parse_scaled(format_milli(value), 1000), value) << format_milli(value);
  }
}

TEST(Error, SaysWhereAndWhatInstead) {
  const Error error{.where = {.file = "a.yaml", .line = 12, .column = 5},
                    .field = "jobs[3].each.gpu",
                    .message = "want a number",
                    .hint = "write 1"};
  EXPECT_EQ(to_string(error), "a.yaml:12:5: jobs[3].each.gpu: want a number (write 1)");
}

TEST(Box, CopiesDeeply) {
  Box<std::string> a(std::string("one"));
  Box<std::string> b = a;
  *b = "two";
  EXPECT_EQ(*a, "one");
  EXPECT_NE(a, b);
  a = b;
  EXPECT_EQ(a, b);
}

TEST(BitIndex, EqualsAStandardSet) {
  Random random(11);
  for (const std::size_t capacity : {1UL, 63UL, 64UL, 65UL, 4096UL, 4097UL, 70'000UL}) {
    BitIndex index(capacity);
    std::set<std::size_t> set;
    for (int i = 0; i < 3000; ++i) {
      const auto member = static_cast<std::size_t>(random.below(capacity));
      if (random.chance(1, 3)) {
        index.erase(member);
        set.erase(member);
      } else if (random.chance(1, 10)) {
        for (const std::size_t m : std::set<std::size_t>(set)) index.erase(m), set.erase(m);
      } else {
        index.insert(member);
        set.insert(member);
      }
      const auto from = static_cast<std::size_t>(random.below(capacity + 1));
      const auto at = set.lower_bound(from);
      ASSERT_EQ(index.next(from), at == set.end() ? BitIndex::kEnd : *at) << capacity << " from " << from;
      ASSERT_EQ(index.contains(member), set.count(member) > 0);
      ASSERT_EQ(index.size(), set.size());
    }
  }
}

TEST(BitIndex, AskingBeyondTheEndFindsNothing) {
  BitIndex index(100);
  index.insert(99);
  EXPECT_EQ(index.next(99), 99U);
  EXPECT_EQ(index.next(100), BitIndex::kEnd);
  EXPECT_EQ(index.next(1'000'000), BitIndex::kEnd);
}

TEST(FlatMap, EqualsAStandardMap) {
  Random random(13);
  FlatMap flat;
  std::map<std::uint32_t, std::uint32_t> map;
  EXPECT_FALSE(flat.find(0));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4000; ++i) {
      const auto key = static_cast<std::uint32_t>(random.below(random.chance(1, 2) ? 500 : 0xfffffffe));
      if (map.emplace(key, i).second) flat.insert(key, static_cast<std::uint32_t>(i));
      const auto other = static_cast<std::uint32_t>(random.below(600));
      const auto at = map.find(other);
      ASSERT_EQ(flat.find(other), at == map.end() ? std::nullopt : std::optional(at->second));
    }
    for (const auto& [key, value] : map) ASSERT_EQ(flat.find(key), value);
    flat.clear();
    map.clear();
    EXPECT_FALSE(flat.find(1));
  }
}

/// Written down once from this implementation, whose first words for a state seeded by splitmix64(0) agree
/// with the published reference code: a change of any of them would change every seeded run.
TEST(Random, GoldenValues) {
  Random random(0);
  EXPECT_EQ(random.next(), 0x99ec5f36cb75f2b4ULL);
  EXPECT_EQ(random.next(), 0xbf6e1f784956452aULL);
  EXPECT_EQ(random.next(), 0x1a5f849d4933e6e0ULL);
  EXPECT_EQ(random.next(), 0x6aa594f1262d2d2cULL);
}

TEST(Random, StaysInItsBounds) {
  Random random(3, "bounds");
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t value = random.between(-2, 2);
    EXPECT_GE(value, -2);
    EXPECT_LE(value, 2);
    seen.insert(value);
    EXPECT_LT(random.below(7), 7U);
    EXPECT_EQ(random.below(1), 0U);
    const double unit = random.unit();
    EXPECT_GE(unit, 0.0);
    EXPECT_LT(unit, 1.0);
    EXPECT_TRUE(random.chance(5, 5));
    EXPECT_FALSE(random.chance(0, 5));
  }
  EXPECT_EQ(seen.size(), 5U);
}

TEST(Random, PurposesAreIndependentStreams) {
  Random a(1, "arrivals");
  Random b(1, "sizes");
  Random again(1, "arrivals");
  EXPECT_NE(a.next(), b.next());
  again.next();
  EXPECT_EQ(a.next(), again.next());
}

TEST(Digest, ReadsBytesNotBoundaries) {
  const std::array<std::uint8_t, 9> bytes{1, 2, 3, 4, 5, 6, 7, 8, 9};
  Digest whole;
  whole.add_bytes(bytes);
  Digest shorter;
  shorter.add_bytes(std::span(bytes).first(8));
  EXPECT_NE(whole.value(), shorter.value());
  Digest ab;
  ab.add_text("ab");
  ab.add_text("c");
  Digest a;
  a.add_text("a");
  a.add_text("bc");
  EXPECT_NE(ab.value(), a.value());
  EXPECT_EQ(whole.hex().size(), 16U);
}

}  // namespace
}  // namespace muster
