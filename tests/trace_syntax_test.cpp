// The syntax below the trace readers: CSV rows, numbers and times, JSON tokens, each with its quirks.
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "base/text.hpp"
#include "trace/csv.hpp"
#include "trace/json_pull.hpp"
#include "trace/number.hpp"

namespace muster {
namespace {

// --- CSV -----------------------------------------------------------------------------------------------

std::vector<CsvRow> rows_of(std::string_view text) {
  CsvReader reader(text);
  std::vector<CsvRow> rows;
  for (CsvRow row; reader.next(row);) rows.push_back(row);
  return rows;
}

TEST(Csv, KnowsThePlaceOfEachField) {
  const auto rows = rows_of(
      "\xEF\xBB\xBF"
      "a,bc,\r\n\"x,\"\"y\"\"\",\"two\nlines\",z\n");
  ASSERT_EQ(rows.size(), 2u);
  ASSERT_EQ(rows[0].fields.size(), 3u);
  EXPECT_EQ(rows[0].fields[0].text, "a");
  EXPECT_EQ(rows[0].fields[1].column, 3);
  EXPECT_EQ(rows[0].fields[2].text, "");
  EXPECT_EQ(rows[0].fields[2].column, 6);
  ASSERT_EQ(rows[1].fields.size(), 3u);
  EXPECT_EQ(rows[1].line, 2);
  EXPECT_EQ(rows[1].fields[0].value(), "x,\"y\"");
  EXPECT_EQ(rows[1].fields[1].value(), "two\nlines");
  EXPECT_EQ(rows[1].fields[2].line, 3);
  EXPECT_EQ(rows[1].fields[2].column, 8);
}

TEST(Csv, RaggedBlankAndUnfinishedRows) {
  const auto rows = rows_of("a\n\na,b,c\r\r\"\"\nend");
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[0].fields.size(), 1u);
  EXPECT_TRUE(rows[1].blank());
  EXPECT_EQ(rows[2].fields.size(), 3u);
  EXPECT_TRUE(rows[3].blank());
  EXPECT_FALSE(rows[4].blank());  // a quoted nothing is a field
  EXPECT_EQ(rows[5].fields[0].text, "end");
  EXPECT_EQ(rows[5].line, 6);
  EXPECT_TRUE(rows_of("").empty());
}

TEST(Csv, QuotingFlawsAreMarked) {
  auto rows = rows_of("a,\"b\"c,d\ne");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].flaw, CsvFlaw::TextAfterQuote);
  EXPECT_EQ(rows[0].flaw_column, 6);
  EXPECT_EQ(rows[0].fields.size(), 3u);
  EXPECT_EQ(rows[1].flaw, CsvFlaw::None);
  rows = rows_of("a,\"b\nc");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].flaw, CsvFlaw::OpenQuote);
  EXPECT_EQ(rows[0].flaw_column, 3);
}

// --- numbers -------------------------------------------------------------------------------------------

TEST(Numbers, SecondsRoundToMilliseconds) {
  EXPECT_EQ(parse_seconds("494319.0"), seconds(494319));
  EXPECT_EQ(parse_seconds("552.2155"), Duration{552'216});
  EXPECT_EQ(parse_seconds("-0.5"), Duration{-500});
  for (const char* bad :
       {"", "-", "1e3", "nan", ".5", "5.", "+1", " 1", "1 ", "0x10", "99999999999", "9999999999999999999"}) {
    EXPECT_FALSE(parse_seconds(bad)) << bad;
  }
}

TEST(Numbers, CivilTimesHaveNoZone) {
  EXPECT_EQ(parse_civil("1970-01-02 00:00:01"), at_seconds(86401));
  EXPECT_EQ(parse_civil("2017-10-09 07:01:55"), at_seconds(1507532515));
  EXPECT_EQ(parse_civil("2016-02-29T23:59:60.25"), Instant{Duration{1456790400250}});
  for (const char* bad :
       {"2017-02-29 00:00:00", "2017-13-01 00:00:00", "2017-10-09 24:00:00", "2017-10-09", "None",
        "2017-10-09 07:01:5", "2017-10-09 07:01:-1", "9999-01-01 00:00:00", "2017-10-09 07:01:99"}) {
    EXPECT_FALSE(parse_civil(bad)) << bad;
  }
}

TEST(TimeLimits, AllFormsOfTheAccounting) {  // C130
  const std::map<std::string, std::int64_t> stated{{"365-00:00:00", 31'536'000'000},
                                                   {"1-12", 129'600'000},
                                                   {"13:00", 780'000},
                                                   {"01:02:03", 3'723'000},
                                                   {"30", 1'800'000},
                                                   {"00:00:00.5", 500},
                                                   {"2-01:30", 178'200'000},
                                                   {"0", 0}};
  for (const auto& [text, expected] : stated) {
    const auto limit = parse_time_limit(text);
    ASSERT_TRUE(limit) << text;
    EXPECT_EQ(limit->value, Duration{expected}) << text;
    EXPECT_FALSE(limit->assumed) << text;
  }
  ASSERT_TRUE(parse_time_limit("UNLIMITED"));
  EXPECT_FALSE(parse_time_limit("UNLIMITED")->value);
  EXPECT_FALSE(parse_time_limit("UNLIMITED")->assumed);
  for (const char* text : {"Partition_Limit", "Unknown", ""}) {
    ASSERT_TRUE(parse_time_limit(text)) << text;
    EXPECT_FALSE(parse_time_limit(text)->value) << text;
    EXPECT_TRUE(parse_time_limit(text)->assumed) << text;
  }
  for (const char* text :
       {"INVALID", "1:2:3:4", "-5", "1-", "-1-2", "1.5-00", "1:2.5:3", "::", "99999999999999-0", "30.5"}) {
    EXPECT_FALSE(parse_time_limit(text)) << text;
  }
}

// --- JSON ----------------------------------------------------------------------------------------------

std::string kinds_of(std::string_view text) {
  constexpr std::string_view letters = "{}[]ksntf0.!";
  JsonPull json(text, "t");
  std::string out;
  while (true) {
    const JsonToken token = json.next();
    out += letters[static_cast<std::size_t>(token.kind)];
    if (token.kind == JsonKind::End || token.kind == JsonKind::Error) return out;
  }
}

TEST(Json, StrictSyntax) {
  EXPECT_EQ(kinds_of(R"({"a":[1,-2.5e+3,"x",true,false,null,{}],"b":[]})"), "{k[nnstf0{}]k[]}.");
  EXPECT_EQ(kinds_of(" 0 "), "n.");
  for (const char* bad : {"",
                          "[",
                          "[1,]",
                          "{\"a\":1,}",
                          "[1 2]",
                          "{a:1}",
                          "{\"a\" 1}",
                          "[01]",
                          "[1.]",
                          "[.5]",
                          "[1e]",
                          "[+1]",
                          "[NaN]",
                          "[nul]",
                          "[\"a]",
                          "[\"\t\"]",
                          "[\"\\x\"]",
                          "[\"\\u12\"]",
                          "[\"\\ud800\"]",
                          "[\"\\udc00\"]",
                          "[1}",
                          "{\"a\":1]",
                          "[] []",
                          "//",
                          "[,1]",
                          "{,}",
                          "]",
                          ","}) {
    EXPECT_EQ(kinds_of(bad).back(), '!') << bad;
  }
  EXPECT_EQ(kinds_of(std::string(64, '[') + std::string(64, ']')).back(), '.');
  EXPECT_EQ(kinds_of(std::string(65, '[') + std::string(65, ']')).back(), '!');
  JsonPull json("[\n  \"a\\n\\u00e9\\ud83d\\ude00\",\n x]", "file");
  json.next();
  const JsonToken text = json.next();
  EXPECT_EQ(text.value(), "a\n\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(text.line, 2);
  EXPECT_EQ(text.column, 3);
  EXPECT_EQ(json.next().kind, JsonKind::Error);
  EXPECT_EQ(to_string(json.error()), "file:3:2: not JSON: expected a value");
}

}  // namespace
}  // namespace muster
