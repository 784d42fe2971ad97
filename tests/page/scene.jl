# A ball falls onto a plate and rebounds; a capsule above it is deleted at 0.3 s. One name is not what it
# seems.
using Modia3D

function program(actions)
    EventAfterPeriod(actions, 0.3)
    ActionDelete(actions, "capsuleLock")
end

solid(shape, color) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = color))

Scenery = Model3D(
    world = Object3D(feature = Scene(enableContactDetection = true)),
    plate = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = solid(Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0), "LightSteelBlue")),
    ball = Object3D(fixedToParent = false, parent = :world, translation = [0.0, 0.3, 0.0], feature = solid(Sphere(diameter = 0.2), "Red")),
    capsule = Object3D(fixedToParent = false, parent = :world, assemblyRoot = true, translation = [-0.3, 0.8, 0.0],
                       feature = Solid(shape = Capsule(axis = 1, diameter = 0.1, length = 0.2), solidMaterial = "Steel", visualMaterial = VisualMaterial(color = "Green"))),
    capsuleLock = Object3D(parent = :capsule, lockable = true),
    sign = Object3D(parent = :world, translation = [0.0, 0.6, 0.0], feature = Visual(shape = TextShape(text = "<img src=x onerror=window.hacked=1>"))),
    modelActions = ModelActions(world = :world, actions = program),
    currentAction = Var(hideResult = true),
    equations = :[currentAction = executeActions(modelActions)]
)
scenery = @instantiateModel(Scenery, unitless = true)
simulate!(scenery, stopTime = 0.6, interval = 0.005)
