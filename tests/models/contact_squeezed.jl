# What is squeezed is no impact: a ball between two plates, one of which equations press down with a constant speed, feels
# Hertz' force to 1 % once it is some times as deep as impacts with that speed would go. With the damping of an impact it was 1.6
# times that at 1 mm/s and restitution 0.7, and 100 times at 10 cm/s and restitution 0.
using Modia3D
using Test
Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_squeezed.txt")

stiffness(d) = 4/3*2e11/(1 - 0.3^2)/2*sqrt(d/2)
# The deepest dent of an impact of the ball with half the speed: each of two contacts has that.
reach(v, d) = (1.25*pi/6*d^3*8000*(v/2)^2/stiffness(d))^0.4

function squeeze(v, skin, d, depth, method; restitution = "thesis")
    s(shape) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = skin, collision = true)
    plate() = Box(lengthX = 2*d, lengthY = d, lengthZ = 2*d)
    Press = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField(), restitution = restitution)),
                    floor = Object3D(parent = :world, translation = [0.0, -d, 0.0], feature = s(plate())),
                    press = Object3D(feature = s(plate())),
                    prism = PrismaticWithFlange(obj1 = :world, obj2 = :press, axis = 2, s = Var(init = nothing), v = Var(init = nothing)),
                    ball = Object3D(parent = :world, fixedToParent = false, feature = s(Sphere(diameter = d))),
                    upper = ContactResult(object1 = :press, object2 = :ball), lower = ContactResult(object1 = :floor, object2 = :ball))
    Squeeze = Model(p = Press, v = Par(value = v), s0 = Par(value = d + 0.1*depth), equations = :[p.prism.s = s0 - v*time])
    m = @instantiateModel(Squeeze, unitless = true)
    simulate!(m, method, stopTime = 2.1*depth/v, tolerance = 1e-7)
    over(name) = getLastValue(m, "p.$name.normalForce", unit = false)/(stiffness(d)*getLastValue(m, "p.$name.penetration", unit = false)^1.5)
    @test getLastValue(m, "p.contacts.number") == 2
    @test abs(over("upper") - 1) < 0.01
    @test abs(over("lower") - 1) < 0.01
end

# From 6 times the deepest impact of the ball on (that of the upper contact, with the whole speed, is 1.74 times as deep). The
# larger the damping is, the longer it takes to fade without a fall of the force.
for v in [1e-4, 1e-3, 1e-2, 0.1], (skin, n) in [("R7", 6), ("R7", 20), ("R7", 250), ("R3", 15), ("R10", 250)]
    squeeze(v, skin, 0.1, n*reach(v, 0.1), CVODE_BDF())
end
for d in [0.001, 1.0, 10.0], method in [CVODE_BDF(), IDA(), Rodas5()]
    squeeze(1e-3, "R7", d, 6*reach(1e-3, d), method)
end
squeeze(1e-3, "R0", 0.1, 10*reach(1e-3, 0.1), CVODE_BDF())
squeeze(1e-2, "R0", 0.1, 60*reach(1e-2, 0.1), CVODE_BDF())
squeeze(1e-3, "R7", 0.1, 250*reach(1e-3, 0.1), CVODE_BDF(), restitution = "exact")

# Impacts are what they were: the speed of leaving over that of arrival, also where somebody heavier is behind the ball.
s(shape, skin) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = skin, collision = true)
for (skin, e) in [("R7", 0.68318), ("R3", 0.25621)], v in [0.1, 1.0]
    Bounce = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())),
                     wall = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = s(Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0), skin)),
                     ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.06, 0.0], velocity = [0.0, -v, 0.0], feature = s(Sphere(diameter = 0.1), skin)))
    bounce = @instantiateModel(Bounce, unitless = true)
    simulate!(bounce, stopTime = 0.02/v, tolerance = 1e-8)
    @test abs(getLastValue(bounce, "ball.velocity")[2]/v - e) < 1e-4
end

# And what comes to rest does: a ball that is put down, one that falls, one that is struck while it lies.
for (height, v) in [(0.0, 0.0), (1e-4, 0.0), (0.0, -0.01), (0.01, -0.1)]
    Rest = Model3D(world = Object3D(feature = Scene()),
                   wall = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = s(Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0), "R7")),
                   ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.05 + height, 0.0], velocity = [0.0, v, 0.0], feature = s(Sphere(diameter = 0.1), "R7")),
                   both = ContactResult(object1 = :wall, object2 = :ball))
    rest = @instantiateModel(Rest, unitless = true)
    simulate!(rest, stopTime = 2.0, tolerance = 1e-6)
    @test abs(getLastValue(rest, "ball.velocity")[2]) < 1e-6
    @test abs(getLastValue(rest, "both.normalForce", unit = false)/(pi/6*0.1^3*8000*9.81) - 1) < 1e-3
end
