# A Stewart platform: six legs between a base and a plate that moves in all directions.
#
# Shows: many loops at once. The plate is a free body. Each leg turns on the base about two axes, slides in its cylinder
# against a spring with a damper, and holds the plate by a Spherical, which is always a constraint.
# Joints that are declared first keep their start values: the first leg is pushed out and the second one in, and the plate
# with the other legs follows.
# Expect: the plate is thrown to the side and tilts, and comes to rest in the middle, each leg with the same load.
using Modia3D
using Test
@usingModiaPlot

look(shape, color) = Visual(shape = shape, visualMaterial = VisualMaterial(color = color))
onCircle(radius, angle, height) = [radius*cos(angle), height, radius*sin(angle)]
baseAngle(k) = pi/3*(k - 1) + (isodd(k) ? 0.25 : -0.25)
plateAngle(k) = pi/3*(k - 1) + (isodd(k) ? 0.75 : -0.75)

# The foot of a leg looks along x to its place on the plate when all is in the middle; angles about z and y bring it there.
function leg(k)
    d = onCircle(0.5, plateAngle(k), 0.9) - onCircle(0.8, baseAngle(k), 0.0)
    turn = atan(-d[3], d[1])
    lift = atan(d[2], sqrt(d[1]^2 + d[3]^2))
    return (length = sqrt(sum(d.^2)), turn = turn, lift = lift)
end
Leg(k) = Model(
    foot = Object3D(parent = :world, translation = onCircle(0.8, baseAngle(k), 0.0), feature = look(Sphere(diameter = 0.08), "Red")),
    fork = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.2, Ixx = 0.01, Iyy = 0.01, Izz = 0.01))),
    tube = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [0.25, 0.0, 0.0], Ixx = 0.01, Iyy = 0.05, Izz = 0.05))),
    tubeShape = Object3D(parent = :tube, translation = [0.3, 0.0, 0.0], feature = look(Cylinder(axis = 1, diameter = 0.06, length = 0.6), "Grey")),
    piston = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.5, centerOfMass = [-0.2, 0.0, 0.0], Ixx = 0.01, Iyy = 0.02, Izz = 0.02))),
    pistonShape = Object3D(parent = :piston, translation = [-0.3, 0.0, 0.0], feature = look(Cylinder(axis = 1, diameter = 0.035, length = 0.6), "Silver")),
    turn = Revolute(obj1 = :foot, obj2 = :fork, axis = 2, phi = Var(init = leg(k).turn)),
    lift = Revolute(obj1 = :fork, obj2 = :tube, axis = 3, phi = Var(init = leg(k).lift)),
    slide = Prismatic(obj1 = :tube, obj2 = :piston, axis = 1, s = Var(init = leg(k).length), v = Var(init = k == 1 ? 0.8 : k == 2 ? -0.5 : 0.0)),
    ball = Spherical(obj1 = :piston, obj2 = Symbol("seat$k")),
    spring = SpringDamperPtP(obj1 = :foot, obj2 = Symbol("seat$k"), nominalLength = 1.03, springForceLaw = 4000.0, damperForceLaw = 300.0)
)
Platform = Model3D(
    world = Object3D(feature = Scene(enableContactDetection = false, nominalLength = 2.0)),
    ground = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = look(Cylinder(axis = 2, diameter = 1.9, length = 0.04), "LightGrey")),
    plate = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.9, 0.0],
        feature = Solid(massProperties = MassProperties(mass = 20.0, Ixx = 1.5, Iyy = 2.5, Izz = 1.5))),
    disk = Object3D(parent = :plate, feature = look(Cylinder(axis = 2, diameter = 1.1, length = 0.04), "Blue"))
)
for k in 1:6
    Platform[Symbol("seat$k")] = Object3D(parent = :plate, translation = onCircle(0.5, plateAngle(k), 0.0))
    Platform[Symbol("leg$k")] = Leg(k)
end

platform = @instantiateModel(Platform, unitless = true)
simulate!(platform, stopTime = 5.0, tolerance = 1e-8)
plot(platform, ["plate.translation", "plate.rotation", "leg1.ball.reactionForce"], figure = 1)

# In the middle, level, and the six legs share the weight of the plate.
place = getValues(platform, "plate.translation")[end, :]
@test abs(place[1]) < 1e-4 && abs(place[3]) < 1e-4
lengths = [getValues(platform, "leg$k.slide.s")[end] for k in 1:6]
@test maximum(lengths) - minimum(lengths) < 1e-4
