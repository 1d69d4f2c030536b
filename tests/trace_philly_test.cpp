// Philly's trace in all its forms, the copies as CSV and the original log, on small texts made by hand.
#include <gtest/gtest.h>
#include <string>

#include "trace/philly.hpp"
#include "trace/philly_json.hpp"
#include "trace_loads.hpp"

namespace muster {
namespace {

// --- Philly and Muri, CSV ------------------------------------------------------------------------------

TEST(Philly, CsvCopies) {
  const Workload load =
      must(read_philly_csv("timestamp,duration,num_gpus,gpu_time,cluster\n"
                           "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n"
                           "2017-10-09 07:00:55,10.0,12,120.0,6214e9\n"
                           "2017-10-09 07:02:55,10.0,16,100.0,6214e9\n"
                           "2017-10-09 07:02:55,,16,100.0,6214e9\n"
                           "2017-10-09 07:02:55,10,0,0,6214e9\n"
                           "soon,10,1,10,6214e9\n\n",
                           "philly"));
  ASSERT_EQ(load.jobs.size(), 3u);
  EXPECT_EQ(load.jobs[0].name, "philly-2");
  EXPECT_EQ(load.jobs[0].workers, 2);
  EXPECT_EQ(load.jobs[0].each.gpus, 6);
  EXPECT_EQ(load.jobs[0].queue, "6214e9");
  EXPECT_EQ(load.jobs[1].submit, at_seconds(60));
  EXPECT_EQ(load.jobs[1].run, seconds(66));
  EXPECT_EQ(load.jobs[2].workers, 2);
  EXPECT_EQ(load.report.flags_of("gpu_time is not duration x num_gpus"), 1);
  EXPECT_EQ(load.report.drops_of("blank duration"), 1);
  EXPECT_EQ(load.report.drops_of("num_gpus is no whole number in range"), 1);
  EXPECT_EQ(load.report.drops_of("timestamp is no time"), 1);

  const std::string muri =
      "job_id,num_gpu,submit_time,model_name,duration,priority\n7,4,1456000,bert,926133000,1\n";
  const Workload one =
      must(read_muri_csv(muri, "muri", {.origin = Origin::Keep, .importance = TraceRanks::Read}));
  EXPECT_EQ(one.jobs.at(0).submit, at_seconds(1456));
  EXPECT_EQ(one.jobs.at(0).run, seconds(926133));
  EXPECT_EQ(one.jobs.at(0).model, "bert");
  EXPECT_EQ(one.jobs.at(0).priority, 1);
}

// --- the original log

std::string philly_job(std::string_view id, std::string_view attempts,
                       std::string_view submitted = "\"2017-10-09 07:00:00\"") {
  return R"({"status":"Pass","vc":"v","jobid":")" + std::string(id) + R"(","user":"u","submitted_time":)" +
         std::string(submitted) + R"(,"attempts":)" + std::string(attempts) + "}";
}

std::string attempt(std::string_view start, std::string_view end, std::string_view detail) {
  const auto time = [](std::string_view t) {
    return t.empty() ? std::string("null") : "\"2017-10-09 " + std::string(t) + "\"";
  };
  return R"({"start_time":)" + time(start) + R"(,"end_time":)" + time(end) + R"(,"detail":[)" +
         std::string(detail) + "]}";
}

std::string seat(std::string_view ip, int gpus) {
  std::string text = R"({"ip":")" + std::string(ip) + R"(","gpus":[)";
  for (int i = 0; i < gpus; ++i) text += (i ? ",\"gpu" : "\"gpu") + std::to_string(i) + "\"";
  return text + "]}";
}

TEST(PhillyJson, AttemptsWaitsAndDemand) {
  const std::string text =
      "[" +
      philly_job("two", "[" + attempt("07:00:10", "07:01:10", seat("m1", 8) + "," + seat("m2", 8)) + "," +
                            attempt("07:05:00", "07:05:30", seat("m3", 8) + "," + seat("m2", 8)) + "]") +
      ",\n" + philly_job("uneven", "[" + attempt("07:00:10", "", seat("m1", 8) + "," + seat("m2", 4)) + "]") +
      ",\n" + philly_job("none", "[]") + ",\n" + philly_job("bare", "[" + attempt("", "07:05:00", "") + "]") +
      ",\n" +
      philly_job("unsubmitted", "[" + attempt("07:00:10", "07:01:10", seat("m1", 1)) + "]", "\"None\"") +
      ",\n" + philly_job("backwards", "[" + attempt("07:00:10", "07:00:00", seat("m1", 1)) + "]") + ",\n" +
      philly_job("badtime", "[" + attempt("07:00:1x", "07:00:00", seat("m1", 1)) + "]") + ",\n 17,\n" +
      R"({"jobid":"twice","jobid":"twice"})" + ",\n" + R"({"jobid":5,"extra":{"a":[1,{}]}})" + "]\n";
  const Workload load = must(read_philly_json(text, "log"));
  ASSERT_EQ(load.jobs.size(), 2u);
  EXPECT_EQ(load.report.rows, 10);
  const TraceJob& two = load.jobs[0];
  EXPECT_EQ(two.run, seconds(90));
  EXPECT_EQ(two.wait_seen, seconds(10));
  EXPECT_EQ(two.attempts_seen, 2);
  EXPECT_EQ(two.workers, 2);
  EXPECT_EQ(two.each.gpus, 8);
  EXPECT_EQ(two.queue, "v");
  EXPECT_EQ(two.user, "u");
  EXPECT_EQ(two.outcome_seen, JobState::Done);
  const TraceJob& uneven = load.jobs[1];
  EXPECT_EQ(uneven.workers, 3);
  EXPECT_EQ(uneven.each.gpus, 4);
  EXPECT_TRUE(uneven.censored);
  EXPECT_EQ(uneven.run, seconds(5 * 60 + 30 - 10));
  EXPECT_EQ(uneven.line, 2);
  for (const char* cause : {"no attempts: demand unknown", "no attempt lists devices: demand unknown",
                            "blank submitted_time", "attempt ends before it starts", "start_time is no time",
                            "not an object", "key stands twice", "jobid is no text"}) {
    EXPECT_EQ(load.report.drops_of(cause), 1) << cause << "\n" << to_string(load.report);
  }
  EXPECT_EQ(load.report.flags_of("uneven placement: cut into equal workers"), 1);
  ASSERT_EQ(load.nodes.size(), 3u);
  EXPECT_EQ(load.nodes[2].devices.size(), 8u);
  const auto strict = read_philly_json(text, "log", kStrict);
  ASSERT_FALSE(strict);
  EXPECT_EQ(strict.error().where.line, 3);
  const auto torn = read_philly_json(text.substr(0, text.size() - 3), "log");
  ASSERT_FALSE(torn);
  EXPECT_FALSE(read_philly_json("{}", "log"));
  EXPECT_FALSE(read_philly_json("", "log"));
  EXPECT_FALSE(read_philly_json("[] 1", "log"));
  EXPECT_TRUE(read_philly_json("[]", "log"));
}

TEST(PhillyJson, MachineListAgainstLog) {  // C128
  const std::string text =
      "[" + philly_job("big", "[" + attempt("07:00:10", "07:01:10", seat("m51", 8)) + "]") + "," +
      philly_job("small", "[" + attempt("07:00:10", "07:01:10", seat("m52", 1)) + "]") + "]";
  const auto machines =
      read_philly_machines("machineId,number of GPUs,single GPU mem\nm51,2,12GB\nm53,2,12GB\n", "machines");
  ASSERT_TRUE(machines) << to_string(machines.error());
  const std::string conflict = "machine m51 has fewer GPUs in the machine list than a job used there";

  const Workload table =
      must(read_philly_json(text, "log", {}, {.machines = *machines, .from = ClusterFrom::Table}));
  EXPECT_EQ(table.jobs.at(0).each.gpus, 8);
  EXPECT_EQ(table.report.flags_of(conflict), 1);
  EXPECT_EQ(table.report.flags_of("machine is not in the machine list"), 1);
  EXPECT_EQ(table.report.flags_of("never fits on the machines of the list"), 1);
  ASSERT_EQ(table.nodes.size(), 2u);
  EXPECT_EQ(table.nodes[0].devices.size(), 2u);
  EXPECT_NE(to_string(table.report).find("'8 of 2'"), std::string::npos);

  const Workload inferred =
      must(read_philly_json(text, "log", {}, {.machines = *machines, .from = ClusterFrom::Jobs}));
  EXPECT_EQ(inferred.jobs.at(0).each.gpus, 8);
  EXPECT_EQ(inferred.report.flags_of(conflict), 1);
  EXPECT_EQ(inferred.report.flags_of("never fits on the machines of the list"), 0);
  ASSERT_EQ(inferred.nodes.size(), 2u);
  EXPECT_EQ(inferred.nodes[0].name, "m51");
  EXPECT_EQ(inferred.nodes[0].devices.size(), 8u);
  EXPECT_FALSE(read_philly_machines("m1,many,12GB\n", "machines"));
}

}  // namespace
}  // namespace muster
