# Structural changes by action programs: numbers by closed forms, and what stays the same over a change.
cp "$SG_SOURCE_DIR/examples/space/two_stage_rocket.jl" rocket.jl

# Scenario H1 in both modes: four segments, end state, and a balance that spans all of them.
for mode in "" "--compat modia-0.12"; do
    status 0 "$SEGUE" run $mode --balance --summary rocket.json rocket.jl
    has out "the balance closes"
    has out "taken by actions"
    has out "nFullRestartEvents     = 3"
done
has err "note: --compat late-actions"
has err "note: --compat event-segments"

# Figures 11.1 and 11.2 of the thesis: twelve objects in five super-objects; obj9 is free relative to obj5, and
# attaching its obj10 to obj2 makes them four. The joints keep their states, the model its one translation.
cat > figures.jl <<'END'
using Modia3D
using Test
program(actions) = begin
    ActionWait(actions, 0.25)
    ActionAttach(actions, "obj10", "obj2")
end
solid = Solid(shape = Sphere(diameter = 0.1), massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.3))
Figure = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), gap = 0.01)),
    obj1 = Object3D(feature = solid),
    obj2 = Object3D(parent = :obj1, lockable = true, translation = [0.3, 0.0, 0.0]),
    obj3 = Object3D(parent = :obj1, translation = [0.0, 0.1, 0.0], feature = solid),
    rev1 = Revolute(obj1 = :world, obj2 = :obj1, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0)),
    obj4 = Object3D(feature = solid),
    rev2 = Revolute(obj1 = :obj1, obj2 = :obj4, axis = 3, phi = Var(init = 0.3), w = Var(init = 0.0)),
    obj5 = Object3D(feature = solid),
    obj6 = Object3D(parent = :obj5, translation = [0.1, 0.0, 0.0]),
    obj7 = Object3D(parent = :obj6),
    obj8 = Object3D(parent = :obj5),
    rev3 = Revolute(obj1 = :world, obj2 = :obj5, axis = 1, phi = Var(init = 0.0), w = Var(init = 0.0)),
    obj9 = Object3D(parent = :obj5, fixedToParent = false, assemblyRoot = true, translation = [0.5, 0.0, 0.0], feature = solid),
    obj10 = Object3D(parent = :obj9, lockable = true, translation = [-0.2, 0.0, 0.0]),
    obj11 = Object3D(parent = :obj9, translation = [0.0, 0.0, 0.1], feature = solid),
    steps = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[now = executeActions(steps)]
)
figure = @instantiateModel(Figure, unitless = true)
simulate!(figure, stopTime = 0.2)
@test length(get_xNames(figure)) == 18
simulate!(figure, stopTime = 0.5)
@test length(get_xNames(figure)) == 6
@test isapprox(ustrip.(getLastValue(figure, "obj9.r_abs")), [0.5, 0.0, 0.0], atol = 1e-9)
END
status 0 "$SEGUE" run --summary figures.json figures.jl


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
