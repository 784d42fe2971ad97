# Two parallel flat fingers grip a box, lift it, shake it and put it down.
#
# Shows: gripping by faces, without spheres at the fingertips. The jaws close until both press with 15 N, then the hand goes up by 20 cm, is shaken sideways and
# up and down, and comes back; the areas between jaws and box stick.
# Expect: the box does not slip in the grip: against the fingers it moves by less than a micrometer while it is shaken, and is where it was afterwards.
using Modia3D
using Test
@usingModiaPlot

look(name) = VisualMaterial(color = name)
wood(shape, m, name) = Solid(shape = shape, solidMaterial = "DryWood", massProperties = m, visualMaterial = look(name), collision = true)
drive = Model(flange = Model(s = Var(potential = true), f = Var(flow = true)), u = Var(), equations = :[flange.f = -u])
jaw() = Object3D(feature = wood(Box(lengthX = 0.02, lengthY = 0.06, lengthZ = 0.04), 0.2, "Steel Blue"))
Gripper = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), flatContact = "area", nominalLength = 0.5, visualizeContactPoints = true)),
    table = Object3D(parent = :world, translation = [0.0, 0.0, -0.025], feature = Solid(shape = Box(lengthX = 0.4, lengthY = 0.3, lengthZ = 0.05), solidMaterial = "DryWood",
                     visualMaterial = look("BurlyWood"), collision = true)),
    box = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.0, 0.03], feature = wood(Box(lengthX = 0.05, lengthY = 0.05, lengthZ = 0.06), 0.1, "Tomato")),
    hand = Object3D(feature = Solid(shape = Box(lengthX = 0.3, lengthY = 0.06, lengthZ = 0.03), massProperties = 1.0, visualMaterial = look("Steel Blue"))),
    wrist = PrescribedMotion(obj1 = :world, obj2 = :hand, r = Var()),
    place1 = Object3D(parent = :hand, translation = [-0.06, 0.0, -0.06]),
    place2 = Object3D(parent = :hand, translation = [0.06, 0.0, -0.06]),
    jaw1 = jaw(), jaw2 = jaw(),
    slide1 = PrismaticWithFlange(obj1 = :place1, obj2 = :jaw1, axis = 1),
    slide2 = PrismaticWithFlange(obj1 = :place2, obj2 = :jaw2, axis = -1),
    drive1 = drive, drive2 = drive,
    connect = :[(slide1.flange, drive1.flange), (slide2.flange, drive2.flange)],
    touch1 = ContactResult(object1 = :box, object2 = :jaw1),
    touch2 = ContactResult(object1 = :box, object2 = :jaw2),
    hold = 15.0, d = 100.0, c = 3000.0, z = Var(init = 0.1), v = Var(init = 0.0),
    equations = :[
        # Each drive pulls its jaw in; a spring between both keeps the pair in the middle of the hand.
        aside = slide1.s - slide2.s
        asideRate = slide1.v - slide2.v
        drive1.u = hold - d*slide1.v - c*aside - 50.0*asideRate
        drive2.u = hold - d*slide2.v + c*aside + 50.0*asideRate
        goal = if time < 1.0; 0.1 elseif time < 3.5; 0.3 else 0.1 end
        der(z) = v
        der(v) = 100.0*(goal - z) - 20.0*v
        x = 0.01*exp(-((time - 2.5)/0.25)^4)*sin(22.0*(time - 2.5))     # up to 5 m/s2
        wrist.r = [x, 0.0, z + x]
    ])
gripper = @instantiateModel(Gripper, unitless = true)
simulate!(gripper, stopTime = 4.5, tolerance = 1e-6, interval = 0.01)
t, box = getValues(gripper, "time"), getValues(gripper, "box.r_abs")
hand, finger = getValues(gripper, "hand.r_abs"), getValues(gripper, "jaw1.r_abs")
row(at) = findfirst(s -> s >= at, t)
inside(i) = box[i, :] - finger[i, :]
moved = maximum([norm(inside(i) - inside(row(1.9))) for i in row(1.9):row(3.4)])
share = maximum(getValues(gripper, "touch1.frictionShare")[row(1.5):row(3.4)])
println("lifted by ", round(box[row(1.9), 3] - box[1, 3], digits = 4), " m; while it is shaken it moves by ", round(1e6*moved, digits = 2), " um in the grip, afterwards it is ",
        round(1e9*norm(inside(row(3.4)) - inside(row(1.9))), digits = 1), " nm from where it was; at most ", round(100*share, digits = 1), " % of the friction is used")
@test abs(box[row(1.9), 3] - box[1, 3] - (hand[row(1.9), 3] - hand[1, 3])) < 1e-6
@test moved < 1e-6 && norm(inside(row(3.4)) - inside(row(1.9))) < 1e-7
@test share < 1.0 && minimum(getValues(gripper, "touch1.sticking")[row(1.5):row(3.4)]) == 1.0
@test abs(box[end, 3] - box[1, 3]) < 1e-4 && norm(box[end, 1:2]) < 1e-4
plot(gripper, [("touch1.normalForce", "touch2.normalForce"), ("touch1.frictionShare"), ("box.r_abs[3]")], heading = "A box between flat fingers")
