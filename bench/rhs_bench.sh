#!/bin/sh
# rhs_bench.sh BUILD: instructions of one evaluation of a right-hand side, interpreted, with --native and in C by gcc -O2, counted by
# valgrind (docs/performance.md). The problems are those of stiff_bench.sh; the Brusselator is an array equation there.
#                                                             goal: scalars within 8x of C, arrays within 4x; native 1.5x and 1.2x
set -eu
segue=$1/segue
here=$(dirname "$0")
. "$here/least.sh"
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
if ! command -v valgrind >/dev/null; then
    echo "rhs_bench: no valgrind, nothing is counted" >&2
    exit 0
fi
${CC:-cc} -O2 -g -o "$scratch/by_hand" "$here/stiff/by_hand.c" -Wl,-Bstatic -lsundials_cvode -lsundials_nvecserial \
    -lsundials_sunmatrixdense -lsundials_sunmatrixband -lsundials_sunlinsoldense -lsundials_sunlinsolband -lsundials_generic \
    -Wl,-Bdynamic -lm

count() { # function caller command...: instructions of a call, with what it calls
    function=$1 caller=$2
    shift 2
    valgrind --tool=callgrind --callgrind-out-file="$scratch/counted" "$@" >"$scratch/out" 2>&1 || { cat "$scratch/out" >&2; exit 1; }
    callgrind_annotate --tree=caller --inclusive=yes --threshold=100 "$scratch/counted" | awk -v f="$function" -v by="$caller" '
        / < / && index($0, ":" by " ") { n = $1; gsub(",", "", n); match($0, /\([0-9,]+x\)/)
            calls = substr($0, RSTART + 1, RLENGTH - 3); gsub(",", "", calls); best_n = n; best = calls }
        / \* / { if ($0 ~ ":(" f ") ") { printf "%.0f", best_n/best; exit } best = 0 }'
}
for name in ${2:-lorenz hires pollution ring brusselator}; do
    # One problem alone, once, and the ring modulator no longer than it takes.
    awk -v name="$name" '/^for \(name/ { print "for (name, Problem, stop, tolerance, atol, first, times) in ["; skip = 1; next }
        skip { while (match($0, /\("[^)]*\)/)) { item = substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH)
                   if (index(item, "\"" name "\"")) { sub(/, [0-9]+\)$/, ", 1)", item); sub(/Ring, 1e-3/, "Ring, 1e-5", item); print "    " item "," } }
               if ($0 ~ /\]$/) { print "]"; skip = 0 } next }
        { print }' "$here/stiff/problems.jl" >"$scratch/one.jl"
    c=$(count "$name" call_rhs "$scratch/by_hand" 1 "$name")
    interpreted=$(count 'sg_exec_eval|sg_exec_plain' eval "$segue" run --no-sandbox --max-memory 200000 -o "$scratch" "$scratch/one.jl")
    "$segue" run --native --no-sandbox -o "$scratch" "$scratch/one.jl" >"$scratch/out" 2>&1
    native=$(count 'sg_exec_eval|sg_exec_straight' eval "$segue" run --native --no-sandbox --max-memory 200000 -o "$scratch" "$scratch/one.jl")
    awk -v name="$name" -v i="$interpreted" -v n="$native" -v c="$c" 'BEGIN {
        printf "{\"name\": \"rhs_%s\", \"instructions\": %d, \"native\": %d, \"c\": %d, \"ratio\": %.3g, \"ratio_native\": %.3g}\n",
            name, i, n, c, i/c, n/c }'
done
