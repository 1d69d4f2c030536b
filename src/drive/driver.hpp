// Step, persist, act: written once, so that no two drivers can differ in it.
//
//   news -> Engine::advance -> append the records -> only then act on the plan
//
// `World` is what the driver acts on: `std::vector<Event> act(const State&, const Step&, Instant now)` does
// the plan's decisions and returns what is known of them at once. Acts are idempotent by (job, attempt),
// so a plan acted on twice after a crash does no harm.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "drive/journal.hpp"
#include "engine/engine.hpp"

namespace muster {

template <class World, class Journal>
class Driver {
 public:
  Driver(const Knobs& knobs, World& world, Journal journal = {}, Audit audit = Audit::Off)
      : knobs_(knobs),
        audit_(audit),
        world_(world),
        journal_(std::move(journal)),
        engine_(std::make_unique<Engine>(knobs, audit)) {}

  /// News for the next round; kept in order.
  void post(Event event) { inbox_.push_back(std::move(event)); }
  [[nodiscard]] bool has_news() const { return !inbox_.empty(); }

  /// One round: everything in the inbox, one decision over all of it.
  Result<void> round(Instant now) {
    std::vector<Event> news;
    news.swap(inbox_);
    const Step step = engine_->advance(now, news);
    wake_at_ = step.plan.wake_at;
    if (auto written = journal_.append(step.log); !written) return written;
    for (Event& event : world_.act(engine_->state(), step, now)) inbox_.push_back(std::move(event));
    return {};
  }

  /// As after a crash: the engine is thrown away and rebuilt from what the journal holds.
  Result<void> restart() {
    auto log = journal_.read();
    if (!log) return fail(std::move(log.error()));
    engine_ = std::make_unique<Engine>(knobs_, *log, audit_);
    return {};
  }

  [[nodiscard]] std::optional<Instant> wake_at() const { return wake_at_; }
  [[nodiscard]] const Engine& engine() const { return *engine_; }
  Engine& engine() { return *engine_; }
  [[nodiscard]] const Journal& journal() const { return journal_; }

 private:
  Knobs knobs_;
  Audit audit_;
  World& world_;
  Journal journal_;
  std::unique_ptr<Engine> engine_;
  std::vector<Event> inbox_;
  std::optional<Instant> wake_at_;
};

}  // namespace muster
