// run.json of a saved run: what the records beside it are the log of. With the records it is everything that
// `why` and `gantt` need; the digest ties the two together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace muster {

struct RunFile {
  struct Source {
    std::string name;    ///< as given on the command line
    std::string digest;  ///< of its bytes
  };

  std::string policy;
  std::uint64_t seed = 0;                                  ///< of a synthetic workload; 0 = none was drawn
  std::vector<std::pair<std::string, std::string>> knobs;  ///< name, value, as `--set` takes them
  Source cluster;
  Source jobs;
  std::string format;                                            ///< of the jobs
  std::vector<std::pair<std::string, std::string>> assumptions;  ///< of the replay: checkpoints, compression
  std::uint64_t records = 0;
  std::string digest;  ///< of the record log
};

/// Equal runs give equal bytes.
std::string write_run_file(const RunFile& run);
Result<RunFile> read_run_file(std::string_view text, const std::string& file);

}  // namespace muster
