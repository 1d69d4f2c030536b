#include "engine/elsewhere.hpp"

#include <algorithm>

namespace muster {
namespace {

class FirstFit {
 public:
  FirstFit(const Draft& view, const Instead& instead) : view_(view), instead_(instead) {
    for (std::size_t n = 0; n < state().ledger.nodes().size(); ++n) free_.push_back(view.free(NodeId{n}));
  }

  bool seat(JobId id) {
    const Shape& shape = state().shape(state().job(id));
    if (shape.best_effort) return false;
    const auto ranges = ranges_of(shape.near, topology().everything());
    const std::vector<Free> before = free_;
    for (const Range& range : ranges) {
      if (seat_roles(shape, range)) return true;
      free_ = before;
    }
    return false;
  }

 private:
  [[nodiscard]] const State& state() const { return view_.state(); }
  [[nodiscard]] const Topology& topology() const { return state().ledger.topology(); }

  /// Domains inside `outer` that a required wish allows; none where it is about the inside of a node.
  [[nodiscard]] std::vector<Range> ranges_of(const std::vector<Near>& wishes, const Range& outer) const {
    for (const Near& near : wishes) {
      if (near.mode != Locality::Required) continue;
      const std::uint32_t level = topology().level_index(near.level);
      std::vector<Range> ranges;
      if (level == topology().depth()) {
        for (std::uint32_t p = outer.begin; p < outer.end; ++p) ranges.push_back({p, p + 1});
      }
      if (level >= topology().depth()) return ranges;
      for (const DomainId id : topology().at_level(level)) {
        const Domain& domain = topology().domain(id);
        const bool inside = outer.begin <= domain.range.begin && domain.range.end <= outer.end;
        if (inside && !domain.name.empty()) ranges.push_back(domain.range);
      }
      return ranges;
    }
    return {outer};
  }

  [[nodiscard]] bool accepted(const RoleSpec& role, const NodeSpec& node) const {
    if (!accepts_name(role.select, node.name)) return false;
    if (instead_.key.empty()) return true;
    std::vector<Selector> rest = role.select;
    std::erase_if(rest, [&](const Selector& s) { return s.key == instead_.key; });
    if (!instead_.value.empty()) rest.push_back({.key = instead_.key, .values = {instead_.value}});
    return accepts(rest, class_of(node));
  }

  bool seat_roles(const Shape& shape, const Range& range) {
    used_.clear();
    for (const RoleSpec& role : shape.roles) {
      const std::int32_t workers =
          shape.kind == JobKind::Service ? std::min(1, role.count.max) : role.count.min;
      bool seated = false;
      const auto free = free_;
      const auto used = used_;
      for (const Range& inner : ranges_of(role.near, range)) {
        seated = seat_workers(shape, role, inner, workers);
        if (seated) break;
        free_ = free;
        used_ = used;
      }
      if (!seated) return false;
    }
    return true;
  }

  bool seat_workers(const Shape& shape, const RoleSpec& role, const Range& range, std::int32_t workers) {
    for (std::uint32_t p = range.begin; p < range.end && workers > 0; ++p) {
      const NodeId node = topology().node_at(p);
      const NodeSpec& spec = state().ledger.node(node).spec;
      if (!view_.usable(node) || !accepted(role, spec)) continue;
      const bool taken = std::find(used_.begin(), used_.end(), node) != used_.end();
      if (shape.spread && taken) continue;
      Free& free = free_[node.index()];
      while (workers > 0 && capacity(free, spec, role.each, Column::Firm, {}, 1) > 0) {
        take(free, spec, role.each, Column::Firm, choose_devices(free, spec, role.each));
        used_.push_back(node);
        --workers;
        if (shape.spread) break;
      }
    }
    return workers == 0;
  }

  const Draft& view_;
  const Instead& instead_;
  std::vector<Free> free_;    ///< by node
  std::vector<NodeId> used_;  ///< by the job being seated
};

}  // namespace

bool fits_instead(WhatIf& what_if, const Instead& instead) {
  FirstFit fit(what_if.view(View::Now), instead);
  const Unit& unit = what_if.unit();
  return std::all_of(unit.begin(), unit.end(), [&](JobId id) { return fit.seat(id); });
}

}  // namespace muster
