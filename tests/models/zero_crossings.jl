# The two methods of event indicators find the same contacts: two functions for all pairs, or one for each of the nz nearest, which are
# enlarged where they are too few.
using Modia3D
using Test

steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
plate() = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = steel(Box(lengthX = 6.0, lengthY = 0.1, lengthZ = 6.0)))
free(r, shape; v = [0.0, 0.0, 0.0], w = [0.0, 0.0, 0.0]) =
    Object3D(parent = :world, fixedToParent = false, translation = r, velocity = v, angularVelocity = w, feature = steel(shape))

# Three scenes: balls that fall into each other, a cradle on joints, bodies that spin.
function balls(scene)
    Balls = Model3D(world = Object3D(feature = scene), plate = plate())
    for i in 1:12
        Balls[Symbol("b$i")] = free([0.21*(i % 4) + 0.01*sin(7.0*i), 0.2 + 0.25*div(i, 4), 0.19*(i % 2)], Sphere(diameter = 0.2))
    end
    return Balls
end
function cradle(scene)
    Cradle = Model3D(world = Object3D(feature = scene))
    for i in 1:4
        Cradle[Symbol("hook$i")] = Object3D(parent = :world, translation = [0.0401*i, 0.0, 0.0])
        Cradle[Symbol("arm$i")] = Object3D()
        Cradle[Symbol("b$i")] = Object3D(parent = Symbol("arm$i"), translation = [0.0, -0.3, 0.0], feature = steel(Sphere(diameter = 0.04)))
        Cradle[Symbol("j$i")] = Revolute(obj1 = Symbol("hook$i"), obj2 = Symbol("arm$i"), axis = 3, phi = Var(init = i == 1 ? -0.5 : 0.0))
    end
    return Cradle
end
bodies(scene) = Model3D(world = Object3D(feature = scene), plate = plate(),
                        b1 = free([0.0, 0.5, 0.0], Ellipsoid(lengthX = 0.4, lengthY = 0.2, lengthZ = 0.3), w = [1.0, 0.0, 3.0]),
                        b2 = free([1.0, 0.4, 0.0], Capsule(diameter = 0.2, length = 0.3), v = [-1.0, 0.0, 0.0], w = [2.0, 1.0, 0.0]),
                        b3 = free([0.3, 1.2, 0.1], Cone(diameter = 0.3, length = 0.4), w = [0.0, 2.0, 1.0]))

count(model, name) = Modia3D.contactStatistics(model)[name]
function run(Scene_, stop)
    model = @instantiateModel(Scene_, unitless = true)
    simulate!(model, stopTime = stop, tolerance = 1e-9)
    return model
end
for (make, stop, last) in [(balls, 0.28, "b12.translation"), (cradle, 0.6, "j4.phi"), (bodies, 0.45, "b1.translation")]
    two = run(make(Scene()), stop)
    @test count(two, :begun) >= 3
    for nz in [1, 4, 100]
        model = run(make(Scene(zeroCrossings = :smallest, nz = nz)), stop)
        @test count(model, :begun) == count(two, :begun) && count(model, :ended) == count(two, :ended)
        @test norm(getValues(model, last)[end, :] - getValues(two, last)[end, :]) < 1e-5
    end
end
