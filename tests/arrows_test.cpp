// The walls of the house, read from the real includes. The tables below are docs/architecture.md as data:
// an include that runs up, a banned header or word in a pure room, or a library outside its home fails here
// with the line that did it.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Words = std::vector<std::string_view>;

// A room sees the storeys listed before its own, and itself. Rooms of one storey never see each other.
const std::vector<Words> kStoreys = {
    {"base"},
    {"model"},
    {"wire", "trace", "forecast", "solve"},
    {"core"},
    {"policy", "flow"},
    {"engine"},
    {"drive"},
    {"os"},             // the outside world begins: the loop and processes,
    {"store", "http"},  // what stands on them,
    {"sim", "local", "kube", "api"},
    {"cli"},
};

/// Arrows that run down and are still not allowed: the simulator has no outside world, and the outside
/// world knows nothing of decisions.
struct Arrow {
  std::string_view from;
  std::string_view to;
};
constexpr std::array kForbidden = {
    Arrow{"sim", "os"},     Arrow{"sim", "store"},    Arrow{"sim", "http"},   Arrow{"os", "core"},
    Arrow{"os", "policy"},  Arrow{"os", "flow"},      Arrow{"os", "engine"},  Arrow{"os", "drive"},
    Arrow{"http", "core"},  Arrow{"http", "policy"},  Arrow{"http", "flow"},  Arrow{"http", "engine"},
    Arrow{"http", "drive"}, Arrow{"store", "policy"}, Arrow{"store", "flow"}, Arrow{"store", "engine"},
};

const Words kPure = {"base", "model",  "wire", "trace",  "forecast", "solve",
                     "core", "policy", "flow", "engine", "drive",    "sim"};
const Words kPureNoHeaders = {
    "unordered_map",     "unordered_set", "thread", "fstream", "iostream",   "mutex",
    "shared_mutex",      "future",        "random", "ctime",   "filesystem", "atomic",
    "condition_variable"};
const Words kPureNoWords = {"unordered_map", "unordered_set", "::now(",       "rand(",        "srand(",
                            "getenv",        "time(nullptr",  "steady_clock", "system_clock", "thread_local"};

// Decisions are made of integers; floating point lives in forecast, solve, trace generators and reports.
const Words kIntegers = {"base", "model", "core", "policy", "flow", "engine", "drive"};
const Words kIntegersNoHeaders = {"cmath", "complex", "math.h"};
const Words kIntegersNoWords = {"double", "float"};
const Words kFloatingAllowedIn = {"base/random.hpp", "base/random.cpp", "base/time.hpp", "base/text.hpp",
                                  "base/text.cpp"};

/// A third-party header and the paths that may include it. Every other header from outside the standard
/// library has no home yet.
struct Home {
  std::string_view header;
  Words paths;
};
const std::vector<Home> kHomes = {
    {"tl/expected.hpp", {""}},
    {"nlohmann/", {"wire/", "kube/translate"}},
    {"simdjson.h", {"wire/", "kube/translate"}},
    {"yaml-cpp/", {"wire/yaml"}},
    {"boost/asio", {"os/", "http/"}},
    {"boost/beast", {"http/"}},
    {"openssl/", {"http/"}},
    {"curl/", {"http/client"}},
    {"sqlite3.h", {"store/"}},
    {"coin/", {"solve/"}},
    {"hwloc.h", {"local/inventory"}},
    {"prometheus/", {"api/"}},
    {"CLI/", {"cli/"}},
    {"spdlog/", {"cli/"}},
    {"toml++/", {"cli/"}},
    {"zlib.h", {"cli/"}},
    {"lzma.h", {"cli/"}},
    {"sys/", {"os/", "local/", "cli/"}},
    {"linux/", {"os/", "local/"}},
    {"unistd.h", {"os/", "local/", "cli/"}},
};

bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view room_of(std::string_view path) { return path.substr(0, path.find('/')); }

int storey_of(std::string_view room) {
  for (std::size_t i = 0; i < kStoreys.size(); ++i) {
    if (has(kStoreys[i], room)) return static_cast<int>(i);
  }
  return -1;
}

bool on_include_line(std::string_view text, std::size_t at) {
  const auto newline = text.rfind('\n', at);
  return text.substr(newline == std::string_view::npos ? 0 : newline + 1).starts_with("#include");
}

/// Blanks out comments and the insides of literals, so that words in prose do not count. Keeps the lines.
std::string code_only(std::string_view text) {
  std::string out(text);
  const auto blank = [&out](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && i < out.size(); ++i) {
      if (out[i] != '\n') out[i] = ' ';
    }
  };
  std::size_t i = 0;
  while (i < text.size()) {
    std::size_t end = i + 1;
    if (text.substr(i, 2) == "//") {
      end = std::min(text.find('\n', i), text.size());
      blank(i, end);
    } else if (text.substr(i, 2) == "/*") {
      end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
      blank(i, end);
    } else if (text.substr(i, 3) == "R\"(") {
      end = std::min(text.find(")\"", i + 3), text.size() - 2) + 2;
      blank(i + 1, end);
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || std::isalnum(text[i - 1]) == 0))) {
      while (end < text.size() && text[end] != text[i] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      if (!on_include_line(text, i)) blank(i + 1, end);
      ++end;
    }
    i = end;
  }
  return out;
}

bool is_word_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// `word` stands in `line` on its own: "rand(" is not in "operand(", "double" not in "doubled".
bool mentions(std::string_view line, std::string_view word) {
  for (auto at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool joined_left = is_word_part(word.front()) && at > 0 && is_word_part(line[at - 1]);
    const bool joined_right = is_word_part(word.back()) && end < line.size() && is_word_part(line[end]);
    if (!joined_left && !joined_right) return true;
  }
  return false;
}

std::string wrong_arrow(std::string_view from, std::string_view to) {
  if (from == to) return "";
  if (storey_of(to) < 0) return "there is no room " + std::string(to);
  const std::string arrow = std::string(from) + " -> " + std::string(to);
  if (storey_of(from) == storey_of(to)) return arrow + ": rooms of one storey do not see each other";
  if (storey_of(from) < storey_of(to)) return arrow + " runs up";
  const bool forbidden = std::any_of(kForbidden.begin(), kForbidden.end(),
                                     [&](const Arrow& no) { return no.from == from && no.to == to; });
  return forbidden ? arrow + " is forbidden" : "";
}

std::string wrong_system_header(std::string_view path, std::string_view header) {
  const std::string name = "<" + std::string(header) + ">";
  if (has(kPure, room_of(path)) && has(kPureNoHeaders, header)) return name + " in a pure room";
  if (has(kIntegers, room_of(path)) && has(kIntegersNoHeaders, header))
    return name + " where decisions are made";
  const bool standard = header.find_first_of("/.") == std::string_view::npos;
  if (standard) return "";
  for (const Home& home : kHomes) {
    if (!header.starts_with(home.header)) continue;
    const bool at_home = std::any_of(home.paths.begin(), home.paths.end(),
                                     [&](std::string_view place) { return path.starts_with(place); });
    return at_home ? "" : name + " outside its home";
  }
  return name + " has no home in the table";
}

std::string wrong_include(std::string_view path, std::string_view line) {
  const auto open = line.find_first_of("<\"");
  const auto close = open == std::string_view::npos ? open : line.find_first_of(">\"", open + 1);
  if (close == std::string_view::npos) return "an include that cannot be read";
  const std::string_view target = line.substr(open + 1, close - open - 1);
  if (line[open] == '<') return wrong_system_header(path, target);
  if (target.find('/') == std::string_view::npos) return "an include of ours is written from src/";
  return wrong_arrow(room_of(path), room_of(target));
}

std::string wrong_word(std::string_view path, std::string_view line) {
  const std::string_view room = room_of(path);
  for (const std::string_view word : kPureNoWords) {
    if (has(kPure, room) && mentions(line, word)) return std::string(word) + " in a pure room";
  }
  for (const std::string_view word : kIntegersNoWords) {
    if (has(kIntegers, room) && !has(kFloatingAllowedIn, path) && mentions(line, word)) {
      return std::string(word) + " where decisions are made";
    }
  }
  return "";
}

/// One sentence a line that breaks a wall. `path` is relative to src/.
std::vector<std::string> offences(std::string_view path, std::string_view text) {
  std::vector<std::string> found;
  std::istringstream lines(code_only(text));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const bool include = line.starts_with("#include");
    const std::string problem = include ? wrong_include(path, line) : wrong_word(path, line);
    if (problem.empty()) continue;
    found.push_back("src/" + std::string(path) + ":" + std::to_string(number) + ": " + problem + ": " + line);
  }
  return found;
}

const std::filesystem::path kRoot = MUSTER_SOURCE_DIR;

std::string read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Every source file by its path relative to src/, in order.
std::map<std::string, std::string> sources() {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "src")) {
    const auto extension = entry.path().extension();
    if (!entry.is_regular_file() || (extension != ".hpp" && extension != ".cpp")) continue;
    all[std::filesystem::relative(entry.path(), kRoot / "src").generic_string()] = read(entry.path());
  }
  return all;
}

/// Which rooms each room links, itself and theirs included: the `muster_room(... SEES ...)` lines.
std::map<std::string, std::set<std::string>> linked_rooms() {
  std::map<std::string, std::set<std::string>> linked;
  std::istringstream lines(read(kRoot / "CMakeLists.txt"));
  std::string line;
  while (std::getline(lines, line)) {
    constexpr std::string_view kCall = "muster_room(";
    if (!line.starts_with(kCall)) continue;
    std::replace(line.begin(), line.end(), ')', ' ');
    std::istringstream words(line.substr(kCall.size()));
    std::string room;
    std::string word;
    words >> room;
    auto& seen = linked[room];
    seen.insert(room);
    while (words >> word) {
      constexpr std::string_view kTarget = "muster_";
      if (!word.starts_with(kTarget)) continue;
      const auto& theirs = linked[word.substr(kTarget.size())];
      seen.insert(theirs.begin(), theirs.end());
    }
  }
  return linked;
}

TEST(Arrows, NoWallIsBroken) {
  const auto all = sources();
  ASSERT_GT(all.size(), 20U) << "the sources were not found";
  for (const auto& [path, text] : all) {
    EXPECT_GE(storey_of(room_of(path)), 0) << "src/" << path << " stands in a room of no storey";
    for (const std::string& offence : offences(path, text)) ADD_FAILURE() << offence;
  }
}

TEST(Arrows, EveryIncludeIsALinkOfItsTarget) {
  const auto linked = linked_rooms();
  ASSERT_GE(linked.size(), 5U) << "no muster_room lines were found in CMakeLists.txt";
  for (const auto& [room, rooms] : linked) {
    for (const auto& other : rooms) EXPECT_EQ(wrong_arrow(room, other), "") << "in CMakeLists.txt";
  }
  for (const auto& [path, text] : sources()) {
    const auto room = linked.find(std::string(room_of(path)));
    if (room == linked.end()) continue;
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
      if (!line.starts_with("#include \"")) continue;
      const std::string target(room_of(line.substr(10)));
      EXPECT_TRUE(room->second.contains(target))
          << "src/" << path << " includes " << target << ", which its CMake target does not link: " << line;
    }
  }
}

struct Sample {
  std::string_view path;
  std::string_view line;
};

TEST(Arrows, EachRuleCanFail) {
  constexpr std::array kWrong = {
      Sample{"core/a.cpp", "#include \"engine/b.hpp\""},
      Sample{"policy/a.cpp", "#include \"flow/b.hpp\""},
      Sample{"wire/a.cpp", "#include \"trace/b.hpp\""},
      Sample{"sim/a.cpp", "#include \"kube/b.hpp\""},
      Sample{"sim/a.cpp", "#include \"http/b.hpp\""},
      Sample{"core/a.cpp", "#include \"b.hpp\""},
      Sample{"core/a.cpp", "#include \"nowhere/b.hpp\""},
      Sample{"drive/a.cpp", "#include <unordered_map>"},
      Sample{"sim/a.cpp", "#include <fstream>"},
      Sample{"core/a.cpp", "#include <cmath>"},
      Sample{"wire/a.cpp", "#include <yaml-cpp/yaml.h>"},
      Sample{"sim/a.cpp", "#include <nlohmann/json.hpp>"},
      Sample{"cli/a.cpp", "#include <absl/log.h>"},
      Sample{"sim/a.cpp", "auto t = Clock::now();"},
      Sample{"base/a.cpp", "int x = rand();"},
      Sample{"core/a.cpp", "double score = 0;"},
      Sample{"engine/a.cpp", "f(static_cast<float>(1));"},
      Sample{"trace/a.cpp", "std::unordered_set<int> s;"},
  };
  for (const Sample& sample : kWrong) {
    EXPECT_EQ(offences(sample.path, sample.line).size(), 1U) << sample.path << ": " << sample.line;
  }
}

TEST(Arrows, WhatIsAllowedPasses) {
  constexpr std::array kRight = {
      Sample{"core/a.cpp", "#include \"model/b.hpp\""},
      Sample{"wire/yaml/a.cpp", "#include <yaml-cpp/yaml.h>"},
      Sample{"wire/yaml/a.cpp", "#include \"wire/b.hpp\""},
      Sample{"cli/a.cpp", "#include \"sim/b.hpp\""},
      Sample{"cli/a.cpp", "#include <fstream>"},
      Sample{"base/time.hpp", "double as_seconds(Duration);"},
      Sample{"core/a.cpp", "int operand(int doubled);"},
      Sample{"core/a.cpp", "// a double, Clock::now() or rand()"},
      Sample{"core/a.cpp", "say(\"double\", '\\'', 1'000);"},
      Sample{"core/a.cpp", "/* float */ int a;"},
      Sample{"sim/a.cpp", "double mean = 0;  // of a report"},
      Sample{"core/a.cpp", "#include <tl/expected.hpp>"},
  };
  for (const Sample& sample : kRight) {
    EXPECT_TRUE(offences(sample.path, sample.line).empty()) << offences(sample.path, sample.line).front();
  }
}

}  // namespace
