// Alibaba's cluster-trace-gpu-v2023 ("openb"): list of pods with shares of GPUs, list of nodes.
//
// Pods: name,cpu_milli,memory_mib,num_gpu,gpu_milli and, not in the multigpu lists,
// gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time in seconds. submit = creation, wait =
// scheduled - creation, run = deletion - scheduled; a pod that was never scheduled has no run. Creation 0 =
// before the window. gpu_spec "A|B" becomes a selector on gpu_type. With TraceRanks::Read, qos becomes the
// class: BE 0, Burstable 1, LS 2, Guaranteed 3.
// Nodes: sn,cpu_milli,memory_mib,gpu,model.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "trace/workload.hpp"

namespace muster {

Result<Workload> read_openb_pods(std::string_view bytes, const std::string& file,
                                 const ReadOptions& options = {});
Result<Workload> read_openb_nodes(std::string_view bytes, const std::string& file,
                                  const ReadOptions& options = {});

}  // namespace muster
