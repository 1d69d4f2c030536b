// Files as bytes: the only place that opens them. gzip is undone where a name ends in .gz.
#pragma once

#include <string>

#include "base/result.hpp"

namespace muster::cli {

Result<std::string> read_file(const std::string& path);

}  // namespace muster::cli
