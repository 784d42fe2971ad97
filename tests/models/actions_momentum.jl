# Momentum of what is attached or parked while it still moves: between assemblies that can move it stays, with angular momentum, and
# the balance closes; the world and what is led take it, as before.
using Modia3D
using Test
include("scenes/acting.jl")

lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1*m, Iyy = 0.2*m, Izz = 0.15*m))
weightless(; options...) = Object3D(feature = Scene(; gravityField = NoGravityField(), gap = 10.0, balance = true, options...))
run(model, stop = 1.0) = begin
    m = @instantiateModel(model, unitless = true)
    simulate!(m, stopTime = stop, tolerance = 1e-10)
    m
end
part(name, m; motion...) = Dict(Symbol(name) => Object3D(; parent = :world, fixedToParent = false, assemblyRoot = true, feature = lump(m), motion...),
                                Symbol("$(name)Lock") => Object3D(parent = Symbol(name), lockable = true, translation = [0.1, 0.05, 0.0]))
first(m, name) = ndims(signal(m, name)) == 1 ? signal(m, name)[1] : signal(m, name)[1, :]
# Before and behind all events, and the loss of energy told.
function keeps(m)
    for name in ["balance.momentum", "balance.angularMomentum"]
        x = signal(m, name)
        size = maximum(abs.(x))
        t = signal(m, "time")
        for k in 1:length(t)
            @test maximum(abs.(x[k, :] - x[1, :])) < 1e-7*size      # the steps
            @test k == 1 || t[k] > t[k - 1] || maximum(abs.(x[k, :] - x[k - 1, :])) < 1e-12*size
        end
    end
    return abs(first(m, "balance.kineticEnergy") - last(m, "balance.kineticEnergy") - last(m, "actions.energyLoss")) < 1e-9*first(m, "balance.kineticEnergy")
end

# Any masses, with spin, one after the other.
attach(a) = (ActionWait(a, 0.3); ActionAttach(a, "bLock", "aLock"))
for (ma, mb) in [(1.0, 1000.0), (1000.0, 1.0), (2.0, 3.0)]
    two = run(Acting(attach; world = weightless(), part("a", ma, velocity = [0.02, 0.0, 0.01], angularVelocity = [0.0, 0.1, 0.0])...,
                     part("b", mb, translation = [0.2, 0.1, 0.3], velocity = [0.06, 0.02, 0.0], rotation = [0.2, 0.3, 0.1], angularVelocity = [0.1, 0.0, -0.2])...))
    @test keeps(two) && last(two, "actions.energyLoss") > 0.0
end
# Closed form: v = (m1 v1 + m2 v2)/(m1 + m2), on a line through both centers.
line = run(Model3D(world = weightless(), a = Object3D(parent = :world, fixedToParent = false, feature = lump(1.0)), aLock = Object3D(parent = :a, lockable = true),
                   b = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [-0.01, 0.0, 0.0], velocity = [0.09, 0.0, 0.0], feature = lump(1000.0)),
                   bLock = Object3D(parent = :b, lockable = true), actions = ModelActions(world = :world, actions = attach), now = Var(hideResult = true),
                   equations = :[now = executeActions(actions)]))
@test isapprox(last(line, "a.velocity"), [90/1001, 0.0, 0.0], rtol = 1e-12)
@test isapprox(last(line, "actions.energyLoss"), 0.5*1000/1001*0.09^2, rtol = 1e-9)

# From one free ship to another, and parked on the third; however fast that is.
move(a) = (ActionAttach(a, "cLock", "aLock"; impulse = true); ActionWait(a, 0.2); ActionReleaseAndAttach(a, "cLock", "bLock"); ActionWait(a, 0.2);
           ActionPark(a, "cLock", "dLock"); ActionWait(a, 0.2); ActionWake(a, "cLock"))
ships = run(Acting(move; world = weightless(), part("a", 4.0, velocity = [0.02, 0.0, 0.01], angularVelocity = [0.0, 0.1, 0.0])...,
                   part("b", 3.0, translation = [0.5, 0.1, 0.0], velocity = [0.0, 0.03, 0.0], angularVelocity = [0.05, 0.0, 0.1])...,
                   part("c", 2.0, translation = [0.2, 0.0, 0.1], velocity = [0.02, 0.01, 0.02])..., part("d", 5.0, translation = [1.0, 0.0, 0.0], velocity = [1.0, 2.0, 0.0])...))
for name in ["balance.momentum", "balance.angularMomentum"]
    @test isapprox(last(ships, name), first(ships, name), rtol = 1e-8)
end
@test last(ships, "balance.kineticEnergy") < first(ships, "balance.kineticEnergy")

# A hinge keeps what it leaves; joints on the way give way.
hinged = run(Acting(a -> (ActionWait(a, 0.2); ActionAttach(a, "cLock", "hand"; joint = "revolute", axis = 3)); world = weightless(attachSpeed = 1.0),
                    ship = Object3D(parent = :world, fixedToParent = false, feature = lump(10.0), angularVelocity = [0.01, 0.02, 0.03]), arm = Object3D(feature = lump(2.0)),
                    hand = Object3D(parent = :arm, lockable = true, translation = [0.5, 0.0, 0.0]), shoulder = Revolute(obj1 = :ship, obj2 = :arm, axis = 3, w = Var(init = 0.05)),
                    part("c", 3.0, translation = [0.4, 0.0, 0.1], velocity = [0.03, 0.02, 0.0], angularVelocity = [0.0, 0.0, 2.0])...))
@test keeps(hinged) && last(hinged, "cLock.w") > 1.0

# The world takes it, and what is led: the part moves as that does, with no impulse. impulse = false lets it be lost.
held = run(Acting(a -> (ActionWait(a, 0.2); ActionAttach(a, "cLock", "hook")); world = weightless(), hook = Object3D(parent = :world, lockable = true),
                  part("c", 3.0, velocity = [0.05, 0.0, 0.0])...))
@test last(held, "balance.momentum") == [0.0, 0.0, 0.0] && last(held, "actions.impulse") == [0.0, 0.0, 0.0]
led = run(Acting(a -> (ActionWait(a, 0.2); ActionPark(a, "cLock", "hook")); world = weightless(), table = Object3D(feature = lump(1.0)),
                 hook = Object3D(parent = :table, lockable = true), lead = PrescribedMotion(obj1 = :world, obj2 = :table, r = Var()),
                 part("c", 3.0, velocity = [0.05, 0.0, 0.0])...) | Model(equations = :[lead.r = [0.5*time, 0.0, 0.0]]))
@test isapprox(last(led, "balance.momentum"), [2.0, 0.0, 0.0], rtol = 1e-9)
loses(a) = (ActionWait(a, 0.2); ActionAttach(a, "bLock", "aLock"; impulse = false))
Lost(program; options...) = Acting(program; world = weightless(; options...), part("a", 1.0)..., part("b", 4.0, velocity = [0.05, 0.0, 0.0])...)
@test last(run(Lost(loses)), "balance.momentum") == [0.0, 0.0, 0.0]
# As the published program does.
@test last(run(Lost(attach; compatibility = "lost-momentum")), "balance.momentum") == [0.0, 0.0, 0.0]
@test isapprox(last(run(Lost(attach)), "balance.momentum"), [0.2, 0.0, 0.0], rtol = 1e-9)
