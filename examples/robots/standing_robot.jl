# A robot on four legs with flat feet bends its knees and leans.
#
# Shows: four flat feet on the floor at once, each at the end of a leg with a drive. The body goes down by 4 cm, then the front legs bend further.
# Expect: the feet carry the whole weight, the back ones more while it leans, and hold: they move by micrometers, as the legs spread when the body leans.
using Modia3D
using Test
@usingModiaPlot

look(name) = VisualMaterial(color = name)
part(shape, m, name, touch) = Solid(shape = shape, solidMaterial = "Steel", massProperties = m, visualMaterial = look(name), collision = touch)
drive = Model(flange = Model(s = Var(potential = true), f = Var(flow = true)), u = Var(), equations = :[flange.f = -u])
hip(x, y) = Object3D(parent = :body, translation = [x, y, -0.05])
shin(end_) = Object3D(parent = end_, translation = [0, 0, 0.13], feature = Visual(shape = Cylinder(axis = 3, diameter = 0.03, length = 0.25), visualMaterial = look("Slate Grey")))
foot() = Object3D(feature = part(Box(lengthX = 0.1, lengthY = 0.08, lengthZ = 0.03), 0.5, "Steel Blue", true))
leg(place, end_) = PrismaticWithFlange(obj1 = place, obj2 = end_, axis = -3, s = Var(init = 0.25), v = Var(init = 0.0))
Robot = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), flatContact = "area", visualizeContactPoints = true)),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = Solid(shape = Box(lengthX = 1.5, lengthY = 1.0, lengthZ = 0.1), solidMaterial = "Steel", collision = true,
                     visualMaterial = look("Grey"))),
    body = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.3151], feature = part(Box(lengthX = 0.6, lengthY = 0.3, lengthZ = 0.1), 20.0, "Tomato", false)),
    hip1 = hip(0.25, 0.15), hip2 = hip(0.25, -0.15), hip3 = hip(-0.25, 0.15), hip4 = hip(-0.25, -0.15),
    foot1 = foot(), foot2 = foot(), foot3 = foot(), foot4 = foot(),
    shin1 = shin(:foot1), shin2 = shin(:foot2), shin3 = shin(:foot3), shin4 = shin(:foot4),
    leg1 = leg(:hip1, :foot1), leg2 = leg(:hip2, :foot2), leg3 = leg(:hip3, :foot3), leg4 = leg(:hip4, :foot4),
    drive1 = drive, drive2 = drive, drive3 = drive, drive4 = drive,
    connect = :[(leg1.flange, drive1.flange), (leg2.flange, drive2.flange), (leg3.flange, drive3.flange), (leg4.flange, drive4.flange)],
    f1 = ContactResult(object1 = :foot1, object2 = :floor), f2 = ContactResult(object1 = :foot2, object2 = :floor),
    f3 = ContactResult(object1 = :foot3, object2 = :floor), f4 = ContactResult(object1 = :foot4, object2 = :floor),
    k = 20000.0, d = 600.0, front = Var(init = 0.25), back = Var(init = 0.25),
    equations = :[
        low = if time > 0.5; 0.04 else 0.0 end
        lean = if time > 1.5; 0.002 else 0.0 end
        der(front) = 5.0*(0.25 - low - lean - front)
        der(back) = 5.0*(0.25 - low - back)
        drive1.u = k*(front - leg1.s) - d*leg1.v
        drive2.u = k*(front - leg2.s) - d*leg2.v
        drive3.u = k*(back - leg3.s) - d*leg3.v
        drive4.u = k*(back - leg4.s) - d*leg4.v
    ])
robot = @instantiateModel(Robot, unitless = true)
simulate!(robot, stopTime = 3.0, tolerance = 1e-6, interval = 0.01)
t, r = getValues(robot, "time"), getValues(robot, "body.r_abs")
f = [getValues(robot, "f$i.normalForce")[end] for i in 1:4]
feet = [getValues(robot, "foot$i.r_abs") for i in 1:4]
k = findfirst(s -> s >= 0.4, t)
slipped = maximum([norm(q[end, 1:2] - q[k, 1:2]) for q in feet])
println("the body went down by ", round(100*(r[k, 3] - r[end, 3]), digits = 2), " cm; the feet carry ", [round(x, digits = 2) for x in f], " N, together ", round(sum(f), digits = 3),
        " N of ", round(22*9.81, digits = 3), " N, and moved by ", round(1e6*slipped, digits = 2), " um")
@test abs(sum(f)/(22*9.81) - 1) < 1e-4
@test f[3] > f[1] && abs(f[1] - f[2]) < 0.1
@test slipped < 1e-4
late = findfirst(s -> s >= 2.9, t)
@test norm(r[end, :] - r[late, :]) < 1e-4
plot(robot, [("f1.normalForce", "f3.normalForce"), ("body.r_abs[3]")], heading = "A robot on flat feet")
