#include "cli/inputs.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/digest.hpp"
#include "base/text.hpp"
#include "cli/files.hpp"
#include "policy/recipes.hpp"
#include "sim/knobs_text.hpp"
#include "sim/replay.hpp"
#include "trace/jobs_csv.hpp"
#include "trace/openb.hpp"
#include "trace/pai.hpp"
#include "trace/philly.hpp"
#include "trace/philly_json.hpp"
#include "trace/sacct.hpp"
#include "trace/swf.hpp"

namespace muster::cli {
namespace {

using Reader = Result<Workload> (*)(std::string_view, const std::string&, const ReadOptions&);

struct Format {
  std::string_view name;
  std::vector<std::string_view> columns;  ///< that its header row must have; empty: told otherwise
  Reader read;
};

const std::vector<Format>& formats() {
  static const std::vector<Format> kAll{
      {"synth", {"submit_s", "run_s"}, read_jobs_csv},
      {"openb", {"cpu_milli", "memory_mib", "num_gpu", "gpu_milli"}, read_openb_pods},
      {"muri", {"job_id", "num_gpu", "submit_time", "duration"}, read_muri_csv},
      {"philly", {"timestamp", "duration", "num_gpus"}, read_philly_csv},
      {"pai", {"job_name", "task_name", "inst_num", "plan_cpu"}, read_pai_tasks},
      {"sacct", {}, read_sacct},
      {"swf",
       {},
       [](std::string_view bytes, const std::string& file, const ReadOptions& options) {
         return read_swf(bytes, file, options);
       }},
      {"philly-json",
       {},
       [](std::string_view bytes, const std::string& file, const ReadOptions& options) {
         return read_philly_json(bytes, file, options);
       }},
  };
  return kAll;
}

std::string_view first_line(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const std::string_view line = trim(bytes.substr(0, end));
    if (!line.empty()) return line;
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
  }
  return {};
}

bool has_columns(std::string_view header, const std::vector<std::string_view>& wanted) {
  const auto present = split(header, ',');
  return std::all_of(wanted.begin(), wanted.end(), [&](std::string_view column) {
    return std::any_of(present.begin(), present.end(),
                       [&](std::string_view field) { return trim(field) == column; });
  });
}

/// A line of an SWF log: a comment, or numbers only.
bool looks_like_swf(std::string_view line) {
  if (line.starts_with(";")) return true;
  return line.find(' ') != std::string_view::npos &&
         line.find_first_not_of("0123456789.-+ \t") == std::string_view::npos;
}

Loaded loaded(const std::string& path, const std::string& bytes, std::string format) {
  Digest digest;
  digest.add_text(bytes);
  return {.name = path, .digest = digest.hex(), .format = std::move(format)};
}

/// "8x4" as 8 nodes of 4 GPUs.
std::optional<Cluster> plain_cluster_named(const std::string& text) {
  const auto x = text.find('x');
  if (x == std::string::npos) return std::nullopt;
  const auto nodes = parse_int(text.substr(0, x));
  const auto gpus = parse_int(text.substr(x + 1));
  if (!nodes || !gpus || *nodes < 1 || *nodes > 100'000 || *gpus < 0 || *gpus > 128) return std::nullopt;
  return plain_cluster(static_cast<std::int32_t>(*nodes), static_cast<std::int32_t>(*gpus));
}

}  // namespace

std::vector<std::string> job_formats() {
  std::vector<std::string> names{"auto"};
  for (const Format& format : formats()) names.emplace_back(format.name);
  return names;
}

std::string detect_format(std::string_view bytes) {
  const std::string_view line = first_line(bytes);
  if (line.starts_with('[') || line.starts_with('{')) return "philly-json";
  if (line.find('|') != std::string_view::npos && line.find("JobID") != std::string_view::npos)
    return "sacct";
  for (const Format& format : formats()) {
    if (!format.columns.empty() && has_columns(line, format.columns)) return std::string(format.name);
  }
  return looks_like_swf(line) ? "swf" : "";
}

Result<LoadedJobs> load_jobs(const std::string& path, const std::string& format, const ReadOptions& options) {
  auto bytes = read_file(path);
  if (!bytes) return fail(std::move(bytes.error()));
  const std::string name = format == "auto" ? detect_format(*bytes) : format;
  for (const Format& known : formats()) {
    if (known.name != name) continue;
    auto workload = known.read(*bytes, path, options);
    if (!workload) return fail(std::move(workload.error()));
    return LoadedJobs{.source = loaded(path, *bytes, name), .workload = std::move(*workload)};
  }
  const auto names = job_formats();
  return fail({.where = {.file = path, .line = 1},
               .field = {},
               .message = "no format that this program knows",
               .hint = "give --format, one of " + join(std::span(names).subspan(1), ", ")});
}

Result<LoadedCluster> load_cluster(const std::string& path, const Workload& workload) {
  if (path.empty()) {
    if (workload.nodes.empty()) {
      return fail({.where = {},
                   .field = "--cluster",
                   .message = "the jobs come without a list of machines",
                   .hint = "give a cluster file, or for a quick look --cluster 8x8 (8 nodes of 8 GPUs)"});
    }
    return LoadedCluster{.source = {.name = "machines of the trace", .digest = {}, .format = "trace"},
                         .cluster = cluster_of(workload, "machines of the trace")};
  }
  if (auto plain = plain_cluster_named(path); plain && !exists(path)) {
    return LoadedCluster{.source = {.name = path, .digest = {}, .format = "plain"},
                         .cluster = std::move(*plain)};
  }
  auto bytes = read_file(path);
  if (!bytes) return fail(std::move(bytes.error()));
  if (has_columns(first_line(*bytes), {"sn", "cpu_milli", "memory_mib", "gpu"})) {
    auto nodes = read_openb_nodes(*bytes, path);
    if (!nodes) return fail(std::move(nodes.error()));
    return LoadedCluster{.source = loaded(path, *bytes, "openb"), .cluster = cluster_of(*nodes, path)};
  }
  auto cluster = read_cluster(*bytes, path);
  if (!cluster) return fail(std::move(cluster.error()));
  return LoadedCluster{.source = loaded(path, *bytes, "yaml"), .cluster = std::move(*cluster)};
}

Result<Knobs> load_policy(const std::string& name, const std::vector<std::string>& settings) {
  auto knobs = recipe(name);
  if (!knobs) {
    std::vector<std::string> names;
    for (const Recipe& known : recipes()) names.emplace_back(known.name);
    const auto near = nearest(name, std::span<const std::string>(names));
    return fail({.where = {},
                 .field = "--policy",
                 .message = "no policy is named \"" + name + "\"",
                 .hint = (near ? "did you mean " + *near + "? " : "") + "policies: " + join(names, ", ")});
  }
  for (const std::string& setting : settings) {
    if (auto set = set_knob(*knobs, setting); !set) return fail(std::move(set.error()));
  }
  return *knobs;
}

}  // namespace muster::cli
