# A gripper closes until its jaws press hard enough, and lifts a ball.
#
# Shows: the force of a contact in equations. The jaws close at a constant speed; when the weaker of the two contacts reaches
# 4 N, a state event latches, the drives go on to hold 5 N, and the hand, which equations lead, goes up. Friction carries the ball.
# Expect: the jaws meet the ball one after the other, since it does not lie in the middle; it is taken up by 20 cm. Friction
# sticks; without friction = "stick" the ball would slip by 1 mm a second.
using Modia3D
using Test
@usingModiaPlot

wood = VisualMaterial(color = "BurlyWood")
steel = VisualMaterial(color = "Steel Blue")
drive = Model(flange = Model(s = Var(potential = true), f = Var(flow = true)), u = Var(), equations = :[flange.f = -u])
jaw() = Object3D(feature = Solid(shape = Box(lengthX = 0.02, lengthY = 0.06, lengthZ = 0.04), solidMaterial = "DryWood", massProperties = 0.2,
                                  visualMaterial = steel, collision = true))
Gripper = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), enableContactDetection = true, friction = "stick", nominalLength = 0.5)),
    table = Object3D(parent = :world, translation = [0.0, 0.0, -0.025],
                     feature = Solid(shape = Box(lengthX = 0.4, lengthY = 0.3, lengthZ = 0.05), solidMaterial = "DryWood", visualMaterial = wood, collision = true)),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.01, 0.0, 0.03],
                    feature = Solid(shape = Sphere(diameter = 0.06), solidMaterial = "DryWood", massProperties = 0.1, visualMaterial = VisualMaterial(color = "Red"), collision = true)),
    hand = Object3D(feature = Solid(shape = Box(lengthX = 0.3, lengthY = 0.06, lengthZ = 0.03), massProperties = 1.0, visualMaterial = steel)),
    wrist = PrescribedMotion(obj1 = :world, obj2 = :hand, r = Var()),
    place1 = Object3D(parent = :hand, translation = [-0.06, 0.0, -0.06]),
    place2 = Object3D(parent = :hand, translation = [0.06, 0.0, -0.06]),
    jaw1 = jaw(), jaw2 = jaw(),
    slide1 = PrismaticWithFlange(obj1 = :place1, obj2 = :jaw1, axis = 1),
    slide2 = PrismaticWithFlange(obj1 = :place2, obj2 = :jaw2, axis = -1),
    drive1 = drive, drive2 = drive,
    connect = :[(slide1.flange, drive1.flange), (slide2.flange, drive2.flange)],
    touch1 = ContactResult(object1 = :ball, object2 = :jaw1),
    touch2 = ContactResult(object1 = :ball, object2 = :jaw2),
    wanted = 4.0, hold = 5.0, speed = 0.05, d = 100.0,
    nextHeld = Var(start = false), z = Var(init = 0.09), v = Var(init = 0.0),
    equations = :[
        weaker = min(touch1.normalForce, touch2.normalForce)
        held = pre(nextHeld)
        pressed = positive(weaker - wanted)
        nextHeld = held || pressed
        drive1.u = if held; hold - d*slide1.v else d*(speed - slide1.v) end
        drive2.u = if held; hold - d*slide2.v else d*(speed - slide2.v) end
        goal = if held; 0.29 else 0.09 end
        der(z) = v
        der(v) = 25.0*(goal - z) - 10.0*v
        wrist.r = [0.0, 0.0, z]
    ]
)
gripper = @instantiateModel(Gripper, unitless = true)
simulate!(gripper, stopTime = 4.0, tolerance = 1e-6, interval = 0.01)

t, ball, z = getValues(gripper, "time"), getValues(gripper, "ball.r_abs"), getValues(gripper, "z")
f1, f2 = getValues(gripper, "touch1.normalForce"), getValues(gripper, "touch2.normalForce")
first(x) = t[argmax(x .> 0.0)]
println("the jaws touch the ball after ", round(first(f2), digits = 2), " s and ", round(first(f1), digits = 2), " s, and it is held from ",
        round(t[argmax(getValues(gripper, "held"))], digits = 2), " s on")
println("it is lifted by ", round(ball[end, 3] - ball[1, 3], digits = 4), " m, the hand by ", round(z[end] - z[1], digits = 4), " m; the jaws press with ",
        round(f1[end], digits = 3), " N and ", round(f2[end], digits = 3), " N")
@test abs(z[end] - 0.29) < 1e-5
@test abs(ball[end, 3] - ball[1, 3] - 0.2) < 2e-5
@test abs(f1[end] - 5.0) < 0.01 && abs(f2[end] - 5.0) < 0.01
# Friction carries the weight: between two equal jaws half of it each.
@test abs(getValues(gripper, "touch1.tangentialForce")[end] + getValues(gripper, "touch2.tangentialForce")[end] - 0.1*9.81) < 1e-3
@test first(f2) < first(f1)
plot(gripper, [("touch1.normalForce", "touch2.normalForce"), ("z", "ball.r_abs[3]"), ("held")], heading = "A gripper that feels")
