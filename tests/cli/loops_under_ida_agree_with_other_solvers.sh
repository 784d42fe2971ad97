# IDA has the constraints of loops among its equations, and goes on without them only near singular positions. All mechanisms
# of examples/loops move as with other solvers.
cp "$SG_SOURCE_DIR"/examples/loops/*.jl .
mkdir scenes && cp "$SG_SOURCE_DIR"/tests/models/scenes/*fourbar.jl scenes/
cp "$SG_SOURCE_DIR/tests/models/loops_ggl.jl" "$SG_SOURCE_DIR/tests/models/loops_contacts.jl" .
without="loops are closed between the steps of IDA"

# No step of the tests fails with the constraints.
status 0 "$SEGUE" run loops_ggl.jl
lacks err "$without"

compare() { # compare FILE MODEL STOP REFERENCE TOLERANCE SIGNALS...
    file="$1" model="$2" stop="$3" solver="$4" tolerance="$5"
    shift 5
    cat > compare.jl <<END
include("$file.jl")
names = [$*]
simulate!($model, $solver, stopTime = $stop, tolerance = $tolerance)
expected = [getValues($model, n) for n in names]
simulate!($model, IDA(), stopTime = $stop, tolerance = 1e-9)
for i in 1:length(names)
    size = max(1.0, maximum(abs.(expected[i])))
    @test maximum(abs.(getValues($model, names[i]) .- expected[i])) < 1e-6*size
end
END
    status 0 "$SEGUE" run compare.jl
}
closed() { # the same, with the constraints all the time
    compare "$@"
    lacks err "$without"
}
closed engine engine 0.25 "DP8()" 1e-11 '"slider.shaft.w", "slider.cylinder.s", "slider.smallEnd.reactionForce"'
closed fourbar free 1.0 "DP8()" 1e-11 '"rev1.phi", "rev3.phi", "rev4.phi", "rev1.w"'
closed fourbar driven 2.0 "DP8()" 1e-11 '"arm.rev3.phi", "arm.rev1.flange.tau", "arm.rev4.reactionForce"'
closed stewart platform 5.0 "DP8()" 1e-10 '"plate.translation", "plate.rotation", "leg1.ball.reactionForce"'
closed suspension suspension 2.0 "DP8()" 1e-10 '"wheel.r_abs", "upright.rotation", "trackRod.reactionForce"'
closed two_arms system 4.0 "CVODE_BDF()" 1e-11 '"arms.box.r_abs", "arms.shoulder1.flange.tau", "arms.wrist2.reactionForce"'
closed fourbars fourbars 0.6 "DP8()" 1e-11 '"foot0.phi", "foot0.w", "tail1.reactionForce"'
# All rods come in line, and the motion goes on.
compare fourbars fourbars 2.0 "Tsit5()" 1e-10 '"foot0.phi", "foot5.phi"'
has err "$without, since the mechanism comes near to a singular position"

# Contacts and actions: what the constraints do is in the balance, which closes.
sed -e 's/simulate!(hit, /&IDA(), /' -e 's/Tsit5()/IDA()/' loops_contacts.jl > contacts_ida.jl
status 0 "$SEGUE" run contacts_ida.jl --balance
lacks err "$without"
[ "$(grep -c 'the balance closes' out)" -eq 2 ] || fail "not both balances close"
