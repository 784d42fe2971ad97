# DistanceResult where nothing can touch: detection switched off, and two solids that stand still.
using Modia3D
using Test

steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
function measured(detect, fixed)
    Apart = Model3D(world = Object3D(feature = Scene(enableContactDetection = detect)),
                    plate = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = steel(Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0))),
                    post = Object3D(parent = :world, translation = [0.3, 0.4, 0.0], rotation = [0.0, 0.0, 0.5],
                                    feature = steel(Ellipsoid(lengthX = 0.2, lengthY = 0.1, lengthZ = 0.3))),
                    to_post = DistanceResult(object1 = :post, object2 = :plate))
    if !fixed
        Apart[:ball] = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.3, 0.0], feature = steel(Sphere(diameter = 0.1)))
        Apart[:to_ball] = DistanceResult(object1 = :ball, object2 = :plate)
    end
    m = @instantiateModel(Apart, unitless = true)
    simulate!(m, stopTime = 0.3, tolerance = 1e-8)
    return m
end

# The lowest point of the ellipsoid is below its center by the root of (a sin)^2 + (b cos)^2.
height = 0.4 - sqrt((0.1*sin(0.5))^2 + (0.05*cos(0.5))^2)
for detect in [true, false], fixed in [true, false]
    m = measured(detect, fixed)
    d = getValues(m, "to_post.distance")
    @test all(abs.(d .- height) .< 1e-12)
    @test norm(getValues(m, "to_post.normalVector")[1, :] - [0.0, 1.0, 0.0]) < 1e-6  # into object1
    if !fixed
        t, d = getValues(m, "time"), getValues(m, "to_ball.distance")
        falls = [i for i in 1:length(t) if t[i] < 0.22]
        @test all(abs(d[i] - (0.25 - 9.81/2*t[i]^2)) < 1e-7 for i in falls)
        # It goes through the plate where nothing is detected.
        i = argmin(abs.(t .- 0.24))
        @test detect ? minimum(d) > -1e-3 : abs(d[i] - (0.25 - 9.81/2*t[i]^2)) < 1e-7
    end
end
