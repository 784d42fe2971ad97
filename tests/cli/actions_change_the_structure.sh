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

