# Attaching with a joint: an assembly that turns or slides on what it is attached to, with states of its own, moves as its twin
# whose joint is declared; it begins as it moved, and is released as it moves.
using Modia3D
using Test
include("scenes/acting.jl")
include("$(Modia3D.modelsPath)/AllModels.jl")

lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1*m, Iyy = 0.2*m, Izz = 0.15*m, centerOfMass = [0.1, 0.05, 0.0]))
falling = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), gap = 1e-3, balance = true))
weightless = Object3D(feature = Scene(gravityField = NoGravityField(), gap = 10.0, balance = true))
run(model, stop = 1.5; tolerance = 1e-9) = begin
    m = @instantiateModel(model, unitless = true)
    simulate!(m, stopTime = stop, tolerance = tolerance)
    m
end
none(a) = ActionWait(a, 100.0)

# A plank hangs on a pin of a turning arm; its frame is turned and away from the lock. From the start it is the twin whose joint
# is declared.
pose = (translation = [0.3, 0.1, 0.0], rotation = [0.2, 0.3, 0.4])
Arm(program, kind, axis; plank...) = Acting(program; world = falling,
    arm = Object3D(feature = lump(3.0)), rev = Revolute(obj1 = :world, obj2 = :arm, axis = 2, w = Var(init = 0.4)),
    pin = Object3D(parent = :arm, lockable = true, translation = [0.6, 0.0, 0.0], rotation = [0.3, 0.0, 0.2]), plank...)
for (kind, axis, unit) in [("revolute", 1, [1.0, 0.0, 0.0]), ("revolute", [1.0, 2.0, -0.5], [1.0, 2.0, -0.5]), ("prismatic", 3, [0.0, 0.0, 1.0]),
                           ("prismatic", [0.0, 3.0, 4.0], [0.0, 0.6, 0.8])]
    # Where the plank is when its lock and the pin are one, as the arm begins.
    R(a) = Modia3D.rot123(a[1], a[2], a[3])'
    Rp = R([0.3, 0.0, 0.2])
    hung = run(Arm(a -> ActionAttach(a, "hole", "pin"; joint = kind, axis = axis, impulse = true), kind, axis;
        plank = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, feature = lump(1.0),
                         translation = [0.6, 0.0, 0.0] - Rp*pose.translation, rotation = [0.3, 0.0, 0.2],
                         velocity = cross([0.0, 0.4, 0.0], [0.6, 0.0, 0.0] - Rp*pose.translation), angularVelocity = [0.0, 0.4, 0.0]),
        hole = Object3D(parent = :plank, lockable = true, translation = pose.translation)))
    Twin = Arm(none, kind, axis; plank = Object3D(feature = lump(1.0)),
        frame = Object3D(parent = :plank, translation = pose.translation),
        joint = kind == "revolute" ? Revolute(obj1 = :pin, obj2 = :frame, axis = axis) : Prismatic(obj1 = :pin, obj2 = :frame, axis = axis))
    declared = typeof(axis) == typeof(1) ? run(Twin) : nothing
    (q, v) = kind == "revolute" ? ("phi", "w") : ("s", "v")
    if declared !== nothing
        for name in ["rev.phi", "rev.w", "plank.r_abs", "plank.rot123_abs"]
            @test isapprox(last(hung, name), last(declared, name), rtol = 1e-6, atol = 1e-7)
        end
        @test isapprox(last(hung, "hole.$q"), last(declared, "joint.$q"), rtol = 1e-6)
        @test isapprox(last(hung, "hole.$v"), last(declared, "joint.$v"), rtol = 1e-6)
    end
    @test abs(last(hung, "hole.$q")) > 1e-3
    @test isapprox(last(hung, "balance.totalEnergy"), signal(hung, "balance.totalEnergy")[1], atol = 1e-6)
    @test isapprox(last(hung, "actions.energyLoss"), 0.0, atol = 1e-12)
    # The joint leaves what it should: the hole stays on the line or at the point, seen from the pin.
    away = last(hung, "hole.r_abs") - last(hung, "pin.r_abs")
    axis_now = R(last(hung, "pin.rot123_abs"))*unit/norm(unit)
    @test norm(kind == "revolute" ? away : cross(away, axis_now)) < 1e-9
end

# It begins as it moved: a wheel on a free ship keeps its spin about the axis, and the impulse takes the rest. Then it is released,
# and goes on.
Wheel(program) = Acting(program; world = weightless,
    ship = Object3D(parent = :world, fixedToParent = false, feature = lump(10.0), angularVelocity = [0.1, 0.0, 0.2]),
    axle = Object3D(parent = :ship, lockable = true, translation = [1.0, 0.0, 0.0]),
    wheel = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, feature = lump(2.0), translation = [1.0, 0.3, 0.0],
                     velocity = [0.0, -0.5, 0.1], angularVelocity = [0.2, 0.1, 3.0]),
    hub = Object3D(parent = :wheel, lockable = true))
spins = run(Wheel(a -> (ActionWait(a, 0.5); ActionAttach(a, "hub", "axle"; joint = "revolute", axis = 3, impulse = true); ActionWait(a, 0.5);
                        ActionRelease(a, "hub"))), 1.5)
time = signal(spins, "time")
for name in ["balance.momentum", "balance.angularMomentum"]
    @test isapprox(last(spins, name), signal(spins, name)[1, :], rtol = 1e-7, atol = 1e-7)
end
caught = findfirst(x -> !ismissing(x), signal(spins, "hub.w"))
@test time[caught] == 0.5 && signal(spins, "hub.phi")[caught] == 0.0 && 1.5 < signal(spins, "hub.w")[caught] < 4.0
@test ismissing(signal(spins, "hub.w")[end]) && !ismissing(last(spins, "wheel.translation")[1])
gone = findfirst(i -> time[i] == 1.0 && time[i+1] == 1.0, 1:length(time)-1)
for name in ["wheel.r_abs", "wheel.rot123_abs", "balance.kineticEnergy", "balance.angularMomentum"]
    @test isapprox(signal(spins, name)[gone, :], signal(spins, name)[gone + 1, :], rtol = 1e-10)
end
lost = last(spins, "actions.energyLoss")
@test isapprox(signal(spins, "balance.kineticEnergy")[1] - last(spins, "balance.kineticEnergy"), lost, rtol = 1e-5) && lost > 0.01

# Twice, on each other, parked and fixed: joints come and go.
many = run(Wheel(a -> begin
    ActionAttach(a, "hub", "axle"; joint = "prismatic", axis = 1, impulse = true)
    ActionWait(a, 0.2)
    ActionReleaseAndAttach(a, "hub", "axle")
    ActionWait(a, 0.2)
    ActionAttach(a, "hub", "axle"; joint = "revolute", axis = [0.0, 1.0, 1.0])
    ActionWait(a, 0.2)
    ActionPark(a, "hub")
    ActionWait(a, 0.2)
    ActionWake(a, "hub")
end), 1.2)
exists(name, t) = !ismissing(signal(many, name)[findlast(x -> x <= t, signal(many, "time")), 1])
@test [exists("hub.s", t) for t in [0.1, 0.3, 0.5, 0.7, 0.9]] == [true, false, false, false, false]
@test [exists("hub.phi", t) for t in [0.1, 0.3, 0.5, 0.7, 0.9]] == [false, false, true, false, false]
@test [exists("wheel.translation", t) for t in [0.1, 0.3, 0.5, 0.7, 0.9]] == [false, false, false, false, true]
