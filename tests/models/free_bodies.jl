# Freely moving bodies: the same motion whatever it is told relative to, in all gravity fields; changes of the angle
# sequence of several bodies at one time; errors that shrink with the tolerance, for all kinds of solvers.
using Modia3D
using LinearAlgebra
using Test

body(m) = Solid(massProperties = MassProperties(mass = m, centerOfMass = [0.1, 0.05, -0.02], Ixx = 0.1, Iyy = 0.15, Izz = 0.2, Ixy = 0.01))

# b rides on a frame of a, c on b; all three fly on their own.
Stacked(field, parent, inObject) = Model3D(
    world = Object3D(feature = Scene(gravityField = field)),
    a = Object3D(parent = :world, fixedToParent = false, translation = [3.0, 0, 0], velocity = [0, 1.0, 0.2], rotation = [0.05, 0.2, 0.1],
                 angularVelocity = [0.1, 3.0, -0.1], feature = body(1.0)),
    seat = Object3D(parent = :a, translation = [0.5, 0.1, 0.2], rotation = [0.3, 0.2, 0.1]),
    b = Object3D(parent = :seat, fixedToParent = false, translation = [0.2, 0.3, 0.1], rotation = [0.1, 1.2, 0.3], velocity = [0.3, -0.2, 0.1],
                 angularVelocity = [0.5, 3.0, -0.3], angularVelocityResolvedInParent = !inObject, feature = body(0.4)),
    c = Object3D(parent = :b, fixedToParent = false, translation = [0.2, 0.3, 0.1], rotation = [0.1, 1.4, 0.3], velocity = [0.3, -0.2, 0.1],
                 angularVelocity = [0.0, 3.0, 0.1], feature = body(0.7)),
    sb = SensorResult(object = :b), sc = SensorResult(object = :c)
)
for (field, inObject) in [(NoGravityField(), false), (UniformGravityField(g = 3.0, n = [1, 2, 3]), true), (PointGravityField(mue = 20.0), false)]
    stacked = @instantiateModel(Stacked(field, :seat, inObject), unitless = true)
    simulate!(stacked, stopTime = 3.0, tolerance = 1e-9)
    first(name) = getValues(stacked, name)[1, :]
    apart(path, sensor, mass) = Object3D(parent = :world, fixedToParent = false, translation = first("$path.r_abs"), rotation = first("$path.rot123_abs"),
                                         velocity = first("$sensor.velocity"), angularVelocity = first("$sensor.angularVelocity"), feature = body(mass))
    Apart = Model3D(world = Object3D(feature = Scene(gravityField = field)), b = apart("b", "sb", 0.4), c = apart("c", "sc", 0.7))
    loose = @instantiateModel(Apart, unitless = true)
    simulate!(loose, stopTime = 3.0, tolerance = 1e-9)
    for path in ["b", "c"]
        @test maximum(abs.(getValues(stacked, "$path.r_abs")[end, :] - getValues(loose, "$path.r_abs")[end, :])) < 1e-5
        R1 = Modia3D.rot123(getValues(stacked, "$path.rot123_abs")[end, :])
        R2 = Modia3D.rot123(getValues(loose, "$path.rot123_abs")[end, :])
        @test maximum(abs.(R1 - R2)) < 1e-5
    end
    @test minimum([minimum(getValues(stacked, "$path.rotationXYZ")) for path in ["a", "b", "c"]]) == false
end

# Twins tumble through the singularities of their angles at the same time, one of them when a time event comes, too.
nut = Object3D(parent = :world, fixedToParent = false, angularVelocity = [0.01, 5.0, 0.02],
               feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.3)))
Twins = Model3D(world = Object3D(feature = Scene()), a = nut, b = nut, x = Var(init = 0.0), at = 0.3,
                equations = :[der(x) = if after(at); 1.0 else 0.0 end])
twins = @instantiateModel(Twins, unitless = true)
simulate!(twins, stopTime = 2.0, interval = 0.01)
change = getValues(twins, "time")[findfirst(isequal(false), [x for x in getValues(twins, "a.rotationXYZ")])]
energy(w, R) = 0.5*dot(R*w, [0.1, 0.2, 0.3].*(R*w))
for (solver, worst) in [(CVODE_BDF(), 2e-2), (CVODE_Adams(), 2e-2), (IDA(), 2e-2), (Tsit5(), 1e-3), (Vern7(), 1e-3)]
    errors = []
    for tolerance in [1e-4, 1e-6, 1e-8]
        simulate!(twins, solver, stopTime = 5.0, tolerance = tolerance, interval = 0.1, merge = Map(at = change))
        last(name) = getValues(twins, name)[end, :]
        @test last("a.rotation") == last("b.rotation") && last("a.angularVelocity") == last("b.angularVelocity")
        R = Modia3D.rotationFromAngles(last("a.rotation"), getLastValue(twins, "a.rotationXYZ"))
        err = abs(energy(last("a.angularVelocity"), R)/energy([0.01, 5.0, 0.02], Modia3D.NullRotation) - 1)
        @test err < worst
        worst = worst/30
        push!(errors, err)
        @test abs(getLastValue(twins, "x") - (5.0 - change)) < 1e-3
    end
    @test errors[3] < 0.04*errors[1]
    @test minimum(getValues(twins, "a.rotationXYZ")) == false
end
