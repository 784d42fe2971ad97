# Objects, joints, forces and sensors in arrays are elements like any other: key_1, key_2, ...
using Modia3D
using Test

bar = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [0.5, 0.0, 0.0], Ixx = 0.01, Iyy = 0.1, Izz = 0.1))
push(; time, objectApply, objectCoord) = [0.0, 0.0, time]
named(i, what) = Symbol("$(what)_$i")

Listed(n) = Model3D(
    world = Object3D(feature = Scene()),
    bars = [Object3D(feature = bar) for i in 1:n],
    ends = [Object3D(parent = named(i, "bars"), translation = [1.0, 0.0, 0.0]) for i in 1:n],
    first = Revolute(obj1 = :world, obj2 = :bars_1, axis = 2, w = Var(init = 0.3)),
    joints = [Revolute(obj1 = named(i, "ends"), obj2 = named(i + 1, "bars"), phi = Var(init = 0.1*i)) for i in 1:n-1],
    loads = [WorldForce(objectApply = :ends_1, forceFunction = push), WorldTorque(objectApply = :bars_2, torqueFunction = push)],
    springs = [SpringDamperPtP(obj1 = :world, obj2 = named(i, "ends"), springForceLaw = 3.0, nominalLength = 1.0*i) for i in 1:n],
    sensors = [SensorResult(object = named(i, "ends"), objectOrigin = named(i, "bars")) for i in 1:n]
)
Spelled = Model3D(
    world = Object3D(feature = Scene()),
    a = Object3D(feature = bar), b = Object3D(feature = bar), c = Object3D(feature = bar),
    ea = Object3D(parent = :a, translation = [1.0, 0.0, 0.0]),
    eb = Object3D(parent = :b, translation = [1.0, 0.0, 0.0]),
    ec = Object3D(parent = :c, translation = [1.0, 0.0, 0.0]),
    j1 = Revolute(obj1 = :world, obj2 = :a, axis = 2, w = Var(init = 0.3)),
    j2 = Revolute(obj1 = :ea, obj2 = :b, phi = Var(init = 0.1)),
    j3 = Revolute(obj1 = :eb, obj2 = :c, phi = Var(init = 0.2)),
    force = WorldForce(objectApply = :ea, forceFunction = push), torque = WorldTorque(objectApply = :b, torqueFunction = push),
    s1 = SpringDamperPtP(obj1 = :world, obj2 = :ea, springForceLaw = 3.0, nominalLength = 1.0),
    s2 = SpringDamperPtP(obj1 = :world, obj2 = :eb, springForceLaw = 3.0, nominalLength = 2.0),
    s3 = SpringDamperPtP(obj1 = :world, obj2 = :ec, springForceLaw = 3.0, nominalLength = 3.0)
)
listed = @instantiateModel(Listed(3), unitless = true)
spelled = @instantiateModel(Spelled, unitless = true)
simulate!(listed, stopTime = 1.0)
simulate!(spelled, stopTime = 1.0)
@test get_xNames(listed) == ["first.w", "first.phi", "joints_1.w", "joints_1.phi", "joints_2.w", "joints_2.phi"]
for (x, y) in [("ends_3.r_abs", "ec.r_abs"), ("joints_2.w", "j3.w"), ("springs_2.force", "s2.force"),
               ("loads_1.forceVector", "force.forceVector"), ("loads_2.torqueVector", "torque.torqueVector")]
    @test getValues(listed, x) == getValues(spelled, y)
end
@test maximum(abs.(getValues(listed, "sensors_3.translation") .- [1.0 0.0 0.0])) < 1e-12
@test "sensors_2.angularAcceleration" in getSignalNames(listed)

# Inside of a sub-model the path comes first, and each part has all of it.
nested = @instantiateModel(Model(left = Listed(2), right = Model(inner = Listed(2))), unitless = true)
simulate!(nested, stopTime = 0.1)
for name in ["springs_1.deflection", "world.rot123_abs", "sensors_2.distance", "joints_1.phi", "bars_2.r_abs", "loads_2.torqueVector"]
    @test "left.$name" in getSignalNames(nested) && "right.inner.$name" in getSignalNames(nested)
end
@test getValues(nested, "left.ends_2.r_abs") == getValues(nested, "right.inner.ends_2.r_abs")
