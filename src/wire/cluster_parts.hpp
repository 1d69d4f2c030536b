// Inside the reader of cluster files: one function for each kind of document.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wire/cluster.hpp"
#include "wire/yaml/walk.hpp"

namespace muster::cluster {

using yaml::Field;

inline constexpr std::size_t kMaxNodes = 100'000;
inline constexpr std::size_t kMaxQueues = 2'000;

/// What the documents of one file share.
struct Reading {
  std::set<std::string, std::less<>> nodes;
  std::map<std::string, std::size_t, std::less<>> queues;  ///< name -> index in `written`
  struct Written {
    QueueSpec spec;
    Field field;
  };
  std::vector<Written> written;
  std::set<std::string, std::less<>> users;
  bool cluster_seen = false;
};

void read_cluster_document(const Field& root, Reading& reading, Cluster& out);
void read_queue_document(const Field& root, Reading& reading);
void read_user_document(const Field& root, Reading& reading, Cluster& out);

/// After all documents: parents exist, promises are possible, parents come first.
void link_queues(Reading& reading, Cluster& out);

/// "2T" into bytes.
void read_size(const Field& size, std::int64_t& out);

}  // namespace muster::cluster
