# Sensors: rates of what is seen, by an observer that turns; and what shapes reach.
using Modia3D
using Test

Carousel = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    disc = Object3D(feature = Solid(shape = Cylinder(diameter = 2.0, length = 0.1), massProperties = 5.0)),
    seat = Object3D(parent = :disc, translation = [1.0, 0.0, 0.0]),
    fly = Object3D(parent = :world, fixedToParent = false, translation = [2.0, 0.0, 0.3], velocity = [0.0, 0.5, 0.0],
                   feature = Solid(shape = Sphere(diameter = 0.01), massProperties = 1e-3)),
    axle = Revolute(obj1 = :world, obj2 = :disc, w = Var(init = 0.7)),
    resting = SensorResult(object = :seat),
    riding = SensorResult(object = :fly, objectOrigin = :seat),
    watching = SensorResult(object = :fly, objectOrigin = :seat, objectCoordinateRef = nothing, objectObserveRef = nothing)
)
carousel = @instantiateModel(Carousel, unitless = true)
simulate!(carousel, stopTime = 3.0, interval = 0.001, tolerance = 1e-10)

# The seat runs in a circle.
v = getValues(carousel, "resting.velocity")
a = getValues(carousel, "resting.acceleration")
@test maximum(abs.(sqrt.(sum(v.^2, dims = 2)) .- 0.7)) < 1e-8
@test maximum(abs.(sqrt.(sum(a.^2, dims = 2)) .- 0.49)) < 1e-8
@test maximum(abs.(getValues(carousel, "resting.angularVelocity")[:, 3] .- 0.7)) < 1e-8
@test maximum(abs.(getValues(carousel, "resting.distance") .- 1.0)) < 1e-12

# Who rides sees the fly go around: differences of what is seen, in the middle of two points.
h = 0.001
for sensor in ["riding", "watching"]
    r = getValues(carousel, "$sensor.translation")
    v = getValues(carousel, "$sensor.velocity")
    a = getValues(carousel, "$sensor.acceleration")
    d = getValues(carousel, "$sensor.distance")
    rate = getValues(carousel, "$sensor.distanceVelocity")
    @test maximum(abs.((r[3:end, :] - r[1:end-2, :])/(2h) - v[2:end-1, :])) < 1e-5
    @test maximum(abs.((v[3:end, :] - v[1:end-2, :])/(2h) - a[2:end-1, :])) < 1e-5
    @test maximum(abs.((d[3:end] - d[1:end-2])/(2h) - rate[2:end-1])) < 1e-5
end
# Seen from the world the fly goes straight on, and only the seat accelerates.
@test maximum(abs.(getValues(carousel, "watching.acceleration") + getValues(carousel, "resting.acceleration"))) < 1e-8

# What shapes reach.
@test maximum(abs.(Modia3D.supportPoint(Sphere(diameter = 4.0), [0.0, 3.0, 4.0]) - [0.0, 1.2, 1.6])) < 1e-12
(lo, hi) = Modia3D.boundingBox(Cone(axis = 1, diameter = 2.0, length = 3.0))
@test maximum(abs.(lo - [0.0, -1.0, -1.0])) < 1e-12 && maximum(abs.(hi - [3.0, 1.0, 1.0])) < 1e-12
(lo, hi) = Modia3D.boundingBox(Beam(axis = 2, length = 1.0, width = 0.4, thickness = 0.2))
@test maximum(abs.(hi - [0.1, 0.7, 0.2])) < 1e-12 && maximum(abs.(lo + hi)) < 1e-12
