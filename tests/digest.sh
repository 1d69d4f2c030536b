#!/usr/bin/env bash
# The same seeds must give the same log everywhere: builds tests/digest_main.cpp and the rooms it links with
# g++ -O0, g++ -O2 and clang++-19, runs each twice and compares every line they print. The builds are those of
# the presets, so what ./test has built already is not built again.
set -euo pipefail
cd "$(dirname "$0")/.."

first=

# run PRESET COMPILER
run() {
  local preset=$1 compiler=$2 log=build/digest-$1.log lines again
  mkdir -p build
  if ! { cmake --preset "$preset" && cmake --build --preset "$preset" --target muster_digest; } >"$log" 2>&1; then
    tail -n 60 "$log"
    printf '%s: the build failed\n' "$compiler"
    exit 1
  fi
  lines=$("build/$preset/tests/muster_digest")
  again=$("build/$preset/tests/muster_digest")
  [ -n "$lines" ] || { printf '%s printed nothing\n' "$compiler"; exit 1; }
  if [ "$lines" != "$again" ]; then
    printf '%s: two runs differ\n' "$compiler"
    diff <(echo "$lines") <(echo "$again") || true
    exit 1
  fi
  if [ -z "$first" ]; then
    first=$lines
    printf '%s\n' "$lines"
  elif [ "$lines" != "$first" ]; then
    printf '%s differs:\n' "$compiler"
    diff <(echo "$first") <(echo "$lines") || true
    exit 1
  fi
  printf '%s: equal, twice\n' "$compiler"
}

run debug 'g++ -O0'
run release 'g++ -O2'
run asan 'clang++-19 -O1 under the sanitizers'
