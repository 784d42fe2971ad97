# Loops beside what else happens: a ball falls on the coupler of a fourbar, and a load is hung to its crank and released. Both
# leave energy where it belongs (--balance in tests/cli/loops_are_closed_or_told.sh), and the loop closed.
using Modia3D
using Test
include("scenes/fourbar.jl")

off(x, y) = maximum(abs.(x .- y))
lengths = (crank = 0.4, coupler = 1.0, rocker = 0.8, base = 1.2)
# The two ends that rev4 keeps together.
gap(m) = off(getValues(m, "coupler.obj2.r_abs"), getValues(m, "rocker.obj2.r_abs"))

contacts = Map(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = true)))
Hit = (Fourbar(lengths, w = 0.0) | contacts) | Map(
    plate = Object3D(parent = :(coupler.obj1), translation = [0.5, 0.1, 0.0],
        feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.05, lengthZ = 0.3), solidMaterial = "Steel", collision = true, contactMaterial = "Steel")),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.6, 1.5, 0.0],
        feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true, contactMaterial = "Steel"))
)
hit = @instantiateModel(Hit, unitless = true)
simulate!(hit, stopTime = 0.8, tolerance = 1e-8)
@test gap(hit) < 1e-12
@test off(getValues(hit, "ball.velocity")[end, 1], 0.0) > 0.1   # it was thrown to the side

function program(actions)
    ActionAttach(actions, "load.lock", "hook")
    ActionWait(actions, 0.2)
    ActionRelease(actions, "load.lock")
    ActionWait(actions, 0.2)
end
Hung = Fourbar(lengths, w = 0.0) | Map(
    hook = Object3D(parent = :(crank.obj1), translation = [0.4, 0.0, 0.05], lockable = true),
    load = Model(
        base = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.4*cos(1.2), 0.4*sin(1.2), 0.05], rotation = [0.0, 0.0, 1.2],
            feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel")),
        lock = Object3D(parent = :base, lockable = true)),
    modelActions = ModelActions(world = :world, actions = program), currentAction = Var(hideResult = true),
    equations = :[currentAction = executeActions(modelActions)]
)
hung = @instantiateModel(Hung, unitless = true)
simulate!(hung, Tsit5(), stopTime = 1.0, tolerance = 1e-8)
@test gap(hung) < 1e-12
# Released it falls freely.
v = getValues(hung, "load.base.velocity")
t = getValues(hung, "time")
@test abs((v[end, 2] - v[end - 50, 2])/(t[end] - t[end - 50]) + 9.81) < 1e-6
