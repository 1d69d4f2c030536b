// Slurm accounting as `sacct --parsable2` prints it: columns by name, '|' between them.
//
// Required: JobID, Submit, Start, End, Timelimit, State, and ReqTRES (or AllocTRES), e.g.
// "cpu=16,mem=128G,node=2,gres/gpu=8". Optional: User, Account, Partition, JobName, Priority. Rows of steps
// ("123.batch") are parts of a job and are skipped. "Unknown" and "None" as a time = not yet. Memory counts
// for the whole job. Time limits: see parse_time_limit; one wrong limit costs one row, never the file.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "trace/workload.hpp"

namespace muster {

Result<Workload> read_sacct(std::string_view bytes, const std::string& file, const ReadOptions& options = {});

}  // namespace muster
