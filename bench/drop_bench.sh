#!/bin/sh
# drop_bench.sh BUILD [COUNT...]: many bodies with one solver, the ground for islands later. 10 and 100 spheres (or COUNT; 300 take minutes)
# fall on a plate from different heights, 2 s at 1e-5; CPU seconds of the integration, of one run, for each sphere, and where they go.
set -eu
segue=$1/segue
shift
. "$(dirname "$0")/least.sh"
mkdir "$scratch/scenes"
cp "$(dirname "$0")/../tests/models/scenes/drop.jl" "$scratch/scenes"
[ $# -gt 0 ] || set -- 10 100

share() { # row of the table of times: its part in percent
    awk -v row="$1" 'index($0, "        " row) == 1 { sub("%", "", $NF); print $NF }' "$scratch/log"
}

for n in "$@"; do
    cat >"$scratch/drop.jl" <<MODEL
include("scenes/drop.jl")
Drop = drop($n)
spheres = @instantiateModel(Drop, unitless = true)
simulate!(spheres, stopTime = 2.0, tolerance = 1e-5, interval = 0.02, log = true, logTiming = true)
MODEL
    "$segue" run "$scratch/drop.jl" -o "$scratch/results" >"$scratch/log" 2>"$scratch/err"
    time=$(field simCpuTime "$scratch/log")
    line drop "$n" spheres "$time" ", \"per_sphere\": $(echo "$time $n" | awk '{ printf "%.4f", $1 / $2 }'), \
\"events\": $(field nStateEvents "$scratch/log"), \"steps\": $(field nAcceptedSteps "$scratch/log"), \
\"derivatives_percent\": $(share derivatives), \"crossings_percent\": $(share 'zero crossings'), \"method_percent\": $(share integrator)"
done
