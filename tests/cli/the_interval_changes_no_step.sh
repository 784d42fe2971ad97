# Where results are stored changes nothing of how a run comes about: the same steps, events and messages at three
# output intervals.
fields() { tr '{},' '\n\n\n' <"$1"; } # of a summary, one a line
figures() { fields "$1" | grep -E '^ *"(nSteps|nEvents)"'; }
messages() { # of the last run; tests of what was stored may fail where little is stored
    sed -n 's/.*\(warning\|error\)\[/\1[/p' err | grep -v E0312
}
for model in examples/first/rc_filter examples/first/pendulum examples/first/first_order \
    examples/events/bouncing_ball examples/events/stick_slip examples/events/dead_time \
    examples/mechanics/spring_pendulum examples/mechanics/cartesian_pendulum examples/mechanics/spinning_top \
    examples/mechanics/sling examples/mechanics/trapeze examples/mechanics/two_inertias \
    examples/loops/stewart examples/loops/suspension examples/loops/fourbar examples/loops/two_arms examples/contact/two_balls \
    examples/contact/rolling_down examples/contact/newtons_cradle examples/thesis/damped_pendulum \
    examples/robots/servo_arm examples/space/flipping_handle; do
    file=$SG_SOURCE_DIR/$model.jl
    name=$(basename "$model")
    stop=
    for points in 500 37 4001; do
        if [ -z "$stop" ]; then
            "$SEGUE" run -o "$name" --summary "$name.$points.json" "$file" >out 2>err
            stop=$(fields "$name.500.json" | sed -n 's/^ *"stopTime": *//p' | head -n 1)
        else
            interval=$(awk -v t="$stop" -v n="$points" 'BEGIN { printf "%.17g", t/n }')
            "$SEGUE" run -o "$name" --interval "$interval" --summary "$name.$points.json" "$file" >out 2>err
        fi
        { figures "$name.$points.json"; messages; } >"$name.$points"
        [ -s "$name.$points" ] || fail "$name: no figures"
        cmp -s "$name.500" "$name.$points" || fail "$name at $points points: $(diff "$name.500" "$name.$points" | tr '\n' ' ')"
    done
    rm -rf "$name"
done

# What a step went over is seen wherever results are stored, and be it nowhere inside of the step; it is taken again.
over() { # over NAME EQUATION TOLERANCE VALUE
    cat >"$1.jl" <<END
using Modia
Over = Model(x = Var(init = 0.0), equations = :[$2])
over = @instantiateModel(Over, unitless = true)
simulate!(over, stopTime = 5.0, tolerance = $3)
println(getLastValue(over, "x"))
END
    for interval in 0.01 0.1351 0.00125 2.5; do
        status 0 "$SEGUE" run -o "over_$1" --interval "$interval" "$1.jl"
        messages >"$1.$interval"
        awk -v want="$4" '{ d = $1 - want; ok = d*d < 1e-6 } END { exit !ok }' out || fail "$1 at interval $interval: $(cat out), not $4"
        cmp -s "$1.0.01" "$1.$interval" || fail "$1 at interval $interval: $(cat "$1.$interval")"
    done
}
over pulses 'der(x) = noEvent(if sin(7*time) > 0; 1.0 else 0.0 end)' 1e-4 2.69279375
over tops 'der(x) = max(abs(sin(3*time)), min(time, 0.4))' 1e-9 3.46955431
