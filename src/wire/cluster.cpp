// The documents of a cluster file, the levels and the nodes. YAML of ours is one document a text, so the file
// is cut at its "---" lines and each part is read with blank lines in place of the others: every line
// number stays true.
#include "wire/cluster.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "wire/cluster_parts.hpp"
#include "wire/node_fields.hpp"
#include "wire/units.hpp"

namespace muster {
namespace cluster {
namespace {

constexpr std::size_t kMaxDocuments = 2000;
constexpr std::size_t kMaxAllDevices = 2'000'000;

void read_levels(const Field& levels, LevelsSet& out) {
  bool inside = false;
  for (const Field& level : levels.items()) {
    std::string name;
    level.name(name);
    if (!level) return;
    if (node_fields::is_implied_level(name)) {
      inside = true;  // these are implied and may be named for completeness
    } else if (inside) {
      return level.problem("the level " + yaml::quoted(name) + " stands inside the node",
                           "levels go from wide to narrow");
    } else if (std::find(out.levels.begin(), out.levels.end(), name) != out.levels.end()) {
      return level.problem("a second level named " + yaml::quoted(name));
    } else {
      out.levels.push_back(name);
    }
  }
  node_fields::check_depth(levels, out.levels);
}

/// `nvlink: [4, 4]`: how many neighbouring devices form each part. Returns the part of every device.
std::vector<std::uint16_t> read_parts(const Field& parts, std::size_t devices) {
  std::vector<std::uint16_t> part_of;
  std::uint16_t part = 0;
  for (const Field& size : parts.items()) {
    std::size_t count = 0;
    size.whole(count, {.low = 1, .high = static_cast<std::int64_t>(kMaxDevices)});
    if (!size) return std::vector<std::uint16_t>(devices, 0);
    part_of.insert(part_of.end(), count, part++);
    if (part_of.size() > devices) break;
  }
  if (parts && part_of.size() != devices) {
    parts.problem("the parts must add up to the node's " + std::to_string(devices) + " gpus");
  }
  part_of.resize(devices, 0);
  return part_of;
}

/// `A100:80G` is a type with the memory of each device; `A100` leaves the memory open.
void read_gpu(const Field& node, NodeSpec& out) {
  std::size_t count = 0;
  node["gpus"].whole(count, {.low = 0, .high = static_cast<std::int64_t>(kMaxDevices)});
  const Field gpu = node["gpu"];
  std::string text;
  gpu.name(text);
  Device device;
  const auto colon = text.find(':');
  out.gpu_type = text.substr(0, colon);
  if (gpu && colon != std::string::npos) {
    const auto bytes = parse_size(std::string_view(text).substr(colon + 1));
    constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;
    if (!bytes || *bytes < kMebibyte || out.gpu_type.empty()) {
      return gpu.problem("want a type, or type:memory; got " + yaml::quoted(text), "for example A100:80G");
    }
    device.mem = *bytes / kMebibyte;
  }
  if (gpu && count == 0) gpu.problem("a type of accelerator, but no gpus", "give gpus: 8, or leave gpu out");
  out.devices.assign(count, device);
  const auto islands = read_parts(node["nvlink"], count);
  const auto numa = read_parts(node["numa"], count);
  for (std::size_t i = 0; i < count; ++i) {
    out.devices[i].island = islands[i];
    out.devices[i].numa = numa[i];
  }
}

/// "s1-r04-n11" under the levels spine, rack: "s1" and "s1-r04".
bool name_domains(const std::string& name, const std::vector<std::string>& levels, NodeSpec& out) {
  out.domains.clear();
  if (levels.empty()) return true;
  std::size_t at = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    at = name.find('-', at);
    if (at == std::string::npos) return false;
    out.domains.push_back(name.substr(0, at++));
  }
  return name.find('-', at) == std::string::npos;
}

void read_node(const Field& node, Reading& reading, Cluster& out) {
  node.only({"match", "gpu", "gpus", "nvlink", "numa", "cpus", "mem", "labels", "in", "state"});
  ClusterNode read;
  read_gpu(node, read.spec);
  node["cpus"].scaled(read.spec.cpu, {.scale = 1000, .unit = "CPUs"}, {.low = 0, .high = 1'000'000'000});
  read_size(node["mem"], read.spec.mem);
  node_fields::read_labels(node["labels"], read.spec);
  node_fields::read_state(node["state"], read.state);
  const Field in = node["in"];
  if (in) node_fields::read_domains(in, out.levels.levels, read.spec);
  const Field match = node.need("match");
  std::string pattern;
  match.name(pattern);
  if (!match) return;
  const auto names = expand_names(pattern, kMaxNodes - out.nodes.size());
  if (!names) return match.problem(names.error().message, names.error().hint);
  const std::size_t all = static_cast<std::size_t>(out.gpus()) + names->size() * read.spec.devices.size();
  if (all > kMaxAllDevices)
    return match.problem("more than " + std::to_string(kMaxAllDevices) + " gpus in all");
  for (const std::string& name : *names) {
    read.spec.name = name;
    if (!reading.nodes.insert(name).second) return match.problem("a second node named " + yaml::quoted(name));
    if (!in && !name_domains(name, out.levels.levels, read.spec)) {
      return match.problem("the name " + yaml::quoted(name) + " does not show the domains of the levels " +
                               join(out.levels.levels, ", "),
                           "one part a level and one for the node, as in " + join(out.levels.levels, "1-") +
                               "1-n1; or say in: {" + out.levels.levels.front() + ": NAME}");
    }
    out.nodes.push_back(read);
  }
}

struct Document {
  std::string text;  ///< blank lines before it, so that its lines count as in the file
  std::size_t line = 1;
};

bool is_separator(std::string_view line) {
  return line.starts_with("---") && (line.size() == 3 || line[3] == ' ' || line[3] == '\r');
}

std::vector<Document> documents_of(std::string_view text) {
  std::vector<Document> documents(1);
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (!is_separator(line)) {
      (documents.back().text += line) += '\n';
      continue;
    }
    documents.push_back({.text = std::string(number - 1, '\n'), .line = number});
    documents.back().text += "   " + std::string(line.substr(3)) + "\n";
    if (documents.size() > kMaxDocuments) break;
  }
  // What holds no value is no document: the part before a first "---", or after a last one.
  std::erase_if(documents, [](const Document& document) {
    const auto lines = split(document.text, '\n');
    return std::all_of(lines.begin(), lines.end(),
                       [](std::string_view line) { return trim(line).empty() || trim(line).front() == '#'; });
  });
  return documents;
}

enum class Kind : std::uint8_t { Cluster, Queue, User };

void read_document(const Field& root, Reading& reading, Cluster& out) {
  Kind kind = Kind::Cluster;
  root.need("kind").choice<Kind>(kind,
                                 {{"Cluster", Kind::Cluster}, {"Queue", Kind::Queue}, {"User", Kind::User}});
  if (!root) return;
  switch (kind) {
    case Kind::Cluster: return read_cluster_document(root, reading, out);
    case Kind::Queue: return read_queue_document(root, reading);
    case Kind::User: return read_user_document(root, reading, out);
  }
}

}  // namespace

void read_size(const Field& size, std::int64_t& out) {
  std::string text;
  size.name(text);
  if (!size) return;
  const auto bytes = parse_size(text);
  if (!bytes)
    return size.problem("want a size with its unit; got " + yaml::quoted(text), "for example 512G or 2T");
  out = *bytes;
}

void read_cluster_document(const Field& root, Reading& reading, Cluster& out) {
  root.only({"kind", "name", "levels", "nodes"});
  if (reading.cluster_seen) return root["kind"].problem("a second Cluster in one file");
  reading.cluster_seen = true;
  root["name"].name(out.name);
  read_levels(root["levels"], out.levels);
  const auto nodes = root.need("nodes").items();
  if (root && nodes.empty()) root["nodes"].problem("a cluster without nodes");
  for (const Field& node : nodes) read_node(node, reading, out);
}

void read_user_document(const Field& root, Reading& reading, Cluster& out) {
  root.only({"kind", "name", "max_running"});
  UserSpec spec;
  const Field name = root.need("name");
  name.name(spec.name);
  if (name && !reading.users.insert(spec.name).second) {
    return name.problem("a second user named " + yaml::quoted(spec.name));
  }
  root["max_running"].whole(spec.max_running, {.low = 0, .high = 1'000'000'000});
  out.users.push_back(std::move(spec));
}

}  // namespace cluster

std::int64_t Cluster::gpus() const {
  std::int64_t sum = 0;
  for (const ClusterNode& node : nodes) sum += static_cast<std::int64_t>(node.spec.devices.size());
  return sum;
}

Result<Cluster> read_cluster(std::string_view text, const std::string& file) {
  Cluster out;
  cluster::Reading reading;
  yaml::Problems problems(file);
  std::vector<yaml::Tree> trees;  // fields point into them
  const auto documents = cluster::documents_of(text);
  trees.reserve(documents.size());
  for (const cluster::Document& document : documents) {
    auto tree = yaml::parse(document.text, file);
    if (!tree) return fail(std::move(tree.error()));
    trees.push_back(std::move(*tree));
    cluster::read_document(yaml::Field(trees.back(), problems), reading, out);
    if (problems.any()) return fail(problems.first());
  }
  if (!reading.cluster_seen) {
    return fail({.where = {.file = file},
                 .field = {},
                 .message = "no document of kind Cluster",
                 .hint = "begin with kind: Cluster, then levels and nodes"});
  }
  cluster::link_queues(reading, out);
  if (problems.any()) return fail(problems.first());
  return out;
}

Cluster plain_cluster(std::int32_t nodes, std::int32_t gpus) {
  Cluster out;
  out.name = std::to_string(nodes) + "x" + std::to_string(gpus);
  const std::size_t width = std::to_string(nodes).size();
  for (std::int32_t n = 1; n <= nodes; ++n) {
    ClusterNode& node = out.nodes.emplace_back();
    const std::string digits = std::to_string(n);
    node.spec.name = "n" + std::string(width - digits.size(), '0') + digits;
    node.spec.devices.resize(static_cast<std::size_t>(gpus));
  }
  return out;
}

}  // namespace muster
