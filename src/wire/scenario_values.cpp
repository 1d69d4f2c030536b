// Values that several parts of a scenario share: names, amounts, demands, worker counts, wishes, ranges.
//
// Units: CPUs are read into millicores, GiB into bytes (rounded to the nearest byte: 0.1 GiB is no whole
// number of bytes), devices into thousandths, seconds into milliseconds. Bounds are far above any real
// cluster and low enough that no product of two of them leaves 64 bits.
#include <algorithm>

#include "base/text.hpp"
#include "wire/scenario_parts.hpp"

namespace muster::scenario {
namespace {

constexpr std::int64_t kGibibyte = std::int64_t{1} << 30;
constexpr std::int64_t kNano = 1'000'000'000;
constexpr std::int64_t kMaxGibibytes = 100'000'000;

void check_legal(const Field& where, const Count& count) {
  for (std::size_t i = 1; i < count.legal.size(); ++i) {
    if (count.legal[i - 1] >= count.legal[i]) {
      return where.problem("legal sizes must ascend; got " + std::to_string(count.legal[i]) + " after " +
                           std::to_string(count.legal[i - 1]));
    }
  }
  if (count.legal.empty()) return;
  if (count.legal.front() != count.min || count.legal.back() != count.max) {
    where.problem("legal sizes must begin with min " + std::to_string(count.min) + " and end with max " +
                  std::to_string(count.max));
  }
}

void read_legal(const Field& list, Count& out) {
  for (const Field& size : list.items()) {
    size.whole(out.legal.emplace_back(), {.low = 1, .high = kMaxWorkers});
  }
  if (list && out.legal.empty()) list.problem("an empty list of sizes");
}

}  // namespace

void Roll::add(const Field& where, const std::string& name) {
  if (!where) return;
  if (!index_.emplace(name, names_.size()).second) {
    return where.problem("a second " + what_ + " named " + yaml::quoted(name));
  }
  names_.push_back(name);
}

void Roll::refer(const Field& where, std::string& out) const {
  std::string name;
  where.name(name);
  if (!where) return;
  if (!has(name)) return where.no_such(what_, names_);
  out = std::move(name);
}

bool Budget::spend(const Field& where, std::int64_t values) {
  if (!where) return false;
  left_ -= values;
  if (left_ < 0)
    where.problem("the file grows too large when its repeats and lists of names are written out");
  return left_ >= 0;
}

void Totals::add(const Field& where, const Amounts& amounts, std::int64_t times) {
  if (!where) return;
  for (std::size_t r = 0; r < kResources; ++r) {
    sum_[r] += static_cast<__int128>(amounts[r]) * times;
    if (sum_[r] >= kUnlimited) {
      return where.problem("all together ask for more " + ResourceNames{}.name(r) + " than can be counted");
    }
  }
}

void read_cpu(const Field& cpus, std::int64_t& out) {
  cpus.scaled(out, {.scale = 1000, .unit = "CPUs"}, {.low = 0, .high = kMaxCount * 1000});
}

void read_mem(const Field& gibibytes, std::int64_t& out) {
  if (!gibibytes) return;
  std::int64_t nano = 0;
  gibibytes.scaled(nano, {.scale = kNano, .unit = "GiB"}, {.low = 0, .high = kMaxGibibytes * kNano});
  out = static_cast<std::int64_t>((static_cast<__int128>(nano) * kGibibyte + kNano / 2) / kNano);
}

void read_amount(const Field& amount, std::size_t resource, std::int64_t& out) {
  if (resource == kCpu) return read_cpu(amount, out);
  if (resource == kMem) return read_mem(amount, out);
  amount.scaled(out, {.scale = kDevice, .unit = "devices"}, {.low = 0, .high = kMaxCount * kDevice});
}

void read_amounts(const Field& amounts, Amounts& out) {
  amounts.only({"gpu", "cpu", "mem"});
  for (const std::size_t resource : {kGpu, kCpu, kMem}) {
    read_amount(amounts[ResourceNames{}.name(resource)], resource, out[resource]);
  }
}

void read_demand(const Field& each, Demand& out) {
  each.only({"gpu", "cpu", "mem", "gpu_mem"});
  read_cpu(each["cpu"], out.cpu);
  read_mem(each["mem"], out.mem);
  each["gpu_mem"].whole(out.gpu_mem, {.low = 0, .high = kMaxCount});
  const Field gpu = each["gpu"];
  std::int64_t thousandths = 0;
  gpu.scaled(thousandths, {.scale = kDevice, .unit = "devices"}, {.low = 0, .high = 1'000'000 * kDevice});
  if (thousandths > kDevice && thousandths % kDevice != 0) {
    gpu.problem("want a whole number of devices or a part below 1; got " + gpu.tree().text);
  }
  out.gpus = static_cast<std::int32_t>(thousandths / kDevice);
  out.share = static_cast<std::int32_t>(thousandths % kDevice);
}

void read_count(const Field& workers, Count& out) {
  if (!workers) return;
  const Bounds bounds{.low = 1, .high = kMaxWorkers};
  if (workers.is(yaml::Kind::Scalar)) {
    workers.whole(out.min, bounds);
    out.max = out.min;
    return;
  }
  if (workers.is(yaml::Kind::List)) {
    read_legal(workers, out);
  } else if (workers.is(yaml::Kind::Map)) {
    workers.only({"min", "max", "legal"});
    read_legal(workers["legal"], out);
  } else {
    return workers.wrong_type("a number of workers, {min, max} or a list of sizes");
  }
  if (!workers) return;
  if (out.legal.empty()) {
    workers.need("min").whole(out.min, bounds);
    workers.need("max").whole(out.max, bounds);
  } else {
    out.min = out.legal.front();
    out.max = out.legal.back();
    workers["min"].whole(out.min, bounds);
    workers["max"].whole(out.max, bounds);
  }
  if (out.min > out.max) {
    workers.problem("min " + std::to_string(out.min) + " is above max " + std::to_string(out.max));
  }
  check_legal(workers, out);
}

void read_near(const Field& near, const Names& names, std::vector<Near>& out) {
  for (const Field& wish : near.one_or_more()) {
    wish.only({"level", "mode"});
    Near read;
    names.near_levels.refer(wish.need("level"), read.level);
    wish["mode"].choice<Locality>(read.mode,
                                  {{"required", Locality::Required}, {"preferred", Locality::Preferred}});
    out.push_back(std::move(read));
  }
}

void read_select(const Field& select, std::vector<Selector>& out) {
  for (const auto& [key, value] : select.entries()) {
    Selector read;
    key.name(read.key);
    const auto values = value.one_or_more();
    if (values.empty()) value.problem("an empty list of values");
    for (const Field& item : values) item.name(read.values.emplace_back());
    const auto at = std::lower_bound(out.begin(), out.end(), read.key,
                                     [](const Selector& s, const std::string& k) { return s.key < k; });
    if (at != out.end() && at->key == read.key) {
      *at = std::move(read);
    } else {
      out.insert(at, std::move(read));
    }
  }
}

void read_range(const Field& range, Range& out) {
  if (!range) return;
  const Bounds bounds{.low = 0, .high = kMaxCount};
  if (range.is(yaml::Kind::Scalar)) {
    range.whole(out.low, bounds);
    out.high = out.low;
    return;
  }
  if (range.is(yaml::Kind::List)) {
    const auto ends = range.items();
    if (ends.size() != 2) return range.wrong_type("two numbers [low, high]");
    ends[0].whole(out.low, bounds);
    ends[1].whole(out.high, bounds);
  } else {
    range.only({"min", "max"});
    if (range.is(yaml::Kind::Map) && !range["min"] && !range["max"]) {
      return range.problem("an empty range", "give min, max or both");
    }
    out = {.low = 0, .high = std::numeric_limits<std::int64_t>::max()};
    range["min"].whole(out.low, bounds);
    range["max"].whole(out.high, bounds);
  }
  if (out.low > out.high) {
    range.problem("the low end " + std::to_string(out.low) + " is above the high end " +
                  std::to_string(out.high));
  }
}

void read_span(const Field& span, Instant end, Span& out) {
  if (!span) return;
  if (span.is(yaml::Kind::List)) {
    const auto ends = span.items();
    if (ends.size() != 2) return span.wrong_type("a time or two times [from, to]");
    ends[0].time(out.from);
    ends[1].time(out.to);
  } else {
    span.time(out.from);
    out.to = out.from;
  }
  if (out.from > out.to) return span.problem("the time range ends before it begins");
  if (out.from > end) span.problem("begins after the scenario's end at " + format_milli(millis(end)));
}

}  // namespace muster::scenario
