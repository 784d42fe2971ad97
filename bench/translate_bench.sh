#!/bin/sh
# translate_bench.sh BUILD: models from file to result, in CPU seconds, least of N runs.
#
# ladder   an RC ladder with units, file to first step     goal: linear, 10,000 elements in 1 s
# ladder_step  the same ladder integrated                   goal: at most n^1.1 a step
# vector   a vector equation of 10 and of 10,000 elements  goal: the same time to translate
# small    pendulum, filter circuit, two inertias          goal: 20 ms from file to result
set -eu
segue=$1/segue
. "$(dirname "$0")/least.sh"
. "$(dirname "$0")/ladder.sh"

# Half of the elements are resistors, half capacitors.
ladder() {
    {
        ladder_text $(($1 / 2)) Ladder
        printf 'ladder = @instantiateModel(Ladder)\nsimulate!(ladder, stopTime = 1e-6, interval = 1e-6)\n'
    } >"$scratch/ladder.jl"
    least "$2" "$segue" run -o "$scratch" "$scratch/ladder.jl"
}
for size in 100 1000 10000; do
    line ladder "$size" elements "$(ladder "$size" 5)" "$([ "$size" = 10000 ] && echo ', "goal": 1.0' || true)"
done
line ladder 100000 elements "$(ladder 100000 1)" ''

# Integrating it: microseconds for one step and one state, from what the run itself logs.
steps() {
    sed 's/^simulate!.*/simulate!(ladder, stopTime = 5.0, interval = 5.0, log = true)/' \
        "$scratch/ladder.jl" >"$scratch/steps.jl"
    "$segue" run -o "$scratch" "$scratch/steps.jl" 2>/dev/null |
        awk -v n="$(($1 / 2))" '/simCpuTime/ { t = $3 } /nAcceptedSteps/ { s = $3 }
                                END { printf "%.3g", 1e6*t/s/n }'
}
for size in 1000 10000 20000; do
    whole=$(ladder "$size" 1)
    line ladder_step "$((size / 2))" states "$whole" ", \"us_per_step_and_state\": $(steps "$size")"
done

vector() {
    cat >"$scratch/vector.jl" <<END
using Modia
Vector1 = Model(x = Var(init = ones($1)), u = Var(start = zeros($1)), k = 2.0*ones($1),
                equations = :[der(x) = -k.*x + u; u = sin(time)*k])
vector = @instantiateModel(Vector1, unitless = true)
END
    least 10 "$segue" run "$scratch/vector.jl"
}
line vector 10 elements "$(vector 10)" ''
line vector 10000 elements "$(vector 10000)" ''

for model in first/pendulum first/rc_filter mechanics/two_inertias; do
    line "$(basename $model)" 1 run "$(least 10 "$segue" run -o "$scratch" "examples/$model.jl")" ', "goal": 0.02'
done
