# With all switches of the published program on, a run names those that changed something, and no other.
# `twin SWITCH LINE OTHER` runs a model with the first lines, where the switch matters, and one with the others,
# where it looks as if it did but does not.
data=$SG_SOURCE_DIR/../shared/data
run() # lines of the model
{
    printf 'using Modia3D
Ball = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.25))
Far = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.25, centerOfMass = [0.5, 0.0, 0.0]))
Mesh(; keys...) = Solid(shape = FileMesh(; filename = joinpath(Modia3D.path, "meshes/bunny/bunny.obj"), keys...), solidMaterial = "Steel")
M = Model3D(
    world = Object3D(feature = Scene(gravityField = %s)),
%s
)
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.1)
' "${field:-UniformGravityField()}" "$1" > model.jl
    status 0 "$SEGUE" run --compat modia-0.12 --modia3d-path "$data" model.jl
}
twin()
{
    run "$2"
    has err "note: --compat $1: in this model"
    [ "$(grep -c 'note: --compat' err)" = 1 ] || fail "other switches than $1: $(grep 'note: --compat' err)"
    run "$3"
    lacks err "--compat"
}

# A part that is turned about the axis of the pendulum has the same moment about it.
twin unturned-inertia 'a = Object3D(feature = Ball), part = Object3D(parent = :a, rotation = [0, 0.5, 0], feature = Ball),
    rev = Revolute(obj1 = :world, obj2 = :a)' 'a = Object3D(feature = Ball), part = Object3D(parent = :a, rotation = [0, 0, 0.5], feature = Ball),
    rev = Revolute(obj1 = :world, obj2 = :a, w = Var(init = 1.0))'
# ... also when joints about parallel axes are turned against each other; what only slides needs no inertia.
run 'a = Object3D(feature = Ball), part = Object3D(parent = :a, rotation = [0.5, 0, 0], feature = Ball),
    on = Object3D(parent = :world, rotation = [0, pi/2, 0]), arm = Object3D(feature = Ball),
    end1 = Object3D(parent = :arm, rotation = [0, -pi/2, 0]),
    rev = Revolute(obj1 = :on, obj2 = :arm), rev2 = Revolute(obj1 = :end1, obj2 = :a, axis = 1)'
lacks err "--compat"
run 'a = Object3D(feature = Ball), part = Object3D(parent = :a, rotation = [0.5, 0.3, 0], feature = Ball),
    fast = Object3D(parent = :world, rotation = [0.5, 0.3, 0], feature = Ball), slide = Prismatic(obj1 = :world, obj2 = :a)'
lacks err "--compat"

twin single-coriolis 'a = Object3D(feature = Ball), b = Object3D(feature = Ball),
    rev = Revolute(obj1 = :world, obj2 = :a, w = Var(init = 1.0)), slide = Prismatic(obj1 = :a, obj2 = :b, v = Var(init = 1.0))' \
    'a = Object3D(feature = Ball), b = Object3D(feature = Ball),
    rev = Revolute(obj1 = :world, obj2 = :a, w = Var(init = 1.0)), slide = Prismatic(obj1 = :a, obj2 = :b, axis = 3, v = Var(init = 1.0))'
# A table that could turn but does not.
field="NoGravityField()"
run 'a = Object3D(feature = Ball), b = Object3D(feature = Ball),
    rev = Revolute(obj1 = :world, obj2 = :a), slide = Prismatic(obj1 = :a, obj2 = :b, v = Var(init = 1.0))'
lacks err "--compat"
field=""

twin resting-parent 'a = Object3D(feature = Ball), rev = Revolute(obj1 = :world, obj2 = :a, w = Var(init = 1.0)),
    free = Object3D(parent = :a, fixedToParent = false, feature = Ball)' \
    'a = Object3D(feature = Ball), slide = Prismatic(obj1 = :world, obj2 = :a, v = Var(init = 1.0)),
    free = Object3D(parent = :a, fixedToParent = false, feature = Ball)'
# A frame on the slider that carries nothing else stands still there; one on an assembly that rests does anyway.
twin resting-parent 'a = Object3D(feature = Ball), slide = Prismatic(obj1 = :world, obj2 = :a, v = Var(init = 1.0)),
    frame = Object3D(parent = :a), free = Object3D(parent = :frame, fixedToParent = false, feature = Ball)' \
    'a = Object3D(parent = :world, assemblyRoot = true, rotation = [0.1, 0.2, 0.3], feature = Ball),
    frame = Object3D(parent = :a), free = Object3D(parent = :frame, fixedToParent = false, feature = Ball)'

twin spring-direction 'a = Object3D(parent = :world, rotation = [0, 0, 1]), b = Object3D(feature = Ball), slide = Prismatic(obj1 = :world, obj2 = :b),
    spring = SpringDamperPtP(obj1 = :a, obj2 = :b, springForceLaw = 10.0, nominalLength = 1.0)' \
    'a = Object3D(feature = Ball), b = Object3D(feature = Ball), slide = Prismatic(obj1 = :world, obj2 = :b),
    other = Prismatic(obj1 = :world, obj2 = :a, axis = 2, s = Var(init = 1.0)),
    spring = SpringDamperPtP(obj1 = :a, obj2 = :b, springForceLaw = 10.0, nominalLength = 1.0)'

twin sensor-acceleration 'a = Object3D(feature = Ball), b = Object3D(feature = Ball), rev = Revolute(obj1 = :world, obj2 = :a, w = Var(init = 1.0)),
    slide = Prismatic(obj1 = :world, obj2 = :b), sensor = SensorResult(object = :b, objectOrigin = :a)' \
    'a = Object3D(feature = Ball), b = Object3D(feature = Ball), rev = Prismatic(obj1 = :world, obj2 = :a, axis = 2, v = Var(init = 1.0)),
    slide = Prismatic(obj1 = :world, obj2 = :b), sensor = SensorResult(object = :b, objectOrigin = :a, objectObserveRef = :world)'

# Axes need no velocity; neither does a frame on the world.
twin still-frames 'b = Object3D(feature = Ball), slide = Prismatic(obj1 = :world, obj2 = :b, v = Var(init = 1.0)),
    tip = Object3D(parent = :b, translation = [1, 0, 0]), sensor = SensorResult(object = :tip)' \
    'b = Object3D(feature = Ball), slide = Prismatic(obj1 = :world, obj2 = :b, v = Var(init = 1.0)),
    post = Object3D(parent = :world, translation = [1, 0, 0]), tip = Object3D(parent = :b, translation = [1, 0, 0]),
    sensor = SensorResult(object = :b, objectOrigin = :post, objectCoordinateRef = :tip)'

twin straight-fix 'turned = Object3D(parent = :world, rotation = [0, 0, 1]), held = Object3D(), ball = Object3D(feature = Ball),
    fix = Fix(obj1 = :turned, obj2 = :held), slide = Prismatic(obj1 = :world, obj2 = :ball),
    pad = Bushing(obj1 = :held, obj2 = :ball, springForceLaw = [1.0, 2.0, 3.0], largeAngles = true)' \
    'turned = Object3D(parent = :world, rotation = [0, 0, 1]), held = Object3D(), below = Object3D(parent = :held),
    fix = Fix(obj1 = :turned, obj2 = :held), ball = Object3D(parent = :held, fixedToParent = false, feature = Ball)'

field="PointGravityField(mue = 8.0)"
twin gravity-at-root 'a = Object3D(parent = :world, fixedToParent = false, translation = [2, 0, 0], feature = Far)' \
    'a = Object3D(parent = :world, translation = [2, 0, 0], assemblyRoot = true, feature = Far),
    b = Object3D(parent = :world, fixedToParent = false, translation = [0, 2, 0], feature = Ball)'
field="NoGravityField()"

[ -d "$data/meshes" ] || { echo "no shared meshes: the rest is skipped"; return 0; }
twin mesh-inertia 'a = Object3D(parent = :world, fixedToParent = false, feature = Mesh())' \
    'a = Object3D(parent = :world, feature = Mesh()), b = Object3D(feature = Mesh()), slide = Prismatic(obj1 = :world, obj2 = :b)'
twin partition-mass 'b = Object3D(feature = Mesh(convexPartition = true)), slide = Prismatic(obj1 = :world, obj2 = :b)' \
    'b = Object3D(parent = :world, feature = Mesh(convexPartition = true))'
