// One `Codec` per shape of type, found by the compiler from each struct's `fields`: a new event or member
// needs no line here, a new enum needs one (its last enumerator, the bound that decoding checks).
// Decoding trusts nothing: a count is checked against the bytes that are left before anything is allocated.
#include "wire/record_bytes.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/check.hpp"

namespace muster {
namespace {

using Buffer = std::vector<std::uint8_t>;

/// The last enumerator of each enum that a record can hold; all of them start at 0 without holes.
template <class E>
constexpr E kLast = E::add_the_last_enumerator_of_this_enum_to_wire_record_bytes;
template <>
constexpr auto kLast<CheckpointMode> = CheckpointMode::Always;
template <>
constexpr auto kLast<DependencyWhen> = DependencyWhen::Any;
template <>
constexpr auto kLast<Evictable> = Evictable::Never;
template <>
constexpr auto kLast<JobKind> = JobKind::Service;
template <>
constexpr auto kLast<JobState> = JobState::Stopped;
template <>
constexpr auto kLast<Locality> = Locality::Required;
template <>
constexpr auto kLast<Named> = Named::Job;
template <>
constexpr auto kLast<NodeState> = NodeState::Down;
template <>
constexpr auto kLast<Reason> = Reason::Preempted;
template <>
constexpr auto kLast<Search> = Search::Halving;
template <>
constexpr auto kLast<StopCause> = StopCause::StoppedEarly;

/// Takes bytes from the front until something is wrong; from then on every read gives zero.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  [[nodiscard]] bool failed() const { return !problem_.empty(); }
  [[nodiscard]] const std::string& problem() const { return problem_; }

  void fail(std::string_view what) {
    if (failed()) return;
    problem_ = "byte " + std::to_string(at_) + " of the record: " + std::string(what);
    at_ = bytes_.size();
  }

  /// `size` bytes, or none where fewer are left.
  std::span<const std::uint8_t> take(std::size_t size) {
    if (size > left()) {
      fail("ends in the middle of a value");
      return {};
    }
    const auto taken = bytes_.subspan(at_, size);
    at_ += size;
    return taken;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::string problem_;
};

/// put: append; get: read; kLeast: the fewest bytes one such value takes, always more than none.
template <class T>
struct Codec;

template <class T>
void put(Buffer& out, const T& value) {
  Codec<T>::put(out, value);
}

template <class T>
T get(Reader& in) {
  T value{};
  Codec<T>::get(in, value);
  return value;
}

template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct Codec<T> {
  static constexpr std::size_t kLeast = sizeof(T);
  static void put(Buffer& out, T value) {
    const auto bits = static_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
  }
  static void get(Reader& in, T& value) {
    std::uint64_t bits = 0;
    std::size_t shift = 0;
    for (const std::uint8_t byte : in.take(sizeof(T))) {
      bits |= static_cast<std::uint64_t>(byte) << shift;
      shift += 8;
    }
    value = static_cast<T>(bits);
  }
};

template <class T>
void get_into(Reader& in, T& value) {
  Codec<T>::get(in, value);
}

/// One byte between 0 and `last`.
std::uint8_t get_choice(Reader& in, std::size_t last, std::string_view what) {
  const auto choice = muster::get<std::uint8_t>(in);
  if (choice <= last) return choice;
  in.fail(std::string(what) + " " + std::to_string(choice) + " is beyond the last, " + std::to_string(last));
  return 0;
}

template <>
struct Codec<bool> {
  static constexpr std::size_t kLeast = 1;
  static void put(Buffer& out, bool value) { out.push_back(value ? 1 : 0); }
  static void get(Reader& in, bool& value) { value = get_choice(in, 1, "bool") == 1; }
};

template <class E>
  requires std::is_enum_v<E>
struct Codec<E> {
  static constexpr std::size_t kLeast = 1;
  static void put(Buffer& out, E value) { out.push_back(static_cast<std::uint8_t>(value)); }
  static void get(Reader& in, E& value) {
    value = static_cast<E>(get_choice(in, static_cast<std::size_t>(kLast<E>), "enum value"));
  }
};

template <class Tag>
struct Codec<Id<Tag>> {
  static constexpr std::size_t kLeast = sizeof(std::uint32_t);
  static void put(Buffer& out, Id<Tag> id) { muster::put(out, id.value()); }
  static void get(Reader& in, Id<Tag>& id) { id = Id<Tag>{muster::get<std::uint32_t>(in)}; }
};

template <class Rep, class Period>
struct Codec<std::chrono::duration<Rep, Period>> {
  using Span = std::chrono::duration<Rep, Period>;
  static constexpr std::size_t kLeast = sizeof(Rep);
  static void put(Buffer& out, Span span) { muster::put(out, span.count()); }
  static void get(Reader& in, Span& span) { span = Span{muster::get<Rep>(in)}; }
};

template <class C, class Span>
struct Codec<std::chrono::time_point<C, Span>> {
  using Point = std::chrono::time_point<C, Span>;
  static constexpr std::size_t kLeast = Codec<Span>::kLeast;
  static void put(Buffer& out, Point point) { muster::put(out, point.time_since_epoch()); }
  static void get(Reader& in, Point& point) { point = Point{muster::get<Span>(in)}; }
};

void put_count(Buffer& out, std::size_t count) {
  CHECK_LE(count, std::numeric_limits<std::uint32_t>::max());
  muster::put(out, static_cast<std::uint32_t>(count));
}

/// A count of things of at least `least` bytes each: more than can still come is refused before anything
/// is allocated for them.
std::size_t get_count(Reader& in, std::size_t least) {
  const auto count = muster::get<std::uint32_t>(in);
  if (count <= in.left() / least) return count;
  in.fail("count " + std::to_string(count) + " is more than the bytes left can hold");
  return 0;
}

template <>
struct Codec<std::string> {
  static constexpr std::size_t kLeast = sizeof(std::uint32_t);
  static void put(Buffer& out, const std::string& text) {
    put_count(out, text.size());
    out.insert(out.end(), text.begin(), text.end());
  }
  static void get(Reader& in, std::string& text) {
    const auto taken = in.take(get_count(in, 1));
    text.assign(taken.begin(), taken.end());
  }
};

template <class T>
struct Codec<std::vector<T>> {
  static constexpr std::size_t kLeast = sizeof(std::uint32_t);
  static void put(Buffer& out, const std::vector<T>& items) {
    put_count(out, items.size());
    for (const T& item : items) muster::put(out, item);
  }
  static void get(Reader& in, std::vector<T>& items) {
    const std::size_t count = get_count(in, Codec<T>::kLeast);
    items.reserve(count);
    for (std::size_t i = 0; i < count && !in.failed(); ++i) items.push_back(muster::get<T>(in));
  }
};

template <class T, std::size_t N>
struct Codec<std::array<T, N>> {
  static constexpr std::size_t kLeast = N * Codec<T>::kLeast;
  static void put(Buffer& out, const std::array<T, N>& items) {
    for (const T& item : items) muster::put(out, item);
  }
  static void get(Reader& in, std::array<T, N>& items) {
    for (T& item : items) Codec<T>::get(in, item);
  }
};

template <class A, class B>
struct Codec<std::pair<A, B>> {
  static constexpr std::size_t kLeast = Codec<A>::kLeast + Codec<B>::kLeast;
  static void put(Buffer& out, const std::pair<A, B>& both) {
    muster::put(out, both.first);
    muster::put(out, both.second);
  }
  static void get(Reader& in, std::pair<A, B>& both) {
    Codec<A>::get(in, both.first);
    Codec<B>::get(in, both.second);
  }
};

template <class T>
struct Codec<std::optional<T>> {
  static constexpr std::size_t kLeast = 1;
  static void put(Buffer& out, const std::optional<T>& value) {
    muster::put(out, value.has_value());
    if (value) muster::put(out, *value);
  }
  static void get(Reader& in, std::optional<T>& value) {
    if (muster::get<bool>(in)) value = muster::get<T>(in);
  }
};

template <class T>
struct Codec<Box<T>> {
  static constexpr std::size_t kLeast = Codec<T>::kLeast;
  static void put(Buffer& out, const Box<T>& boxed) { muster::put(out, *boxed); }
  static void get(Reader& in, Box<T>& boxed) { Codec<T>::get(in, *boxed); }
};

template <class... Ts>
struct Codec<std::variant<Ts...>> {
  using Variant = std::variant<Ts...>;
  static constexpr std::size_t kLeast = 1 + std::min({Codec<Ts>::kLeast...});
  static void put(Buffer& out, const Variant& value) {
    static_assert(sizeof...(Ts) <= 256);
    out.push_back(static_cast<std::uint8_t>(value.index()));
    std::visit([&out](const auto& held) { muster::put(out, held); }, value);
  }
  static void get(Reader& in, Variant& value) {
    using Read = Variant (*)(Reader&);
    static constexpr std::array<Read, sizeof...(Ts)> kReads{
        +[](Reader& from) -> Variant { return muster::get<Ts>(from); }...};
    const std::size_t index = get_choice(in, sizeof...(Ts) - 1, "variant index");
    if (!in.failed()) value = kReads[index](in);
  }
};

template <class T>
concept Struct = requires { T::fields; };

template <class Owner, class Member>
constexpr std::size_t least_of(Member Owner::*) {
  return Codec<Member>::kLeast;
}

template <Struct T>
struct Codec<T> {
  static constexpr std::size_t kLeast =
      std::apply([](auto... field) { return (least_of(field) + ...); }, T::fields);
  static void put(Buffer& out, const T& value) {
    std::apply([&](auto... field) { (muster::put(out, value.*field), ...); }, T::fields);
  }
  static void get(Reader& in, T& value) {
    std::apply([&](auto... field) { (get_into(in, value.*field), ...); }, T::fields);
  }
};

/// CRC-32C (Castagnoli, reflected polynomial 0x82f63b78): finds every change within one byte.
std::uint32_t crc32c(std::span<const std::uint8_t> bytes) {
  static constexpr auto kTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      std::uint32_t rest = byte;
      for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1U) != 0 ? 0x82f63b78U : 0U);
      table[byte] = rest;
    }
    return table;
  }();
  std::uint32_t crc = ~0U;
  for (const std::uint8_t byte : bytes) crc = kTable[(crc ^ byte) & 0xffU] ^ (crc >> 8);
  return ~crc;
}

tl::unexpected<Error> fail_at(std::size_t record, std::size_t byte, std::string_view what) {
  return fail("record " + std::to_string(record) + " at byte " + std::to_string(byte) + ": " +
              std::string(what));
}

constexpr std::size_t kLengthBytes = sizeof(std::uint32_t);
constexpr std::size_t kFrameBytes = kLengthBytes + sizeof(std::uint32_t);  ///< beyond the payload

}  // namespace

void encode(const Record& record, Buffer& out) {
  const std::size_t begin = out.size();
  put(out, std::uint32_t{0});  // the length, once it is known
  put(out, record);
  const std::size_t length = out.size() - begin - kLengthBytes;
  CHECK_LE(length, std::numeric_limits<std::uint32_t>::max());
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    out[begin + i] = static_cast<std::uint8_t>(length >> (8 * i));
  }
  put(out, crc32c(std::span(out).subspan(begin)));
}

Result<Record> decode(std::span<const std::uint8_t>& in) {
  if (in.size() < kFrameBytes) {
    return fail("torn: the record's frame ends after " + std::to_string(in.size()) + " bytes");
  }
  Reader head{in};
  const std::size_t length = get<std::uint32_t>(head);
  if (length > in.size() - kFrameBytes) {
    return fail("torn: the record has " + std::to_string(length) + " bytes, " +
                std::to_string(in.size() - kFrameBytes) + " are there");
  }
  Reader tail{in.subspan(kLengthBytes + length)};
  if (get<std::uint32_t>(tail) != crc32c(in.first(kLengthBytes + length))) {
    return fail("damaged: the record's checksum does not match its bytes");
  }
  Reader payload{in.subspan(kLengthBytes, length)};
  auto record = get<Record>(payload);
  if (payload.left() > 0) payload.fail(std::to_string(payload.left()) + " bytes are left over");
  if (payload.failed()) return fail(payload.problem());
  in = in.subspan(kFrameBytes + length);
  return record;
}

Result<std::vector<Record>> decode_log(std::span<const std::uint8_t> bytes) {
  std::vector<Record> log;
  auto rest = bytes;
  while (!rest.empty()) {
    const std::size_t at = bytes.size() - rest.size();
    auto record = decode(rest);
    if (!record) return fail_at(log.size(), at, record.error().message);
    if (!log.empty() && record->sequence != log.back().sequence + 1) {
      return fail_at(log.size(), at,
                     "sequence number " + std::to_string(record->sequence) + " after " +
                         std::to_string(log.back().sequence));
    }
    log.push_back(std::move(*record));
  }
  return log;
}

void LogDigest::add(const Record& record) {
  payload_.clear();
  put(payload_, record);
  digest_.add_bytes(payload_);
}

}  // namespace muster
