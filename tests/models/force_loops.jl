# Laws that measure accelerations, which follow from the forces: the loop is solved, whatever the gain.
using Modia3D
using Test
include("$(Modia.modelsPath)/AllModels.jl")

lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))
fall(law) = Model3D(
    world = Object3D(feature = Scene()),
    ball = Object3D(parent = :world, fixedToParent = false, feature = lump(2.0)),
    force = WorldForce(objectApply = :ball, forceFunction = law)
)
# Added mass k: a body of mass 2 falls with g 2/(2 + k).
for k in [0.5, 1.9, 3.0, 100.0]
    added(; time, objectApply, objectCoord) = -k*Modia3D.measFrameTransAcceleration(objectApply)
    m = @instantiateModel(fall(added), unitless = true)
    for solver in [CVODE_BDF(), IDA(), Tsit5()]
        simulate!(m, solver, stopTime = 1.0)
        @test abs(getLastValue(m, "ball.translation")[2] + 9.81/2*2/(2 + k)) < 2e-6
    end
    @test abs(getValues(m, "force.forceVector")[end, 2] - k*9.81*2/(2 + k)) < 1e-9
end
# Not linear: 2 a = -2 g - a^3/10, so a is a root.
cubic(; time, objectApply, objectCoord) = -0.1*Modia3D.measFrameTransAcceleration(objectApply).^3
m = @instantiateModel(fall(cubic), unitless = true)
simulate!(m, stopTime = 1.0)
a = getValues(m, "ball.der(velocity)")[end, 2]
@test abs(2*a + 2*9.81 + 0.1*a^3) < 1e-8 && abs(getLastValue(m, "ball.velocity")[2] - a) < 1e-5

# Among many bodies, with two that look at each other; one feels a third of what the other one does.
others = Dict()
look(; time, objectApply, objectCoord) = (others["b"] = objectApply; -0.5*Modia3D.measFrameTransAcceleration(others["a"]))
back(; time, objectApply, objectCoord) = (others["a"] = objectApply; haskey(others, "b") ? -1.5*Modia3D.measFrameTransAcceleration(others["b"]) : zeros(3))
Many = Model3D(
    world = Object3D(feature = Scene()),
    b = [Object3D(parent = :world, fixedToParent = false, feature = lump(1.0)) for i in 1:60],
    f1 = WorldForce(objectApply = :b_1, forceFunction = back), f2 = WorldForce(objectApply = :b_2, forceFunction = look)
)
many = @instantiateModel(Many, unitless = true)
simulate!(many, Tsit5(), stopTime = 1.0, interval = 0.1)
# a1 = -g - 1.5 a2, a2 = -g - 0.5 a1
(a1, a2) = ((-9.81 + 1.5*9.81)/(1 - 0.75), (-9.81 + 0.5*9.81)/(1 - 0.75))
@test abs(getValues(many, "b_1.der(velocity)")[end, 2] - a1) < 1e-9 && abs(getValues(many, "b_2.translation")[end, 2] - a2/2) < 1e-6
@test abs(getValues(many, "b_60.translation")[end, 2] + 9.81/2) < 1e-6

# An arm with drives, one behind a gear: mass added to its tip by a law, against a body there whose weight is held.
link(m) = Solid(massProperties = MassProperties(mass = m, centerOfMass = [0.4, 0.05, 0.1], Ixx = 0.1, Iyy = 0.2, Izz = 0.2))
Arm(tip) = Model3D(
    world = Object3D(feature = Scene()),
    a = Object3D(feature = link(2.0)), ea = Object3D(parent = :a, translation = [1.0, 0.0, 0.0], rotation = [0.3, 0.2, 0.1]),
    b = Object3D(feature = link(1.5)), eb = Object3D(parent = :b, translation = [0.8, 0.1, 0.0]),
    c = Object3D(feature = link(0.5)), tip = Object3D(parent = :c, translation = [0.4, 0.0, 0.0], feature = tip),
    r1 = RevoluteWithFlange(obj1 = :world, obj2 = :a, w = Var(init = 0.5)),
    r2 = Revolute(obj1 = :ea, obj2 = :b, axis = 2, w = Var(init = -0.3)),
    r3 = RevoluteWithFlange(obj1 = :eb, obj2 = :c, axis = 1),
    rotor = Inertia | Map(J = 0.002, phi = Var(init = nothing), w = Var(init = nothing)),
    gear = IdealGear | Map(ratio = 20.0),
    equations = :[r3.flange.tau = 0.4*sin(5.0*time)],
    connect = :[(rotor.flange_b, gear.flange_a), (gear.flange_b, r1.flange)]
)
held(; time, objectApply, objectCoord) = [0.0, 0.7*9.81, 0.0]
added(; time, objectApply, objectCoord) = -0.7*Modia3D.measFrameTransAcceleration(objectApply)
body = @instantiateModel(Arm(Solid(massProperties = MassProperties(mass = 0.7))) | Map(f = WorldForce(objectApply = :tip, forceFunction = held)), unitless = true)
law = @instantiateModel(Arm(nothing) | Map(f = WorldForce(objectApply = :tip, forceFunction = added)), unitless = true)
simulate!(body, stopTime = 1.0, tolerance = 1e-9)
for (solver, minimum) in [(CVODE_BDF(), 10), (IDA(), 1)]
    simulate!(law, solver, stopTime = 1.0, tolerance = 1e-9, nlinearMinForDAE = minimum)
    for joint in ["r1.phi", "r2.w", "r3.w"]
        @test maximum(abs.(getValues(law, joint) - getValues(body, joint))) < 1e-6
    end
    @test abs(getValues(law, "r1.flange.tau")[1] - getValues(body, "r1.flange.tau")[1]) < 1e-9
end

# Feedback of another body's angular acceleration, which is not symmetric: as a law and as an equation.
Feedback(equations) = Model3D(
    world = Object3D(feature = Scene()),
    a = Object3D(feature = link(2.0)), ea = Object3D(parent = :a, translation = [1.0, 0.0, 0.0]),
    b = Object3D(feature = link(1.5)),
    r1 = RevoluteWithFlange(obj1 = :world, obj2 = :a, w = Var(init = 0.5)),
    r2 = RevoluteWithFlange(obj1 = :ea, obj2 = :b, w = Var(init = -0.3)),
    drag = 0.05,
    equations = equations
)
sensed(; time, objectApply, objectCoord) = [0.0, 0.0, -0.6*Modia3D.measFrameRotAcceleration(sensedFrame[1])[3]]
sensedFrame = Any[nothing]
keep(; time, objectApply, objectCoord) = (sensedFrame[1] = objectApply; [0.0, 0.0, 0.0])
byLaw = @instantiateModel(Feedback(:[r1.flange.tau = -drag*der(r1.w); r2.flange.tau = 0.3])
                          | Map(first = WorldForce(objectApply = :b, forceFunction = keep), f = WorldTorque(objectApply = :a, torqueFunction = sensed)), unitless = true)
byEquation = @instantiateModel(Feedback(:[r1.flange.tau = -drag*der(r1.w) - 0.6*(der(r1.w) + der(r2.w)); r2.flange.tau = 0.3]), unitless = true)
simulate!(byLaw, stopTime = 1.0, tolerance = 1e-9)
simulate!(byEquation, stopTime = 1.0, tolerance = 1e-9)
@test maximum(abs.(getValues(byLaw, "r1.phi") - getValues(byEquation, "r1.phi"))) < 1e-7
@test maximum(abs.(getValues(byLaw, "r2.w") - getValues(byEquation, "r2.w"))) < 1e-7

# In a closed loop: mass added to the middle of a coupler by a law, against a heavier one; without gravity.
include("scenes/fourbar.jl")
lengths = (crank = 0.4, coupler = 1.0, rocker = 0.8, base = 1.2)
heavy(; time, objectApply, objectCoord) = -3.0*Modia3D.measFrameTransAcceleration(objectApply)
floating = Map(world = Map(feature = Map(gravityField = NoGravityField())))
added = Map(middle = Object3D(parent = :(coupler.obj1), translation = [0.5, 0.0, 0.0]), law = WorldForce(objectApply = :middle, forceFunction = heavy))
solid = @instantiateModel(Fourbar(lengths) | floating | Map(coupler = Map(obj1 = Map(feature = Map(massProperties = Map(mass = 4.0))))), unitless = true)
simulate!(solid, DP8(), stopTime = 2.0, tolerance = 1e-10)
m = @instantiateModel(Fourbar(lengths) | floating | added, unitless = true)
for solver in [DP8(), CVODE_BDF(), IDA()]
    simulate!(m, solver, stopTime = 2.0, tolerance = 1e-10)
    @test abs(getLastValue(m, "rev1.phi") - getLastValue(solid, "rev1.phi")) < 1e-6 && abs(getLastValue(m, "rev3.w") - getLastValue(solid, "rev3.w")) < 1e-6
end
@test maximum(abs.(getValues(m, "rev4.reactionForce")[1, :] .- getValues(solid, "rev4.reactionForce")[1, :])) < 1e-6
