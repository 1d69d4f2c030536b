// Records as bytes: every event and action comes back as it went, the layout is pinned by one golden
// record, and nothing that was torn or changed is taken for the real thing. The checksum is computed here
// a second time, bit by bit, so that a mistake in its table cannot hide.
#include "wire/record_bytes.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string_view>
#include <utility>

#include "base/random.hpp"

namespace muster {
namespace {

using Buffer = std::vector<std::uint8_t>;

std::uint32_t crc32c_by_bits(std::span<const std::uint8_t> bytes) {
  std::uint32_t crc = ~0U;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0x82f63b78U & (0U - (crc & 1U)));
  }
  return ~crc;
}

void put_u32(Buffer& out, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

/// A frame around `payload` whose checksum is right, whatever the payload says.
Buffer seal(std::span<const std::uint8_t> payload) {
  Buffer frame;
  put_u32(frame, static_cast<std::uint32_t>(payload.size()));
  frame.insert(frame.end(), payload.begin(), payload.end());
  put_u32(frame, crc32c_by_bits(frame));
  return frame;
}

Buffer bytes_of(const Record& record) {
  Buffer out;
  encode(record, out);
  return out;
}

Buffer payload_of(const Record& record) {
  const Buffer frame = bytes_of(record);
  return Buffer(frame.begin() + 4, frame.end() - 4);
}

Result<Record> decode_one(const Buffer& bytes) {
  std::span<const std::uint8_t> in = bytes;
  return decode(in);
}

// The last enumerators, written down a second time.
constexpr CheckpointMode last_of(CheckpointMode) { return CheckpointMode::Always; }
constexpr DependencyWhen last_of(DependencyWhen) { return DependencyWhen::Any; }
constexpr Evictable last_of(Evictable) { return Evictable::Never; }
constexpr JobKind last_of(JobKind) { return JobKind::Service; }
constexpr JobState last_of(JobState) { return JobState::Stopped; }
constexpr Locality last_of(Locality) { return Locality::Required; }
constexpr Named last_of(Named) { return Named::Job; }
constexpr NodeState last_of(NodeState) { return NodeState::Down; }
constexpr Reason last_of(Reason) { return Reason::Preempted; }
constexpr Search last_of(Search) { return Search::Halving; }
constexpr StopCause last_of(StopCause) { return StopCause::StoppedEarly; }

/// Fills any model value with random but valid contents, by its `fields`.
class Filler {
 public:
  explicit Filler(std::uint64_t seed) : random_(seed) {}

  template <class T>
  T make() {
    T value{};
    fill(value);
    return value;
  }

  template <class Variant, std::size_t... I>
  Variant make_alternative(std::size_t index, std::index_sequence<I...>) {
    Variant value;
    ((index == I ? static_cast<void>(value = make<std::variant_alternative_t<I, Variant>>()) : void()), ...);
    return value;
  }
  template <class Variant>
  Variant make_alternative(std::size_t index) {
    return make_alternative<Variant>(index, std::make_index_sequence<std::variant_size_v<Variant>>());
  }

 private:
  template <class T>
  void fill(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = random_.chance(1, 2);
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(random_.below(static_cast<std::uint64_t>(last_of(T{})) + 1));
    } else if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(random_.next());
    } else {
      std::apply([&](auto... field) { (fill(value.*field), ...); }, T::fields);
    }
  }
  template <class Tag>
  void fill(Id<Tag>& id) {
    id = Id<Tag>{static_cast<std::uint32_t>(random_.next())};
  }
  void fill(Duration& duration) { duration = Duration{make<std::int64_t>()}; }
  void fill(Instant& instant) { instant = Instant{make<Duration>()}; }
  void fill(std::string& text) {
    for (std::uint64_t left = random_.below(6); left > 0; --left)
      text += static_cast<char>(random_.below(256));
  }
  template <class T>
  void fill(std::vector<T>& items) {
    for (std::uint64_t left = random_.below(4); left > 0; --left) items.push_back(make<T>());
  }
  template <class T, std::size_t N>
  void fill(std::array<T, N>& items) {
    for (T& item : items) fill(item);
  }
  template <class A, class B>
  void fill(std::pair<A, B>& both) {
    fill(both.first);
    fill(both.second);
  }
  template <class T>
  void fill(std::optional<T>& value) {
    if (random_.chance(1, 2)) value = make<T>();
  }
  template <class T>
  void fill(Box<T>& boxed) {
    fill(*boxed);
  }
  template <class... Ts>
  void fill(std::variant<Ts...>& value) {
    value = make_alternative<std::variant<Ts...>>(random_.below(sizeof...(Ts)));
  }

  Random random_;
};

constexpr std::size_t kEvents = std::variant_size_v<Event>;
constexpr std::size_t kActions = std::variant_size_v<Action>;

/// One record of every kind of event and one of every action, consecutive.
std::vector<Record> one_of_each(std::uint64_t seed) {
  Filler filler{seed};
  std::vector<Record> log;
  for (std::size_t kind = 0; kind < kEvents; ++kind) {
    log.push_back(
        {.sequence = 0, .at = filler.make<Instant>(), .event = filler.make_alternative<Event>(kind)});
  }
  for (std::size_t kind = 0; kind < kActions; ++kind) {
    const Decided decided{{.what = filler.make_alternative<Action>(kind), .why = filler.make<Why>()}};
    log.push_back({.sequence = 0, .at = filler.make<Instant>(), .event = decided});
  }
  for (std::size_t i = 0; i < log.size(); ++i) log[i].sequence = seed + i;
  return log;
}

Buffer bytes_of_log(const std::vector<Record>& log) {
  Buffer out;
  for (const Record& record : log) encode(record, out);
  return out;
}

const Record kGolden{.sequence = 1,
                     .at = Instant{Duration{1500}},
                     .event = NodeChanged{.node = NodeId{7U}, .state = NodeState::Drained}};

TEST(RecordBytes, EveryEventAndActionComesBackAsItWent) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto log = one_of_each(seed);
    const auto back = decode_log(bytes_of_log(log));
    ASSERT_TRUE(back.has_value()) << back.error().message;
    ASSERT_EQ(back->size(), kEvents + kActions);
    for (std::size_t i = 0; i < log.size(); ++i) {
      ASSERT_TRUE((*back)[i] == log[i])
          << "seed " << seed << ", record " << i << ", event " << log[i].event.index();
    }
  }
}

TEST(RecordBytes, TheLayoutIsPinned) {
  const Buffer expected{22,   0,    0,    0,                // length
                        1,    0,    0,    0,   0, 0, 0, 0,  // sequence
                        0xdc, 0x05, 0,    0,   0, 0, 0, 0,  // at, milliseconds
                        2,                                  // NodeChanged
                        7,    0,    0,    0,                // node
                        1,                                  // Drained
                        0xe6, 0x5f, 0xb4, 0xb9};            // CRC-32C
  EXPECT_EQ(bytes_of(kGolden), expected);
}

TEST(RecordBytes, TheChecksumIsCrc32c) {
  const std::string_view digits = "123456789";
  const Buffer text(digits.begin(), digits.end());
  EXPECT_EQ(crc32c_by_bits(text), 0xe3069283U);  // the check value of the Castagnoli polynomial
  for (const Record& record : one_of_each(3)) EXPECT_EQ(bytes_of(record), seal(payload_of(record)));
}

TEST(RecordBytes, ATornTailIsAnErrorWhereverItTears) {
  const auto log = one_of_each(7);
  const Buffer whole = bytes_of_log(log);
  std::vector<std::size_t> ends{0};
  for (const Record& record : log) ends.push_back(ends.back() + bytes_of(record).size());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::span<const std::uint8_t> in(whole.data(), size);
    const bool at_an_end = std::find(ends.begin(), ends.end(), size) != ends.end();
    ASSERT_EQ(decode_log(in).has_value(), at_an_end) << "cut to " << size << " bytes";
    std::size_t intact = 0;
    while (decode(in)) ++intact;
    ASSERT_GE(size, ends[intact]);
    ASSERT_LT(size, ends[intact + 1]) << "an intact record was refused";
    ASSERT_EQ(in.size(), size - ends[intact]) << "a failed decode moved on";
  }
}

TEST(RecordBytes, ATailOfZeroesIsNoRecord) {
  Buffer bytes = bytes_of(kGolden);
  const std::size_t end = bytes.size();
  bytes.resize(end + 64, 0);
  const auto back = decode_log(bytes);
  ASSERT_FALSE(back.has_value());
  EXPECT_NE(back.error().message.find("record 1 at byte " + std::to_string(end)), std::string::npos)
      << back.error().message;
}

TEST(RecordBytes, EveryChangeOfOneByteIsRefused) {
  for (const Record& record : one_of_each(11)) {
    const Buffer good = bytes_of(record);
    for (std::size_t at = 0; at < good.size(); ++at) {
      for (const unsigned change : {0x01U, 0x80U, 0xffU}) {
        Buffer bad = good;
        bad[at] = static_cast<std::uint8_t>(bad[at] ^ change);
        ASSERT_FALSE(decode_one(bad).has_value()) << "byte " << at << " of event " << record.event.index();
      }
    }
  }
}

// Behind a right checksum the payload may say anything: it is refused, or it is the one encoding of
// another value.
TEST(RecordBytes, AChangedPayloadIsRefusedOrAnotherValue) {
  std::size_t refused = 0;
  std::size_t other = 0;
  for (const Record& record : one_of_each(13)) {
    const Buffer good = payload_of(record);
    for (std::size_t at = 0; at < good.size(); ++at) {
      for (unsigned value = 0; value < 256; value += value < 40 || value > 250 ? 1 : 15) {
        Buffer bad = good;
        bad[at] = static_cast<std::uint8_t>(value);
        const Buffer sealed = seal(bad);
        const auto back = decode_one(sealed);
        if (!back) {
          ++refused;
          continue;
        }
        ASSERT_EQ(bytes_of(*back), sealed);
        ASSERT_EQ(*back == record, bad == good);
        ++other;
      }
    }
  }
  EXPECT_GT(refused, 1000U);
  EXPECT_GT(other, 1000U);
}

TEST(RecordBytes, EnumsAreCheckedAgainstTheirLastValue) {
  Buffer payload = payload_of(kGolden);
  payload.back() = static_cast<std::uint8_t>(NodeState::Down);
  EXPECT_TRUE(decode_one(seal(payload)).has_value());
  payload.back() = static_cast<std::uint8_t>(NodeState::Down) + 1;
  const auto back = decode_one(seal(payload));
  ASSERT_FALSE(back.has_value());
  EXPECT_EQ(back.error().message, "byte 22 of the record: enum value 4 is beyond the last, 3");
  EXPECT_EQ(name_of(static_cast<Reason>(static_cast<unsigned>(last_of(Reason{})) + 1)), "?")
      << "a reason was added: move the bound in wire/record_bytes.cpp";
}

TEST(RecordBytes, AHugeCountIsRefusedBeforeItAllocates) {
  const Record exited{.sequence = 0, .at = {}, .event = TaskExited{}};
  Buffer payload = payload_of(exited);
  for (std::size_t i = 25; i < 29; ++i) payload[i] = 0xff;  // how many workers
  const auto back = decode_one(seal(payload));
  ASSERT_FALSE(back.has_value());
  EXPECT_EQ(back.error().message,
            "byte 29 of the record: count 4294967295 is more than the bytes left can hold");
}

TEST(RecordBytes, BytesLeftOverAreRefused) {
  Buffer payload = payload_of(kGolden);
  payload.push_back(0);
  EXPECT_FALSE(decode_one(seal(payload)).has_value());
}

TEST(RecordBytes, AGapInTheSequenceIsRefused) {
  auto log = one_of_each(17);
  log.erase(log.begin() + 5);
  const auto back = decode_log(bytes_of_log(log));
  ASSERT_FALSE(back.has_value());
  EXPECT_NE(back.error().message.find("sequence number 23 after 21"), std::string::npos)
      << back.error().message;
}

TEST(RecordBytes, RandomBytesNeverCrash) {
  Random random{5};
  for (int run = 0; run < 20000; ++run) {
    Buffer bytes(random.below(200));
    for (auto& byte : bytes)
      byte = static_cast<std::uint8_t>(random.chance(1, 2) ? random.below(4) : random.next());
    if (bytes.size() > 16) bytes[16] = static_cast<std::uint8_t>(random.below(kEvents));
    const Buffer sealed = seal(bytes);
    if (const auto back = decode_one(sealed)) {
      ASSERT_EQ(bytes_of(*back), sealed);
    }
    (void)decode_log(bytes);
  }
}

TEST(LogDigest, EqualLogsAgreeAndEveryDifferenceShows) {
  const auto digest = [](const std::vector<Record>& log) {
    LogDigest all;
    for (const Record& record : log) all.add(record);
    return all.hex();
  };
  auto log = one_of_each(19);
  const std::string whole = digest(log);
  EXPECT_EQ(whole, digest(one_of_each(19)));
  std::swap(log[2], log[3]);
  EXPECT_NE(whole, digest(log));
  std::swap(log[2], log[3]);
  log.back().at += Duration{1};
  EXPECT_NE(whole, digest(log));
  log.pop_back();
  EXPECT_NE(whole, digest(log));
}

TEST(LogDigest, IsPinned) {
  LogDigest digest;
  digest.add(kGolden);
  EXPECT_EQ(digest.hex(), "ee08ee5ec90209a4");
}

}  // namespace
}  // namespace muster
