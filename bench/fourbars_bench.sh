#!/bin/sh
# fourbars_bench.sh BUILD: N fourbars in a row, the example of examples/loops; CPU seconds, least of three runs.
#
# fourbars  20 s of motion and 201 points of result, all of the run          goal: linear in N
set -eu
segue=$1/segue
. "$(dirname "$0")/least.sh"
example=$(dirname "$0")/../examples/loops/fourbars.jl

for n in 1 2 5 10 20 40 100; do
    sed -e "s/^N = 5/N = $n/" -e '/^plot/d' -e '/^@test/d' "$example" >"$scratch/whole.jl"
    line fourbars "$n" loops "$(least 3 "$segue" run -q -o "$scratch" "$scratch/whole.jl")" ''
done
