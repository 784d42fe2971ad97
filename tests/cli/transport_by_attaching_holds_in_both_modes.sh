# Scenario H2: a robot transports a sphere by attaching and releasing only. The published program to its stored state;
# the default one to where the sphere must be, by the balance, and by its segments.
data=$SG_SOURCE_DIR/../shared/data
[ -d "$data/meshes" ] || { echo "no shared meshes: skipped"; return 0; }
cp "$SG_SOURCE_DIR/tests/models/scenes/transport.jl" scene.jl

cat > stored.jl <<'END_OF_MODEL'
include("scene.jl")
simulate!(model, stopTime = 13.5, tolerance = 1e-7, requiredFinalStates = stored, requiredFinalStates_rtol = 1e-6)
END_OF_MODEL
status 0 "$SEGUE" run --modia3d-path "$data" --compat modia-0.12 --summary stored.json stored.jl
has stored.json '"nSegments":5'
has err "note: --compat late-actions"
has err "note: --compat mesh-inertia"

# By default meshes have their true inertia. The sphere rests on the plate, goes with the gripper, and rests again.
cat > sphere.jl <<'END_OF_MODEL'
include("scene.jl")
at(t) = (simulate!(model, stopTime = t, tolerance = 1e-7); [getLastValue(model, name, unit = false) for name in ["sphere.r_abs", "youbot1.gripperLock.r_abs", "youbot1.gripperLock.rot123_abs"]])
(start, _, _) = at(4.0)
@test isapprox(start, [-0.78, 0.0, 0.1845], atol = 1e-12)   # on the plate
# In the gripper: the same place seen from there, high up and back again.
seen((r, hand, angles)) = Modia3D.rot123(angles[1], angles[2], angles[3])*(r - hand)
taken = at(4.9)
high = at(7.0)
back = at(9.2)
@test high[1][3] > taken[1][3] + 0.2
@test isapprox(seen(taken), seen(high), atol = 1e-8)
@test isapprox(seen(taken), seen(back), atol = 1e-8)
# Put down 0.015 rad early in joint 2, it is not where it was; and there it stays.
put = at(9.3)[1]
@test isapprox(put, start, atol = 3e-3)
@test at(12.8)[1] == put
simulate!(model, stopTime = 13.5, tolerance = 1e-7, requiredFinalStates = stored, requiredFinalStates_rtol = 1e-3)
END_OF_MODEL
status 0 "$SEGUE" run --modia3d-path "$data" --balance --summary sphere.json sphere.jl
has out "the balance closes"
lacks out "does not close"
has sphere.json '"nSegments":5'

# What its attaching needs, as docs/actions.md says.
cat > needs.jl <<'END_OF_MODEL'
include("scene.jl")
simulate!(model, stopTime = 13.5, tolerance = 1e-7, logEvents = true)
END_OF_MODEL
status 0 "$SEGUE" run -q --modia3d-path "$data" needs.jl
has out "sphereLock is 0.0445 m away from youbot1.plateLock"
has out "sphereLock is 0.008 m away from youbot1.gripperLock"
has out "sphereLock is 0.0447 m away from youbot1.plateLock, moves with 0.0104 m/s and turns with 0.0296 rad/s relative to it"
