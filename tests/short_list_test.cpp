// The short list against a vector that is told the same, at every length around the inline room, and with
// elements that count how many of them live: none may be lost, kept twice or left behind.
#include "base/short_list.hpp"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace muster {
namespace {

constexpr std::size_t kInline = 4;
constexpr int kMost = 3 * static_cast<int>(kInline);  ///< length of the longest list below

/// A number that knows how many of its kind live, and whether it was moved away.
class Counted {
 public:
  Counted() { ++live; }
  explicit Counted(int value) : value_(value) { ++live; }
  Counted(const Counted& other) : value_(other.value_) { ++live; }
  Counted(Counted&& other) noexcept : value_(std::exchange(other.value_, kMoved)) { ++live; }
  Counted& operator=(const Counted&) = default;
  Counted& operator=(Counted&& other) noexcept {
    value_ = std::exchange(other.value_, kMoved);
    return *this;
  }
  ~Counted() { --live; }

  [[nodiscard]] int value() const { return value_; }

  inline static int live = 0;

 private:
  static constexpr int kMoved = -1;
  int value_ = 0;
};

using List = ShortList<Counted, kInline>;

/// 10, 11, 12, …: no element is the default one.
List list_of(int size) {
  List list;
  for (int i = 0; i < size; ++i) list.push_back(Counted(10 + i));
  return list;
}

std::vector<int> expected(int size) {
  std::vector<int> values;
  for (int i = 0; i < size; ++i) values.push_back(10 + i);
  return values;
}

std::vector<int> values(const List& list) {
  std::vector<int> read;
  for (const Counted& element : list) read.push_back(element.value());
  return read;
}

TEST(ShortList, GrowsPastTheInlineRoom) {
  List list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.begin(), list.end());
  for (int size = 1; size <= kMost; ++size) {
    list.push_back(Counted(9 + size));
    EXPECT_FALSE(list.empty());
    ASSERT_EQ(list.size(), static_cast<std::size_t>(size));
    EXPECT_EQ(values(list), expected(size));
    EXPECT_EQ(list.front().value(), 10);
    EXPECT_EQ(list[list.size() - 1].value(), 9 + size);
  }
}

TEST(ShortList, TheFirstElementsStandInTheListItself) {
  List list;
  const auto inside = [&] {
    const auto* at = reinterpret_cast<const char*>(list.begin());
    const auto* self = reinterpret_cast<const char*>(&list);
    return at >= self && at < self + sizeof(list);
  };
  for (std::size_t i = 0; i < kInline; ++i) list.push_back(Counted(1));
  EXPECT_TRUE(inside());
  list.push_back(Counted(1));
  EXPECT_FALSE(inside()) << "all move together";
}

TEST(ShortList, AnElementOfItsOwnIsAppendedWhole) {
  for (int size = 1; size <= kMost; ++size) {
    List list = list_of(size);
    list.push_back(list.front());
    auto wanted = expected(size);
    wanted.push_back(10);
    EXPECT_EQ(values(list), wanted) << size;
  }
}

TEST(ShortList, IteratesOverWhatCanBeChanged) {
  for (int size = 0; size <= kMost; ++size) {
    List list = list_of(size);
    for (Counted& element : list) element = Counted(element.value() * 2);
    if (size > 0) list.front() = Counted(5);
    if (size > 1) list[1] = Counted(6);
    auto wanted = expected(size);
    for (int& value : wanted) value *= 2;
    if (size > 0) wanted[0] = 5;
    if (size > 1) wanted[1] = 6;
    EXPECT_EQ(values(list), wanted);
    EXPECT_EQ(list.end() - list.begin(), size);
  }
}

TEST(ShortList, ErasesAtAnyPlace) {
  for (int size = 1; size <= kMost; ++size) {
    for (int at = 0; at < size; ++at) {
      List list = list_of(size);
      list.erase(static_cast<std::size_t>(at));
      auto wanted = expected(size);
      wanted.erase(wanted.begin() + at);
      EXPECT_EQ(values(list), wanted) << at << " of " << size;
    }
  }
}

/// Also from the heap down to nothing, and from there up again.
TEST(ShortList, ErasedToNothingItGrowsAgain) {
  for (int size = 1; size <= kMost; ++size) {
    List list = list_of(size);
    for (int left = size; left > 0; --left) {
      ASSERT_EQ(list.size(), static_cast<std::size_t>(left));
      list.erase(list.size() / 2);
    }
    EXPECT_TRUE(list.empty());
    for (int i = 0; i < kMost; ++i) list.push_back(Counted(10 + i));
    EXPECT_EQ(values(list), expected(kMost));
    list.clear();
    EXPECT_TRUE(list.empty());
    list.push_back(Counted(10));
    EXPECT_EQ(values(list), expected(1));
  }
}

TEST(ShortList, ACopyIsOfItsOwn) {
  for (int from = 0; from <= kMost; ++from) {
    for (int to = 0; to <= kMost; ++to) {
      const List original = list_of(from);
      List assigned = list_of(to);
      assigned = original;
      List built = original;
      EXPECT_EQ(values(assigned), expected(from)) << "over " << to;
      assigned.push_back(Counted(1));
      built.clear();
      EXPECT_EQ(values(original), expected(from));
    }
  }
}

TEST(ShortList, AMovedListIsWholeAndItsSourceTakesNewElements) {
  for (int from = 0; from <= kMost; ++from) {
    for (int to = 0; to <= kMost; ++to) {
      List source = list_of(from);
      List built = std::move(source);
      EXPECT_EQ(values(built), expected(from));
      List assigned = list_of(to);
      assigned = std::move(built);
      EXPECT_EQ(values(assigned), expected(from)) << "over " << to;
      source.clear();
      for (int i = 0; i < from; ++i) source.push_back(Counted(10 + i));
      EXPECT_EQ(values(source), expected(from));
    }
  }
}

/// The inline elements live as long as the list; on the heap there is one for each element and no more.
TEST(ShortList, NothingLivesWithoutItsList) {
  ASSERT_EQ(Counted::live, 0);
  for (int size = 0; size <= kMost; ++size) {
    {
      List list = list_of(size);
      const int inside = static_cast<int>(kInline);
      EXPECT_EQ(Counted::live, inside + (size > inside ? size : 0));
      const List copy = list;
      const List taken = std::move(list);
      EXPECT_EQ(copy.size(), taken.size());
      list = copy;
      list.clear();
      EXPECT_EQ(Counted::live, 3 * inside + (size > inside ? 2 * size : 0));
    }
    EXPECT_EQ(Counted::live, 0) << size;
  }
}

}  // namespace
}  // namespace muster
