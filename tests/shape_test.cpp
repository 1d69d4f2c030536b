// The shape of the repository: no file or line grows past its budget, every folder says what it is, and
// no file hides behind an empty name. The exceptions are a ratchet: they may only shrink.
#include <algorithm>
#include <array>
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

constexpr std::size_t kLines = 400;      ///< of a file in src
constexpr std::size_t kTestLines = 800;  ///< of a file in tests, bench or fuzz
constexpr std::size_t kColumns = 120;

/// Files that may be longer, with the length they have. Shorter now? Lower the number or drop the line.
struct Exception {
  std::string_view path;
  std::size_t lines;
};
constexpr std::array<Exception, 0> kLonger = {};

constexpr std::array kTreesWithReadme = {"src", "tests", "bench", "fuzz", "scenarios", "docs"};
constexpr std::array kEmptyNames = {"manager", "helper", "util", "common", "impl", "misc"};
constexpr std::array kUnfinished = {
    "TO"
    "DO",
    "FIX"
    "ME",
    "XX"
    "X"};

const std::filesystem::path kRoot = MUSTER_SOURCE_DIR;

struct Shape {
  std::size_t lines = 0;
  std::vector<std::size_t> wide;        ///< numbers of lines over kColumns
  std::vector<std::size_t> unfinished;  ///< numbers of lines that promise work
};

std::size_t columns_of(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(
      line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

Shape shape_of(std::istream& in) {
  Shape shape;
  std::string line;
  while (std::getline(in, line)) {
    ++shape.lines;
    if (columns_of(line) > kColumns) shape.wide.push_back(shape.lines);
    const bool promises = std::any_of(kUnfinished.begin(), kUnfinished.end(), [&](std::string_view word) {
      return line.find(word) != std::string::npos;
    });
    if (promises) shape.unfinished.push_back(shape.lines);
  }
  return shape;
}

bool is_source(const std::filesystem::path& path) {
  return path.extension() == ".hpp" || path.extension() == ".cpp";
}

/// Shapes of all sources below `trees`, by path relative to the root.
std::map<std::string, Shape> shapes(const std::vector<std::string>& trees) {
  std::map<std::string, Shape> all;
  for (const auto& tree : trees) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / tree)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      std::ifstream in(entry.path());
      all[std::filesystem::relative(entry.path(), kRoot).generic_string()] = shape_of(in);
    }
  }
  return all;
}

std::size_t budget_of(std::string_view path) {
  for (const Exception& longer : kLonger) {
    if (longer.path == path) return longer.lines;
  }
  return path.starts_with("src/") ? kLines : kTestLines;
}

TEST(Shape, FilesAndLinesKeepTheirBudget) {
  const auto all = shapes({"src", "tests", "bench", "fuzz"});
  ASSERT_GT(all.size(), 20U) << "the sources were not found";
  for (const auto& [path, shape] : all) {
    EXPECT_LE(shape.lines, budget_of(path)) << path << " has " << shape.lines << " lines";
    for (const std::size_t line : shape.wide) {
      ADD_FAILURE() << path << ":" << line << ": wider than " << kColumns << " columns";
    }
    for (const std::size_t line : shape.unfinished) ADD_FAILURE() << path << ":" << line << ": unfinished";
  }
}

TEST(Shape, ExceptionsOnlyShrink) {
  const auto all = shapes({"src", "tests", "bench", "fuzz"});
  for (const Exception& longer : kLonger) {
    const auto found = all.find(std::string(longer.path));
    ASSERT_NE(found, all.end()) << longer.path << " is gone: drop its exception";
    EXPECT_EQ(found->second.lines, longer.lines)
        << longer.path << ": write down its new length, or drop the line";
  }
}

TEST(Shape, FilesAreNamedForWhatTheyHold) {
  for (const auto& [path, shape] : shapes({"src", "tests", "bench", "fuzz"})) {
    const std::string stem = std::filesystem::path(path).stem().string();
    std::istringstream words(stem);
    std::string word;
    while (std::getline(words, word, '_')) {
      const bool empty = std::any_of(kEmptyNames.begin(), kEmptyNames.end(), [&](std::string_view name) {
        return word == name || word == std::string(name) + "s";
      });
      EXPECT_FALSE(empty) << path << ": say what is in it";
    }
  }
}

// Folders of inputs (scenarios, corpora) are told by the page of the folder above them.
TEST(Shape, EveryFolderOfSourcesSaysWhatItIs) {
  std::set<std::filesystem::path> folders;
  for (const std::string_view tree : kTreesWithReadme) {
    ASSERT_TRUE(std::filesystem::is_directory(kRoot / tree)) << tree;
    folders.insert(kRoot / tree);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / tree)) {
      if (is_source(entry.path())) folders.insert(entry.path().parent_path());
    }
  }
  ASSERT_GE(folders.size(), 10U);
  for (const auto& folder : folders) {
    EXPECT_TRUE(std::filesystem::exists(folder / "README.md"))
        << std::filesystem::relative(folder, kRoot).generic_string() << " has no README.md";
  }
}

/// Targets of the links in a page that lead into the repository.
std::vector<std::string> local_links(std::string_view page) {
  std::vector<std::string> links;
  for (auto at = page.find("]("); at != std::string_view::npos; at = page.find("](", at + 2)) {
    const std::string_view rest = page.substr(at + 2);
    const std::string_view target = rest.substr(0, rest.find_first_of(")#\n"));
    if (!target.empty() && target.find("://") == std::string_view::npos) links.emplace_back(target);
  }
  return links;
}

std::vector<std::filesystem::path> pages() {
  std::vector<std::filesystem::path> all = {kRoot / "README.md", kRoot / "CONTRIBUTING.md"};
  for (const std::string_view tree : kTreesWithReadme) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / tree)) {
      if (entry.path().extension() == ".md") all.push_back(entry.path());
    }
  }
  return all;
}

TEST(Shape, LinksLeadSomewhere) {
  std::size_t links = 0;
  for (const auto& page : pages()) {
    std::ifstream in(page);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    for (const std::string& link : local_links(text)) {
      ++links;
      EXPECT_TRUE(std::filesystem::exists(page.parent_path() / link))
          << std::filesystem::relative(page, kRoot).generic_string() << " links to " << link;
    }
  }
  EXPECT_GT(links, 10U);
}

TEST(Shape, TheMeasureItselfMeasures) {
  std::istringstream text("short\n" + std::string(121, 'x') + "\n\xc3\xa4" + std::string(119, 'x') +
                          "\n// TO"
                          "DO\n");
  const Shape shape = shape_of(text);
  EXPECT_EQ(shape.lines, 4U);
  EXPECT_EQ(shape.wide, std::vector<std::size_t>{2});
  EXPECT_EQ(shape.unfinished, std::vector<std::size_t>{4});
  EXPECT_EQ(local_links("[a](b.md#c) [d](https://e) [f](#g)"), std::vector<std::string>{"b.md"});
}

}  // namespace
