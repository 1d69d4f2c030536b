#!/usr/bin/env bash
# The same seeds must give the same log everywhere: builds tests/digest_main.cpp and the rooms it links with
# g++ -O0, g++ -O2 and clang++-19 -O2, runs each twice and compares every line they print.
set -euo pipefail
cd "$(dirname "$0")/.."

first=

# run NAME COMPILER FLAGS
run() {
  local name=$1 compiler=$2 flags=$3 folder=build/digest-$1 binary lines again
  mkdir -p "$folder"
  if ! { cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE= -DCMAKE_CXX_COMPILER="$compiler" \
           -DCMAKE_CXX_FLAGS="$flags" -DMUSTER_BENCH=OFF &&
         cmake --build "$folder" --target muster_digest; } >"$folder/build.log" 2>&1; then
    tail -n 60 "$folder/build.log"
    printf '%s: the build failed\n' "$name"
    exit 1
  fi
  binary=$(find "$folder" -type f -name muster_digest -perm -u+x | head -n 1)
  lines=$("$binary")
  again=$("$binary")
  [ -n "$lines" ] || { printf '%s printed nothing\n' "$name"; exit 1; }
  [ "$lines" = "$again" ] || { printf '%s: two runs differ\n' "$name"; diff <(echo "$lines") <(echo "$again"); exit 1; }
  if [ -z "$first" ]; then
    first=$lines
    printf '%s\n' "$lines"
  elif [ "$lines" != "$first" ]; then
    printf '%s differs:\n' "$name"
    diff <(echo "$first") <(echo "$lines") || true
    exit 1
  fi
  printf '%s: equal, twice\n' "$name"
}

run gcc-O0 g++ -O0
run gcc-O2 g++ -O2
run clang-O2 clang++-19 -O2
