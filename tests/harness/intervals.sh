#!/bin/sh
# Runs model files at three output intervals: where results are stored must change nothing of how a run comes about. What is
# compared of every simulation, bit for bit: how it ended and when, its last states, accepted steps, Jacobians and events,
# and all that was said of it.
#   usage: intervals.sh SEGUE FILE...      in a folder that may be filled
# Scripts that look for values at places of the default interval fail at others, which is told by codes E03.., and end there:
# what came before counts. That a result will be large (E0805) is about the interval itself. Simulations of fixed steps
# (adaptive = false) have the interval for a step and are passed over.
segue=$1
shift
failed=0
run() { # run NAME OPTION...: NAME.runs has a line for each simulation, NAME.told what was said
    name=$1
    shift
    "$segue" run -o results --keep none --summary summary.json "$@" "$file" >out 2>err </dev/null
    ended=$?
    tr '{}' '\n\n' <summary.json | grep '^"model"' | sed 's/"nRhs":[0-9]*,//; s/,"cpuTime":.*//' >"$name.runs"
    sed -n 's/.*\(warning\|error\)\[/\1[/p' err | grep -v '^[a-z]*\[\(E03\|E0805\)' >"$name.told"
    rm -rf results
}
for file in "$@"; do
    if grep -q 'adaptive *= *false' "$file"; then
        echo "passed over: $file"
        continue
    fi
    run default
    if [ ! -s default.runs ]; then
        echo "$file: no simulation"
        [ "$ended" -eq 0 ] || { cat err && failed=1; }
        continue
    fi
    span=$(tr ',' '\n' <default.runs | awk -F: '/^"startTime"/ { from = $2 } /^"stopTime"/ && $2 - from > most { most = $2 - from }
        END { printf "%.17g", most }')
    for points in 37 4001; do
        run other --interval "$(awk -v t="$span" -v n="$points" 'BEGIN { printf "%.17g", t/n }')"
        n=$(wc -l <other.runs)
        head -n "$n" default.runs >part.runs
        whole=$([ "$(wc -l <default.runs)" -eq "$n" ] && echo yes)
        if ! cmp -s part.runs other.runs || { [ "$whole" ] && ! cmp -s default.told other.told; }; then
            echo "$file differs at $points points:"
            diff part.runs other.runs | cut -c1-600 | head -n 6
            [ -z "$whole" ] || diff default.told other.told | cut -c1-300 | head -n 6
            failed=1
        fi
    done
done
exit $failed
