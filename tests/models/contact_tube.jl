# Tubes collide as they look: by their walls.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_elastic.txt")
s(shape, touch = "Dull") = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true)
tube(axis, d, inner, l) = Cylinder(axis = axis, diameter = d, innerDiameter = inner, length = l)
fixed(shape, touch = "Dull") = Object3D(parent = :world, feature = s(shape, touch))
free(shape, at; velocity = [0.0, 0.0, 0.0], rotation = [0.0, 0.0, 0.0], touch = "Dull") =
    Object3D(parent = :world, fixedToParent = false, translation = at, velocity = velocity, rotation = rotation, feature = s(shape, touch))
function run(a, b, stop; tolerance = 1e-7, gravity = UniformGravityField(g = 9.81, n = [0, -1, 0]))
    m = @instantiateModel(Model3D(world = Object3D(feature = Scene(gravityField = gravity)), a = a, b = b), unitless = true)
    simulate!(m, stopTime = stop, tolerance = tolerance, interval = stop/200)
    return m
end
last(m, name = "b.translation") = getLastValue(m, name, unit = false)
falls(m, from, stop) = length(Modia3D.contactTable(m)[:begin]) == 0 && abs(last(m)[2] - from + 9.81*stop^2/2) < 1e-6

# A ball, a peg with hardly any play, a turned capsule, a crate and a thinner tube fall through; along each axis.
upright = tube(2, 0.4, 0.3, 0.5)
@test falls(run(fixed(upright), free(Sphere(diameter = 0.1), [0.0, 0.5, 0.0]), 1.0), 0.5, 1.0)
@test falls(run(fixed(upright), free(Sphere(diameter = 0.2999), [0.0, 0.5, 0.0]), 1.0), 0.5, 1.0)
@test falls(run(fixed(upright), free(Cylinder(axis = 2, diameter = 0.2998, length = 0.3), [0.0, 0.5, 0.0]), 1.0), 0.5, 1.0)
@test falls(run(fixed(upright), free(Capsule(axis = 2, diameter = 0.2, length = 0.3), [0.02, 0.5, 0.0], rotation = [0.1, 0.0, 0.02]), 0.6), 0.5, 0.6)
@test falls(run(fixed(upright), free(Box(lengthX = 0.15, lengthY = 0.1, lengthZ = 0.2), [0.01, 0.4, 0.0], rotation = [0.1, 0.0, 0.2]), 0.5), 0.4, 0.5)
@test falls(run(fixed(upright), free(tube(2, 0.25, 0.2, 0.4), [0.0, 0.6, 0.0]), 1.0), 0.6, 1.0)
@test falls(run(fixed(Cylinder(axis = 2, diameter = 0.1, length = 2.0)), free(tube(2, 0.3, 0.15, 0.05), [0.0, 0.0, 0.0]), 0.3), 0.0, 0.3)  # a ring on a rod
for axis in 1:3
    along = [0.0, 0.0, 0.0]
    along[axis] = 1.0
    m = run(fixed(tube(axis, 0.4, 0.3, 0.5)), free(Sphere(diameter = 0.2), -along, velocity = 2*along), 1.0, gravity = NoGravityField())
    @test norm(last(m) - along) < 1e-6
end

# What is larger than the bore stays outside: a ball rests on the rim, in the middle.
m = run(fixed(upright), free(Sphere(diameter = 0.5), [0.001, 0.46, 0.0]), 2.0)
@test norm(last(m) - [0.0, 0.25 + sqrt(0.25^2 - 0.15^2), 0.0]) < 1e-5
m = run(fixed(upright), free(Sphere(diameter = 0.301), [0.0, 0.5, 0.0]), 0.3)
@test last(m)[2] > 0.25

# Hardly larger, by less than what the pieces of the wall leave to the circle between their middles, it stays outside, too: it sinks in where the rim yields, and
# what just fits falls through. The wedge of the rim multiplies its weight, and all pieces carry the same.
for (size, part) in [(0.01, 1.0005), (0.01, 1.0022), (1.0, 1.0005), (1.0, 1.0022), (10.0, 1.005)] # a heavy one is pressed in with 1.0005
    R, r = 0.15*size*part, 0.15*size
    top = 0.25*size + sqrt(R^2 - r^2) # of a rigid one, with edges that are sharp
    m = run(fixed(tube(2, 0.4*size, 0.3*size, 0.5*size)), free(Sphere(diameter = 2*R), [0.0, top + 0.002*size, 0.0]), 0.3*sqrt(size))
    touches = Modia3D.contactTable(m)
    @test 0.25*size < last(m)[2] < top + 0.002*size
    @test minimum(touches[:depth][1:48]) > 0.95*maximum(touches[:depth][1:48])
end
for size in [0.01, 10.0]
    @test falls(run(fixed(tube(2, 0.4*size, 0.3*size, 0.5*size)), free(Sphere(diameter = 0.2999*size), [0.0, 0.5*size, 0.0]), sqrt(size)), 0.5*size, sqrt(size))
end

# A ball without friction swings in a bore like a pendulum, and no bump of the wall takes energy from it.
R, r, start = 0.15, 0.05, 0.1
swing = run(fixed(tube(3, 0.4, 2*R, 0.5), "Spring"), free(Sphere(diameter = 2*r), (R - r)*[sin(start), -cos(start), 0.0], touch = "Spring"), 5.0, tolerance = 1e-8)
x, t = getValues(swing, "b.translation")[:, 1], getValues(swing, "time")
zeros = [t[i - 1] + (t[i] - t[i - 1])*x[i - 1]/(x[i - 1] - x[i]) for i in 2:length(t) if x[i - 1]*x[i] < 0]
period = 2*pi*sqrt((R - r)/9.81)*(1 + start^2/16 + 11*start^4/3072)
@test length(zeros) > 12
@test abs(2*(zeros[end] - zeros[1])/(length(zeros) - 1)/period - 1) < 1e-3
@test abs(maximum(abs.(x[div(end, 2):end]))/maximum(abs.(x[1:div(end, 2)])) - 1) < 1e-3
@test all(hypot(getValues(swing, "b.translation")[i, 1], getValues(swing, "b.translation")[i, 2]) < R - r + 1e-4 for i in 1:length(t))

# However fast, it does not leave the tube sideways, with long steps of an explicit method neither.
for (velocity, tolerance) in [([60.0, 100.0, 0.0], 1e-7), ([-300.0, 20.0, 0.0], 1e-4)]
    m = run(fixed(tube(3, 0.4, 0.3, 0.5), "Spring"), free(Sphere(diameter = 0.1), [0.05, -0.03, 0.0], velocity = velocity, touch = "Spring"), 0.05, tolerance = tolerance)
    @test hypot(last(m)[1], last(m)[2]) < 0.11
    @test length(Modia3D.contactTable(m)[:begin]) > 10
end

# What is no ball meets the wall at the bore's radius, or at most 0.22 % farther out.
for turn in [0.0, 0.02, 0.065]
    v = [cos(turn), 0.0, sin(turn)]
    m = run(fixed(upright, "Spring"), free(Ellipsoid(lengthX = 0.2, lengthY = 0.3, lengthZ = 0.2), [0.0, 0.0, 0.0], velocity = v, touch = "Spring"), 0.06, gravity = NoGravityField())
    begins = Modia3D.contactTable(m)[:begin][1]
    @test 0.05 - 1e-6 < begins < 0.05 + 0.0022*0.15
end

# Outside, a tube is the cylinder that it was.
outside(inner) = run(fixed(Cylinder(axis = 3, diameter = 0.4, innerDiameter = inner, length = 0.5)), free(Ellipsoid(lengthX = 0.1, lengthY = 0.2, lengthZ = 0.3), [0.03, 0.4, 0.02]), 0.5)
@test norm(last(outside(0.3)) - last(outside(0.0))) < 1e-7
