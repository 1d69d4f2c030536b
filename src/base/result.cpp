#include "base/result.hpp"

namespace muster {

std::string to_string(const Error& error) {
  std::string text;
  if (!error.where.file.empty()) text += error.where.file + ":";
  if (error.where.line > 0) {
    text += std::to_string(error.where.line) + ":";
    if (error.where.column > 0) text += std::to_string(error.where.column) + ":";
  }
  if (!text.empty()) text += " ";
  if (!error.field.empty()) text += error.field + ": ";
  text += error.message;
  if (!error.hint.empty()) text += " (" + error.hint + ")";
  return text;
}

}  // namespace muster
