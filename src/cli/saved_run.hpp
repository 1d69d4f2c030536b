// A saved run is a folder: records.bin (the log), run.json (what it is the log of), jobs.csv (one line a
// job).
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/event.hpp"
#include "policy/knobs.hpp"
#include "sim/replay.hpp"
#include "wire/run_file.hpp"

namespace muster::cli {

Result<void> save_run(const std::string& folder, const RunFile& run, const Replay& replay);

struct SavedRun {
  RunFile run;
  Knobs knobs;
  std::vector<Record> log;
};

/// The records are checked against the digest in run.json.
Result<SavedRun> load_run(const std::string& folder);

/// The end of the log: the last instant it speaks of.
Instant end_of(const SavedRun& run);

}  // namespace muster::cli
