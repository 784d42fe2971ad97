#!/bin/sh
# billiards_bench.sh BUILD: whole runs with contacts; CPU seconds of the integration alone (simCpuTime of the log), least
# of seven runs.
#
# ball_on_plate  scenario E1 to 2.2 s and E2 to 1.5 s and to 2.2 s, at 1e-8   goal: 0.010 s
# billiards      scenario E8, 16 balls, 5 s at 1e-7, in turns with the program written by hand for this one scene
#                (yardstick/billiard16.c in the folder shared beside the project)  goal: 0.7 of its time
#
# The second line also gives the events of both and how far apart ball 0 is after 1 s and after 5 s [m].
set -eu
segue=$1/segue
. "$(dirname "$0")/least.sh"
root=$(dirname "$0")/..
yardstick=$root/../shared/yardstick/billiard16.c
mkdir "$scratch/models"
cp -r "$root/tests/models/scenes" "$scratch/models/scenes"

logged() { # model stop file: the model of a test without its checks, with a log, up to another time
    sed -e '/^@test/d' -e '/requiredFinalStates/d' -e '/^ *interval/d' -e "s/stopTime = [0-9.]*/log = true, stopTime = $2/" \
        -e '/^simulate!/s/,$/)/' "$root/tests/models/$1.jl" >"$scratch/models/$3.jl"
}

smaller() { # x y: the smaller one; x may be empty
    echo "${1:-1e9} $2" | awk '{ print $1 < $2 ? $1 : $2 }'
}

for what in e1_bouncing_sphere:2.2 e2_heavy_sphere:1.5 e2_heavy_sphere:2.2; do
    model=${what%:*}
    logged "$model" "${what#*:}" ball
    time=
    for i in 1 2 3 4 5 6 7; do
        "$segue" run "$scratch/models/ball.jl" >"$scratch/log" 2>"$scratch/err"
        time=$(smaller "$time" "$(field simCpuTime "$scratch/log")")
    done
    line ball_on_plate "${what#*:}" s "$time" ", \"model\": \"$model\", \"steps\": $(field nAcceptedSteps "$scratch/log"), \"goal\": 0.010"
done

for stop in 1.0 5.0; do
    logged e8_sixteen_balls $stop balls$stop
    echo 'println("ball0 = ", join(last("ball0.translation")[1:2], " "))' >>"$scratch/models/balls$stop.jl"
done
# Where the folder or a library is not there, the line says so and has no ratio.
by_hand=$scratch/billiard16
if [ ! -f "$yardstick" ]; then
    missing="no $yardstick"
elif ! cc -O2 -I/usr/include/suitesparse "$yardstick" -o "$by_hand" -lsundials_cvode -lsundials_arkode \
    -lsundials_nvecserial -lsundials_sunmatrixsparse -lsundials_sunlinsolklu -lsundials_generic -lklu -lm 2>"$scratch/err"; then
    missing="the yardstick does not compile here"
else
    missing=
fi
time=
hand_time=
for i in 1 2 3 4 5 6 7; do
    "$segue" run "$scratch/models/balls5.0.jl" >"$scratch/log" 2>"$scratch/err"
    time=$(smaller "$time" "$(field simCpuTime "$scratch/log")")
    [ -z "$missing" ] || continue
    "$by_hand" 1e-7 5 >"$scratch/hand"
    hand_time=$(smaller "$hand_time" "$(awk '{ print $6 }' "$scratch/hand")")
done
extra=", \"stop\": 5, \"events\": $(field nStateEvents "$scratch/log"), \"steps\": $(field nAcceptedSteps "$scratch/log")"
if [ -n "$missing" ]; then
    echo "billiards_bench: $missing; nothing to compare with" >&2
    line billiards 16 balls "$time" "$extra, \"skipped\": \"$missing\""
    exit 0
fi
"$by_hand" 1e-7 1 >"$scratch/hand1"
"$segue" run "$scratch/models/balls1.0.jl" >"$scratch/log1" 2>"$scratch/err"
apart() { # log of Segue, line of the yardstick
    awk 'FNR == NR { if ($1 == "ball0") { x = $3; y = $4 } next }
         { for (i = 1; i < NF; i++) if ($i == "ball0") printf "%.1e", sqrt((x - $(i + 1))^2 + (y - $(i + 2))^2) }' "$1" "$2"
}
hand_events=$(awk '{ for (i = 1; i < NF; i++) if ($i == "events") print $(i + 1) }' "$scratch/hand")
line billiards 16 balls "$time" "$extra, \"yardstick\": $hand_time, \"ratio\": $(echo "$time $hand_time" |
    awk '{ printf "%.2f", $1 / $2 }'), \"goal\": 0.7, \"yardstick_events\": $hand_events, \"apart_at_1\": $(apart "$scratch/log1" \
    "$scratch/hand1"), \"apart_at_5\": $(apart "$scratch/log" "$scratch/hand")"
