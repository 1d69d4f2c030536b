#include "sim/knobs_text.hpp"

#include <array>
#include <optional>
#include <span>

#include "base/text.hpp"
#include "wire/units.hpp"

namespace muster {
namespace {

/// One switch: how to print it, how to set it. `set` is false where the text is no value of it.
struct Knob {
  std::string_view name;
  std::string_view values;  ///< for messages
  std::string (*get)(const Knobs&);
  bool (*set)(Knobs&, std::string_view);
};

template <class E>
struct Word {
  std::string_view text;
  E value;
};

template <class E>
constexpr std::array<Word<E>, 0> kWords{};
template <>
constexpr std::array kWords<Order>{
    Word<Order>{"submit", Order::Submit},     Word<Order>{"priority", Order::Priority},
    Word<Order>{"attained", Order::Attained}, Word<Order>{"remaining", Order::Remaining},
    Word<Order>{"service", Order::Service},   Word<Order>{"weighted", Order::Weighted}};
template <>
constexpr std::array kWords<Blocking>{Word<Blocking>{"none", Blocking::None},
                                      Word<Blocking>{"head", Blocking::Head}};
template <>
constexpr std::array kWords<Backfill>{Word<Backfill>{"off", Backfill::Off},
                                      Word<Backfill>{"easy", Backfill::Easy}};
template <>
constexpr std::array kWords<Preemption>{Word<Preemption>{"off", Preemption::Off},
                                        Word<Preemption>{"priority", Preemption::Priority},
                                        Word<Preemption>{"order", Preemption::Order}};
template <>
constexpr std::array kWords<VictimRule>{Word<VictimRule>{"recency", VictimRule::Recency},
                                        Word<VictimRule>{"lost_work", VictimRule::LostWork}};
template <>
constexpr std::array kWords<bool>{Word<bool>{"off", false}, Word<bool>{"on", true}};

template <class E>
std::string word_of(E value) {
  for (const auto& word : kWords<E>) {
    if (word.value == value) return std::string(word.text);
  }
  return "?";
}

template <class E>
bool set_word(E& out, std::string_view text) {
  for (const auto& word : kWords<E>) {
    if (word.text != text) continue;
    out = word.value;
    return true;
  }
  return false;
}

std::string duration_text(Duration duration) {
  return duration >= kForever ? "never" : exact_duration(duration);
}

bool set_duration(Duration& out, std::string_view text) {
  if (text == "never") {
    out = kForever;
    return true;
  }
  const auto parsed = parse_duration(text);
  if (parsed) out = *parsed;
  return parsed.has_value();
}

bool set_whole(std::int64_t& out, std::string_view text) {
  constexpr std::int64_t most = 1'000'000;
  const auto parsed = parse_int(text);
  if (!parsed || *parsed < -most || *parsed > most) return false;
  out = *parsed;
  return true;
}

template <auto Member>
constexpr Knob word_knob(std::string_view name, std::string_view values) {
  return {.name = name,
          .values = values,
          .get = [](const Knobs& knobs) { return word_of(knobs.*Member); },
          .set = [](Knobs& knobs, std::string_view text) { return set_word(knobs.*Member, text); }};
}

template <auto Member>
constexpr Knob duration_knob(std::string_view name) {
  return {.name = name,
          .values = "a duration such as 90s, 1h30m, or never",
          .get = [](const Knobs& knobs) { return duration_text(knobs.*Member); },
          .set = [](Knobs& knobs, std::string_view text) { return set_duration(knobs.*Member, text); }};
}

template <auto Member>
constexpr Knob weight_knob(std::string_view name) {
  return {.name = name,
          .values = "a whole number of thousandths, at most a million",
          .get = [](const Knobs& knobs) { return std::to_string(knobs.weights.*Member); },
          .set = [](Knobs& knobs, std::string_view text) { return set_whole(knobs.weights.*Member, text); }};
}

/// "off", or the margin in thousandths: "200".
std::string colocation_text(const Knobs& knobs) {
  if (!knobs.colocation) return "off";
  return std::to_string(knobs.colocation->margin_milli);
}

bool set_colocation(Knobs& knobs, std::string_view text) {
  if (text == "off") {
    knobs.colocation.reset();
    return true;
  }
  const auto margin = parse_int(text);
  if (!margin || *margin < 0 || *margin > 1000) return false;
  Colocation colocation;
  colocation.margin_milli = *margin;
  knobs.colocation = colocation;
  return true;
}

constexpr std::array kKnobs{
    word_knob<&Knobs::order>("order", "submit, priority, attained, remaining, service or weighted"),
    word_knob<&Knobs::blocking>("blocking", "none or head"),
    word_knob<&Knobs::backfill>("backfill", "off or easy"),
    word_knob<&Knobs::preemption>("preemption", "off, priority or order"),
    word_knob<&Knobs::victims>("victims", "recency or lost_work"),
    word_knob<&Knobs::reclaim>("reclaim", "on or off"),
    word_knob<&Knobs::fair_share>("fair_share", "on or off"),
    word_knob<&Knobs::elastic_yield>("elastic_yield", "on or off"),
    duration_knob<&Knobs::starvation_guard>("starvation_guard"),
    duration_knob<&Knobs::lost_after>("lost_after"),
    duration_knob<&Knobs::protected_run>("protected_run"),
    duration_knob<&Knobs::restart_backoff>("restart_backoff"),
    duration_knob<&Knobs::cool_down>("cool_down"),
    Knob{.name = "colocation",
         .values = "off, or the margin in thousandths",
         .get = colocation_text,
         .set = set_colocation},
    weight_knob<&Weights::age>("weight.age"),
    weight_knob<&Weights::queue>("weight.queue"),
    weight_knob<&Weights::user>("weight.user"),
    weight_knob<&Weights::size>("weight.size"),
    weight_knob<&Weights::remaining>("weight.remaining"),
    weight_knob<&Weights::attained>("weight.attained"),
    weight_knob<&Weights::deadline>("weight.deadline"),
};

}  // namespace

std::vector<std::pair<std::string, std::string>> describe(const Knobs& knobs) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Knob& knob : kKnobs) out.emplace_back(knob.name, knob.get(knobs));
  return out;
}

Result<void> set_knob(Knobs& knobs, std::string_view setting) {
  const auto equals = setting.find('=');
  const std::string_view name = setting.substr(0, equals);
  std::vector<std::string> names;
  for (const Knob& knob : kKnobs) names.emplace_back(knob.name);
  if (equals == std::string_view::npos) {
    return fail({.where = {},
                 .field = "--set",
                 .message = "want knob=value; got \"" + std::string(setting) + "\"",
                 .hint = "for example backfill=easy"});
  }
  for (const Knob& knob : kKnobs) {
    if (knob.name != name) continue;
    if (knob.set(knobs, setting.substr(equals + 1))) return {};
    return fail({.where = {},
                 .field = "--set " + std::string(name),
                 .message = "\"" + std::string(setting.substr(equals + 1)) + "\" is no value of this knob",
                 .hint = "want " + std::string(knob.values)});
  }
  const auto near = nearest(name, std::span<const std::string>(names));
  return fail({.where = {},
               .field = "--set",
               .message = "no knob is named \"" + std::string(name) + "\"",
               .hint = near ? "did you mean " + *near + "?" : "knobs: " + join(names, ", ")});
}

}  // namespace muster
