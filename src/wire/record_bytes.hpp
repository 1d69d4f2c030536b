// Records as bytes: what a journal stores, what a digest hashes. The layout is explicit and the same on
// every machine:
//   log    := frame*
//   frame  := length:u32 payload[length] crc:u32      crc = CRC-32C of length and payload
//   integers little-endian in their own width; enum, bool, variant index and optional flag one byte each;
//   string and vector := count:u32 elements; struct := its `fields` in their order.
// There is exactly one encoding of a value, so whatever decodes encodes to the same bytes again. A frame
// that was only half written, or changed later, is refused and never half understood.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/digest.hpp"
#include "base/result.hpp"
#include "model/event.hpp"

namespace muster {

/// Appends one frame to `out`.
void encode(const Record& record, std::vector<std::uint8_t>& out);

/// Reads the frame at the front of `in` and steps over it; an error leaves `in` where it was, so a reader
/// that wants the intact part of a torn log calls this until it fails.
[[nodiscard]] Result<Record> decode(std::span<const std::uint8_t>& in);

/// A whole log. Sequence numbers must follow each other without a gap.
[[nodiscard]] Result<std::vector<Record>> decode_log(std::span<const std::uint8_t> bytes);

/// Identifies a run by its log: equal records, in order, give equal digests on every machine and compiler.
class LogDigest {
 public:
  void add(const Record& record);
  [[nodiscard]] std::string hex() const { return digest_.hex(); }

 private:
  Digest digest_;
  std::vector<std::uint8_t> payload_;  ///< kept to be reused: no allocation per record
};

}  // namespace muster
