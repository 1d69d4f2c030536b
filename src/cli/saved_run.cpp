#include "cli/saved_run.hpp"

#include <span>

#include "base/text.hpp"
#include "cli/files.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "sim/knobs_text.hpp"
#include "sim/report.hpp"

namespace muster::cli {
namespace {

std::string jobs_csv(const Replay& replay) {
  const auto time = [](std::optional<Instant> at) { return at ? format_milli(millis(*at)) : std::string(); };
  Table table({{"job", {}},
               {"state", {}},
               {"gpus", {}},
               {"submit_s", {}},
               {"first_start_s", {}},
               {"end_s", {}},
               {"waited_s", {}},
               {"rho", {}},
               {"evictions", {}}});
  for (const JobReport& job : jobs_of(replay)) {
    table.add({replay.state().job(job.id).name, std::string(word_of(job.state)), format_milli(job.milli_gpus),
               time(job.submitted), time(job.first_start), time(job.ended),
               job.ended ? fixed(job.waited, 3) : "", job.rho ? fixed(*job.rho, 4) : "",
               std::to_string(job.evictions)});
  }
  return table.csv();
}

}  // namespace

Result<void> save_run(const std::string& folder, const RunFile& run, const Replay& replay) {
  if (auto made = make_folder(folder); !made) return made;
  if (auto done = write_file(folder + "/records.bin", std::span(replay.log().bytes())); !done) return done;
  if (auto done = write_file(folder + "/jobs.csv", jobs_csv(replay)); !done) return done;
  return write_file(folder + "/run.json", write_run_file(run));
}

Result<SavedRun> load_run(const std::string& folder) {
  const std::string about = folder + "/run.json";
  const auto text = read_file(about);
  if (!text) {
    Error error = text.error();
    error.hint = "a saved run is a folder written by muster sim run --save";
    return fail(std::move(error));
  }
  auto run = read_run_file(*text, about);
  if (!run) return fail(std::move(run.error()));
  SavedRun saved{.run = std::move(*run), .knobs = {}, .log = {}};
  saved.knobs.name = saved.run.policy;
  for (const auto& [name, value] : saved.run.knobs) {
    if (auto set = set_knob(saved.knobs, name + "=" + value); !set) {
      Error error = set.error();
      error.where.file = about;
      error.field = "knobs." + name;
      return fail(std::move(error));
    }
  }
  const std::string records = folder + "/records.bin";
  const auto bytes = read_file(records);
  if (!bytes) return fail(bytes.error());
  const std::vector<std::uint8_t> raw(bytes->begin(), bytes->end());
  auto log = decode_log(raw);
  if (!log) {
    Error error = log.error();
    error.where.file = records;
    return fail(std::move(error));
  }
  saved.log = std::move(*log);
  LogDigest digest;
  for (const Record& record : saved.log) digest.add(record);
  if (digest.hex() != saved.run.digest) {
    return fail({.where = {.file = records},
                 .field = {},
                 .message = "has the digest " + digest.hex() + ", but run.json says " + saved.run.digest,
                 .hint = "save the run again"});
  }
  return saved;
}

Instant end_of(const SavedRun& run) { return run.log.empty() ? Instant{} : run.log.back().at; }

}  // namespace muster::cli
