# Forces that depend on accelerations, in a part with closed loops: the accelerations are asked for several times in one
# evaluation, each time with other forces.
using Modia3D
using Test

link(l; m = 1.0, I = 0.1) = Object3D(feature = Solid(massProperties = MassProperties(mass = m, centerOfMass = [l/2, 0.0, 0.0], Ixx = 0.01, Iyy = I, Izz = I)))
Torque = Model(flange = Model(phi = Var(potential = true), tau = Var(flow = true)), u = Var(), equations = :[flange.tau = -u])
Bars(g, a, b, c, base, joint, phi) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g), balance = true)),
    a = link(a), b = link(b), c = link(c),
    ah = Object3D(parent = :a, translation = [a, 0.0, 0.0]),
    bh = Object3D(parent = :b, translation = [b, 0.0, 0.0]),
    ch = Object3D(parent = :c, translation = [c, 0.0, 0.0]),
    base = Object3D(parent = :world, translation = [base, 0.0, 0.0]),
    r1 = joint(obj1 = :world, obj2 = :a, phi = Var(init = phi[1])),
    r2 = Revolute(obj1 = :ah, obj2 = :b, phi = Var(init = phi[2])),
    r3 = Revolute(obj1 = :base, obj2 = :c, phi = Var(init = phi[3])),
    r4 = Revolute(obj1 = :bh, obj2 = :ch, cut = true)
)
algorithms = [CVODE_BDF(), IDA(), Tsit5(), QBDF()]
function lost(m)
    part(name) = getValues(m, "m.balance.$name")
    e = part("kineticEnergy") + part("potentialEnergy") - part("suppliedEnergy")
    return maximum(abs.(e .- e[1]))
end

# A parallelogram without gravity: the coupler shifts only. Inertia of two cranks about their ends and of the coupler at
# 0.5 m, and 0.3 by feedback: a constant acceleration.
Free = Model(m = Bars(0.0, 0.5, 2.0, 0.5, 2.0, RevoluteWithFlange, [1.0, -1.0, 1.0]), drive = Torque, connect = :[(drive.flange, m.r1.flange)],
             equations = :[drive.u = 0.7 - 0.3*m.c.z_abs[3]])
free = @instantiateModel(Free, unitless = true)
inertia = 2*(0.1 + 0.25^2) + 0.5^2
for algorithm in algorithms
    simulate!(free, algorithm, stopTime = 1.0, tolerance = 1e-9)
    @test abs(getLastValue(free, "m.r1.w") - 0.7/(inertia + 0.3)) < 1e-7
    @test abs(getLastValue(free, "m.r1.reactionTorque", unit = false)[3] - 0.7*inertia/(inertia + 0.3)) < 1e-7
    @test lost(free) < 1e-7
end

# No two links alike, with weight: the drive as a flange, and as a torque on the link that equations give.
Flange = Model(m = Bars(9.81, 1.0, 2.0, 1.5, 2.0, RevoluteWithFlange, [1.2, -0.926586, 1.37755]), drive = Torque, connect = :[(drive.flange, m.r1.flange)],
               equations = :[drive.u = 5.0 - 0.3*m.c.z_abs[3] - 0.2*m.bh.a_abs[1]])
Pushed = Model(m = Bars(9.81, 1.0, 2.0, 1.5, 2.0, Revolute, [1.2, -0.926586, 1.37755]) | Map(drive = WorldTorque(objectApply = :a)),
               equations = :[m.drive.torque = [0.0, 0.0, 5.0 - 0.3*m.c.z_abs[3] - 0.2*m.bh.a_abs[1]]])
Both = Model(m = Bars(9.81, 1.0, 2.0, 1.5, 2.0, RevoluteWithFlange, [1.2, -0.926586, 1.37755]) | Map(push = WorldTorque(objectApply = :a)), drive = Torque,
             connect = :[(drive.flange, m.r1.flange)],
             equations = :[drive.u = 5.0 - 0.3*m.c.z_abs[3]; m.push.torque = [0.0, 0.0, -0.2*m.bh.a_abs[1]]])
flange = @instantiateModel(Flange, unitless = true)
pushed = @instantiateModel(Pushed, unitless = true)
both = @instantiateModel(Both, unitless = true)
for algorithm in algorithms
    for model in [flange, pushed, both]
        simulate!(model, algorithm, stopTime = 0.8, tolerance = 1e-9)
        @test lost(model) < 1e-6
    end
    for name in ["m.r1.phi", "m.r2.w", "m.r3.phi", "m.r4.reactionForce", "m.r2.reactionForce", "m.r1.reactionForce"]
        expected = getLastValue(pushed, name, unit = false)
        @test maximum(abs.(getLastValue(flange, name, unit = false) .- expected)) < 1e-5
        @test maximum(abs.(getLastValue(both, name, unit = false) .- expected)) < 1e-5
    end
    @test abs(getLastValue(flange, "m.r1.reactionTorque", unit = false)[3] - getLastValue(flange, "drive.u")) < 1e-9
end
