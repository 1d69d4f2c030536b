#include "trace/workload.hpp"

namespace muster {
namespace {

std::int64_t count_of(const std::vector<Finding>& findings, std::string_view cause) {
  for (const Finding& finding : findings) {
    if (finding.cause == cause) return finding.count;
  }
  return 0;
}

std::string line_of(const Finding& finding) {
  std::string text = "  " + std::to_string(finding.count) + " x " + finding.cause;
  if (finding.first_line > 0) {
    text += ", first at " + std::to_string(finding.first_line) + ":" + std::to_string(finding.first_column);
  }
  if (!finding.example.empty()) text += ": '" + finding.example + "'";
  return text + "\n";
}

}  // namespace

std::int64_t Report::dropped() const {
  std::int64_t sum = 0;
  for (const Finding& drop : drops) sum += drop.count;
  return sum;
}

std::int64_t Report::drops_of(std::string_view cause) const { return count_of(drops, cause); }

std::int64_t Report::flags_of(std::string_view cause) const { return count_of(flags, cause); }

std::string to_string(const Report& report) {
  std::string text = std::to_string(report.rows) + " rows: " + std::to_string(report.kept) + " kept, " +
                     std::to_string(report.dropped()) + " dropped\n";
  if (!report.drops.empty()) text += "dropped:\n";
  for (const Finding& drop : report.drops) text += line_of(drop);
  if (!report.flags.empty()) text += "kept, but:\n";
  for (const Finding& flag : report.flags) text += line_of(flag);
  return text;
}

}  // namespace muster
