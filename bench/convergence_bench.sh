#!/bin/sh
# convergence_bench.sh BUILD: how runs with contacts converge with the tolerance.
#
# The final states of scenarios at tolerances from 1e-5 to 1e-10, compared with those at 1e-12: the norm of the difference
# over the norm of the states. Of sixteen balls (E8) the largest difference of a position [m] at three times, compared with
# 1e-11: each impact multiplies it. Rows of the table in docs/theory/contact.md.
set -eu
segue=$1/segue
. "$(dirname "$0")/least.sh"
root=$(dirname "$0")/..
mkdir "$scratch/models"
cp -r "$root/tests/models/scenes" "$scratch/models/scenes"

states() { # model stop tolerance file: names and values of the final states, a line each
    sed "s/stopTime = [0-9.]*/stopTime = $2/" "$root/tests/models/$1.jl" >"$scratch/models/run.jl"
    # Checks of the tests may fail (status 5), for they are meant for one tolerance and time.
    "$segue" run -q --tol "$3" --summary "$scratch/summary" "$scratch/models/run.jl" >/dev/null 2>"$scratch/err" ||
        [ $? -eq 5 ] || { cat "$scratch/err" >&2; exit 1; }
    sed 's/.*"stateNames":\[\([^]]*\]*[^:]*\)\],"finalStates":\[\([^]]*\)\].*/\1\n\2/' "$scratch/summary" |
        awk 'NR == 1 { n = split($0, name, "\",\"") } NR == 2 { split($0, x, ","); for (i = 1; i <= n; i++) print name[i], x[i] }' >"$4"
}

difference() { # file reference: norm of the difference over the norm
    paste "$1" "$2" | awk '{ d += ($2 - $4)^2; s += $4^2 } END { printf "%.1e", sqrt(d / s) }'
}

farthest() { # file reference: the largest difference of a position
    paste "$1" "$2" | awk '/translation/ { d = $2 > $4 ? $2 - $4 : $4 - $2; if (d > most) most = d } END { printf "%.1e", most }'
}

for what in e1_bouncing_sphere:2.2 e2_heavy_sphere:1.5 e3_ellipsoid:2.0 e4_capsules:1.4 e5_cones:1.2 e6_two_balls:1.5 e7_four_balls:2.5; do
    model=${what%:*}
    states "$model" "${what#*:}" 1e-12 "$scratch/exact"
    for tolerance in 1e-5 1e-6 1e-7 1e-8 1e-9 1e-10; do
        states "$model" "${what#*:}" $tolerance "$scratch/now"
        printf '{"name": "convergence", "model": "%s", "tolerance": %s, "error": %s}\n' "$model" $tolerance \
            "$(difference "$scratch/now" "$scratch/exact")"
    done
done
for stop in 0.5 1.5 5.0; do
    states e8_sixteen_balls $stop 1e-11 "$scratch/exact"
    for tolerance in 1e-6 1e-7 1e-8 1e-9; do
        states e8_sixteen_balls $stop $tolerance "$scratch/now"
        printf '{"name": "convergence", "model": "e8_sixteen_balls", "time": %s, "tolerance": %s, "apart": %s}\n' $stop $tolerance \
            "$(farthest "$scratch/now" "$scratch/exact")"
    done
done
