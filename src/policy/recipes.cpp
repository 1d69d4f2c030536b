#include "policy/recipes.hpp"

namespace muster {
namespace {

Recipe fifo() {
  Knobs knobs{.name = "fifo", .order = Order::Submit, .blocking = Blocking::Head};
  return {.name = "fifo",
          .summary = "submit order; the first that does not fit holds up its queue",
          .knobs = knobs};
}

Recipe backfill() {
  Knobs knobs{.name = "backfill", .order = Order::Submit, .backfill = Backfill::Easy};
  return {.name = "backfill",
          .summary = "submit order with EASY reservations from the time limits",
          .knobs = knobs};
}

Recipe fair() {
  Knobs knobs{.name = "fair", .order = Order::Priority};
  knobs.reclaim = true;
  knobs.fair_share = true;
  knobs.elastic_yield = true;
  return {.name = "fair",
          .summary = "guarantees, limits and weights down the tree, taken back when due",
          .knobs = knobs};
}

Recipe las() {
  Knobs knobs{.name = "las", .order = Order::Attained, .preemption = Preemption::Order};
  knobs.victims = VictimRule::LostWork;
  return {.name = "las",
          .summary = "least attained GPU service first, in discrete queues, preemptive",
          .knobs = knobs};
}

Recipe srtf() {
  Knobs knobs{.name = "srtf", .order = Order::Remaining, .preemption = Preemption::Order};
  knobs.victims = VictimRule::LostWork;
  return {.name = "srtf", .summary = "shortest remaining time first, preemptive", .knobs = knobs};
}

Recipe srsf() {
  Knobs knobs{.name = "srsf", .order = Order::Service, .preemption = Preemption::Order};
  knobs.victims = VictimRule::LostWork;
  return {.name = "srsf", .summary = "shortest remaining time times GPUs first, preemptive", .knobs = knobs};
}

Recipe muster_default() {
  Knobs knobs{.name = "muster",
              .order = Order::Weighted,
              .backfill = Backfill::Easy,
              .preemption = Preemption::Priority};
  knobs.victims = VictimRule::LostWork;
  knobs.reclaim = true;
  knobs.elastic_yield = true;
  knobs.protected_run = seconds(60);
  knobs.restart_backoff = seconds(10);
  return {.name = "muster",
          .summary = "class, priority, then the weighted factors; EASY backfill, guarantees, least lost work",
          .knobs = knobs};
}

}  // namespace

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> kAll{fifo(), backfill(), fair(), las(), srtf(), srsf(), muster_default()};
  return kAll;
}

std::optional<Knobs> recipe(std::string_view name) {
  for (const Recipe& r : recipes()) {
    if (r.name == name) return r.knobs;
  }
  return std::nullopt;
}

}  // namespace muster
