# Where results are stored changes nothing of how a run comes about: the same steps, events, messages and last bits at three
# output intervals. All examples and models of the tests are among the long tests (long/interval_...).
messages() { # of the last run; tests of what was stored may fail where little is stored
    sed -n 's/.*\(warning\|error\)\[/\1[/p' err | grep -v E0312
}
same() { # same FILE...
    within 300 sh "$SG_SOURCE_DIR/tests/harness/intervals.sh" "$SEGUE" "$@" >same.out 2>&1 || fail "$(cat same.out)"
}
# A box that rocks on a plate: what contacts remember of an evaluation is felt in all that follow.
cat >rocks.jl <<'JL'
using Modia3D
Rocks = Model3D(
    world = Object3D(feature = Scene()),
    plate = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
        feature = Solid(shape = Box(lengthX = 1.0, lengthY = 1.0, lengthZ = 0.1), solidMaterial = "DryWood", collision = true)),
    box = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.0, 0.06], rotation = [0.0, 0.05, 0.0],
        feature = Solid(shape = Box(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1), solidMaterial = "DryWood", collision = true)))
rocks = @instantiateModel(Rocks, unitless = true)
simulate!(rocks, stopTime = 0.3, interval = 0.002)
JL
same rocks.jl
# Stones that have solvers of their own: these evaluate themselves, not the model in which points are stored.
cat >stones.jl <<'JL'
using Modia3D
stone(x, y, z, d) = Object3D(parent = :world, fixedToParent = false, translation = [x, y, z], rotation = [10*x, 10*y, 0.0],
    feature = Solid(shape = Ellipsoid(lengthX = d, lengthY = 0.8*d, lengthZ = 0.7*d), solidMaterial = "DryWood", collision = true))
Stones = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), islands = true)),
    floor = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
        feature = Solid(shape = Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 0.1), solidMaterial = "DryWood", collision = true)),
    a = stone(0.0, 0.01, 0.08, 0.1), b = stone(0.03, -0.02, 0.19, 0.09), c = stone(0.09, 0.05, 0.12, 0.08), d = stone(0.07, 0.02, 0.25, 0.07))
stones = @instantiateModel(Stones, unitless = true)
simulate!(stones, stopTime = 0.3, tolerance = 1e-8)
JL
same stones.jl
# Equations, systems and events; bodies, loops, contacts, actions; every family of solvers.
examples=$SG_SOURCE_DIR/examples
models=$SG_SOURCE_DIR/tests/models
same "$examples/first/pendulum.jl" "$examples/events/bouncing_ball.jl" "$examples/events/stick_slip.jl" \
    "$examples/events/dead_time.jl" "$examples/mechanics/sling.jl" "$examples/mechanics/cartesian_pendulum.jl" \
    "$examples/mechanics/vector_pendulum.jl" "$examples/loops/stewart.jl" "$examples/loops/fourbar.jl" \
    "$examples/domains/drivetrain.jl" "$examples/domains/power_supply.jl" "$examples/robots/servo_arm.jl" \
    "$examples/space/flipping_handle.jl" "$examples/contact/conveyor.jl" "$examples/contact/engine_parts.jl" \
    "$examples/contact/five_bodies.jl" "$examples/contact/overhang.jl" "$examples/contact/trios.jl" \
    "$examples/contact/box_on_slope.jl" "$examples/contact/newtons_cradle.jl"
same "$models/contact_peaks.jl" "$models/flat_results.jl" "$models/implicit_dependency.jl" "$models/library_driveline.jl" \
    "$models/newton_starts_mechanisms.jl" "$models/polygonal_contact.jl" "$models/reactions.jl" "$models/sampled_loops.jl" \
    "$models/start_choice.jl" "$models/restarts_of_equations.jl" "$models/islands_joints.jl" "$models/robot_data.jl" \
    "$models/carried_unknowns.jl"

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
