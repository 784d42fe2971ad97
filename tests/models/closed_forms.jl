# Mechanics held to closed forms and to equations written by hand: conical pendulum, heavy top, torque-free precession,
# Kepler ellipse, oscillation on a turntable, a geared arm against its Lagrangian equations, a chain that floats.
using Modia3D
using Test
include("$(Modia.modelsPath)/AllModels.jl")
include("scenes/two_links.jl")

off(x, y) = maximum(abs.(x .- y))
g = 9.81

# A pendulum that goes around at a constant angle: cos(angle) = g/(L w^2).
angle = 0.6
w = sqrt(g/cos(angle))
Conical = Model3D(
    world = Object3D(feature = Scene()), fork = Object3D(),
    bob = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [0, -1, 0]))),
    around = Revolute(obj1 = :world, obj2 = :fork, axis = 2, w = Var(init = w)),
    tilt = Revolute(obj1 = :fork, obj2 = :bob, phi = Var(init = angle))
)
conical = @instantiateModel(Conical, unitless = true)
simulate!(conical, stopTime = 5.0, tolerance = 1e-9)
@test off(getValues(conical, "tilt.phi"), angle) < 1e-8 && off(getValues(conical, "around.w"), w) < 1e-8

# A heavy top in gimbals, in either direction of the joints: steady precession needs the spin
# C w3 W - A W^2 cos(angle) = m g l.
(m, l, C, W) = (1.5, 0.3, 0.08, 1.2)
A = 0.05 + m*l^2
spin = (m*g*l + A*W^2*cos(angle))/(C*W) - W*cos(angle)
Gimbals(joint) = Model3D(
    world = Object3D(feature = Scene()), outer = Object3D(), inner = Object3D(),
    top = Object3D(feature = Solid(massProperties = MassProperties(mass = m, centerOfMass = [0, l, 0], Ixx = 0.05, Iyy = C, Izz = 0.05))),
    precession = joint(:world, :outer, 2, 0.0, W), nutation = joint(:outer, :inner, 3, angle, 0.0), spin = joint(:inner, :top, 2, 0.0, spin)
)
for (joint, sign) in [((a, b, axis, phi, w) -> Revolute(obj1 = a, obj2 = b, axis = axis, phi = Var(init = phi), w = Var(init = w)), 1.0),
                      ((a, b, axis, phi, w) -> Revolute(obj1 = b, obj2 = a, axis = axis, phi = Var(init = -phi), w = Var(init = -w)), -1.0)]
    top = @instantiateModel(Gimbals(joint), unitless = true)
    simulate!(top, stopTime = 3.0, tolerance = 1e-10)
    @test off(getValues(top, "nutation.phi"), sign*angle) < 1e-8 && off(getValues(top, "precession.w"), sign*W) < 1e-7
end

# Without torques a symmetric body wobbles at (C - A)/A times its spin.
Wobble = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    body = Object3D(parent = :world, fixedToParent = false, angularVelocity = [0.3, 0.0, 4.0], angularVelocityResolvedInParent = false,
                    feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.2, Iyy = 0.2, Izz = 0.3)))
)
wobble = @instantiateModel(Wobble, unitless = true)
simulate!(wobble, stopTime = 10.0, tolerance = 1e-10)
t = getValues(wobble, "time")
@test off(getValues(wobble, "body.angularVelocity"), [0.3*cos.(2*t) 0.3*sin.(2*t) 4.0 .+ 0*t]) < 1e-8

# Two turns on an ellipse of eccentricity 0.6, against Kepler's equation.
function onEllipse(t, e)
    E = t
    for i in 1:50
        E = E - (E - e*sin(E) - t)/(1 - e*cos(E))
    end
    return [cos(E) - e, sqrt(1 - e^2)*sin(E), 0.0]
end
Orbit = Model3D(
    world = Object3D(feature = Scene(gravityField = PointGravityField(mue = 1.0))),
    moon = Object3D(parent = :world, fixedToParent = false, translation = [0.4, 0, 0], velocity = [0, 2.0, 0],
                    feature = Solid(massProperties = MassProperties(mass = 5.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0)))
)
orbit = @instantiateModel(Orbit, unitless = true)
simulate!(orbit, stopTime = 4*pi, tolerance = 1e-10)
t = getValues(orbit, "time")
r = getValues(orbit, "moon.translation")
@test maximum([off(r[i, :], onEllipse(t[i], 0.6)) for i in 1:length(t)]) < 1e-6

# A mass on a spring in a frame that turns: seen from the world it oscillates as if nothing turned.
Turning = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())), table = Object3D(), cart = Object3D(),
    mass = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0))),
    turn = RevoluteWithFlange(obj1 = :world, obj2 = :table, phi = Var(), w = Var()),
    x = Prismatic(obj1 = :table, obj2 = :cart, axis = 1, s = Var(init = 1.0)), y = Prismatic(obj1 = :cart, obj2 = :mass, axis = 2),
    spring = SpringDamperPtP(obj1 = :table, obj2 = :mass, springForceLaw = 9.0),
    equations = :[turn.phi = 0.2*time]
)
turning = @instantiateModel(Turning, unitless = true)
simulate!(turning, stopTime = 10.0, tolerance = 1e-10)
t = getValues(turning, "time")
@test off(getValues(turning, "mass.r_abs"), [cos.(3*t) 0.2/3*sin.(3*t) 0*t]) < 1e-7

# Two links, each driven by a rotor behind a gear, against the equations of Lagrange.
Arm = Model(
    robot = TwoLinks(RevoluteWithFlange, RevoluteWithFlange),
    rotor1 = Inertia | Map(J = 0.01, phi = Var(init = nothing), w = Var(init = nothing)),
    rotor2 = Inertia | Map(J = 0.02, phi = Var(init = nothing), w = Var(init = nothing)),
    gear1 = IdealGear | Map(ratio = 10.0), gear2 = IdealGear | Map(ratio = -5.0),
    torque1 = UnitlessTorque, torque2 = UnitlessTorque,
    equations = :[torque1.tau = 0.3*sin(3*time); torque2.tau = 0.2*cos(2*time) - 0.01*rotor2.w],
    connect = :[(torque1.flange, rotor1.flange_a); (rotor1.flange_b, gear1.flange_a); (gear1.flange_b, robot.r1.flange)
                (torque2.flange, rotor2.flange_a); (rotor2.flange_b, gear2.flange_a); (gear2.flange_b, robot.r2.flange)]
)
arm = @instantiateModel(Arm, unitless = true)
# Rotors count with the square of their ratios.
lagrange = @instantiateModel(TwoLinksOfLagrange(:(3.0*sin(3*time) - 100*0.01*a1), :(-cos(2*time) - 0.25*w2 - 25*0.02*a2)), unitless = true)
simulate!(lagrange, stopTime = 2.0, tolerance = 1e-10)
for (solver, minimum) in [(CVODE_BDF(), 10), (IDA(), 10), (IDA(), 1), (Tsit5(), 10)]
    simulate!(arm, solver, stopTime = 2.0, tolerance = 1e-10, nlinearMinForDAE = minimum)
    @test off(getValues(arm, "robot.r1.phi"), getValues(lagrange, "q1")) < 1e-7
    @test off(getValues(arm, "robot.r2.w"), getValues(lagrange, "w2")) < 1e-7
end

# A chain that nothing holds: inner motion and a spring do not change momentum, and energy stays.
part(m) = Solid(massProperties = MassProperties(mass = m, centerOfMass = [0.3, 0.1, -0.05], Ixx = 0.1, Iyy = 0.15, Izz = 0.12, Ixy = 0.01))
Floating = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true)),
    a = Object3D(parent = :world, fixedToParent = false, velocity = [0.2, -0.1, 0.3], angularVelocity = [0.1, 4.0, -0.1], feature = part(2.0)),
    ea = Object3D(parent = :a, translation = [0.6, 0, 0], rotation = [0.3, 0.2, 0.1]),
    b = Object3D(feature = part(1.0)), eb = Object3D(parent = :b, translation = [0.5, 0.2, 0]), c = Object3D(feature = part(0.5)),
    j1 = Revolute(obj1 = :ea, obj2 = :b, axis = [1, 2, 3], w = Var(init = 3.0)),
    j2 = Prismatic(obj1 = :eb, obj2 = :c, axis = 2, v = Var(init = -0.5)),
    spring = SpringDamperPtP(obj1 = :ea, obj2 = :c, nominalLength = 0.5, springForceLaw = 20.0)
)
floating = @instantiateModel(Floating, unitless = true)
simulate!(floating, stopTime = 5.0, tolerance = 1e-10)
for name in ["balance.momentum", "balance.angularMomentum", "balance.totalEnergy"]
    x = getValues(floating, name)
    @test off(x, name == "balance.totalEnergy" ? x[1] : x[1:1, :]) < 1e-6
end
@test minimum(getValues(floating, "a.rotationXYZ")) == false # through both sequences
