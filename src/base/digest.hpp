// A 64-bit digest over explicit little-endian bytes: equal on every machine and compiler. FNV-1a steps
// over 8-byte words with a final avalanche; it identifies runs, it does not resist an attacker.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace muster {

class Digest {
 public:
  void add(std::uint64_t word) { state_ = (state_ ^ word) * 0x100000001b3ULL ^ (state_ >> 29); }
  void add_bytes(std::span<const std::uint8_t> bytes) {
    std::uint64_t word = 0;
    std::size_t filled = 0;
    for (const std::uint8_t byte : bytes) {
      word |= static_cast<std::uint64_t>(byte) << (8 * filled);
      if (++filled == 8) {
        add(word);
        word = 0;
        filled = 0;
      }
    }
    add(word);
    add(bytes.size());
  }
  void add_text(std::string_view text) {
    for (const char c : text) add(static_cast<std::uint8_t>(c));
    add(text.size());
  }
  [[nodiscard]] std::uint64_t value() const {
    std::uint64_t z = state_;
    z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdULL;
    z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return z ^ (z >> 33);
  }
  /// Sixteen hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace muster
