#!/bin/sh
# rest_bench.sh BUILD [SCENE...]: things that stand on things. Each of the scenes of tests/models/scenes/rest.jl for 10 s at 1e-6 (cube: 10 h); CPU
# seconds of the integration, of one run, with steps, located events and how far anything is from its last place from 1 s on [m]. The bunny is there
# where ../shared has it.
set -eu
segue=$1/segue
shift
. "$(dirname "$0")/least.sh"
mkdir "$scratch/scenes"
cp "$(dirname "$0")/../tests/models/scenes/rest.jl" "$scratch/scenes"
cp "$(dirname "$0")/../examples/contact/meshes/wedge.obj" "$scratch"
cp "$(dirname "$0")/../tests/models/tetrahedron.obj" "$scratch"
bunny=$(dirname "$0")/../../shared/data/meshes/bunny/bunny.obj
[ ! -e "$bunny" ] || cp "$bunny" "$scratch"
[ $# -gt 0 ] || set -- box end side cone frustum tetrahedron turned stack5 stack10 askew10 laid10 cylinders5 table arch wall dropped dominoes cube $([ ! -e "$bunny" ] || echo bunny)

for scene in "$@"; do
    cat >"$scratch/rest.jl" <<MODEL
include("scenes/rest.jl")
rest("$scene")
MODEL
    if ! "$segue" run --max-cpu-time 120 "$scratch/rest.jl" -o "$scratch/results" >"$scratch/log" 2>"$scratch/err"; then
        tail -n 1 "$scratch/err" >&2
        continue
    fi
    line rest "\"$scene\"" scene "$(field simCpuTime "$scratch/log")" ", \"steps\": $(field nAcceptedSteps "$scratch/log"), \
\"events\": $(field nStateEvents "$scratch/log"), \"moved\": $(awk '$1 == "moved" { print $2 }' "$scratch/log")"
done
