// What `run`, `compare` and `demo` share: the flags that say what to replay, and turning the crank with a
// progress line and a stopwatch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "sim/replay.hpp"
#include "sim/report.hpp"
#include "wire/run_file.hpp"

namespace muster::cli {

enum class Output : std::uint8_t { Table, Json, Csv };

struct ReplayFlags {
  std::string cluster;
  std::string jobs;
  std::string format = "auto";
  std::uint64_t seed = 1;
  std::size_t limit_jobs = 0;  ///< 0 = all
  double compress = 1;
  bool strict = false;
  bool importance = false;
  std::string checkpoint = "30m";
  Estimates estimates = Estimates::Exact;
  std::vector<std::string> settings;
  Output output = Output::Table;
};

void add_flags(CLI::App& command, ReplayFlags& flags);
/// The jobs are drawn, not read.
bool draws_jobs(const ReplayFlags& flags);

/// Everything read, before any policy.
struct Scene {
  Loaded cluster_source;
  Loaded jobs_source;
  Cluster cluster;
  Workload workload;
  ReplayOptions options;
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> assumptions;
};

/// Reads the inputs; drops, flags and assumptions go to stderr.
Result<Scene> load_scene(const ReplayFlags& flags, const Common& common);

struct Finished {
  std::unique_ptr<Replay> replay;
  Knobs knobs;
  RunReport report;
  double wall_seconds = 0;
};

/// Plays to the end. Only the stopwatch is not the same the next time.
Result<Finished> play_out(const Scene& scene, const Knobs& knobs, KeepLog keep, const Common& common);

RunFile run_file_of(const Scene& scene, const Finished& finished);

/// "lab: 8 nodes, 64 GPUs, levels rack > node".
std::string cluster_line(const Scene& scene);
/// "jobs.csv: 400 jobs (synth)".
std::string jobs_line(const Scene& scene);
/// "knob=value ..." that differ from the plainest policy.
std::string knobs_line(const Knobs& knobs);
/// The weights of the weighted order, which alone reads them; empty for others.
std::string weights_line(const Knobs& knobs);
std::string assumptions_line(const Scene& scene);

}  // namespace muster::cli
