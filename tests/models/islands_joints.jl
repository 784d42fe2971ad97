# Bodies on joints and what drives them stay together, with all that they touch and free bodies that carry some of them; balls beside them
# have solvers of their own. The same results as with one solver for all.
using Modia3D
using Test
include("$(Modia.modelsPath)/AllModels.jl")

ball(place, d; velocity = [0.0, 0.0, 0.0]) =
    Object3D(parent = :world, fixedToParent = false, translation = place, velocity = velocity,
             feature = Solid(shape = Sphere(diameter = d), solidMaterial = "DryWood", collision = true))
solid(shape) = Solid(shape = shape, solidMaterial = "DryWood")
last(m, name) = getLastValue(m, name, unit = false)

# A pendulum whose joint a lag drives, in the way of two balls.
struck(islands) = Model3D(
    world = Object3D(feature = Scene(islands = islands, gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    plate = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                     feature = Solid(shape = Box(lengthX = 4.0, lengthY = 4.0, lengthZ = 0.1), solidMaterial = "DryWood", collision = true)),
    rod = Object3D(feature = solid(Cylinder(axis = 3, diameter = 0.02, length = 0.4))),
    hook = Object3D(parent = :rod, translation = [0.0, 0.0, 0.2]),
    bob = Object3D(parent = :rod, translation = [0.0, 0.0, -0.2], feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "DryWood", collision = true)),
    pivot = Object3D(parent = :world, translation = [0.0, 0.0, 0.47]),
    rev = RevoluteWithFlange(obj1 = :pivot, obj2 = :hook, axis = 2, phi = Var(init = 1.0), w = Var(init = 0.0)),
    lag = Model(flange = Flange, T = 0.3, u = Var(init = 0.0), equations = :[T*der(u) = 0.5*sin(3.0*time) - u; flange.tau = -u]),
    connect = :[(lag.flange, rev.flange)],
    b1 = ball([0.0, 0.0, 0.0499], 0.1), b2 = ball([0.6, 0.3, 0.3], 0.1), b3 = ball([0.3, -0.5, 0.4], 0.1),
    b4 = ball([-0.8, 0.0, 0.0499], 0.1, velocity = [0.5, 0.0, 0.0]), b5 = ball([0.3, -0.51, 0.6], 0.08))

# A free ball that carries a swinging rod falls among others.
carried(islands) = Model3D(
    world = Object3D(feature = Scene(islands = islands, gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    plate = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                     feature = Solid(shape = Box(lengthX = 4.0, lengthY = 4.0, lengthZ = 0.1), solidMaterial = "DryWood", collision = true)),
    base = ball([0.0, 0.0, 0.3], 0.1),
    rod = Object3D(feature = solid(Cylinder(axis = 3, diameter = 0.01, length = 0.05))),
    hook = Object3D(parent = :rod, translation = [0.0, 0.0, 0.02]),
    rev = Revolute(obj1 = :base, obj2 = :hook, axis = 2, phi = Var(init = 0.5), w = Var(init = 3.0)),
    b1 = ball([0.08, 0.02, 0.05], 0.1), b2 = ball([0.6, 0.3, 0.3], 0.1), b3 = ball([0.3, -0.5, 0.4], 0.1), b4 = ball([-0.8, 0.0, 0.2], 0.1))

function check(make, names, stop; method = CVODE_BDF(), tolerance = 1e-9, within = 2e-6)
    runs = [@instantiateModel(make(islands), unitless = true) for islands in [false, true]]
    for m in runs
        simulate!(m, method, stopTime = stop, tolerance = tolerance, interval = stop/10)
    end
    for n in names
        off = maximum(abs.(last(runs[1], n) - last(runs[2], n)))
        @test off < within
    end
end
check(struck, ["rev.phi", "rev.w", "lag.u", "b1.translation", "b4.velocity", "b5.translation"], 2.0)
check(struck, ["rev.phi", "rev.w", "lag.u", "b1.translation", "b4.velocity", "b5.translation"], 1.0, method = Tsit5())
check(carried, ["rev.phi", "base.translation", "b1.translation", "b3.translation"], 0.8, within = 2e-5)

# Balls fall on the coupler of a fourbar, whose loop is closed again behind each step.
include("scenes/struck_fourbar.jl")
steel(place) = Object3D(parent = :world, fixedToParent = false, translation = place,
                        feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true, contactMaterial = "Steel"))
fourbar(islands) = Hit | Map(world = Map(feature = Map(islands = islands)), b1 = steel([0.4, 2.0, 0.05]), b2 = steel([2.0, 1.0, 0.0]), b4 = steel([0.8, 1.8, 0.0]))
check(fourbar, ["ball.translation", "b1.translation", "b2.velocity", "b4.velocity"], 0.8, within = 1e-5)
