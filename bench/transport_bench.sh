#!/bin/sh
# transport_bench.sh BUILD: the gripping robot of the thesis (section 12.2, scenario 4), examples/robots/gripping_robot.jl:
# five axes with controllers and elastic gears, six segments, 13.8 s. CPU seconds of the run without the time to read and
# translate (simCpuTime of the log), least of seven runs.                      thesis: 0.397 s, goal: 0.03 s
set -eu
segue=$1/segue
. "$(dirname "$0")/least.sh"
model=$(dirname "$0")/../examples/robots/gripping_robot.jl
for i in 1 2 3 4 5 6 7; do
    "$segue" run --log statistics -o "$scratch" "$model" >"$scratch/log" 2>"$scratch/err"
    field simCpuTime "$scratch/log"
done | sort -g | head -n 1 >"$scratch/time"
line gripping_robot 6 segments "$(cat "$scratch/time")" ", \"steps\": $(field nAcceptedSteps "$scratch/log"), \"thesis\": 0.397, \"goal\": 0.03"
