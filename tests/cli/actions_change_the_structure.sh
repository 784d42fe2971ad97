# Structural changes by action programs: numbers by closed forms, and what stays the same over a change.
cp "$SG_SOURCE_DIR/examples/space/two_stage_rocket.jl" rocket.jl

# Scenario H1 in both modes: four segments, end state, and a balance that spans all of them.
for mode in "" "--compat modia-0.12"; do
    status 0 "$SEGUE" run $mode --balance --summary rocket.json rocket.jl
    has out "the balance closes"
    has out "taken by actions"
    has out "nFullRestartEvents     = 3"
    has rocket.json '"nSegments":4'
    has rocket.json '"nTranslations":1'
done
has err "note: --compat late-actions"
has err "note: --compat event-segments"

# The log tells each action, and the super-objects of each segment.
status 0 "$SEGUE" run --log events,states rocket.jl
has out "stage1.top is 0 m away from stage2.bottom, moves with 0 m/s and turns with 0 rad/s relative to it"
grep -E '^ +(Action|[0-9] (stage|world))' out | sed 's/^ *//' > told
cat > expected <<'END'
0 world
1 stage1.body: free on world, 100 kg; with stage1.top, stage1.bottom
2 stage2.body: free on world, 100 kg; with stage2.top, stage2.bottom
ActionAttach stage1.top to stage2.bottom
0 world
1 stage2.body: free on world, 200 kg; with stage2.top, stage2.bottom, stage1.body, stage1.top, stage1.bottom
ActionRelease stage1.top
0 world
1 stage1.body: free on world, 100 kg; with stage1.top, stage1.bottom
2 stage2.body: free on world, 100 kg; with stage2.top, stage2.bottom
ActionDelete stage1.top
0 world; with stage1.body (deleted), stage1.top (deleted), stage1.bottom (deleted)
1 stage2.body: free on world, 100 kg; with stage2.top, stage2.bottom
END
cmp -s told expected || fail "the log is $(cat told)"

# The robot of section 12.3 walks through 18 segments; in the compatible mode, where EventAfterPeriod begins one, too, it
# takes the same steps.
cp "$SG_SOURCE_DIR/examples/space/walking_robot.jl" walk.jl
status 0 "$SEGUE" run --balance --summary walk.json walk.jl
has walk.json '"nSegments":18'
has walk.json '"nTranslations":1'
has out "the balance closes"
status 0 "$SEGUE" run --compat modia-0.12 walk.jl
has err "note: --compat event-segments"

# Results with gaps: all formats have the same values, and the same ones missing.
status 0 "$SEGUE" run -o gaps --result-format csv,json,mat,arrow rocket.jl
for format in csv json mat arrow; do
    status 0 "$SEGUE" compare gaps/TwoStageRocket.segue gaps/TwoStageRocket.$format
done
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "\"stage1.body.translation[2]\"") c = i; next }
    { empty[$1 < 5 ? "before" : $1 > 5 && $1 < 10 ? "between" : $1 > 10 ? "after" : "at"] += $c == ""; rows++ }
    END { exit !(rows > 500 && empty["before"] > 160 && empty["between"] == 0 && empty["after"] > 160) }' gaps/TwoStageRocket.csv ||
    fail "other gaps in the CSV file"
cp gaps/TwoStageRocket.csv filled.csv
sed -i '100s/,,/,0.0,/' filled.csv
status 5 "$SEGUE" compare gaps/TwoStageRocket.segue filled.csv
has out "in filled.csv only"

# A chain of revolute and prismatic joints with drives is turned around at the start; from then on it is the system that
# its twin declares from the other side, and moves as that does.
cat > flip.jl <<'END'
using Modia3D
using Test
include("$(Modia.modelsPath)/AllModels.jl")
include("$(Modia.modelsPath)/Translational.jl")

steps(actions) = ActionFlipChain(actions, "handLock", "rightFoot", "baseLock")
none(actions) = ActionWait(actions, 1.0)
lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1*m, Iyy = 0.2*m, Izz = 0.3*m))
Arm(; base, hand, program) = Model3D(
    world = Object3D(feature = Scene(gap = 1e-6)),
    rightFoot = Object3D(parent = :world, lockable = true, translation = [0.5 + 0.3 + 0.2, 0.1, 0.0]),
    base = base,
    baseLock = Object3D(parent = :base, lockable = true),
    upper = Object3D(feature = lump(2.0)),
    elbow = Object3D(parent = :upper, translation = [0.5, 0.0, 0.0], feature = lump(0.5)),
    slider = Object3D(feature = lump(1.0)),
    wrist = Object3D(parent = :slider, translation = [0.2, 0.1, 0.0]),
    hand = hand,
    handLock = Object3D(parent = :hand, lockable = true),
    rev1 = RevoluteWithFlange(obj1 = :base, obj2 = :upper, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0)),
    prism = PrismaticWithFlange(obj1 = :elbow, obj2 = :slider, axis = 1, s = Var(init = 0.3), v = Var(init = 0.0)),
    rev2 = RevoluteWithFlange(obj1 = :wrist, obj2 = :hand, axis = 2, phi = Var(init = 0.0), w = Var(init = 0.0)),
    drive1 = Model(flange = Flange, equations = :[flange.tau = 5.0*(flange.phi - 0.2)]),
    drive2 = Model(flange = TranslationalFlange, equations = :[flange.f = 200.0*(flange.s - 0.25)]),
    drive3 = Model(flange = Flange, equations = :[flange.tau = 3.0*(flange.phi + 0.1)]),
    connect = :[(rev1.flange, drive1.flange)
                (prism.flange, drive2.flange)
                (rev2.flange, drive3.flange)],
    program = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[now = executeActions(program)]
)
flipped = @instantiateModel(Arm(base = Object3D(parent = :world, assemblyRoot = true, feature = lump(3.0)),
                                hand = Object3D(assemblyRoot = true, feature = lump(1.5)), program = steps), unitless = true)
twin = @instantiateModel(Arm(base = Object3D(assemblyRoot = true, feature = lump(3.0)),
                             hand = Object3D(parent = :world, translation = [1.0, 0.1, 0.0], assemblyRoot = true, feature = lump(1.5)),
                             program = none), unitless = true)
for m in [flipped, twin]
    simulate!(m, stopTime = 1.0, tolerance = 1e-9)
end
for name in ["rev1.phi", "rev1.w", "prism.s", "prism.v", "rev2.phi", "rev2.w", "base.r_abs", "base.rot123_abs", "rev1.flange.tau", "prism.flange.f"]
    @test isapprox(ustrip.(getLastValue(flipped, name)), ustrip.(getLastValue(twin, name)), atol = 1e-6)
end
END
status 0 "$SEGUE" run --balance flip.jl
has out "the balance closes"
lacks out "does not close"

# A released assembly goes on as it moved: thrown off a turning arm, with the velocity of its place and the angular
# velocity of the arm about the world's axis, although its own axes are turned. The published program mixes them up.
cat > throw.jl <<'END'
using Modia3D
using Test
steps(actions) = begin
    ActionWait(actions, 0.5)
    ActionRelease(actions, "lock")
end
Throw = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    arm = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    ball = Object3D(parent = :arm, assemblyRoot = true, translation = [2.0, 0.0, 0.0], rotation = [pi/2, 0.0, 0.0],
                    feature = Solid(massProperties = MassProperties(mass = 0.5, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    lock = Object3D(parent = :ball, lockable = true),
    rev = Revolute(obj1 = :world, obj2 = :arm, axis = 3, phi = Var(init = 0.0), w = Var(init = 3.0)),
    program = ModelActions(world = :world, actions = steps),
    now = Var(hideResult = true),
    equations = :[now = executeActions(program)]
)
throw = @instantiateModel(Throw, unitless = true)
simulate!(throw, stopTime = 1.5, tolerance = 1e-9)
r0 = 2.0*[cos(1.5), sin(1.5), 0.0]
v0 = 6.0*[-sin(1.5), cos(1.5), 0.0]
@test isapprox(ustrip.(getLastValue(throw, "ball.r_abs")), r0 + v0, atol = 1e-6)
@test isapprox(ustrip.(getLastValue(throw, "ball.angularVelocity")), [0.0, 0.0, 3.0], atol = 1e-6)
@test isapprox(getLastValue(throw, "rev.w"), 3.0, atol = 1e-6)
END
status 0 "$SEGUE" run --balance throw.jl
has out "the balance closes"
status 5 "$SEGUE" run --compat release-rotation throw.jl
has err "note: --compat release-rotation"
