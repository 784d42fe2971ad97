# Balls with solvers of their own that graze each other: what goes in by a little and comes out again within one look at where two islands meet
# is found, however their steps fall. Sixteen pairs, each in a place of its own, would overlap by a depth where they pass; the bound on steps
# promises nothing below a tenth of their diameter.
module IslandsGraze

using Modia3D
using Test

ball(place, velocity) = Object3D(parent = :world, fixedToParent = false, translation = place, velocity = velocity,
                                 feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true))
function grazing(depth)
    m = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())))
    for i in 1:16
        m[Symbol("a", i)] = ball([0.0, 1.0*i, 0.0], [0.0, 0.0, 0.0])
        m[Symbol("b", i)] = ball([-0.3 - 0.021*i, 1.0*i + 0.1 - depth, 0.0], [1.0 + 0.013*i, 0.0, 0.0])
    end
    return m
end
for depth in [2e-3, 1e-3, 5e-4, 2e-4], tolerance in [1e-5, 1e-7]
    balls = @instantiateModel(grazing(depth), unitless = true)
    simulate!(balls, stopTime = 1.0, tolerance = tolerance)
    @test getLastValue(balls, "contacts.begun") == 16
    @test all(norm(getLastValue(balls, "a$i.velocity")) > 1e-3 for i in 1:16)
end

end
