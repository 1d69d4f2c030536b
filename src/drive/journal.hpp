// Where records go before anything is done about them. A journal is anything with
//   Result<void> append(std::span<const Record>)   durable when it returns
//   Result<std::vector<Record>> read() const       everything appended, in order
// The one here keeps the serialised bytes in memory: a restart reads back what was written, not what was
// remembered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "model/event.hpp"
#include "wire/record_bytes.hpp"

namespace muster {

class MemoryJournal {
 public:
  Result<void> append(std::span<const Record> records) {
    for (const Record& record : records) encode(record, bytes_);
    return {};
  }
  [[nodiscard]] Result<std::vector<Record>> read() const { return decode_log(bytes_); }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Keeps nothing: for replays of millions of jobs that nobody restarts.
class NoJournal {
 public:
  Result<void> append(std::span<const Record>) { return {}; }
  [[nodiscard]] Result<std::vector<Record>> read() const { return std::vector<Record>{}; }
};

}  // namespace muster
