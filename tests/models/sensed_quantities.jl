# What 3D elements show, in equations: integrated there it gives what the elements show at the end; conditions on it are
# state events; der of it is the signal for it; and an equation outside of the Model3D may name it.
using Modia3D
using LinearAlgebra
using Test

# A bar on two joints, of which one has a flange, and a free body that tumbles past the singularity of its angles. The
# bar is hit by nothing, but pulled by a spring.
bar(m) = Solid(massProperties = MassProperties(mass = m, centerOfMass = [0.3, 0.05, -0.02], Ixx = 0.06, Iyy = 0.15, Izz = 0.2, Ixy = 0.01))
Scene3 = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    link1 = Object3D(feature = bar(1.0)),
    elbow = Object3D(parent = :link1, translation = [0.7, 0.0, 0.1], rotation = [0.3, 0.2, 0.0]),
    link2 = Object3D(feature = bar(0.6)),
    tip = Object3D(parent = :link2, translation = [0.5, 0.1, 0.0], rotation = [0.4, -0.2, 0.9]),
    rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :link1, axis = 2, phi = Var(init = 0.4)),
    rev2 = Revolute(obj1 = :elbow, obj2 = :link2, axis = 3, phi = Var(init = -0.3), w = Var(init = 1.0)),
    nut = Object3D(parent = :world, fixedToParent = false, translation = [0.5, 0.4, 1.0], velocity = [0.2, 0.0, 4.0],
                   angularVelocity = [0.1, 9.0, -0.2], feature = bar(0.5)),
    spring = SpringDamperPtP(obj1 = :tip, obj2 = :nut, nominalLength = 0.3, springForceLaw = 6.0, damperForceLaw = 0.4),
    fly = SensorResult(object = :nut, objectOrigin = :tip),
    plain = SensorResult(object = :tip)
)
Seen = Model(
    m = Scene3,
    drive = Model(flange = Model(phi = Var(potential = true), tau = Var(flow = true)), equations = :[flange.tau = 2.0*flange.phi]),
    connect = :[(m.rev1.flange, drive.flange)],
    r = Var(init = zeros(3)), v = Var(init = zeros(3)), seen = Var(init = zeros(3)), d = Var(init = 0.0), rate = Var(init = 0.0),
    R = Var(init = zeros(3, 3)), w = Var(init = zeros(3)), felt = Var(init = zeros(3)), impulse = Var(init = zeros(3)), up = Var(init = 0.0), turned = Var(init = zeros(3)),
    equations = :[
        der(r) = m.nut.v_abs
        der(v) = m.nut.a_abs
        der(seen) = der(m.fly.translation)
        der(d) = m.fly.distanceVelocity
        der(rate) = der(m.fly.distanceVelocity)
        der(R) = -[0.0 -m.tip.w_abs[3] m.tip.w_abs[2]; m.tip.w_abs[3] 0.0 -m.tip.w_abs[1]; -m.tip.w_abs[2] m.tip.w_abs[1] 0.0]*m.tip.R_abs
        der(w) = m.tip.z_abs
        der(felt) = transpose(m.nut.R_abs)*m.nut.properAcceleration
        der(impulse) = m.spring.forceVector
        der(turned) = der(m.fly.angularVelocity)
        der(up) = if m.nut.r_abs[3] > 1.5; 1.0 else 0.0 end
        q = m.tip.q_abs
        unit = norm(q)
        speed = m.plain.velocity
        wnut = m.nut.w_abs
    ]
)
model = @instantiateModel(Seen, unitless = true)
last(name) = vec(getValues(model, name)[end, :])
change(name) = last(name) - vec(getValues(model, name)[1, :])
for algorithm in [CVODE_BDF(), IDA(), Tsit5(), QBDF()]
    simulate!(model, algorithm, stopTime = 1.2, tolerance = 1e-9, interval = 0.01)
    e = 3e-6
    @test minimum(getValues(model, "m.nut.rotationXYZ")) == false
    @test maximum(abs.(last("r") - change("m.nut.r_abs"))) < e
    @test maximum(abs.(last("v") - change("m.nut.v_abs"))) < e
    @test maximum(abs.(last("seen") - change("m.fly.translation"))) < e
    @test abs(last("d")[1] - change("m.fly.distance")[1]) < e
    @test maximum(abs.(last("turned") - change("m.fly.angularVelocity"))) < 10e
    @test abs(last("rate")[1] - change("m.fly.distanceVelocity")[1]) < 10e
    @test maximum(abs.(last("w") - change("m.tip.w_abs"))) < 10e
    # What the free body feels is what the spring does to it: gravity is not felt. Its frame is not its center of mass.
    @test maximum(abs.(last("felt") - last("v") - 1.2*[0, 0, 9.81])) < e
    # What the spring did to its momentum.
    p(k) = 0.5*(vec(getValues(model, "m.nut.v_abs")[k, :]) + transpose(Modia3D.rot123(vec(getValues(model, "m.nut.rot123_abs")[k, :])))*
                cross(vec(getValues(model, "wnut")[k, :]), [0.3, 0.05, -0.02]))
    n = length(getValues(model, "up"))
    @test maximum(abs.(p(n) - p(1) - last("impulse") - 1.2*0.5*[0, 0, -9.81])) < e
    R0 = Modia3D.rot123(vec(getValues(model, "m.tip.rot123_abs")[1, :]))
    R1 = Modia3D.rot123(vec(getValues(model, "m.tip.rot123_abs")[end, :]))
    @test maximum(abs.(getValues(model, "R")[end, :, :] - (R1 - R0))) < e
    @test maximum(abs.(getValues(model, "unit") .- 1.0)) < 1e-12
    @test maximum(abs.(getValues(model, "speed") - getValues(model, "m.plain.velocity"))) < 1e-12
    # Above 1.5 m for the time between two crossings, which are located.
    z = getValues(model, "m.nut.r_abs")[:, 3]
    @test abs(last("up")[1] - sum(z .> 1.5)*0.01) < 0.02
end
# A body without spring moves its center of mass as a stone does: one number more for the felt acceleration.
Fall = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    stone = Object3D(parent = :world, fixedToParent = false, velocity = [1.0, 0, 3.0], angularVelocity = [1.0, 2.0, 3.0],
                     feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.25))),
    rim = Object3D(parent = :stone, translation = [0.0, 0.0, 0.3]),
    high = Var(init = 0.0),
    equations = :[
        felt = norm(stone.properAcceleration)
        atRim = rim.properAcceleration
        w = stone.w_abs
        z = stone.z_abs
        der(high) = if stone.r_abs[3] > 0.2; 1.0 else 0.0 end]
)
fall = @instantiateModel(Fall, unitless = true)
simulate!(fall, stopTime = 0.6, tolerance = 1e-10)
@test maximum(getValues(fall, "felt")) < 1e-12
w = getValues(fall, "w"); z = getValues(fall, "z"); arm = [0, 0, 0.3]
own = [cross(z[i, :], arm) + cross(w[i, :], cross(w[i, :], arm)) for i in 1:size(w, 1)]
@test maximum([maximum(abs.(own[i] - getValues(fall, "atRim")[i, :])) for i in 1:size(w, 1)]) < 1e-12
# 3 t - 9.81/2 t^2 = 0.2 twice.
root = sqrt(9.0 - 4*4.905*0.2)
@test abs(getValues(fall, "high")[end] - (min(0.6, (3.0 + root)/9.81) - (3.0 - root)/9.81)) < 1e-9
