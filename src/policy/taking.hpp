// A draft from which preys are taken and to which they are put back, one by one. Preys of one job may
// overlap: steps of surplus are disjoint sets of workers, and the whole job is all of them.
#pragma once

#include <map>
#include <vector>

#include "core/draft.hpp"
#include "policy/prey.hpp"

namespace muster {

class Taking {
 public:
  Taking(Draft open, std::vector<Prey> preys);

  void take(std::size_t prey) { change(prey, true); }
  void put_back(std::size_t prey) { change(prey, false); }

  [[nodiscard]] const Draft& draft() const { return draft_; }
  /// What is taken, one entry a job, by job: all of it, or the union of its workers.
  [[nodiscard]] std::vector<Prey> taken() const;

 private:
  /// What is taken from a job of several preys.
  struct Torn {
    std::vector<std::size_t> preys;
    std::vector<std::uint32_t> workers;  ///< taken now, ascending
  };

  void change(std::size_t prey, bool taken);
  [[nodiscard]] std::vector<std::uint32_t> workers_of(const Prey& prey) const;
  [[nodiscard]] bool is_all(JobId job, std::size_t workers) const {
    return workers == draft_.state().job(job).seats.size();
  }

  Draft draft_;
  std::vector<Prey> preys_;
  std::vector<bool> taken_;
  std::map<JobId, Torn> torn_;
};

}  // namespace muster
