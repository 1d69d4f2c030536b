// The job-level CSV copies of Microsoft's Philly trace (2017).
//
// philly_jobs: timestamp,duration,num_gpus,gpu_time,cluster; civil time without zone, seconds, one virtual
// cluster a job (it becomes the queue). Muri's: job_id,num_gpu,submit_time,...,model_name,...,duration,...,
// priority; milliseconds. Neither says more about placement than a number of GPUs: a job is cut into
// equal workers of at most ReadOptions::gpus_per_node. See philly_json.hpp for the original log.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "trace/workload.hpp"

namespace muster {

Result<Workload> read_philly_csv(std::string_view bytes, const std::string& file,
                                 const ReadOptions& options = {});
Result<Workload> read_muri_csv(std::string_view bytes, const std::string& file,
                               const ReadOptions& options = {});

}  // namespace muster
