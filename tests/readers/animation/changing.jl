# A ball that is attached, released and deleted while an arm turns; read by ../read_changing.mjs.
using Modia3D

function program(actions)
    ActionWait(actions, 0.31)
    ActionAttach(actions, "lock", "hand")
    ActionWait(actions, 0.3)
    ActionRelease(actions, "lock")
    ActionWait(actions, 0.2)
    ActionDelete(actions, "lock")
end

Changing = Model3D(
    world = Object3D(feature = Scene(animationFile = "changing.json", visualizeFrames = true, gap = 10.0, attachSpeed = 10.0,
                                     attachAngularSpeed = 10.0)),
    arm = Object3D(feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 0.1), massProperties = 2.0)),
    hand = Object3D(parent = :arm, lockable = true, translation = [0.5, 0.0, 0.0]),
    turn = Revolute(obj1 = :world, obj2 = :arm, axis = 2, w = Var(init = 3.0)),
    ball = Object3D(parent = :world, assemblyRoot = true, translation = [0.5, 0.2, 0.0],
                    feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel")),
    lock = Object3D(parent = :ball, lockable = true),
    bud = Object3D(parent = :lock, translation = [0.0, 0.1, 0.0], feature = Visual(shape = Sphere(diameter = 0.05))),
    actions = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions)]
)
changing = @instantiateModel(Changing, unitless = true)
simulate!(changing, stopTime = 1.0, interval = 0.02)
