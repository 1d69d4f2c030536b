// The account that every reader keeps: each row ends as kept, dropped or skipped, and nowhere else, so the
// totals add up by construction. Also what all traces share: the origin of time, rows that began before
// the window, ends that lie beyond it, cutting a job into equal workers.
//
// Why two steps (take, then finish): where time starts and where the trace ends is known only after the
// last row.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "trace/workload.hpp"

namespace muster {

/// What is wrong with a row and where. `cause` groups equal faults in the report.
struct RowFault {
  std::string cause;
  std::string field;
  std::string value;
  int line = 0;
  int column = 0;
  std::string hint;
};

/// A row understood so far. Times are raw; `end` says when the job ended where the file gives that instead
/// of a length, and the run is then `end - start`.
struct RawJob {
  TraceJob job;
  std::optional<Instant> start;  ///< when it began to run; needed only with `end` or `open_end`
  std::optional<Instant> end;
  bool open_end = false;       ///< was alive at the last time stamp of the trace
  bool before_window = false;  ///< submit time 0 = before the trace begins
  bool untimed = false;        ///< the file has no time stamps at all
  int column = 1;
  std::string_view refused;  ///< cause, once finish() finds that it cannot be kept
};

class Intake {
 public:
  Intake(std::string file, ReadOptions options);

  [[nodiscard]] const ReadOptions& options() const { return options_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  /// A bad row. Strict: becomes the Error to return.
  [[nodiscard]] Result<void> drop(const RowFault& fault);
  /// A sound row that is no job, e.g. a part of one that another row sums up.
  void skip(std::string_view cause, int line, int column, std::string_view value);
  /// Something assumed about a row that is kept.
  void flag(std::string_view cause, int line, int column, std::string_view value);
  /// The trace reaches at least this far.
  void reaches(Instant time);
  void keep(RawJob raw);
  void keep(NodeSpec node);
  /// A sound row that becomes neither job nor node.
  void keep_row() { ++rows_; }

  /// Sets the origin, closes open ends, sorts. Nothing may be added afterwards.
  [[nodiscard]] Result<Workload> finish(Workload extra = {});

 private:
  class Tally {
   public:
    void add(std::string_view cause, int line, int column, std::string_view value);
    std::vector<Finding> findings;

   private:
    std::map<std::string, std::size_t, std::less<>> index_;
  };

  [[nodiscard]] std::optional<Instant> first_submit() const;
  /// Sets the run from start and end, or says why the row cannot be kept.
  void close(RawJob& raw) const;
  [[nodiscard]] Result<void> settle(RawJob& raw, Instant origin, Workload& out);

  std::string file_;
  ReadOptions options_;
  std::int64_t rows_ = 0;
  Tally drops_;
  Tally flags_;
  std::vector<RawJob> raw_;
  std::vector<NodeSpec> nodes_;
  std::optional<Instant> last_;
};

/// `text` fit for one line of a report: control bytes as '?', at most 60 bytes.
std::string shown(std::string_view text);

/// Equal submit times keep their order.
void sort_by_submit(std::vector<TraceJob>& jobs);

/// Cuts `total` devices (or processors) into equal workers of at most `per_node`: the largest divisor that
/// fits, so that nothing is rounded. 12 on nodes of 8 become 2 workers of 6.
struct Cut {
  std::int32_t workers = 1;
  std::int32_t each = 0;
};
Cut cut_evenly(std::int32_t total, std::int32_t per_node);

}  // namespace muster
