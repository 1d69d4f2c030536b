#!/usr/bin/env bash
# The regression gate of speed: instructions a decision, counted by callgrind over the same 10,000 decisions
# (bench/fixed.cpp), against those written down in bench/instructions.txt. Counts do not depend on what else
# runs on the machine; they do depend on the compiler, which is written down beside them.
#   bench/instructions.sh            compare; fails if a count grew by more than 3 % or the decisions changed
#   bench/instructions.sh --record   write down what is counted now
# BUILD names the build folder (build/release); RULES the rules to count ("reduced full"). Where the decisions
# take more than CPU_LIMIT (60) seconds even outside valgrind, which is some fifty times slower, they are not counted.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

book=bench/instructions.txt
tolerance=3
build=${BUILD:-build/release}
fixed=$build/bench/muster_bench_fixed

mode=compare
case "${1:-}" in
  '') ;;
  --record) mode=record ;;
  *) printf 'usage: bench/instructions.sh [--record]\n' >&2; exit 2 ;;
esac
[ -x "$fixed" ] || { printf 'build it first: cmake --build %s --target muster_bench_fixed\n' "$build" >&2; exit 2; }
command -v valgrind >/dev/null || { printf 'valgrind is missing: ./setup --tests\n' >&2; exit 2; }

compiler=$(sed -nE 's/^CMAKE_CXX_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
compiler="$(basename "$compiler") $("$compiler" -dumpfullversion), $(sed -nE 's/^CMAKE_BUILD_TYPE:[^=]*=//p' "$build/CMakeCache.txt")"

# count RULES: prints "instructions-a-decision digest", or nothing where it would take too long.
count() {
  local scratch said total decisions
  (ulimit -t "$limit" && exec "$fixed" --rules "$1") >/dev/null 2>&1 || return 0
  scratch=$(mktemp)
  said=$(valgrind --tool=callgrind --callgrind-out-file="$scratch" --collect-atstart=no \
    --toggle-collect='muster::bench::decide_all*' "$fixed" --rules "$1" 2>/dev/null)
  total=$(sed -nE 's/^(summary|totals): ([0-9]+).*/\2/p' "$scratch" | head -n 1)
  rm -f "$scratch"
  decisions=$(printf '%s' "$said" | sed -nE 's/^decisions ([0-9]+) .*/\1/p')
  [ "${total:-0}" -gt 0 ] && [ "${decisions:-0}" -gt 0 ] || { printf 'nothing was counted\n' >&2; return 1; }
  printf '%s %s\n' $((total / decisions)) "${said##* }"
}

limit=${CPU_LIMIT:-60}
status=0
lines=()
for rules in ${RULES:-reduced full}; do
  counted=$(count "$rules")
  was=$(sed -nE "s/^$rules +//p" "$book" 2>/dev/null || true)
  if [ -z "$counted" ]; then
    printf '%-8s not counted: over %s s of CPU outside valgrind (written down: %s)\n' "$rules" "$limit" "${was:-nothing}"
    [ -z "$was" ] || [ $mode = record ] || status=1
    continue
  fi
  read -r now digest <<<"$counted"
  lines+=("$(printf '%-8s %s %s' "$rules" "$now" "$digest")")
  read -r before old_digest <<<"${was:-0 -}"
  printf '%-8s %s instructions a decision, digest %s; written down: %s, digest %s\n' \
    "$rules" "$now" "$digest" "$before" "$old_digest"
  [ $mode = compare ] || continue
  if [ "$before" -eq 0 ] || [ $((now * 100)) -gt $((before * (100 + tolerance))) ]; then
    printf '         grew by more than %s %%\n' "$tolerance"
    status=1
  fi
  if [ "$digest" != "$old_digest" ]; then
    printf '         the decisions are not those that were counted\n'
    status=1
  fi
done

if [ $mode = record ]; then
  # What was not counted now stays as it was.
  for rules in reduced full; do
    printf '%s\n' "${lines[@]:-}" | grep -q "^$rules " && continue
    kept=$(grep "^$rules " "$book" 2>/dev/null || true)
    [ -z "$kept" ] || lines+=("$kept")
  done
  {
    printf '# Instructions a decision and the digest of the decisions; bench/instructions.sh --record writes this.\n'
    printf '# compiler: %s\n' "$compiler"
    [ ${#lines[@]} -eq 0 ] || printf '%s\n' "${lines[@]}"
  } >"$book.new"
  mv "$book.new" "$book"
elif [ $status -ne 0 ]; then
  grep -qF "compiler: $compiler" "$book" || printf 'counted with another compiler than %s\n' "$compiler"
  printf 'If this is meant: bench/instructions.sh --record, and say why in the commit.\n'
fi
exit $status
