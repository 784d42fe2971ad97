#!/bin/sh
# transport_bench.sh BUILD: the applications of the thesis whose structure changes. CPU seconds of the run without the time to
# read and translate (simCpuTime of the log), least of five runs each.
#   gripping_s1 .. s4  a robot carries a sphere (section 12.2, table 12.1): contacts only, contacts and actions, the same with
#                      contacts off while it is fixed, actions only                    thesis: 7.816, 7.255, 6.863, 0.397 s
#   gripping_robot     the last one along a shorter path, 13.8 s
#   walking_robot      seven axes, 86 s (section 12.3)                                  thesis: 2.2 s
set -eu
segue=$1/segue
. "$(dirname "$0")/least.sh"
examples=$(dirname "$0")/../examples

measure() { # name model number size thesis goal: run number `number` of the file; it may have no goal
    for i in 1 2 3 4 5; do
        "$segue" run --log statistics -o "$scratch" "$examples/$2" >"$scratch/log" 2>"$scratch/err"
        field simCpuTime "$scratch/log" | sed -n "$3p"
    done | sort -g | head -n 1 >"$scratch/time"
    steps=$(field nAcceptedSteps "$scratch/log" | sed -n "$3p")
    line "$1" "$4" segments "$(cat "$scratch/time")" ", \"steps\": $steps, \"thesis\": $5${6:+, \"goal\": $6}"
}
measure gripping_s1 robots/gripping_scenarios.jl 1 1 7.816 0.5
measure gripping_s2 robots/gripping_scenarios.jl 2 10 7.255 0.48
measure gripping_s3 robots/gripping_scenarios.jl 3 10 6.863 0.46
measure gripping_s4 robots/gripping_scenarios.jl 4 6 0.397
measure gripping_robot robots/gripping_robot.jl 1 6 0.397 0.03
measure walking_robot space/walking_robot.jl 1 18 2.2 0.15
