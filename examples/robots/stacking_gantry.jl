# A gantry sets a box on a box: attached, carried, released, and then it stands by itself.
#
# Shows: actions and flat contacts in one run. The box is fixed to the gripper plate by an action, carried over the other box and released 0.5 mm above it; contacts are
# on all the time, and with the release the box is a free body that falls, lands on its face and sticks.
# Expect: three segments; in the end the box stands on the other one, in the middle, with its weight on the whole face.
using Modia3D
using Test
@usingModiaPlot

look(name) = VisualMaterial(color = name)
steel(shape, name) = Solid(shape = shape, solidMaterial = "Steel", collision = true, visualMaterial = look(name))
cube(name) = steel(Box(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1), name)
program(actions) = begin
    ActionAttach(actions, "lock", "magnet")
    ActionWait(actions, 2.5)
    ActionRelease(actions, "lock")
    ActionWait(actions, 1.5)
end
Gantry = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), flatContact = "area", gap = 0.002, nominalLength = 0.5, visualizeContactPoints = true)),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 1.2, lengthY = 0.6, lengthZ = 0.1), "Grey")),
    lower = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.3, 0.0, 0.05], feature = cube("Peru")),
    hand = Object3D(feature = Solid(shape = Box(lengthX = 0.12, lengthY = 0.12, lengthZ = 0.02), massProperties = 1.0, visualMaterial = look("Steel Blue"))),
    wrist = PrescribedMotion(obj1 = :world, obj2 = :hand, r = Var()),
    magnet = Object3D(parent = :hand, lockable = true, translation = [0.0, 0.0, -0.06]),
    box = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [-0.3, 0.0, 0.0505], feature = cube("Tomato")),
    lock = Object3D(parent = :box, lockable = true),
    under = ContactResult(object1 = :box, object2 = :lower),
    actions = ModelActions(world = :world, actions = program),
    x = Var(init = -0.3), vx = Var(init = 0.0), z = Var(init = 0.1105), vz = Var(init = 0.0),
    equations = :[
        now = executeActions(actions)
        goalX = if time < 0.8; -0.3 else 0.3 end
        goalZ = if time < 1.7; 0.3 elseif time < 2.6; 0.2105 else 0.3 end
        der(x) = vx
        der(vx) = 225.0*(goalX - x) - 30.0*vx
        der(z) = vz
        der(vz) = 225.0*(goalZ - z) - 30.0*vz
        wrist.r = [x, 0.0, z]
    ])
gantry = @instantiateModel(Gantry, unitless = true)
simulate!(gantry, stopTime = 4.0, tolerance = 1e-7, interval = 0.01)
t, box = getValues(gantry, "time"), getValues(gantry, "box.r_abs")
force, area = getValues(gantry, "under.normalForce")[end], getValues(gantry, "under.contactPatchArea")[end]
weight = 8000*9.81*0.001
println("the box stands at ", [round(q, digits = 6) for q in box[end, :]], " m and presses with ", round(force, digits = 3), " N of ", round(weight, digits = 3), " N over ", round(1e4*area, digits = 2), " cm2")
@test norm(box[end, :] - [0.3, 0.0, 0.15]) < 1e-4
@test abs(force/weight - 1) < 1e-4 && abs(area - 0.01) < 1e-5
@test getValues(gantry, "under.sticking")[end] == 1.0
k = findfirst(s -> s >= 3.5, t)
@test maximum([norm(box[i, :] - box[end, :]) for i in k:size(box, 1)]) < 1e-9
plot(gantry, [("box.r_abs[1]", "box.r_abs[3]"), ("under.normalForce")], heading = "A box is set on a box")
