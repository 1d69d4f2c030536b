#include "cli/replaying.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>

#include "base/text.hpp"
#include "cli/progress.hpp"
#include "cli/words.hpp"
#include "sim/knobs_text.hpp"
#include "trace/synth.hpp"
#include "wire/units.hpp"

namespace muster::cli {
namespace {

constexpr std::string_view kSynth = "synth:";

Result<Checkpoint> parse_checkpoint(const std::string& text) {
  if (text == "none") return Checkpoint{.mode = CheckpointMode::None, .every = Duration{0}};
  if (text == "always") return Checkpoint{.mode = CheckpointMode::Always, .every = Duration{0}};
  const auto every = parse_duration(text);
  if (every && *every > Duration{0}) return Checkpoint{.mode = CheckpointMode::Every, .every = *every};
  return fail({.where = {},
               .field = "--checkpoint",
               .message = "want none, always or a duration; got \"" + text + "\"",
               .hint = "for example 30m"});
}

std::string estimate_word(Estimates estimates) {
  switch (estimates) {
    case Estimates::None: return "none";
    case Estimates::Limit: return "from limits";
    case Estimates::Exact: return "exact";
  }
  return "?";
}

/// "1 node", "2,000 nodes".
std::string counted(std::size_t count, const std::string& what) {
  return grouped(static_cast<std::int64_t>(count)) + " " + what + (count == 1 ? "" : "s");
}

/// What the reader found odd, for people; nothing where all was well.
void tell_findings(const LoadedJobs& jobs, const Common& common) {
  const Report& report = jobs.workload.report;
  if (report.drops.empty() && report.flags.empty()) return;
  std::string text = jobs.source.name + ": " + to_string(report);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  remark(common, text.c_str());
}

void tell_added_queues(const std::vector<std::string>& added, const Common& common) {
  if (added.empty()) return;
  const std::string text =
      "note: " + std::to_string(added.size()) +
      " queues of the jobs are not in the cluster file; each gets weight 1, no guarantee, no limit";
  remark(common, text.c_str());
}

std::size_t unknown_runs(const Workload& workload) {
  return static_cast<std::size_t>(std::count_if(workload.jobs.begin(), workload.jobs.end(),
                                                [](const TraceJob& job) { return !job.run.has_value(); }));
}

std::vector<std::pair<std::string, std::string>> assumptions_of(const ReplayFlags& flags,
                                                                const Workload& workload) {
  std::vector<std::pair<std::string, std::string>> out;
  out.emplace_back("checkpoints", flags.checkpoint == "none" || flags.checkpoint == "always"
                                      ? flags.checkpoint
                                      : "every " + flags.checkpoint);
  out.emplace_back("estimates of run time", estimate_word(flags.estimates));
  if (flags.compress != 1) out.emplace_back("arrivals compressed", fixed(flags.compress, 3) + "x");
  const std::size_t unknown = unknown_runs(workload);
  if (unknown > 0) {
    out.emplace_back("unknown run times", grouped(static_cast<std::int64_t>(unknown)) +
                                              " jobs hold their seats until their limit");
  }
  return out;
}

/// "synth:400": that many jobs drawn for the cluster with --seed.
Result<LoadedJobs> draw_jobs(const ReplayFlags& flags) {
  const auto count = parse_int(std::string_view(flags.jobs).substr(kSynth.size()));
  if (!count || *count < 1 || *count > 10'000'000 || flags.cluster.empty()) {
    return fail({.where = {},
                 .field = "--jobs",
                 .message = "want synth:N, a number of jobs to draw, together with --cluster; got \"" +
                            flags.jobs + "\"",
                 .hint = "for example --cluster 8x8 --jobs synth:1000"});
  }
  const auto cluster = load_cluster(flags.cluster, {});
  if (!cluster) return fail(cluster.error());
  std::size_t most = 1;
  for (const ClusterNode& node : cluster->cluster.nodes) most = std::max(most, node.spec.devices.size());
  SynthSpec spec{.seed = flags.seed, .jobs = static_cast<std::int32_t>(*count)};
  spec.gpus = static_cast<std::int32_t>(std::max<std::int64_t>(cluster->cluster.gpus(), 1));
  spec.gpus_per_node = static_cast<std::int32_t>(most);
  auto workload = synthesize(spec);
  if (!workload) return fail(std::move(workload.error()));
  return LoadedJobs{
      .source = {.name = flags.jobs + " seed " + std::to_string(flags.seed), .digest = {}, .format = "synth"},
      .workload = std::move(*workload)};
}

Result<void> check_flags(const ReplayFlags& flags) {
  if (flags.compress >= 0.001 && flags.compress <= 1e6) return {};
  return fail(
      {.where = {}, .field = "--compress", .message = "want a factor from 0.001 to 1000000", .hint = {}});
}

}  // namespace

void add_flags(CLI::App& command, ReplayFlags& flags) {
  command
      .add_option("-c,--cluster", flags.cluster,
                  "cluster file, or NODESxGPUS such as 8x8 (default: the trace's own)")
      ->type_name("FILE");
  command
      .add_option("-j,--jobs", flags.jobs,
                  "jobs: a trace, what sim synth wrote, synth:N to draw N; - reads stdin")
      ->type_name("FILE")
      ->required();
  command
      .add_option("--format", flags.format,
                  "format of the jobs: " + join(std::vector<std::string>(job_formats()), ", "))
      ->type_name("NAME")
      ->check(CLI::IsMember(job_formats()))
      ->option_text("NAME");
  command.add_option("--limit-jobs", flags.limit_jobs, "only the first N jobs")->type_name("N");
  command.add_option("--compress", flags.compress, "divide the times of submission by F: more load")
      ->type_name("F");
  command.add_flag("--strict", flags.strict, "stop at the first bad row instead of dropping it");
  command.add_flag("--importance", flags.importance, "take classes and priorities from the trace");
  command
      .add_option("--checkpoint", flags.checkpoint,
                  "when jobs save their work: none, always or a duration (30m)")
      ->type_name("EVERY");
  command
      .add_option("--estimates", flags.estimates,
                  "what policies know of run times: exact, limit or none (exact)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Estimates>{
          {"exact", Estimates::Exact}, {"limit", Estimates::Limit}, {"none", Estimates::None}}))
      ->type_name("KIND")
      ->option_text("KIND");
  command.add_option("--seed", flags.seed, "for jobs drawn with synth:N (1)")->type_name("N");
  command.add_option("--set", flags.settings, "change a knob of the policy: --set backfill=easy")
      ->type_name("KNOB=VALUE")
      ->take_all();
  command.add_option("-o,--output", flags.output, "table, json or csv")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Output>{
          {"table", Output::Table}, {"json", Output::Json}, {"csv", Output::Csv}}))
      ->type_name("FORM")
      ->option_text("FORM");
}

bool draws_jobs(const ReplayFlags& flags) { return flags.jobs.starts_with(kSynth); }

Result<Scene> load_scene(const ReplayFlags& flags, const Common& common) {
  if (auto fine = check_flags(flags); !fine) return fail(std::move(fine.error()));
  const auto checkpoint = parse_checkpoint(flags.checkpoint);
  if (!checkpoint) return fail(checkpoint.error());
  const ReadOptions options{.strictness = flags.strict ? Strictness::Strict : Strictness::Lenient,
                            .importance = flags.importance ? TraceRanks::Read : TraceRanks::Ignore};
  const bool drawn = draws_jobs(flags);
  auto jobs = drawn ? draw_jobs(flags) : load_jobs(flags.jobs, flags.format, options);
  if (!jobs) return fail(std::move(jobs.error()));
  tell_findings(*jobs, common);
  auto cluster = load_cluster(flags.cluster, jobs->workload);
  if (!cluster) return fail(std::move(cluster.error()));
  Scene scene{.cluster_source = std::move(cluster->source),
              .jobs_source = std::move(jobs->source),
              .cluster = std::move(cluster->cluster),
              .workload = std::move(jobs->workload),
              .options = {.estimates = flags.estimates, .checkpoint = *checkpoint},
              .seed = drawn ? flags.seed : 0,
              .assumptions = {}};
  auto& list = scene.workload.jobs;
  if (flags.limit_jobs > 0 && list.size() > flags.limit_jobs) list.resize(flags.limit_jobs);
  if (flags.compress != 1) compress(scene.workload, std::llround(flags.compress * 1000));
  const bool stated = !scene.cluster.queues.empty();
  const auto added = add_missing_queues(scene.cluster, scene.workload);
  if (stated) tell_added_queues(added, common);
  scene.assumptions = assumptions_of(flags, scene.workload);
  return scene;
}

Result<Finished> play_out(const Scene& scene, const Knobs& knobs, KeepLog keep, const Common& common) {
  ReplayOptions options = scene.options;
  options.keep_log = keep;
  const auto begin = std::chrono::steady_clock::now();
  Finished finished{.replay = std::make_unique<Replay>(scene.cluster, scene.workload, knobs, options),
                    .knobs = knobs,
                    .report = {},
                    .wall_seconds = 0};
  Replay& replay = *finished.replay;
  std::unique_ptr<Progress> progress;
  if (!common.quiet) progress = std::make_unique<Progress>(knobs.name);
  constexpr int kStepsBetween = 64;
  for (bool more = true; more;) {
    for (int i = 0; i < kStepsBetween && more; ++i) {
      auto stepped = replay.step();
      if (!stepped) return fail(std::move(stepped.error()));
      more = *stepped;
    }
    if (!progress) continue;
    const std::size_t all = scene.workload.jobs.size();
    progress->show(replay.ended(), all,
                   grouped(static_cast<std::int64_t>(replay.ended())) + " of " +
                       grouped(static_cast<std::int64_t>(all)) + " jobs, " + clock_text(replay.now()) +
                       " simulated");
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  finished.wall_seconds = wall.count();
  finished.report = report_of(replay);
  return finished;
}

RunFile run_file_of(const Scene& scene, const Finished& finished) {
  return {.policy = finished.knobs.name,
          .seed = scene.seed,
          .knobs = describe(finished.knobs),
          .cluster = {.name = scene.cluster_source.name, .digest = scene.cluster_source.digest},
          .jobs = {.name = scene.jobs_source.name, .digest = scene.jobs_source.digest},
          .format = scene.jobs_source.format,
          .assumptions = scene.assumptions,
          .records = finished.report.records,
          .digest = finished.report.digest};
}

std::string cluster_line(const Scene& scene) {
  const Cluster& cluster = scene.cluster;
  std::vector<std::string> levels = cluster.levels.levels;
  levels.emplace_back("node");
  std::string text = cluster.name.empty() ? scene.cluster_source.name : cluster.name;
  text += ": " + counted(cluster.nodes.size(), "node") + ", " +
          counted(static_cast<std::size_t>(cluster.gpus()), "GPU");
  if (levels.size() > 1) text += ", " + join(levels, " > ");
  if (!cluster.queues.empty()) text += ", " + counted(cluster.queues.size(), "queue");
  return text;
}

std::string jobs_line(const Scene& scene) {
  return scene.jobs_source.name + ": " + counted(scene.workload.jobs.size(), "job") + " (" +
         scene.jobs_source.format + ")";
}

std::string knobs_line(const Knobs& knobs) {
  std::vector<std::string> parts;
  const auto plain = describe(Knobs{});
  const auto own = describe(knobs);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const bool weight = own[i].first.starts_with("weight.");
    if (!weight && (own[i].second != plain[i].second || own[i].first == "order")) {
      parts.push_back(own[i].first + "=" + own[i].second);
    }
  }
  return join(parts, " ");
}

std::string weights_line(const Knobs& knobs) {
  if (knobs.order != Order::Weighted) return "";
  std::vector<std::string> parts;
  constexpr std::string_view prefix = "weight.";
  for (const auto& [name, value] : describe(knobs)) {
    if (name.starts_with(prefix)) parts.push_back(name.substr(prefix.size()) + "=" + value);
  }
  return join(parts, " ");
}

std::string assumptions_line(const Scene& scene) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : scene.assumptions) parts.push_back(name + ": " + value);
  return join(parts, "; ");
}

}  // namespace muster::cli
