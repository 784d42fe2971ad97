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
    examples/loops/stewart examples/loops/suspension examples/contact/two_balls \
    examples/contact/rolling_down examples/contact/newtons_cradle examples/thesis/damped_pendulum \
    examples/robots/servo_arm examples/space/flipping_handle; do
    file=$SG_SOURCE_DIR/$model.jl
    name=$(basename "$model")
    stop=
    for points in 500 37 4001; do
        if [ -z "$stop" ]; then
            "$SEGUE" run -q -o "$name" --summary "$name.$points.json" "$file" >out 2>err
            stop=$(fields "$name.500.json" | sed -n 's/^ *"stopTime": *//p' | head -n 1)
        else
            interval=$(awk -v t="$stop" -v n="$points" 'BEGIN { printf "%.17g", t/n }')
            "$SEGUE" run -q -o "$name" --interval "$interval" --summary "$name.$points.json" "$file" >out 2>err
        fi
        { figures "$name.$points.json"; messages; } >"$name.$points"
        [ -s "$name.$points" ] || fail "$name: no figures"
        cmp -s "$name.500" "$name.$points" || fail "$name at $points points: $(diff "$name.500" "$name.$points" | tr '\n' ' ')"
    done
    rm -rf "$name"
done
