# With Scene(islands = true), bodies that do not touch have solvers of their own: the same results, events and contacts as with one solver for all.
using Modia3D
using Test

ball(place, d; velocity = [0.0, 0.0, 0.0], turning = [0.0, 0.0, 0.0], material = "DryWood") =
    Object3D(parent = :world, fixedToParent = false, translation = place, velocity = velocity, angularVelocity = turning,
             feature = Solid(shape = Sphere(diameter = d), solidMaterial = material, collision = true))
plate() = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                   feature = Solid(shape = Box(lengthX = 4.0, lengthY = 4.0, lengthZ = 0.1), solidMaterial = "DryWood", collision = true))
scene(islands; g = 9.81) = Object3D(feature = Scene(islands = islands, gravityField = UniformGravityField(g = g, n = [0, 0, -1])))
last(m, name) = getLastValue(m, name, unit = false)

# Both ways, with the largest difference of places and speeds at the end, in the number of points with their events, and the steps taken.
function both(make, names, stop, tolerance; method = CVODE_BDF())
    runs = [@instantiateModel(make(islands), unitless = true) for islands in [false, true]]
    for m in runs
        simulate!(m, method, stopTime = stop, tolerance = tolerance, interval = stop/10)
    end
    off(signal) = maximum([maximum(abs.(last(runs[1], n*signal) - last(runs[2], n*signal))) for n in names])
    return off(".translation"), off(".velocity"), length(getValues(runs[1], "time")) - length(getValues(runs[2], "time"))
end

# Eight fall on each other and on the plate.
function heap(islands)
    model = Model3D(world = scene(islands), plate = plate())
    for i in 0:7
        model[Symbol("b$i")] = ball([0.13*mod(i, 2) + 0.004*sin(3*i), 0.13*mod(div(i, 2), 2) + 0.004*cos(5*i), 0.1 + 0.15*div(i, 4) + 0.01*mod(i, 3)], 0.1)
    end
    return model
end
place, speed, points = both(heap, ["b$i" for i in 0:7], 0.4, 1e-9)
@test place < 1e-6 && speed < 1e-4 && points == 0

# A dozen of two sizes, close enough to be one island soon, is let go on a slope: pairs that were far apart come near within it.
function slide(islands)
    model = Model3D(world = Object3D(feature = Scene(islands = islands, gravityField = UniformGravityField(g = 9.81, n = [0.6, -0.3, -0.8]))),
                    plate = plate(), stop = Object3D(parent = :world, translation = [0.45, 0.0, 0.1],
                    feature = Solid(shape = Box(lengthX = 0.1, lengthY = 4.0, lengthZ = 0.3), solidMaterial = "DryWood", collision = true)))
    for i in 0:11
        d = isodd(i) ? 0.1 : 0.08
        model[Symbol("b$i")] = ball([0.096*mod(i, 4) + 0.002*sin(3*i), 0.108*div(i, 4) + 0.003*cos(5*i), 0.5*d - 1e-6], d)
    end
    return model
end
place, speed, points = both(slide, ["b$i" for i in 0:11], 0.4, 1e-9)
@test place < 1e-6 && speed < 1e-4

# A board lies on three fixed balls and carries seven that roll: one island from the first moment on. Two of them come from afar, so that
# a list of pairs that are near, made when the board had settled, must be made anew on their way: no event does it.
function board(islands)
    model = Model3D(world = scene(islands), board = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.0, -0.02], feature =
                    Solid(shape = Box(lengthX = 2.0, lengthY = 1.0, lengthZ = 0.04), solidMaterial = "DryWood", collision = true)))
    for (i, r) in enumerate([[-0.7, -0.4, -0.0899999], [-0.7, 0.4, -0.0899999], [0.7, 0.0, -0.0899999]])
        model[Symbol("foot$i")] = Object3D(parent = :world, translation = r, feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "DryWood", collision = true))
    end
    for i in 1:5
        model[Symbol("b$i")] = ball([-0.6 + 0.2*i, 0.3, 0.0399999], 0.08)
    end
    model[:left] = ball([-0.5, -0.2, 0.0399999], 0.08, velocity = [0.5, 0.0, 0.0], turning = [0.0, 12.5, 0.0])
    model[:right] = ball([0.5, -0.21, 0.0399999], 0.08, velocity = [-0.5, 0.0, 0.0], turning = [0.0, -12.5, 0.0])
    return model
end
place, speed, points = both(board, ["left", "right", "board"], 1.2, 1e-7)
@test place < 1e-5 && speed < 1e-4 && points == 0

# One hits a row of three that lie at rest, and a second one comes from the side when they have parted. With an explicit method, too.
function row(islands)
    model = Model3D(world = scene(islands), plate = plate(), cue = ball([-0.4, 0.0, 0.0249], 0.05, velocity = [2.0, 0.0, 0.0]),
                    side = ball([0.35, -0.55, 0.0249], 0.05, velocity = [0.0, 1.7, 0.0]))
    for i in 1:3
        model[Symbol("r$i")] = ball([0.0501*i, 0.0003*i, 0.0249], 0.05)
    end
    return model
end
names = ["cue", "side", "r1", "r2", "r3"]
place, speed, points = both(row, names, 0.6, 1e-9)
@test place < 1e-6 && speed < 1e-5 && points <= 0 # balls that are alike have events of their own now
place, speed, points = both(row, names, 0.3, 1e-9, method = Tsit5())
@test place < 1e-6 && speed < 1e-5

# Without gravity: one that turns, so that the sequence of its angles changes, is hit on its way. Momentum stays.
function space(islands)
    return Model3D(world = scene(islands, g = 0.0), plate = plate(),
                   a = ball([0.0, 0.0, 1.0], 0.1, velocity = [0.5, 0.0, 0.0], turning = [3.0, 7.0, 1.0]),
                   b = ball([1.0, 0.02, 1.0], 0.2, velocity = [-0.5, 0.0, 0.0], turning = [0.0, -5.0, 0.3]),
                   c = ball([0.0, 1.0, 1.0], 0.1, velocity = [0.0, -0.1, 0.0], turning = [0.0, 2.0, 0.0]))
end
place, speed, points = both(space, ["a", "b", "c"], 2.0, 1e-9)
@test place < 1e-6 && speed < 1e-6 && points == 0

# What else couples bodies is left to one solver: the same numbers, bit for bit.
function coupled(islands)
    return Model3D(world = scene(islands), plate = plate(), a = ball([0.0, 0.0, 0.3], 0.1), b = ball([0.2, 0.0, 0.3], 0.1),
                   spring = SpringDamperPtP(obj1 = :a, obj2 = :b, nominalLength = 0.15, springForceLaw = 100.0, damperForceLaw = 1.0))
end
@test both(coupled, ["a", "b"], 0.5, 1e-6) == (0.0, 0.0, 0)

# Sixty small balls fly at a large one from all sides, in no order: more than a list of who may be met has room for.
function crowd(islands)
    model = Model3D(world = scene(islands, g = 0.0), large = ball([0.0, 0.0, 0.0], 1.0))
    for i in 1:60
        z = (2*i - 61)/60
        n = [sqrt(1 - z^2)*cos(2.4*i), sqrt(1 - z^2)*sin(2.4*i), z]
        model[Symbol("b$i")] = ball((0.56 + 0.002*mod(7*i, 5))*n, 0.08, velocity = -n)
    end
    return model
end
place, speed, points = both(crowd, ["large"; ["b$i" for i in 1:60]], 0.06, 1e-7)
@test place < 1e-6 && speed < 1e-4
