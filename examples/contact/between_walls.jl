# A sphere is thrown between two plates and a wall (thesis figure B.7).
#
# Shows: a free body that meets one obstacle after another, friction that turns it, and where each contact took place.
# Expect: from the lower plate to the wall, up to the ceiling and back; spin comes only from friction at the contacts.
using Modia3D
using Test
@usingModiaPlot

radius = 0.1
wall(x, y, lengthX, lengthY) = Object3D(parent = :world, translation = [x, y, 0.0],
    feature = Solid(shape = Box(lengthX = lengthX, lengthY = lengthY, lengthZ = 1.0), solidMaterial = "Steel", collision = true,
                    visualMaterial = VisualMaterial(color = "DarkSeaGreen")))
Cage = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), balance = true)),
    floor = wall(0.0, -0.05, 3.0, 0.1),
    ceiling = wall(0.0, 1.05, 3.0, 0.1),
    side = wall(-1.55, 0.5, 0.1, 1.2),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.5, 0.0], velocity = [-8.0, -6.0, 0.0],
                    feature = Solid(shape = Sphere(diameter = 2radius), solidMaterial = "Steel", collision = true)),
    toFloor = DistanceResult(object1 = :floor, object2 = :ball),
    toCeiling = DistanceResult(object1 = :ceiling, object2 = :ball),
    toSide = DistanceResult(object1 = :side, object2 = :ball)
)
cage = @instantiateModel(Cage, unitless = true)
simulate!(cage, stopTime = 1.0, tolerance = 1e-8, interval = 0.001)

t = getValues(cage, "time")
hits = Any[]
for (name, signal) in [("floor", "toFloor"), ("ceiling", "toCeiling"), ("side", "toSide")]
    d = getValues(cage, "$signal.distance")
    for i in 2:length(t)
        d[i] <= 1e-9 && d[i-1] > 1e-9 && push!(hits, (t[i], name))
    end
end
sort!(hits)
order = [h[2] for h in hits]
println(join(["$(h[2]) at $(round(h[1], digits = 4)) s" for h in hits], ", "))
@test order[1:3] == ["floor", "side", "ceiling"]

# The first touch by hand: 0.4 m down with 6 m/s and gravity.
@test abs(hits[1][1] - (-6 + sqrt(36 + 2*9.81*0.4))/9.81) < 1e-6
spin = getValues(cage, "ball.angularVelocity[3]")
@test maximum(abs.(spin[t .< hits[1][1] - 1e-6])) == 0.0
@test abs(spin[end]) > 1.0
energy = getValues(cage, "balance.totalEnergy")
@test all(energy[i+1] - energy[i] < 1e-7*energy[1] for i in 1:length(energy)-1)
plot(cage, [("ball.translation[1]", "ball.translation[2]"), "ball.angularVelocity[3]", "balance.totalEnergy"], heading = "Between walls")
