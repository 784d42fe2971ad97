# Seven shapes fall on a plate, each a little tilted, and bounce.
#
# Shows: all shapes that collide, signed distances while they fall (DistanceResult), and the energy that impacts take.
# How far each is from the plate follows from its shape: with u the up direction in its own axes, the lowest point of an
# ellipsoid is sqrt(sum((a_i u_i)^2)) below the center, that of a box sum(|u_i| l_i/2), and so on. Edges are rounded by
# 1 mm, which takes a little off corners.
# Corners press at a point here (flatContact = "point"), which takes a thirtieth of the time that areas do.
# Expect: each touches down sqrt(2 distance/g) after the start, when its center is where the formula says.
using Modia3D
using Test
@usingModiaPlot

g, high, tilt = 9.81, 0.6, [0.4, 0.3, 0.2]
rounding = 0.001
up = Modia3D.rot123(tilt[1], tilt[2], tilt[3])*[0.0, 1.0, 0.0]
across(axis) = sqrt(1 - up[axis]^2)
# Distance of the lowest point from the origin of the object, downward, with edges as sharp as can be.
shapes = [
    ("sphere", Sphere(diameter = 0.2), 0.1),
    ("ellipsoid", Ellipsoid(lengthX = 0.3, lengthY = 0.2, lengthZ = 0.1), sqrt(sum(([0.15, 0.1, 0.05].*up).^2))),
    ("box", Box(lengthX = 0.2, lengthY = 0.15, lengthZ = 0.1), sum([0.1, 0.075, 0.05].*abs.(up))),
    ("cylinder", Cylinder(axis = 2, diameter = 0.16, length = 0.2), 0.1*abs(up[2]) + 0.08*across(2)),
    ("cone", Cone(axis = 2, diameter = 0.2, length = 0.2), 0.1*across(2)),
    ("beam", Beam(axis = 1, length = 0.2, width = 0.1, thickness = 0.05), 0.1*abs(up[1]) + 0.05*across(3) + 0.025*abs(up[3])),
    ("capsule", Capsule(axis = 1, diameter = 0.1, length = 0.2), 0.1*abs(up[1]) + 0.05)
]

Shapes = Model3D(
    world = Object3D(feature = Scene(flatContact = "point", gravityField = UniformGravityField(g = g, n = [0, -1, 0]), balance = true)),
    plate = Object3D(parent = :world, translation = [0.0, -0.05, 0.0],
                     feature = Solid(shape = Box(lengthX = 8.0, lengthY = 0.1, lengthZ = 4.0), solidMaterial = "Steel", collision = true))
)
for i in 1:length(shapes)
    name, shape, below = shapes[i]
    Shapes[Symbol(name)] = Object3D(parent = :world, fixedToParent = false, translation = [0.8*(i - 4), high, 0.0], rotation = tilt,
                                    feature = Solid(shape = shape, solidMaterial = "Steel", collision = true))
    Shapes[Symbol("to_$name")] = DistanceResult(object1 = :plate, object2 = Symbol(name))
end
falling = @instantiateModel(Shapes, unitless = true)
simulate!(falling, stopTime = 1.0, tolerance = 1e-8, interval = 0.002)

t = getValues(falling, "time")
for (name, shape, below) in shapes
    distance = getValues(falling, "to_$name.distance")
    touch = t[findfirst(distance .<= 1e-9)]
    println(name, ": ", round(distance[1], digits = 4), " m above the plate, touches it after ", round(touch, digits = 4), " s")
    # Rounding lifts a corner by less than its radius.
    @test -1e-9 < distance[1] - (high - below) < rounding
    @test abs(touch - sqrt(2*distance[1]/g)) < 1e-6
    @test minimum(distance) > -1e-3
end
energy = getValues(falling, "balance.totalEnergy")
println("energy ", round(energy[1], digits = 2), " J at the start, ", round(energy[end], digits = 2), " J at the end")
@test all(energy[i+1] - energy[i] < 1e-7*energy[1] for i in 1:length(energy)-1)
plot(falling, [Tuple("$(s[1]).translation[2]" for s in shapes), "balance.totalEnergy"], heading = "Bouncing shapes")
