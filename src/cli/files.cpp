#include "cli/files.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <unistd.h>
#include <zlib.h>

namespace muster::cli {
namespace {

tl::unexpected<Error> io_error(const std::string& path, const std::string& message) {
  return fail({.where = {.file = path}, .field = {}, .message = message, .hint = {}});
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return io_error(path, "is a folder");
  // gzread passes plain files through unchanged.
  const auto close = [](gzFile file) { gzclose(file); };
  gzFile opened = path == "-" ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path.c_str(), "rb");
  const std::unique_ptr<gzFile_s, decltype(close)> file(opened, close);
  if (!file) return io_error(path, std::strerror(errno));
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const int got = gzread(file.get(), buffer.data(), buffer.size());
    if (got < 0) {
      int code = 0;
      return io_error(path, gzerror(file.get(), &code));
    }
    if (got == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  // A packed file that ends early reads as short without any error until it is asked for.
  int code = Z_OK;
  gzerror(file.get(), &code);
  if (code == Z_BUF_ERROR) return io_error(path, "the packed file ends too early");
  return text;
}

Result<void> write_file(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) return io_error(path, std::strerror(errno));
  return {};
}

Result<void> write_file(const std::string& path, std::span<const std::uint8_t> bytes) {
  std::string text(bytes.begin(), bytes.end());
  return write_file(path, text);
}

Result<void> make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return io_error(path, error.message());
  return {};
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

}  // namespace muster::cli
