#include "cli/chart.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"

namespace muster::cli {
namespace {

/// One cell of one node while it is summed up: GPU-thousandths times milliseconds.
struct Cell {
  std::int64_t held = 0;
  std::int64_t closed = 0;  ///< milliseconds
  JobId owner{};            ///< the job that held most
  std::int64_t owned = 0;
};

struct Row {
  std::int64_t gpus = 0;  ///< thousandths
  std::vector<Cell> cells;
};

class Canvas {
 public:
  Canvas(const Timeline& timeline, const ChartOptions& options) : options_(options) {
    row_of_.resize(timeline.state.ledger.nodes().size(), kNoRow);
    for (const NodeId node : options.nodes) {
      row_of_[node.index()] = rows_.size();
      const NodeSpec& spec = timeline.state.ledger.node(node).spec;
      Row row{.gpus = static_cast<std::int64_t>(spec.devices.size()) * kDevice, .cells = {}};
      row.cells.resize(options.cells);
      rows_.push_back(std::move(row));
    }
    for (const Stretch& stretch : timeline.stretches) hold(stretch);
    for (const Closed& closed : timeline.closed) close(closed);
  }

  [[nodiscard]] const Row& row(std::size_t at) const { return rows_[at]; }
  [[nodiscard]] Instant begin_of(std::size_t cell) const {
    const auto width = static_cast<__int128>(millis(options_.to - options_.from));
    return options_.from + Duration{static_cast<std::int64_t>(width * static_cast<std::int64_t>(cell) /
                                                              static_cast<std::int64_t>(options_.cells))};
  }

 private:
  static constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

  template <class Visit>
  void each_cell(NodeId node, Instant from, Instant to, Visit visit) {
    if (row_of_[node.index()] == kNoRow || to <= options_.from || from >= options_.to) return;
    Row& row = rows_[row_of_[node.index()]];
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const Duration inside = std::min(to, begin_of(c + 1)) - std::max(from, begin_of(c));
      if (inside > Duration{0}) visit(row.cells[c], millis(inside));
    }
  }

  void hold(const Stretch& stretch) {
    const std::int64_t weight = std::max<std::int64_t>(stretch.milli_gpus, 1);
    each_cell(stretch.node, stretch.from, stretch.to, [&](Cell& cell, std::int64_t inside) {
      cell.held += weight * inside;
      if (weight * inside <= cell.owned) return;
      cell.owned = weight * inside;
      cell.owner = stretch.job;
    });
  }

  void close(const Closed& closed) {
    each_cell(closed.node, closed.from, closed.to,
              [](Cell& cell, std::int64_t inside) { cell.closed += inside; });
  }

  const ChartOptions& options_;
  std::vector<std::size_t> row_of_;
  std::vector<Row> rows_;
};

char sign_of(const Row& row, const Cell& cell, std::int64_t width) {
  if (cell.closed * 2 > width) return 'x';
  if (cell.held == 0) return '.';
  if (row.gpus == 0 || cell.held * 100 >= row.gpus * width * 97) return '#';
  const std::int64_t gpus = (cell.held / width + kDevice / 2) / kDevice;
  if (gpus == 0) return '.';
  return gpus * kDevice >= row.gpus ? '#' : static_cast<char>('0' + std::min<std::int64_t>(gpus, 9));
}

/// The job that holds the whole node during the cell, if one does.
JobId sole_owner(const Row& row, const Cell& cell, std::int64_t width) {
  const bool whole = cell.owned * 100 >= std::max(row.gpus, std::int64_t{1}) * width * 97;
  return whole ? cell.owner : JobId{};
}

/// Writes names over runs of '#' of one job that holds the whole node, with one '#' left on each side.
void write_names(std::string& text, const std::vector<JobId>& owners, const State& state) {
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;
    while (end < text.size() && owners[end] == owners[begin]) ++end;
    if (text[begin] == '#' && owners[begin].valid()) {
      const std::string& name = state.job(owners[begin]).name;
      if (name.size() + 2 <= end - begin) text.replace(begin + 1, name.size(), name);
    }
    begin = end;
  }
}

Tint tint_of(char sign) {
  if (sign == '.') return Tint::Dim;
  if (sign == 'x') return Tint::Bad;
  if (sign == '#') return Tint::Good;
  return Tint::Accent;
}

/// Runs of letters of one kind in one colour.
std::string painted(const std::string& text, const std::string& signs, const Paint& paint) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;
    while (end < text.size() && tint_of(signs[end]) == tint_of(signs[begin])) ++end;
    out += paint(tint_of(signs[begin]), text.substr(begin, end - begin));
    begin = end;
  }
  return out;
}

/// Times over the cells: a label every so many cells, none that would not fit.
std::string ruler(const Canvas& canvas, const ChartOptions& options) {
  constexpr std::size_t kEvery = 18;
  std::string text(options.cells, ' ');
  for (std::size_t cell = 0; cell < options.cells; cell += kEvery) {
    const std::string label = format_duration(canvas.begin_of(cell).time_since_epoch());
    if (cell + label.size() <= text.size()) text.replace(cell, label.size(), label);
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

std::string chart(const Timeline& timeline, const ChartOptions& options, const Paint& paint) {
  const Canvas canvas(timeline, options);
  std::size_t name_width = 4;
  for (const NodeId node : options.nodes) {
    name_width = std::max(name_width, letters_in(timeline.state.ledger.node(node).spec.name));
  }
  std::string out =
      paint(Tint::Bold, "node" + std::string(name_width - 2, ' ') + ruler(canvas, options)) + "\n";
  for (std::size_t r = 0; r < options.nodes.size(); ++r) {
    const Row& row = canvas.row(r);
    std::string signs;
    std::vector<JobId> owners;
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const auto width = std::max<std::int64_t>(millis(canvas.begin_of(c + 1) - canvas.begin_of(c)), 1);
      signs += sign_of(row, row.cells[c], width);
      owners.push_back(sole_owner(row, row.cells[c], width));
    }
    std::string text = signs;
    write_names(text, owners, timeline.state);
    const std::string& name = timeline.state.ledger.node(options.nodes[r]).spec.name;
    out += name + std::string(name_width - letters_in(name) + 2, ' ') + painted(text, signs, paint) + "\n";
  }
  return out + paint(Tint::Dim, "# all GPUs held, 1-9 so many of them, . idle, x drained or down") + "\n";
}

std::string legend(const Timeline& timeline, const ChartOptions& options, std::size_t most,
                   const Paint& paint) {
  struct Line {
    JobId job;
    __int128 work = 0;
    std::int64_t milli = 0;
    std::uint32_t attempt = 0;
    Instant from = kNever;
    Instant to{};
    std::vector<std::string> nodes;
  };
  std::map<JobId, Line> lines;
  for (const Stretch& stretch : timeline.stretches) {
    const bool shown =
        std::find(options.nodes.begin(), options.nodes.end(), stretch.node) != options.nodes.end();
    const Duration inside = std::min(stretch.to, options.to) - std::max(stretch.from, options.from);
    if (!shown || inside <= Duration{0}) continue;
    Line& line = lines[stretch.job];
    line.job = stretch.job;
    line.work += static_cast<__int128>(stretch.milli_gpus) * millis(inside);
    if (line.attempt != stretch.attempt) line.milli = 0;  // of the last attempt in the window
    line.attempt = stretch.attempt;
    line.milli += stretch.milli_gpus;
    line.from = std::min(line.from, stretch.from);
    line.to = std::max(line.to, stretch.to);
    line.nodes.push_back(timeline.state.ledger.node(stretch.node).spec.name);
  }
  std::vector<Line> order;
  for (auto& [job, line] : lines) order.push_back(std::move(line));
  std::stable_sort(order.begin(), order.end(), [](const Line& a, const Line& b) { return a.work > b.work; });
  const std::size_t all = order.size();
  order.resize(std::min(most, all));
  Table table({{"job", Align::Left},
               {"GPUs", Align::Right},
               {"from", Align::Right},
               {"to", Align::Right},
               {"queue", Align::Left},
               {"user", Align::Left},
               {"nodes", Align::Left}});
  for (const Line& line : order) {
    const Job& job = timeline.state.job(line.job);
    table.add({job.name, format_milli(line.milli), clock_text(line.from), clock_text(line.to),
               timeline.state.ledger.queue(job.queue).spec.name,
               timeline.state.ledger.user(job.user).spec.name, fold_names(line.nodes)});
  }
  std::string out = table.text(paint);
  if (all > order.size()) {
    out += paint(Tint::Dim, "and " + grouped(static_cast<std::int64_t>(all - order.size())) +
                                " jobs that held less GPU time") +
           "\n";
  }
  return out;
}

std::vector<NodeId> nodes_named(const State& state, const std::string& pattern) {
  const auto matches = [&](std::string_view name) {
    // Greedy with one step back: where a * was last, and how much it has taken.
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string::npos;
    std::size_t taken = 0;
    while (n < name.size()) {
      if (p < pattern.size() && pattern[p] == '*') {
        star = p++;
        taken = n;
      } else if (p < pattern.size() && pattern[p] == name[n]) {
        ++p;
        ++n;
      } else if (star != std::string::npos) {
        p = star + 1;
        n = ++taken;
      } else {
        return false;
      }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
  };
  std::vector<NodeId> nodes;
  for (std::size_t n = 0; n < state.ledger.nodes().size(); ++n) {
    if (pattern.empty() || matches(state.ledger.nodes()[n].spec.name)) nodes.emplace_back(n);
  }
  return nodes;
}

}  // namespace muster::cli
