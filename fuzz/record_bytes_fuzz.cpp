// Any bytes as a log, and any bytes as the payload of a record whose checksum is right. Neither may crash,
// and whatever is accepted must encode to the very bytes it came from.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/check.hpp"
#include "wire/record_bytes.hpp"

namespace {

using Buffer = std::vector<std::uint8_t>;

void put_u32(Buffer& out, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

Buffer seal(std::span<const std::uint8_t> payload) {
  Buffer frame;
  put_u32(frame, static_cast<std::uint32_t>(payload.size()));
  frame.insert(frame.end(), payload.begin(), payload.end());
  std::uint32_t crc = ~0U;
  for (const std::uint8_t byte : frame) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0x82f63b78U & (0U - (crc & 1U)));
  }
  put_u32(frame, ~crc);
  return frame;
}

void try_log(std::span<const std::uint8_t> bytes) {
  const auto log = muster::decode_log(bytes);
  if (!log) return;
  Buffer again;
  for (const muster::Record& record : *log) muster::encode(record, again);
  CHECK(again == Buffer(bytes.begin(), bytes.end()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::uint8_t> bytes(data, size);
  try_log(bytes);
  try_log(seal(bytes));
  return 0;
}
