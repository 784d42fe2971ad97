# An ellipsoid falls on a plate, another one on a sphere (thesis figures B.8 and B.6).
#
# Shows: curved surfaces against each other, where portal refinement takes longest (table 6.1: 107 iterations), and the
# distance of an ellipsoid to a plane and to a sphere beside closed forms.
# The lowest point of an ellipsoid with semi-axes a_i is sqrt(sum((a_i u_i)^2)) below its center, u being "up" in its own
# axes. A body that falls freely turns as before, so when it touches down is known but for its attitude then.
# Expect: every impact takes energy, none gives any; the first ellipsoid leaves the plate over its edge.
using Modia3D
using Test
@usingModiaPlot

g, a = 9.81, [0.05, 0.1, 0.15]
lens() = Solid(shape = Ellipsoid(lengthX = 2a[1], lengthY = 2a[2], lengthZ = 2a[3]), solidMaterial = "Steel", collision = true)

Ellipsoids = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, -1, 0]), balance = true)),
    plate = Object3D(parent = :world, translation = [0.0, -0.05, 0.0],
                     feature = Solid(shape = Box(lengthX = 4.0, lengthY = 0.1, lengthZ = 3.0), solidMaterial = "Steel", collision = true)),
    onPlate = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 1.0, 0.0], angularVelocity = [5.0, 0.0, -2.0],
                       feature = lens()),
    globe = Object3D(parent = :world, translation = [4.0, -0.5, 0.0],
                     feature = Solid(shape = Sphere(diameter = 1.0), solidMaterial = "Steel", collision = true)),
    onGlobe = Object3D(parent = :world, fixedToParent = false, translation = [4.1, 0.6, 0.1], rotation = [0.3, 0.2, 0.4],
                       feature = lens()),
    toPlate = DistanceResult(object1 = :plate, object2 = :onPlate),
    toGlobe = DistanceResult(object1 = :globe, object2 = :onGlobe)
)
falling = @instantiateModel(Ellipsoids, unitless = true)
simulate!(falling, stopTime = 1.4, tolerance = 1e-8, interval = 0.002)

t = getValues(falling, "time")
high = getValues(falling, "onPlate.translation[2]")
angles = getValues(falling, "onPlate.rotation")
distance = getValues(falling, "toPlate.distance")
touch = findfirst(distance .<= 1e-9)
off = 0.0
for i in 1:touch
    up = Modia3D.rot123(angles[i, 1], angles[i, 2], angles[i, 3])*[0.0, 1.0, 0.0]
    global off = max(off, abs(distance[i] - (high[i] - sqrt(sum((a.*up).^2)))))
end
println("touches the plate after ", round(t[touch], digits = 6), " s; distances on the way as the formula says to ", off, " m")
@test abs(t[touch] - 0.419773) < 1e-3
@test off < 1e-9

# From a point outside, with coordinates p in the axes of the ellipsoid, the nearest point is a_i^2 p_i/(a_i^2 + s), with s
# so that it lies on the surface: halving an interval finds it.
function from_point(p)
    low, high = 0.0, norm(p)*maximum(a)
    for k in 1:200
        s = (low + high)/2
        sum((a.*p./(a.^2 .+ s)).^2) > 1 ? (low = s) : (high = s)
    end
    return norm(p - a.^2 .*p./(a.^2 .+ low))
end
place = getValues(falling, "onGlobe.translation")
turn = getValues(falling, "onGlobe.rotation")
apart = getValues(falling, "toGlobe.distance")
touch = findfirst(apart .<= 1e-9)
off = 0.0
for i in 1:20:touch-1
    p = Modia3D.rot123(turn[i, 1], turn[i, 2], turn[i, 3])*([4.0, -0.5, 0.0] - place[i, :])
    global off = max(off, abs(apart[i] - (from_point(p) - 0.5)))
end
println("the other touches the globe after ", round(t[touch], digits = 6), " s; distances on the way to ", off, " m")
@test off < 1e-9

energy = getValues(falling, "balance.totalEnergy")
println("energy ", round(energy[1], digits = 3), " J at the start, ", round(energy[end], digits = 3), " J at the end")
@test all(energy[i+1] - energy[i] < 1e-7*energy[1] for i in 1:length(energy)-1)
plot(falling, [("toPlate.distance", "toGlobe.distance"), "balance.totalEnergy"], heading = "Ellipsoids")
