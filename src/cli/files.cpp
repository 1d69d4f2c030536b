#include "cli/files.hpp"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace muster::cli {

Result<std::string> read_file(const std::string& path) {
  // gzread passes plain files through unchanged.
  const auto close = [](gzFile file) { gzclose(file); };
  const std::unique_ptr<gzFile_s, decltype(close)> file(gzopen(path.c_str(), "rb"), close);
  if (!file) return fail({.where = {.file = path}, .field = {}, .message = std::strerror(errno), .hint = {}});
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const int got = gzread(file.get(), buffer.data(), buffer.size());
    if (got < 0) {
      int code = 0;
      return fail({.where = {.file = path}, .field = {}, .message = gzerror(file.get(), &code), .hint = {}});
    }
    if (got == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace muster::cli
