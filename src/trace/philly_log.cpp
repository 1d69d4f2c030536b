#include "trace/philly_log.hpp"

#include <set>
#include <utility>

#include "trace/number.hpp"

namespace muster {

std::size_t devices_of(const PhillyAttempt& attempt) {
  std::size_t sum = 0;
  for (const PhillySeat& seat : attempt.seats) sum += seat.devices.size();
  return sum;
}

std::optional<PhillyRow> PhillyLog::next() {
  fault_.reset();
  place_ = json_.next();
  if (place_.kind == JsonKind::EndArray) {
    broken_ = json_.next().kind == JsonKind::Error;
    return std::nullopt;
  }
  PhillyRow row = read_row(place_);
  if (broken_) return std::nullopt;
  return row;
}

template <class Take>
void PhillyLog::each_field(const JsonToken& opening, Take take) {
  if (opening.kind != JsonKind::BeginObject) {
    blame(opening, "not an object", {}, std::string(opening.text));
    return pass_over(opening);
  }
  std::set<std::string> seen;
  for (JsonToken key = json_.next(); key.kind == JsonKind::Key; key = json_.next()) {
    const std::string name = key.value();
    if (!seen.insert(name).second) blame(key, "key stands twice", name, {});
    take(std::string_view(name), json_.next());
    if (broken_) return;
  }
  broken_ = json_.failed();
}

template <class Take>
void PhillyLog::each_item(const JsonToken& opening, std::string_view field, Take take) {
  if (opening.kind == JsonKind::Null) return;
  if (opening.kind != JsonKind::BeginArray) {
    blame(opening, "not a list", std::string(field), std::string(opening.text));
    return pass_over(opening);
  }
  for (JsonToken item = json_.next(); item.kind != JsonKind::EndArray; item = json_.next()) {
    take(item);
    broken_ = broken_ || json_.failed();
    if (broken_) return;
  }
}

PhillyRow PhillyLog::read_row(const JsonToken& opening) {
  PhillyRow row;
  each_field(opening, [&](std::string_view key, const JsonToken& value) {
    if (key == "status") {
      row.status = read_text(value, key);
    } else if (key == "vc") {
      row.vc = read_text(value, key);
    } else if (key == "jobid") {
      row.id = read_text(value, key);
    } else if (key == "user") {
      row.user = read_text(value, key);
    } else if (key == "submitted_time") {
      row.submitted = read_time(value, key);
    } else if (key == "attempts") {
      each_item(value, key, [&](const JsonToken& item) { row.attempts.push_back(read_attempt(item)); });
    } else {
      pass_over(value);
    }
  });
  return row;
}

PhillyAttempt PhillyLog::read_attempt(const JsonToken& opening) {
  PhillyAttempt attempt;
  each_field(opening, [&](std::string_view key, const JsonToken& value) {
    if (key == "start_time") {
      attempt.start = read_time(value, key);
    } else if (key == "end_time") {
      attempt.end = read_time(value, key);
    } else if (key == "detail") {
      each_item(value, key, [&](const JsonToken& item) { attempt.seats.push_back(read_seat(item)); });
    } else {
      pass_over(value);
    }
  });
  if (attempt.start && attempt.end && *attempt.end < *attempt.start) {
    blame(opening, "attempt ends before it starts", "attempts", {});
  }
  return attempt;
}

PhillySeat PhillyLog::read_seat(const JsonToken& opening) {
  PhillySeat seat;
  each_field(opening, [&](std::string_view key, const JsonToken& value) {
    if (key == "ip") {
      seat.ip = read_text(value, key);
    } else if (key == "gpus") {
      each_item(value, key, [&](const JsonToken& item) { seat.devices.push_back(read_text(item, key)); });
    } else {
      pass_over(value);
    }
  });
  if (seat.ip.empty()) blame(opening, "blank ip", "ip", {});
  return seat;
}

std::string PhillyLog::read_text(const JsonToken& value, std::string_view field) {
  if (value.kind == JsonKind::String) return value.value();
  if (value.kind != JsonKind::Null) {
    blame(value, std::string(field) + " is no text", std::string(field), std::string(value.text));
  }
  pass_over(value);
  return {};
}

std::optional<Instant> PhillyLog::read_time(const JsonToken& value, std::string_view field) {
  const std::string text = read_text(value, field);
  if (text.empty() || text == "None") return std::nullopt;
  const auto time = parse_civil(text);
  if (!time) blame(value, std::string(field) + " is no time", std::string(field), text);
  return time;
}

}  // namespace muster
