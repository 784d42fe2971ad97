# Attaching so that a loop closes, and opening it again: an open chain whose last bar is put on its pin is the fourbar whose joint is
# declared, driven or not; then it swings as the open chain that it was.
using Modia3D
using Test
include("$(Modia3D.modelsPath)/AllModels.jl")

bar(m, L) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.01, Iyy = m*L^2/12, Izz = m*L^2/12, centerOfMass = [L/2, 0.0, 0.0]))
(crank, coupler, rocker, base) = (0.4, 1.0, 0.8, 1.2)
# The crank stands straight up; the other two meet above it.
(P, F) = ([0.0, crank], [base, 0.0])
d = norm(F - P)
phi_coupler = atan(F[2] - P[2], F[1] - P[1]) + acos((coupler^2 + d^2 - rocker^2)/(2*coupler*d))
Q = P + coupler*[cos(phi_coupler), sin(phi_coupler)]
phi_rocker = atan(F[2] - Q[2], F[1] - Q[1])
Bars(; extra...) = Model3D(; world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), balance = true)),
    foot = Object3D(parent = :world, lockable = true, translation = [base, 0.0, 0.0]),
    crank = Object3D(feature = bar(1.0, crank)), crankEnd = Object3D(parent = :crank, translation = [crank, 0.0, 0.0]),
    coupler = Object3D(feature = bar(2.0, coupler)), couplerEnd = Object3D(parent = :coupler, translation = [coupler, 0.0, 0.0]),
    rocker = Object3D(assemblyRoot = true, feature = bar(1.5, rocker)),
    rockerEnd = Object3D(parent = :rocker, lockable = true, translation = [rocker, 0.0, 0.0]),
    rev2 = Revolute(obj1 = :crankEnd, obj2 = :coupler, phi = Var(init = phi_coupler - pi/2)),
    rev3 = Revolute(obj1 = :couplerEnd, obj2 = :rocker, phi = Var(init = phi_rocker - phi_coupler)), extra...)
free = (rev1 = Revolute(obj1 = :world, obj2 = :crank, phi = Var(init = pi/2)),)
driven = (rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :crank, phi = Var(init = pi/2)), motor = UnitlessTorque)
motor = Model(equations = :[motor.tau = 3.0], connect = :[(motor.flange, rev1.flange)])
Acting(program) = Model(actions = ModelActions(world = :world, actions = program, closesLoops = true), now = Var(hideResult = true),
                        equations = :[now = executeActions(actions)])
run(model, stop) = begin
    m = @instantiateModel(model, unitless = true)
    simulate!(m, stopTime = stop, tolerance = 1e-9)
    m
end
last(m, name) = getLastValue(m, name, unit = false)
signal(m, name) = getValues(m, name, unit = false)
close_(a; kind...) = ActionAttach(a, "rockerEnd", "foot"; kind...)
pin = (rev4 = Revolute(obj1 = :foot, obj2 = :rockerEnd, phi = Var(init = phi_rocker)),)

push = (push = WorldTorque(objectApply = :crank, torqueFunction = (; args...) -> [0.0, 0.0, 3.0]),)
for (declared, acting) in [(Bars(; free..., pin...), Bars(; free...)), (Bars(; free..., pin..., push...), Bars(; free..., push...)),
                           (Bars(; free..., pin..., push...), Bars(; driven...) | motor)]     # the same torque, by a flange
    twin = run(declared, 1.0)
    closed = run(acting | Acting(a -> close_(a, joint = "revolute", axis = 3)), 1.0)
    for name in ["rev1.phi", "rev2.phi", "rev3.phi", "rev1.w", "rev3.w", "rocker.r_abs"]
        @test isapprox(last(closed, name), last(twin, name), rtol = 1e-6, atol = 1e-7)
    end
    @test maximum(abs.(signal(closed, "rockerEnd.r_abs") .- [base 0.0 0.0])) < 1e-9
end
# It opens, energy stays, and the chain moves as one that begins there.
opened = run(Bars(; free...) | Acting(a -> (close_(a, joint = "revolute"); ActionWait(a, 0.5); ActionRelease(a, "rockerEnd"))), 0.8)
half = findfirst(signal(opened, "time") .>= 0.5)
start(name) = Var(init = signal(opened, name)[half])
Open = Bars(rev1 = Revolute(obj1 = :world, obj2 = :crank, phi = start("rev1.phi"), w = start("rev1.w"))) |
    Model(rev2 = Map(phi = start("rev2.phi"), w = start("rev2.w")), rev3 = Map(phi = start("rev3.phi"), w = start("rev3.w")))
twin = run(Open, 0.3)
for name in ["rev1.phi", "rev2.phi", "rev3.phi", "rockerEnd.r_abs"]
    @test isapprox(last(opened, name), last(twin, name), rtol = 1e-6)
end
@test isapprox(last(opened, "balance.totalEnergy"), signal(opened, "balance.totalEnergy")[1], rtol = 1e-6)
# Held rigidly, a planar chain of three bars cannot move at all.
held = run(Bars(; free...) | Acting(a -> close_(a)), 0.5)
@test isapprox(last(held, "rev1.phi"), pi/2, atol = 1e-9) && isapprox(last(held, "rev3.phi"), phi_rocker - phi_coupler, atol = 1e-9)
