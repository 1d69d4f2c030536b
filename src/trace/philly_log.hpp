// The syntax of Philly's JSON job log: one element of the list at a time, as it stands (philly_json.hpp
// makes jobs of them).
//
// Wrong syntax ends the reading, because nothing after it can be trusted. A wrong value spoils only its
// row: the first such fault is kept with its place, the rest of the element is read over.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "trace/intake.hpp"
#include "trace/json_pull.hpp"

namespace muster {

struct PhillySeat {
  std::string ip;
  std::vector<std::string> devices;
};

struct PhillyAttempt {
  std::optional<Instant> start;
  std::optional<Instant> end;
  std::vector<PhillySeat> seats;
};

struct PhillyRow {
  std::string status;
  std::string vc;
  std::string id;
  std::string user;
  std::optional<Instant> submitted;
  std::vector<PhillyAttempt> attempts;
};

/// Devices of all machines of the attempt.
std::size_t devices_of(const PhillyAttempt& attempt);

class PhillyLog {
 public:
  PhillyLog(std::string_view bytes, const std::string& file) : json_(bytes, file) {}

  /// True when the text begins with a list.
  bool begin() { return json_.next().kind == JsonKind::BeginArray; }
  /// The next element, or nullopt at the end of the list or where the syntax breaks.
  std::optional<PhillyRow> next();

  [[nodiscard]] const std::optional<RowFault>& fault() const { return fault_; }
  [[nodiscard]] const JsonToken& place() const { return place_; }
  [[nodiscard]] bool broken() const { return broken_; }
  [[nodiscard]] const Error& error() const { return json_.error(); }

  void blame(const JsonToken& at, std::string cause, std::string field, std::string value) {
    if (fault_) return;
    fault_ = RowFault{.cause = std::move(cause),
                      .field = std::move(field),
                      .value = std::move(value),
                      .line = at.line,
                      .column = at.column,
                      .hint = {}};
  }

 private:
  /// `take(key, value)` must read the whole value. Reads to the end of the object.
  template <class Take>
  void each_field(const JsonToken& opening, Take take);
  template <class Take>
  void each_item(const JsonToken& opening, std::string_view field, Take take);

  PhillyRow read_row(const JsonToken& opening);
  PhillyAttempt read_attempt(const JsonToken& opening);
  PhillySeat read_seat(const JsonToken& opening);
  std::string read_text(const JsonToken& value, std::string_view field);
  std::optional<Instant> read_time(const JsonToken& value, std::string_view field);
  void pass_over(const JsonToken& value) { broken_ = !json_.skip(value) || broken_; }

  JsonPull json_;
  JsonToken place_;
  std::optional<RowFault> fault_;
  bool broken_ = false;
};

}  // namespace muster
