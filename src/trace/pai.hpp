// Alibaba PAI (cluster-trace-gpu-v2020): the task table as jobs.
//
// job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type.
// plan_cpu and plan_gpu are PERCENT (600 = 6 CPUs, 50 = half a GPU, 200 = two), plan_mem GB. A blank plan_gpu
// = no GPU asked; a blank plan_cpu or plan_mem is unknown and the row is dropped. Times are seconds; start 0
// = before the window; end 0 or blank = alive at its end. The tables have no header row of their own.
// start_time is when the task began: the submit time stands in another table, so waits are unknown here.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "trace/workload.hpp"

namespace muster {

Result<Workload> read_pai_tasks(std::string_view bytes, const std::string& file,
                                const ReadOptions& options = {});

}  // namespace muster
