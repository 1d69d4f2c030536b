// Jobs as a plain CSV of our own: what `sim synth` writes, and the easiest form for jobs made by hand.
//
//   name,submit_s,run_s,limit_s,workers,gpus,gpu_share,gpu_type,cpus,mem_mib,queue,user,class,priority,outcome
//
// Only submit_s and run_s must be there; a blank run_s or limit_s is unknown. gpus, gpu_share (thousandths of
// one device), cpus and mem_mib are of one worker. gpu_type "A|B" = either. class is the importance that
// decides first, priority the next; both are read always, since whoever wrote the file meant them. outcome:
// done, failed or cancelled. Written files read back as the same jobs.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "trace/workload.hpp"

namespace muster {

Result<Workload> read_jobs_csv(std::string_view bytes, const std::string& file,
                               const ReadOptions& options = {});

std::string write_jobs_csv(const Workload& workload);

}  // namespace muster
