#!/bin/sh
# mobile_bench.sh BUILD: the recursive mobile of examples/mechanics, CPU seconds, least of three runs.
#
# mobile_read       start of the program, parsing, the script up to the model as a value
# mobile_translate  beyond that, up to the first step                 goal: linear in the joints
# mobile_integrate  5 s of motion and 501 points of result, a line a solver
set -eu
segue=$1/segue
. "$(dirname "$0")/least.sh"
example=$(dirname "$0")/../examples/mechanics/mobile.jl

for depth in 4 6 8 9; do
    sed -e "s/^depth = 3/depth = $depth/" -e '/^plot/d' -e '/^@test/d' "$example" >"$scratch/whole.jl"
    sed -e 's/^mobile = .*/mobile = Mobile(depth)/' -e '/^simulate!/d' "$scratch/whole.jl" >"$scratch/read.jl"
    sed -e 's/stopTime = 5.0/stopTime = 1e-9, interval = 1e-9/' "$scratch/whole.jl" >"$scratch/start.jl"
    joints=$((3 * (1 << (depth - 1)) - 2))
    read=$(least 3 "$segue" run -o "$scratch" "$scratch/read.jl")
    start=$(least 3 "$segue" run --solver Tsit5 -o "$scratch" "$scratch/start.jl")
    line mobile_read "$joints" joints "$read" ''
    line mobile_translate "$joints" joints "$(echo "$start $read" | awk '{ printf "%.3f", $1 - $2 }')" ''
    for solver in CVODE_BDF Tsit5; do
        whole=$(least 3 "$segue" run --solver $solver -o "$scratch" "$scratch/whole.jl")
        line mobile_integrate "$joints" joints "$(echo "$whole $start" | awk '{ printf "%.3f", $1 - $2 }')" \
            ", \"solver\": \"$solver\""
    done
done
