// A cluster file: what there is to schedule on, and who may use how much of it.
//
//   kind: Cluster                      one document of this kind
//   name: dc1
//   levels: [spine, rack, node]        widest first; jobs name these words
//   nodes:
//     - {match: "s[1-2]-r[01-20]-n[01-16]", gpu: H100, gpus: 8, nvlink: [8], cpus: 128, mem: 2T}
//   ---
//   {kind: Queue, name: nlp, guarantee: {gpu: 2048}, weight: 2, children: {pretrain: {weight: 3}}}
//   ---
//   {kind: User, name: ana, max_running: 20}
//
// Domains come from the names: the first part of "s1-r04-n11" is its spine, the first two its rack. Where
// names say nothing, `in: {rack: r4}` does. A child queue is named "nlp/pretrain". Everything unknown is an
// error with line, column and a hint, as in scenario files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/event.hpp"

namespace muster {

struct ClusterNode {
  NodeSpec spec;
  NodeState state = NodeState::Up;
};

struct Cluster {
  std::string name;
  LevelsSet levels;
  std::vector<ClusterNode> nodes;
  std::vector<QueueSpec> queues;  ///< a queue after the one that holds it
  std::vector<UserSpec> users;

  [[nodiscard]] std::int64_t gpus() const;
};

/// `file` is for messages only.
Result<Cluster> read_cluster(std::string_view text, const std::string& file);

/// "r[01-03]-n[1,4]" written out, in order; a name without brackets stands for itself. At most `most` names.
Result<std::vector<std::string>> expand_names(std::string_view pattern, std::size_t most);

/// `nodes` machines of `gpus` accelerators each, without a topology: for quick looks.
Cluster plain_cluster(std::int32_t nodes, std::int32_t gpus);

}  // namespace muster
