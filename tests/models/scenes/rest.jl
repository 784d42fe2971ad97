# Scenes in which steel comes to rest, by their names: `rest` runs one and returns how far anything is from its last place from 1 s on [m].
using Modia3D

steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
free(shape, r; rotation = [0, 0, 0]) = Object3D(parent = :world, fixedToParent = false, translation = r, rotation = rotation, feature = steel(shape))
scene() = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
                  floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 4.0, lengthY = 4.0, lengthZ = 0.1))))
cube(s) = Box(lengthX = s, lengthY = s, lengthZ = s)
function stack(n, gap, aside, shape)
    m = scene()
    for i in 1:n
        m[Symbol("b$i")] = free(shape, [aside*(i % 2), aside*((i ÷ 2) % 2), 0.1 + 0.2*(i - 1) + gap*i])
    end
    return m
end
function wall(gap)
    m = scene()
    for row in 0:4, k in 0:3
        m[Symbol("b$row$k")] = free(Box(lengthX = 0.2, lengthY = 0.1, lengthZ = 0.06), [0.202*k + 0.05*(row % 2), 0, 0.03 + 0.06*row + gap*(row + 1)])
    end
    return m
end
function one(body)
    m = scene()
    m[:b] = body
    return m
end
function turned()
    m = one(free(cube(0.2), [0, 0, 0.1001]))
    m[:c] = free(cube(0.2), [0, 0, 0.3002], rotation = [0, 0, pi/6])
    return m
end
function table()
    m = one(free(Box(lengthX = 0.8, lengthY = 0.6, lengthZ = 0.02), [0, 0, 0.5101]))
    for (i, x, y, short) in [(1, -0.35, -0.25, 0.0), (2, 0.35, -0.25, 0.0), (3, -0.35, 0.25, 0.0), (4, 0.35, 0.25, 0.001)]
        m[Symbol("leg$i")] = Object3D(parent = :b, translation = [x, y, -0.26 + short/2], feature = steel(Box(lengthX = 0.05, lengthY = 0.05, lengthZ = 0.5 - short)))
    end
    m[:c] = free(Cylinder(axis = 3, diameter = 0.15, length = 0.1), [0.3, 0.2, 0.5703])
    return m
end
function arch()
    m = scene()
    for k in 1:7
        m[Symbol("b$k")] = Object3D(parent = :world, fixedToParent = false, translation = [cos((k - 0.5)*pi/7), 0, sin((k - 0.5)*pi/7)], rotation = [0, -(k - 0.5)*pi/7, 0],
            feature = Solid(shape = FileMesh(filename = "wedge.obj"), solidMaterial = "Steel", collision = true))
    end
    return m
end
# Of wood, 3 cm apart; the first one is tipped over.
function dominoes()
    wood(shape) = Solid(shape = shape, solidMaterial = "DryWood", collision = true)
    m = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
                floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = wood(Box(lengthX = 4.0, lengthY = 4.0, lengthZ = 0.1))))
    for i in 1:10
        tips = i == 1 ? 3.0 : 0.0
        m[Symbol("b$i")] = Object3D(parent = :world, fixedToParent = false, translation = [0.03*(i - 1), 0, 0.05], velocity = [0.05*tips, 0, 0.005*tips],
                                    angularVelocity = [0.0, tips, 0.0], feature = wood(Box(lengthX = 0.01, lengthY = 0.05, lengthZ = 0.1)))
    end
    return m
end
function scene_of(name)
    name == "box" && return one(free(cube(0.2), [0, 0, 0.1001]))
    name == "end" && return one(free(Cylinder(axis = 3, diameter = 0.2, length = 0.2), [0, 0, 0.1001]))
    name == "side" && return one(free(Cylinder(axis = 1, diameter = 0.2, length = 0.2), [0, 0, 0.1001]))
    name == "cone" && return one(free(Cone(axis = 3, diameter = 0.2, length = 0.2), [0, 0, 0.0001]))
    name == "frustum" && return one(free(Cone(axis = 3, diameter = 0.2, topDiameter = 0.1, length = 0.2), [0, 0, 0.0001]))
    name == "tetrahedron" && return one(free(FileMesh(filename = "tetrahedron.obj"), [0, 0, 1e-4], rotation = [0, 0, 0.3]))
    # The hull of the bunny, 0.1 mm above one of its facets that it can lie on.
    name == "bunny" && return one(free(FileMesh(filename = "bunny.obj", scale = [0.02, 0.02, 0.02]), [0, 0, 3.74385e-4], rotation = [1.5682667562, -0.011326985, -0.011482526]))
    name == "turned" && return turned()
    name == "stack5" && return stack(5, 1e-4, 0.0, cube(0.2))
    name == "stack10" && return stack(10, 1e-4, 0.0, cube(0.2))
    name == "askew10" && return stack(10, 1e-4, 1e-3, cube(0.2))
    name == "laid10" && return stack(10, 0.0, 0.0, cube(0.2))
    name == "cylinders5" && return stack(5, 1e-4, 0.0, Cylinder(axis = 3, diameter = 0.2, length = 0.2))
    name == "table" && return table()
    name == "arch" && return arch()
    name == "wall" && return wall(0.0)
    name == "dropped" && return wall(1e-4)
    name == "dominoes" && return dominoes()
    return stack(2, 0.0, 1e-3, cube(0.2)) # "cube": for 10 h
end
function rest(name)
    m = @instantiateModel(scene_of(name), unitless = true)
    long = name == "cube" ? 36000.0 : 10.0
    simulate!(m, stopTime = long, tolerance = 1e-6, interval = long/100, log = true)
    t = getValues(m, "time")
    from = findfirst(x -> x >= 1.0, t)
    moved = 0.0
    for body in keys(scene_of(name))
        hasSignal(m, "$body.translation") || continue
        r = getValues(m, "$body.translation")
        moved = max(moved, maximum([norm(r[i, :] - r[end, :]) for i in from:length(t)]))
    end
    println("moved ", moved)
    return moved
end
