// `muster why JOB --run DIR --at T`: why a job waits, or where it runs and why it started, at any moment of a
// saved run. All reasons that apply, blockers first, with their numbers; when it could start; and single
// changes that would let it start now, each tried on a draft.
#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <span>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/saved_run.hpp"
#include "cli/words.hpp"
#include "engine/ahead.hpp"
#include "engine/outlook.hpp"
#include "sim/lookback.hpp"
#include "wire/json_writer.hpp"

namespace muster::cli {
namespace {

enum class Form : std::uint8_t { Text, Json };

struct WhyOptions {
  std::string job;
  std::string run;
  std::string at;
  Form form = Form::Text;
};

constexpr std::size_t kHistory = 8;

std::string demand_text(const State& state, const Job& job) {
  const Shape& shape = state.shape(job);
  std::vector<std::string> parts;
  for (const RoleSpec& role : shape.roles) {
    const std::int64_t each = role.each.charge()[kGpu];
    std::string text =
        format_milli(each * role.count.min) + " GPU" + (each * role.count.min == kDevice ? "" : "s");
    if (each == 0) text = format_milli(role.each.cpu * role.count.min) + " CPUs";
    if (role.count.min > 1) text += " (" + std::to_string(role.count.min) + " workers, together)";
    parts.push_back(text);
  }
  return join(parts, " + ");
}

std::string headline(const Lookback& past, JobId id, const Paint& paint) {
  const State& state = past.state();
  const Job& job = state.job(id);
  std::string word(word_of(job.state));
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  Tint tint = Tint::Dim;
  std::string since;
  if (job.state == JobState::Pending) {
    tint = Tint::Warn;
    since = " " + format_duration(past.at() - job.waiting_since);
  } else if (job.running()) {
    tint = Tint::Good;
    since = " " + format_duration(past.at() - job.started);
  } else if (is_over(job.state)) {
    since = " at " + clock_text(job.ended);
  }
  std::string text = paint(Tint::Bold, job.name) + "  " + paint(tint, word + since);
  text += "  queue " + state.ledger.queue(job.queue).spec.name;
  const std::string& user = state.ledger.user(job.user).spec.name;
  if (!user.empty()) text += "  user " + user;
  text += "  wants " + demand_text(state, job);
  if (const auto position = past.position(id)) {
    text += "  position " + std::to_string(position->place) + " of " + std::to_string(position->of) +
            " in its queue";
  }
  return text + "\n";
}

std::string_view verb_of(Happened::What what) {
  switch (what) {
    case Happened::What::Submitted: return "submitted";
    case Happened::What::Waits: return "waits";
    case Happened::What::Started: return "started";
    case Happened::What::Evicted: return "evicted";
    case Happened::What::Stopped: return "stopped";
    case Happened::What::Ended: return "ended";
    case Happened::What::Cancelled: return "cancelled";
    case Happened::What::Resized: return "resized";
  }
  return "?";
}

/// A wait is recorded when its first blocker changes, by the blocker's name; the numbers are those of WHY.
std::string reason_of(const Happened& line) {
  if (!line.why) return "";
  if (line.what == Happened::What::Waits) return "  " + std::string(name_of(line.why->reason));
  return "  " + sentence(*line.why);
}

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

/// What can be said of a waiting job's future.
struct Future {
  Forecast forecast;
  std::vector<Advice> advice;
  std::size_t ahead = 0;  ///< jobs tried before it that wait too
};

std::optional<Future> future_of(const Lookback& past, JobId id, const std::vector<Why>& reasons) {
  const bool waits = past.state().job(id).state == JobState::Pending;
  if (!waits || reasons.empty()) return std::nullopt;
  WhatIf what_if(past.state(), past.policy(), unit_or_alone(past.state(), id), past.at());
  return Future{.forecast = forecast(what_if),
                .advice = advice(what_if, reasons),
                .ahead = jobs_ahead(what_if, id).size()};
}

std::string start_by_room(const Future& future) {
  const Forecast& forecast = future.forecast;
  std::string text;
  if (forecast.by_limits) {
    text = clock_text(*forecast.by_limits) + " by the time limits of what runs";
    if (forecast.by_guess && *forecast.by_guess < *forecast.by_limits)
      text = clock_text(*forecast.by_guess) + " if what runs ends as expected, " + text;
  } else if (forecast.by_guess) {
    text = clock_text(*forecast.by_guess) + " if what runs ends as expected; " + forecast.needs +
           " has no time limit";
  } else if (!forecast.needs.empty()) {
    text = "not known: it needs what " + forecast.needs + " holds, which has no time limit";
  } else {
    return "not known: no end of a running job makes enough room";
  }
  if (future.ahead > 0) {
    text += "; " + std::to_string(future.ahead) + (future.ahead == 1 ? " job waits" : " jobs wait") +
            " ahead of it";
  }
  return text;
}

std::string start_text(const Future& future, const std::vector<Why>& reasons) {
  switch (reasons.front().reason) {
    case Reason::NeverFits: return "never, as the cluster, the limits and the job are";
    case Reason::DependencyFailed: return "never: what it needs failed";
    case Reason::Held: return "not known: when it is released";
    case Reason::Dependency:
    case Reason::Gang: return "not known: when what it waits for is there";
    case Reason::NotBefore:
    case Reason::BackingOff:
    case Reason::Preempted: return clock_text(reasons.front().until) + " at the earliest";
    default: return start_by_room(future);
  }
}

/// Nodes by what they offer: "8 a100: 5 full, 2 partly free, 1 free; 3 without gpus: 3 free".
std::string nodes_text(const State& state) {
  struct Count {
    std::size_t all = 0, full = 0, part = 0, free = 0, drained = 0, down = 0;
  };
  std::map<std::string, Count> kinds;
  for (std::size_t n = 0; n < state.ledger.nodes().size(); ++n) {
    const NodeEntry& entry = state.ledger.nodes()[n];
    const Free& free = state.ledger.free(NodeId{n});
    const bool devices = !entry.spec.devices.empty();
    Count& count = kinds[!devices                      ? "without gpus"
                         : entry.spec.gpu_type.empty() ? "with gpus"
                                                       : entry.spec.gpu_type];
    ++count.all;
    const bool idle = free == all_free(entry.spec);
    const bool full = devices ? free.idle.empty() && free.shared.empty() : free.cpu <= 0;
    if (entry.state == NodeState::Drained) {
      ++count.drained;
    } else if (entry.state != NodeState::Up) {
      ++count.down;
    } else {
      ++(idle ? count.free : full ? count.full : count.part);
    }
  }
  std::vector<std::string> parts;
  for (const auto& [kind, count] : kinds) {
    std::vector<std::string> states;
    const auto add = [&](std::size_t number, const char* word) {
      if (number > 0) states.push_back(std::to_string(number) + " " + word);
    };
    add(count.full, "full");
    add(count.part, "partly free");
    add(count.free, "free");
    add(count.drained, "drained");
    add(count.down, "down or unreachable");
    parts.push_back(std::to_string(count.all) + " " + kind + ": " + join(states, ", "));
  }
  return join(parts, "; ");
}

std::string future_text(const Future& future, const std::vector<Why>& reasons, const State& state) {
  std::string out = "START    " + start_text(future, reasons) + "\n";
  out += "NODES    " + nodes_text(state) + "\n";
  std::size_t width = 0;
  for (const Advice& advice : future.advice) width = std::max(width, advice.change.size());
  for (std::size_t i = 0; i < future.advice.size(); ++i) {
    const Advice& advice = future.advice[i];
    out += (i == 0 ? "HELP     " : "         ") + padded(advice.change, width) + "  would start now " +
           advice.what + "\n";
  }
  return out;
}

std::string page(const Lookback& past, JobId id, const Paint& paint) {
  const Job& job = past.state().job(id);
  std::string out = headline(past, id, paint);
  const std::vector<Why> reasons = past.reasons(id);
  std::size_t width = 0;
  for (const Why& why : reasons) width = std::max(width, name_of(why.reason).size());
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    out += (i == 0 ? "WHY      " : "         ") + std::to_string(i + 1) + " " +
           paint(i == 0 ? Tint::Warn : Tint::None, padded(name_of(reasons[i].reason), width)) + "  " +
           sentence(reasons[i]) + "\n";
  }
  if (const auto future = future_of(past, id, reasons)) out += future_text(*future, reasons, past.state());
  if (job.running()) out += "WHERE    " + where_text(past.state(), job.seats) + "\n";
  std::vector<Happened> story = past.story(id);
  const std::size_t skip = story.size() > kHistory ? story.size() - kHistory : 0;
  for (std::size_t i = skip; i < story.size(); ++i) {
    out += (i == skip ? "HISTORY  " : "         ") + clock_text(story[i].at) + "  " +
           padded(verb_of(story[i].what), 9) + reason_of(story[i]);
    while (out.back() == ' ') out.pop_back();
    out += "\n";
  }
  if (skip > 0) out += "         and " + grouped(static_cast<std::int64_t>(skip)) + " earlier lines\n";
  return out;
}

std::string_view kind_word(Named kind) {
  switch (kind) {
    case Named::Resource: return "resource";
    case Named::Queue: return "queue";
    case Named::User: return "user";
    case Named::Node: return "node";
    case Named::Key: return "key";
    case Named::Value: return "value";
    case Named::Level: return "level";
    case Named::Job: return "job";
  }
  return "?";
}

void write_why(JsonWriter& json, const Why& why) {
  json.open('{').member("code", name_of(why.reason)).member("text", sentence(why));
  const auto known = [](std::int64_t number) {
    return number < kUnlimited ? std::optional(number) : std::nullopt;
  };
  json.member("asked", why.asked);
  json.member("available", known(why.available)).member("limit", known(why.limit));
  json.member("until_seconds", why.until < kNever ? std::optional(as_seconds(why.until)) : std::nullopt);
  json.member("names").open('[');
  for (const WhyName& name : why.names) {
    json.open('{').member("kind", kind_word(name.kind)).member("name", name.name).close();
  }
  json.close().close();
}

void write_future(JsonWriter& json, const Future& future) {
  const auto time = [](std::optional<Instant> at) {
    return at ? std::optional(as_seconds(*at)) : std::nullopt;
  };
  json.member("start").open('{');
  json.member("by_limits_seconds", time(future.forecast.by_limits));
  json.member("as_expected_seconds", time(future.forecast.by_guess));
  json.member("needs_end_of", future.forecast.needs).member("jobs_ahead", future.ahead).close();
  json.member("advice").open('[');
  for (const Advice& advice : future.advice)
    json.open('{').member("change", advice.change).member("text", advice.what).close();
  json.close();
}

std::string document(const Lookback& past, JobId id) {
  const State& state = past.state();
  const Job& job = state.job(id);
  JsonWriter json;
  json.open('{')
      .member("schema_version", 1)
      .member("job", job.name)
      .member("at_seconds", as_seconds(past.at()));
  json.member("state", word_of(job.state)).member("queue", state.ledger.queue(job.queue).spec.name);
  json.member("user", state.ledger.user(job.user).spec.name).member("attempt", job.attempt);
  json.member("submitted_seconds", as_seconds(job.submitted));
  const auto position = past.position(id);
  json.member("position", position ? std::optional(position->place) : std::nullopt);
  json.member("waiting_in_queue", position ? std::optional(position->of) : std::nullopt);
  const std::vector<Why> reasons = past.reasons(id);
  json.member("reasons").open('[');
  for (const Why& why : reasons) write_why(json, why);
  json.close();
  if (const auto future = future_of(past, id, reasons)) write_future(json, *future);
  json.member("seats").open('[');
  for (const Seat& seat : job.seats) {
    json.open('{').member("worker", seat.worker).member("node", state.ledger.node(seat.node).spec.name);
    json.member("devices").open('[');
    for (std::size_t i = 0; i < kMaxDevices; ++i) {
      if (seat.devices.has(i)) json.value(i);
    }
    json.close().close();
  }
  json.close().close();
  return json.take();
}

/// The job is not there then: later, or never?
int not_found(const SavedRun& saved, const WhyOptions& options, Instant at) {
  std::vector<std::string> names;
  for (const Record& record : saved.log) {
    const auto* submitted = std::get_if<JobSubmitted>(&record.event);
    if (submitted == nullptr) continue;
    if (submitted->spec->name == options.job) {
      return complain({.where = {},
                       .field = {},
                       .message = options.job + " is not there yet at " + clock_text(at),
                       .hint = "it is submitted at " + clock_text(record.at) + "; give --at a later time"},
                      kNotFound);
    }
    names.push_back(submitted->spec->name);
  }
  const auto near = nearest(options.job, std::span<const std::string>(names));
  std::string hint = near ? "did you mean " + *near + "?" : "jobs.csv in the folder lists all jobs";
  return complain({.where = {},
                   .field = {},
                   .message = "no job of this run is named \"" + options.job + "\"",
                   .hint = std::move(hint)},
                  kNotFound);
}

int why(const WhyOptions& options, const Common& common) {
  const auto saved = load_run(options.run);
  if (!saved) return complain(saved.error(), kNotFound);
  Instant at = end_of(*saved);
  if (!options.at.empty()) {
    const auto parsed = parse_instant(options.at, "--at");
    if (!parsed) return complain(parsed.error(), kUsage);
    at = *parsed;
  }
  const Lookback past(saved->knobs, saved->log, at);
  const auto id = past.find(options.job);
  if (!id) return not_found(*saved, options, at);
  std::cout << (options.form == Form::Json ? document(past, *id) : page(past, *id, common.paint()));
  return kOk;
}

}  // namespace

void add_why(CLI::App& app, const Common& common, int& exit_code) {
  auto options = std::make_shared<WhyOptions>();
  CLI::App* command = app.add_subcommand("why",
                                         "why a job waits, or where it runs, at a moment of a saved run\n\n"
                                         "  muster why job-0017 --run runs/1 --at 2h05m\n"
                                         "  muster why job-0017 --run runs/1 --at 7500 -o json\n");
  command->add_option("job", options->job, "name of the job")->required();
  command->add_option("-r,--run", options->run, "folder of a saved run")->type_name("DIR")->required();
  command->add_option("--at", options->at, "moment, since the start of the run (its end)")->type_name("TIME");
  command->add_option("-o,--output", options->form, "text or json")
      ->transform(
          CLI::CheckedTransformer(std::map<std::string, Form>{{"text", Form::Text}, {"json", Form::Json}}))
      ->type_name("FORM")
      ->option_text("FORM");
  command->callback([options, &common, &exit_code] { exit_code = why(*options, common); });
}

}  // namespace muster::cli
