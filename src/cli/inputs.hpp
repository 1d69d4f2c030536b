// What a simulation is made of, from the command line: a cluster, a workload, a policy. Formats are told by
// content; what a reader dropped or assumed is said on stderr.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "policy/knobs.hpp"
#include "trace/workload.hpp"
#include "wire/cluster.hpp"

namespace muster::cli {

struct Loaded {
  std::string name;    ///< as given
  std::string digest;  ///< of the file's bytes
  std::string format;
};

struct LoadedJobs {
  Loaded source;
  Workload workload;
};

struct LoadedCluster {
  Loaded source;
  Cluster cluster;
};

/// Names that `--format` takes.
std::vector<std::string> job_formats();

/// The format by content, or nothing where it is none of ours.
std::string detect_format(std::string_view bytes);

/// `format` "auto" detects.
Result<LoadedJobs> load_jobs(const std::string& path, const std::string& format, const ReadOptions& options);

/// A YAML file, a list of nodes in openb's form, or "8x4": 8 nodes of 4 GPUs. Empty: the nodes of the trace.
Result<LoadedCluster> load_cluster(const std::string& path, const Workload& workload);

/// A recipe with settings on top.
Result<Knobs> load_policy(const std::string& name, const std::vector<std::string>& settings);

}  // namespace muster::cli
