# The scenes of contacts_mujoco.c in Segue, one line each: name, number, and the closed form if there is one.
using Modia3D

Modia3D.loadPalettes!(contactPairMaterialPalette = "contacts.txt")
g = 9.81
solid(shape, touch, mass) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true, massProperties = mass)
ball(r, touch, mass) = solid(Sphere(diameter = 2*r), touch, mass)
free(place, feature; options...) = Object3D(parent = :world, fixedToParent = false, translation = place, feature = feature; options...)
plate(touch) = Object3D(parent = :world, translation = [0.0, -0.5, 0.0],
                        feature = Solid(shape = Box(lengthX = 18.0, lengthY = 1.0, lengthZ = 18.0), solidMaterial = "Steel", contactMaterial = touch, collision = true))
world(n = [0.0, -1.0, 0.0]) = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = n)))
space() = Object3D(feature = Scene(gravityField = NoGravityField()))
make(model) = @instantiateModel(model, unitless = true)
tell(name, value, exact = "") = println(name, " ", value, " ", exact)
at(m, name, t) = getValues(m, name)[argmin(abs.(getValues(m, "time") .- t)), :]

# A ball slides, and rolls.
m = make(Model3D(world = world(), plate = plate("Low"), ball = free([0.0, 0.1, 0.0], ball(0.1, "Low", 2.0), velocity = [2.0, 0.0, 0.0])))
simulate!(m, stopTime = 1.0, tolerance = 1e-8, interval = 0.01)
t = 2*2.0/(7*0.2*g)
tell("sliding_speed", at(m, "ball.velocity", 0.2)[1], 2.0 - 0.2*g*0.2)
tell("rolling_speed", getLastValue(m, "ball.velocity")[1], 5/7*2.0)
tell("rolling_place", getLastValue(m, "ball.translation")[1], 2.0*t - 0.1*g*t^2 + 10/7*(1.0 - t))

# Three balls stand on each other. What holds them up is what the lowest presses with.
rider(mass) = ball(0.1, "Dull", mass)
m = make(Model3D(world = world(), plate = plate("Dull"), a = free([0.0, 0.1, 0.0], rider(3.0)), b = free([0.0, 0.3, 0.0], rider(2.0)), c = free([0.0, 0.5, 0.0], rider(1.0)),
                 low = ContactResult(object1 = :plate, object2 = :a), mid = ContactResult(object1 = :a, object2 = :b), high = ContactResult(object1 = :b, object2 = :c)))
simulate!(m, stopTime = 1.0, tolerance = 1e-8)
tell("stack_lowest", getValues(m, "low.normalForce")[end], 6*g)
tell("stack_middle", getValues(m, "mid.normalForce")[end], 3*g)
tell("stack_highest", getValues(m, "high.normalForce")[end], g)

# Two balls of billiards, half a ball off: the angle between them is right.
m = make(Model3D(world = space(), a = free([-0.18, 0.0, 0.0], ball(0.1, "Slick", 1.0), velocity = [1.0, 0.0, 0.0]), b = free([0.0, -0.1, 0.0], ball(0.1, "Slick", 1.0))))
simulate!(m, stopTime = 0.02, tolerance = 1e-8)
a, b = getLastValue(m, "a.velocity"), getLastValue(m, "b.velocity")
tell("cue_speed", norm(a), 0.5)
tell("ball_speed", norm(b), sqrt(3)/2)
tell("ball_angle", atan(b[2], b[1]), -pi/6)
tell("angle_between", atan(a[2], a[1]) - atan(b[2], b[1]), pi/2)

# A body tumbles about the axis of its medium moment of inertia.
m = make(Model3D(world = space(), nut = free([0.0, 0.0, 0.0], Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.25)),
                                             angularVelocity = [0.1, 5.0, 0.2])))
simulate!(m, stopTime = 2.0, tolerance = 1e-10)
w = getLastValue(m, "nut.angularVelocity")
for k in 1:3
    tell("tumbling_w" * ["x", "y", "z"][k], w[k])
end

# A crate on four feet slides down 0.6 rad, a ball rolls down. Gravity is turned instead of the plate.
down = [sin(0.6), -cos(0.6), 0.0]
foot(x, z) = Object3D(parent = :crate, translation = [x, -0.05, z], feature = ball(0.01, "Mid", MassProperties(mass = 0.0)))
m = make(Model3D(world = world(down), plate = plate("Mid"),
                 crate = free([0.0, 0.06, 0.0], Solid(massProperties = MassProperties(mass = 2.0, Ixx = 0.01, Iyy = 0.02, Izz = 0.02))),
                 f1 = foot(0.15, 0.1), f2 = foot(0.15, -0.1), f3 = foot(-0.15, 0.1), f4 = foot(-0.15, -0.1)))
simulate!(m, stopTime = 1.0, tolerance = 1e-8, interval = 0.01)
tell("crate_acceleration", (getLastValue(m, "crate.velocity")[1] - at(m, "crate.velocity", 0.5)[1])/0.5, g*(sin(0.6) - 0.3*cos(0.6)))
m = make(Model3D(world = world(down), plate = plate("High"), ball = free([0.0, 0.1, 0.0], ball(0.1, "High", 2.0))))
simulate!(m, stopTime = 1.0, tolerance = 1e-8, interval = 0.01)
tell("ball_acceleration", (getLastValue(m, "ball.velocity")[1] - at(m, "ball.velocity", 0.5)[1])/0.5, 5/7*g*sin(0.6))

# An ellipsoid rocks without friction: half a period is the time between two passages through the level.
semi, tilt, I = [0.1, 0.03, 0.05], 0.02, 0.002
m = make(Model3D(world = world(), plate = plate("Dull"),
                 stone = free([0.0, sqrt((semi[1]*sin(tilt))^2 + (semi[2]*cos(tilt))^2), 0.0],
                              solid(Ellipsoid(lengthX = 2*semi[1], lengthY = 2*semi[2], lengthZ = 2*semi[3]), "Dull",
                                    MassProperties(mass = 1.0, Ixx = 0.0005, Iyy = I, Izz = I)), rotation = [0.0, 0.0, tilt])))
simulate!(m, stopTime = 0.3, tolerance = 1e-8, interval = 1e-4)
t, angle = getValues(m, "time"), getValues(m, "stone.rotation")[:, 3]
passed = [t[k] - (t[k+1] - t[k])*angle[k]/(angle[k+1] - angle[k]) for k in 1:length(t)-1 if (angle[k] > 0) != (angle[k+1] > 0)]
# The height of the center is h(angle), energy 1/2 (I + h'^2) angle'^2 + g h with a mass of 1; angle = tilt sin(x), midpoint rule.
h(angle) = sqrt((semi[1]*sin(angle))^2 + (semi[2]*cos(angle))^2)
slope(angle) = (semi[1]^2 - semi[2]^2)*sin(angle)*cos(angle)/h(angle)
rate(angle) = sqrt(2*g*(h(tilt) - h(angle))/(I + slope(angle)^2))
step = pi/2000
exact = 2*sum(tilt*cos(x)/rate(tilt*sin(x))*step for x in [(k - 0.5)*step for k in 1:1000])
tell("rocking_half_period", passed[2] - passed[1], exact)
