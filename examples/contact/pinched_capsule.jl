# A capsule between two pads: lifted, turned, shaken, and where it was.
#
# Shows: friction = "stick" where things touch at points. The hand, which equations lead, presses a capsule of 45 g at its ends, with 12 N by a pad that slides
# in it. Friction carries it: with 5 m/s2 to and fro, upright and on its side. The contacts give way elastically by less than a tenth of
# a micrometer, and give that back. With the friction of the thesis the capsule creeps, and that is told. (Without
# flatContact = "point" its round ends would press over areas, which stick in any case.)
using Modia3D
using Test
@usingModiaPlot

Modia3D.loadPalettes!(contactPairMaterialPalette = "pinched_capsule.txt")
look(color) = VisualMaterial(color = color)
pad() = Solid(shape = Box(lengthX = 0.01, lengthY = 0.03, lengthZ = 0.03), solidMaterial = "Aluminium", contactMaterial = "Pad", massProperties = 0.05,
              visualMaterial = look("SteelBlue"), collision = true)
press = Model(flange = Model(s = Var(potential = true), f = Var(flow = true)), u = Var(), equations = :[flange.f = -u])
soft(x) = x^3*(10 - 15*x + 6*x^2)     # from 0 to 1, without a jerk
half = 0.014                          # the capsule is 28 mm long

Pinch(friction) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), friction = friction, flatContact = "point", nominalLength = 0.1)),
    hand = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.01, Iyy = 0.01, Izz = 0.01))),
    wrist = PrescribedMotion(obj1 = :world, obj2 = :hand, r = Var(), rot = Var()),
    back = Object3D(parent = :hand, translation = [0, 0, 0.03], feature = Visual(shape = Box(lengthX = 0.06, lengthY = 0.03, lengthZ = 0.01), visualMaterial = look("Grey"))),
    pad1 = Object3D(parent = :hand, translation = [half + 0.005, 0, 0], feature = pad()),
    pad2 = Object3D(feature = pad()),
    slide = PrismaticWithFlange(obj1 = :hand, obj2 = :pad2, axis = 1, s = Var(init = -half - 0.005)),
    press = press,
    connect = :[(slide.flange, press.flange)],
    capsule = Object3D(parent = :world, fixedToParent = false,
                       feature = Solid(shape = Capsule(axis = 1, diameter = 0.008, length = 0.02), solidMaterial = "Aluminium", contactMaterial = "Pad",
                                       massProperties = 0.045, visualMaterial = look("Orange"), collision = true)),
    seen = SensorResult(object = :capsule, objectOrigin = :pad1),
    touch = ContactResult(object1 = :capsule, object2 = :pad1),
    equations = :[
        press.u = 12.0
        lift = soft(min(max(time - 0.5, 0.0), 1.0))
        turn = soft(min(max(time - 1.5, 0.0), 1.0)) - soft(min(max(time - 5.0, 0.0), 1.0))
        on = soft(min(max(2*(time - 2.5), 0.0), 1.0)) - soft(min(max(2*(time - 4.5), 0.0), 1.0))
        shake = on*5.0/(10*pi)^2*sin(10*pi*time)
        wrist.r = [0.0, shake, 0.1*lift]
        wrist.rot = [1.5*turn, 0.0, 0.7*turn]
    ])

pinch = @instantiateModel(Pinch("stick"), unitless = true)
simulate!(pinch, stopTime = 7.0, tolerance = 1e-8, interval = 0.01)
x, t = getValues(pinch, "seen.translation"), getValues(pinch, "time")
k = findfirst(s -> s >= 0.4, t)
across = [1e6*norm(x[i, 2:3] - x[k, 2:3]) for i in k:length(t)]
stays = 1e6*norm(x[end, :] - x[k, :])
println("it gave way by ", round(maximum(across), digits = 2), " micrometers at most, and was back within a hundredth of one: ", stays < 1e-2)
@test maximum(across) < 0.2
@test stays < 1e-2

creeps = @instantiateModel(Pinch("thesis"), unitless = true)
simulate!(creeps, stopTime = 7.0, tolerance = 1e-7, interval = 0.01)
y = getValues(creeps, "seen.translation")
println("with the friction of the thesis it crept by ", round(1e3*norm(y[end, :] - y[1, :]), digits = 2), " mm")
plot(pinch, ["shake", "touch.tangentialForce"], heading = "A capsule that is shaken")
