// Files as bytes: the only place that opens them. gzip is undone where a file is packed with it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace muster::cli {

/// "-" is standard input.
Result<std::string> read_file(const std::string& path);

/// Replaces the file.
Result<void> write_file(const std::string& path, std::string_view bytes);
Result<void> write_file(const std::string& path, std::span<const std::uint8_t> bytes);

/// The folder, made with its parents where it is missing.
Result<void> make_folder(const std::string& path);
bool exists(const std::string& path);

}  // namespace muster::cli
