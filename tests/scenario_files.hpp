// The scenario files that several tests play: our own, and the shared ones where a folder with them stands
// beside the repository. Always in the order of their names, so that failures and digests keep their place.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "wire/scenario.hpp"

namespace muster {

inline std::vector<std::string> yaml_files(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline std::vector<std::string> own_scenario_files() {
  return yaml_files(std::filesystem::path(MUSTER_SOURCE_DIR) / "scenarios");
}

inline std::vector<std::string> shared_scenario_files() {
  return yaml_files(std::filesystem::path(MUSTER_SOURCE_DIR).parent_path() / "shared" / "cases" /
                    "scenarios");
}

inline std::vector<std::string> all_scenario_files() {
  std::vector<std::string> files = own_scenario_files();
  const std::vector<std::string> shared = shared_scenario_files();
  files.insert(files.end(), shared.begin(), shared.end());
  return files;
}

inline std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline Result<scenario::Scenario> scenario_in(const std::string& file) {
  return scenario::read(text_of(file), file);
}

/// A name that gtest takes as a parameter's: theme and claim without punctuation.
inline std::string test_name_of(const std::string& file) {
  const std::filesystem::path path(file);
  std::string name = path.parent_path().filename().string() + "_" + path.stem().string();
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace muster
