# A fourbar mechanism beside what else happens: a ball falls on its coupler (events and contact forces), and a load is hung to
# its crank and released (other bodies).
include("fourbar.jl")
lengths = (crank = 0.4, coupler = 1.0, rocker = 0.8, base = 1.2)

contacts = Map(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = true)))
Hit = (Fourbar(lengths, w = 0.0) | contacts) | Map(
    plate = Object3D(parent = :(coupler.obj1), translation = [0.5, 0.1, 0.0],
        feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.05, lengthZ = 0.3), solidMaterial = "Steel", collision = true, contactMaterial = "Steel")),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.6, 1.5, 0.0],
        feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true, contactMaterial = "Steel"))
)

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
