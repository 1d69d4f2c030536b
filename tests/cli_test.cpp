// The program as a user meets it: runs the built binary and looks at what it prints and returns. Output here
// has no terminal, so nothing is coloured and nothing is cut.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct Ran {
  int code = -1;
  std::string out;
  std::string err;
};

std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class Cli : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder =
        (std::filesystem::temp_directory_path() / ("muster-cli-" + std::string(6, 'X'))).string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    write("lab.yaml",
          "kind: Cluster\nname: lab\nlevels: [rack]\nnodes:\n  - {match: \"r1-n[1-2]\", gpu: H100, gpus: 4, "
          "cpus: 32, "
          "mem: 256G}\n---\n{kind: Queue, name: nlp, guarantee: {gpu: 4}}\n");
    // a holds everything in [0, 100 s]; then b and c run side by side; d can never run.
    write("jobs.csv",
          "name,submit_s,run_s,workers,gpus,queue,user\n"
          "a,0,6000,2,4,nlp,ana\nb,600,3000,1,4,nlp,bob\nc,1200,1800,1,4,nlp,ana\nd,1800,60,1,5,nlp,bob\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  /// Runs the program in the scratch folder.
  [[nodiscard]] Ran run(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd '" + folder_.string() + "' && " + before + " '" MUSTER_BINARY "' " +
                                arguments + " >out.txt 2>err.txt </dev/null";
    const int status = std::system(command.c_str());
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = slurp(folder_ / "out.txt"),
            .err = slurp(folder_ / "err.txt")};
  }

  [[nodiscard]] Ran save() const {
    return run("sim run --cluster lab.yaml --jobs jobs.csv --policy fifo --save run");
  }

  std::filesystem::path folder_;
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(Cli, HelpAndVersion) {
  EXPECT_EQ(run("--version").out, "muster 0.1.0\n");
  const Ran help = run("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_TRUE(has(help.out, "muster sim demo")) << help.out;
  EXPECT_EQ(run("sim run --help").code, 0);
}

TEST_F(Cli, ExitCodesAndHints) {
  Ran ran = run("");
  EXPECT_EQ(ran.code, 2);
  ran = run("sim comapre --jobs x");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "did you mean compare?")) << ran.err;
  ran = run("sim run --jobs jobs.csv --clutser lab.yaml");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "did you mean --cluster?")) << ran.err;
  ran = run("sim run --cluster lab.yaml --jobs jobs.csv --policy mustr");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "did you mean muster?")) << ran.err;
  ran = run("sim run --cluster lab.yaml --jobs jobs.csv --set backfil=easy");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "did you mean backfill?")) << ran.err;
  ran = run("sim run --cluster lab.yaml --jobs absent.csv");
  EXPECT_EQ(ran.code, 6);
  EXPECT_TRUE(has(ran.err, "absent.csv: No such file")) << ran.err;
  ran = run("sim run --jobs jobs.csv");
  EXPECT_EQ(ran.code, 6);
  EXPECT_TRUE(has(ran.err, "--cluster 8x8")) << ran.err;
  EXPECT_EQ(ran.out, "");
}

TEST_F(Cli, AClusterFileWithAMistakeIsNamedWithItsPlace) {
  write("bad.yaml", "kind: Cluster\nnodes:\n  - {match: n1, gpuz: 8}\n");
  const Ran ran = run("sim run --cluster bad.yaml --jobs jobs.csv");
  EXPECT_EQ(ran.code, 6);
  EXPECT_TRUE(has(ran.err, "bad.yaml:3:17")) << ran.err;
  EXPECT_TRUE(has(ran.err, "did you mean \"gpu")) << ran.err;
}

TEST_F(Cli, BadRowsAreDroppedAndToldOrStopTheRun) {
  write("odd.csv", "submit_s,run_s,gpus\n0,10,1\n5,ten,1\n");
  Ran ran = run("sim run --cluster 1x4 --jobs odd.csv -o csv");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran.err, "1 dropped")) << ran.err;
  EXPECT_TRUE(has(ran.err, "3:3")) << ran.err;
  ran = run("sim run --cluster 1x4 --jobs odd.csv -o csv --quiet");
  EXPECT_EQ(ran.err, "");
  ran = run("sim run --cluster 1x4 --jobs odd.csv --strict");
  EXPECT_EQ(ran.code, 6);
  EXPECT_TRUE(has(ran.err, "odd.csv:3:3")) << ran.err;
}

TEST_F(Cli, RunReportsAndSaves) {
  const Ran ran = save();
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "fifo on lab: 2 nodes, 8 GPUs, rack > node, 1 queue\njobs.csv: 4 jobs (synth)\n"))
      << ran.out;
  EXPECT_TRUE(has(ran.out, "3 done, 1 never fit")) << ran.out;
  for (const char* file : {"run/run.json", "run/records.bin", "run/jobs.csv"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_ / file)) << file;
  }
  EXPECT_TRUE(has(slurp(folder_ / "run/jobs.csv"), "b,done,4,600,6000,9000,5400.000,"));
}

TEST_F(Cli, EqualRunsGiveEqualBytes) {
  const Ran once = run("sim compare --cluster 8x8 --jobs synth:60 --policies fifo,muster -o csv --seed 5");
  const Ran again = run("sim compare --cluster 8x8 --jobs synth:60 --policies fifo,muster -o csv --seed 5");
  EXPECT_EQ(once.code, 0) << once.err;
  EXPECT_EQ(once.out, again.out);
  EXPECT_NE(once.out,
            run("sim compare --cluster 8x8 --jobs synth:60 --policies fifo,muster -o csv --seed 6").out);
}

TEST_F(Cli, SynthWritesWhatRunReads) {
  EXPECT_EQ(run("sim synth --count 50 --seed 9 --out made.csv").code, 0);
  const Ran file = run("sim run --cluster 8x8 --jobs made.csv -o csv");
  const Ran drawn = run("sim run --cluster 8x8 --jobs synth:50 --seed 9 -o csv");
  EXPECT_EQ(file.code, 0) << file.err;
  EXPECT_EQ(file.out, drawn.out);
}

TEST_F(Cli, CompareMarksTheBestAndTheDifference) {
  const Ran ran = run("sim compare --cluster lab.yaml --jobs jobs.csv --policies fifo,srtf");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "vs fifo")) << ran.out;
  EXPECT_TRUE(has(ran.out, "% *")) << ran.out;
}

TEST_F(Cli, CompareOverSeedsTellsMediansAndSpread) {
  const std::string what =
      "sim compare --cluster 2x8 --jobs synth:40 --policies fifo,muster --seed 3 --seeds ";
  const Ran page = run(what + "3");
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_TRUE(has(page.out, "40 jobs drawn, seeds 3 to 5\n")) << page.out;
  EXPECT_TRUE(has(page.out, " of 3  ")) << page.out;
  const Ran rows = run(what + "3 -o csv");
  EXPECT_EQ(std::count(rows.out.begin(), rows.out.end(), '\n'), 7) << rows.out;
  const Ran last = run("sim run --cluster 2x8 --jobs synth:40 --policy muster --seed 5 -o csv");
  const std::string row = last.out.substr(last.out.find('\n') + 1);
  EXPECT_TRUE(rows.out.ends_with("\n5," + row)) << rows.out << row;
  EXPECT_TRUE(has(run(what + "2 -o json").out, "\"seed\": 4")) << "a list of what each seed alone prints";
  EXPECT_EQ(run(what + "0").code, 2);
  EXPECT_EQ(run("sim compare --cluster lab.yaml --jobs jobs.csv --seeds 2").code, 2);
}

TEST_F(Cli, Gantt) {
  ASSERT_EQ(save().code, 0);
  const Ran ran = run("sim gantt --run run --width 54");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "node   0s                57m27s            1h54m\n"
            "r1-n1  #a###############################b#############\n"
            "r1-n2  #a###############################c######3......\n"
            "# all GPUs held, 1-9 so many of them, . idle, x drained or down\n"
            "\n"
            "job  GPUs        from          to  queue  user  nodes\n"
            "a       8  0d00:00:00  0d01:40:00  nlp    ana   r1-n[1-2]\n"
            "b       4  0d01:40:00  0d02:30:00  nlp    bob   r1-n1\n"
            "c       4  0d01:40:00  0d02:10:00  nlp    ana   r1-n2\n");
}

TEST_F(Cli, GanttOfOneNodeAndAWindow) {
  ASSERT_EQ(save().code, 0);
  const Ran ran = run("sim gantt --run run --nodes '*n2' --from 1h --to 2h --width 40");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_FALSE(has(ran.out, "r1-n1 "));
  EXPECT_EQ(run("sim gantt --run run --nodes 'x*'").code, 3);
  EXPECT_EQ(run("sim gantt --run run --from 2h --to 1h").code, 2);
  EXPECT_EQ(run("sim gantt --run absent").code, 3);
}

TEST_F(Cli, Why) {
  ASSERT_EQ(save().code, 0);
  Ran ran = run("why c --run run --at 30m");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(
      ran.out,
      "c  PENDING 10m00s  queue nlp  user ana  wants 4 GPUs  position 2 of 3 in its queue\n"
      "WHY      1 Capacity  needs 4 gpu, 0 gpu free\n"
      "START    0d01:40:00 if what runs ends as expected; a has no time limit; 1 job waits ahead of it\n"
      "NODES    2 H100: 2 full\n"
      "HISTORY  0d00:20:00  submitted\n");
  ran = run("why b --run run --at 2h");
  EXPECT_EQ(ran.out,
            "b  RUNNING 20m00s  queue nlp  user bob  wants 4 GPUs\n"
            "WHERE    r1-n1 gpu 0-3\n"
            "HISTORY  0d00:10:00  submitted\n"
            "         0d00:10:00  waits      Capacity\n"
            "         0d01:40:00  started    fits\n");
}

TEST_F(Cli, WhyNamesWhatIsMissing) {
  ASSERT_EQ(save().code, 0);
  Ran ran = run("why e --run run --at 1h");
  EXPECT_EQ(ran.code, 3);
  ran = run("why d --run run --at 10s");
  EXPECT_EQ(ran.code, 3);
  EXPECT_TRUE(has(ran.err, "submitted at 0d00:30:00")) << ran.err;
  ran = run("why d --run run --at noon");
  EXPECT_EQ(ran.code, 2);
  ran = run("why d --run run --at 1h -o json");
  EXPECT_TRUE(has(ran.out, "\"code\": \"NeverFits\"")) << ran.out;
}

TEST_F(Cli, ASavedRunThatWasChangedIsRefused) {
  ASSERT_EQ(save().code, 0);
  std::string records = slurp(folder_ / "run/records.bin");
  records[records.size() / 2] = static_cast<char>(records[records.size() / 2] ^ 1);
  write("run/records.bin", records);
  EXPECT_NE(run("why a --run run").code, 0);
  write("run/records.bin", "");
  EXPECT_TRUE(has(run("why a --run run").err, "digest"));
}

TEST_F(Cli, ColoursOnlyWhenAsked) {
  ASSERT_EQ(save().code, 0);
  EXPECT_FALSE(has(run("sim gantt --run run").out, "\x1b["));
  EXPECT_TRUE(has(run("sim gantt --run run --color always").out, "\x1b["));
  EXPECT_TRUE(has(run("sim gantt --run run", "CLICOLOR_FORCE=1").out, "\x1b["));
  EXPECT_FALSE(has(run("sim gantt --run run", "NO_COLOR=1 CLICOLOR_FORCE=1").out, "\x1b["));
  EXPECT_FALSE(has(run("sim gantt --run run --color never", "CLICOLOR_FORCE=1").out, "\x1b["));
}

TEST_F(Cli, DemoTellsItsStory) {
  const Ran ran = run("sim demo --count 120");
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* part : {"1. Decisions of the policy muster, and why\n", "decision  where", "fits",
                           "2. The schedule around the longest queue\n", "r1-n1 ", "r2-n4 ",
                           "3. The same jobs under two policies\n", "vs fifo", "seed 3"}) {
    EXPECT_TRUE(has(ran.out, part)) << part << "\n" << ran.out;
  }
  EXPECT_EQ(ran.out, run("sim demo --count 120").out);
  EXPECT_EQ(ran.err, "");
}

}  // namespace
