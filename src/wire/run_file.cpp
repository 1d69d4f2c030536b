#include "wire/run_file.hpp"

#include <nlohmann/json.hpp>

#include "wire/json_writer.hpp"

namespace muster {
namespace {

constexpr std::string_view kSchema = "muster-run/1";
using Json = nlohmann::ordered_json;
using Pairs = std::vector<std::pair<std::string, std::string>>;

void write_pairs(JsonWriter& json, std::string_view name, const Pairs& pairs) {
  json.member(name).open('{');
  for (const auto& [key, value] : pairs) json.member(key, value);
  json.close();
}

void write_source(JsonWriter& json, std::string_view name, const RunFile::Source& source) {
  json.member(name).open('{').member("name", source.name).member("digest", source.digest).close();
}

/// Reads members of a parsed object; the first that is missing or of another type is kept as the problem.
struct Reader {
  const Json& root;
  std::string problem{};

  const Json* find(const Json& in, const std::string& name) {
    const auto at = in.is_object() ? in.find(name) : in.end();
    if (!in.is_object() || at == in.end()) {
      if (problem.empty()) problem = "has no \"" + name + "\"";
      return nullptr;
    }
    return &*at;
  }
  std::string text(const Json& in, const std::string& name) {
    const Json* found = find(in, name);
    if (found == nullptr) return {};
    if (!found->is_string()) {
      if (problem.empty()) problem = "has a \"" + name + "\" that is no text";
      return {};
    }
    return found->get<std::string>();
  }
  std::uint64_t whole(const std::string& name) {
    const Json* found = find(root, name);
    if (found == nullptr) return 0;
    if (!found->is_number_unsigned()) {
      if (problem.empty()) problem = "has a \"" + name + "\" that is no whole number";
      return 0;
    }
    return found->get<std::uint64_t>();
  }
  RunFile::Source source(const std::string& name) {
    const Json* found = find(root, name);
    if (found == nullptr) return {};
    return {.name = text(*found, "name"), .digest = text(*found, "digest")};
  }
  Pairs pairs(const std::string& name) {
    const Json* found = find(root, name);
    if (found == nullptr || !found->is_object()) return {};
    Pairs out;
    for (const auto& [key, value] : found->items()) out.emplace_back(key, text(*found, key));
    return out;
  }
};

}  // namespace

std::string write_run_file(const RunFile& run) {
  JsonWriter json;
  json.open('{').member("schema", kSchema).member("policy", run.policy).member("seed", run.seed);
  write_pairs(json, "knobs", run.knobs);
  write_source(json, "cluster", run.cluster);
  write_source(json, "jobs", run.jobs);
  json.member("format", run.format);
  write_pairs(json, "assumptions", run.assumptions);
  json.member("records", run.records).member("digest", run.digest).close();
  return json.take();
}

Result<RunFile> read_run_file(std::string_view text, const std::string& file) {
  const auto error = [&](const std::string& message) {
    return fail({.where = {.file = file},
                 .field = {},
                 .message = message,
                 .hint = "a saved run is a folder written by sim run --save"});
  };
  const Json root = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded()) return error("is not JSON");
  Reader reader{.root = root};
  const std::string schema = reader.text(root, "schema");
  if (reader.problem.empty() && schema != kSchema) {
    return error("has the schema \"" + schema + "\"; this program reads " + std::string(kSchema));
  }
  RunFile run;
  run.policy = reader.text(root, "policy");
  run.seed = reader.whole("seed");
  run.knobs = reader.pairs("knobs");
  run.cluster = reader.source("cluster");
  run.jobs = reader.source("jobs");
  run.format = reader.text(root, "format");
  run.assumptions = reader.pairs("assumptions");
  run.records = reader.whole("records");
  run.digest = reader.text(root, "digest");
  if (!reader.problem.empty()) return error(reader.problem);
  return run;
}

}  // namespace muster
