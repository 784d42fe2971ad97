# Bodies that touch and are hit: contacts that began at rest have the damping of the hit, with restitution 1 none.
#
# What is right comes from tests/peers/touching_hertz.py, Hertz' law in SciPy; speeds to 1 % of that of the hit, and better.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "touching.txt", solidMaterialPalette = "touching.txt")
solid(shape, touch) = Solid(shape = shape, solidMaterial = "Stuff", contactMaterial = touch, collision = true)
ball(r, x, v, touch) = Object3D(parent = :world, fixedToParent = false, translation = x, velocity = v, feature = solid(Sphere(diameter = 2*r), touch))
space() = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true))
speeds(m, n, axis) = [getLastValue(m, "b$(i).velocity")[axis] for i in 1:n]
energy(m) = getValues(m, "balance.totalEnergy")
# The largest difference, in parts of the speed of the hit.
off(got, right, speed) = maximum(abs.(got - speed*right))/speed

# ---- in a row ---------------------------------------------------------------------------------------------------------------------

function row(radii, moving, v, touch; along = [1.0, 0.0, 0.0], start = 0.0, carried = 0.0)
    Row = Model3D(world = space())
    x = 0.0
    for i in 1:length(radii)
        i > 1 && (x = x + radii[i-1] + radii[i] + (i == moving + 1 ? start : 0.0))
        Row[Symbol("b$i")] = ball(radii[i], x*along, (i <= moving ? v + carried : carried)*along, touch)
    end
    return @instantiateModel(Row, unitless = true)
end

chain = Dict(3 => [-0.070952, 0.076403, 0.994549],
             5 => [-0.071085, -0.030274, -0.014464, 0.127045, 0.988777],
             10 => [-0.071085, -0.030274, -0.015833, -0.008886, -0.005127, -0.002986, -0.001738, 0.002672, 0.147390, 0.985866])
for touch in ["Spring", "Sudden"], n in [3, 5, 10]
    m = row(fill(0.03, n), 1, 1.0, touch, start = 0.01)
    simulate!(m, stopTime = 0.02)
    @test off(speeds(m, n, 1), chain[n], 1.0) < 1e-3
    @test abs(energy(m)[end]/energy(m)[1] - 1) < 1e-4
end
# Faster and slower, other methods, and all balls in contact from the start.
for (v, method) in [(10.0, CVODE_BDF()), (0.1, CVODE_BDF()), (1.0, IDA()), (1.0, Tsit5()), (1.0, CVODE_Adams())]
    m = row(fill(0.03, 5), 1, v, "Spring", start = 0.01)
    simulate!(m, method, stopTime = 0.01/v + 0.01, tolerance = 1e-8)
    @test off(speeds(m, 5, 1), chain[5], v) < 2e-3
end
# Of 1 mm and of 10 m, and on a train along its way, at the tolerance that a run has when nobody asks: 1.5e-2 to 2.8e-2 off on the train before.
for (n, r, v, carried) in [(3, 5e-4, 1.0, 0.0), (10, 5e-4, 20.0, 0.0), (10, 5.0, 0.1, 0.0), (5, 5.0, 20.0, 0.0), (3, 0.05, 1.0, 500.0), (5, 0.05, 1.0, -500.0), (10, 0.05, 1.0, 500.0)]
    m = row(fill(r, n), 1, v, "Spring", start = 0.2*r, carried = carried)
    simulate!(m, stopTime = 2.2*r/v)
    @test off(speeds(m, n, 1) .- carried, chain[n], v) < 1e-3
end
m = row(fill(0.03, 3), 1, 1.0, "Spring")
simulate!(m, stopTime = 0.01)
@test off(speeds(m, 3, 1), chain[3], 1.0) < 1e-3

m = row(fill(0.03, 5), 2, 1.0, "Spring", start = 0.01)
simulate!(m, stopTime = 0.02)
@test off(speeds(m, 5, 1), [-0.112615, -0.041960, 0.214486, 0.800367, 1.139722], 1.0) < 1e-3
m = row([0.03, 0.025, 0.02, 0.015, 0.01], 1, 1.0, "Spring", start = 0.01)
simulate!(m, stopTime = 0.02)
@test off(speeds(m, 5, 1), [0.182289, 0.415926, 0.879218, 1.764974, 2.588822], 1.0) < 2e-3
m = row([0.01, 0.02, 0.03], 1, 1.0, "Spring", start = 0.01, along = [0.6, 0.0, 0.8])
simulate!(m, stopTime = 0.02)
@test off(speeds(m, 3, 1)/0.6, [-0.781148, -0.118957, 0.101215], 1.0) < 1e-3

# ---- a rack of billiard balls -----------------------------------------------------------------------------------------------------

Rack = Model3D(world = space(), b16 = ball(0.03, [-0.07, 0.0, 0.0], [1.0, 0.0, 0.0], "Spring"))
let k = 0
    for row in 0:4, i in 0:row
        k = k + 1
        Rack[Symbol("b$k")] = ball(0.03, [row*sqrt(3.0)*0.03, (2*i - row)*0.03, 0.0], [0.0, 0.0, 0.0], "Spring")
    end
end
m = @instantiateModel(Rack, unitless = true)
simulate!(m, stopTime = 0.02)
x, y = speeds(m, 16, 1), speeds(m, 16, 2)
@test off([x[16], x[1], x[11], abs(y[11]), x[13]], [-0.178240, -0.120038, 0.485471, 0.280124, 0.262648], 1.0) < 1e-3
@test abs(x[11] - x[15]) < 5e-3 && abs(y[11] + y[15]) < 5e-3
@test abs(energy(m)[end]/energy(m)[1] - 1) < 1e-3

# ---- on the floor -----------------------------------------------------------------------------------------------------------------

stiffness(R) = 4/3*1e9/(2*(1 - 0.3^2))*sqrt(R)
weight(r) = 1000*4/3*pi*r^3*9.81
# Balls on each other, each as deep in the one below as its load presses it; the last one comes with 3 m/s.
function stack(radii, touch)
    Stack = Model3D(world = Object3D(feature = Scene(balance = true)),
                    floor = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = solid(Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0), touch)))
    n, y = length(radii) - 1, 0.0
    for i in 1:n
        load = sum(weight(r) for r in radii[i:n])
        y = i == 1 ? radii[1] - (load/stiffness(radii[1]))^(2/3) :
                     y + radii[i-1] + radii[i] - (load/stiffness(radii[i-1]*radii[i]/(radii[i-1] + radii[i])))^(2/3)
        Stack[Symbol("b$i")] = ball(radii[i], [0.0, y, 0.0], [0.0, 0.0, 0.0], touch)
    end
    Stack[Symbol("b$(n+1)")] = ball(radii[n+1], [0.0, y + radii[n] + radii[n+1] + 0.001, 0.0], [0.0, -3.0, 0.0], touch)
    return @instantiateModel(Stack, unitless = true)
end
for (radii, until, right) in [([0.05, 0.05], 0.005, [0.597672, 2.909291]),
                              ([0.05, 0.05, 0.05, 0.05], 0.005, [0.123038, 0.341649, 0.481596, 2.919714]),
                              ([0.05, 0.05, 0.2, 0.05], 0.002, [-0.062212, -0.101855, -0.089455, 2.905190])], touch in ["Spring", "Sudden"]
    m = stack(radii, touch)
    simulate!(m, stopTime = until)
    @test off(speeds(m, length(radii), 2), right/3.0, 3.0) < 3e-3
    kinetic = weight(0.05)/9.81*3.0^2/2
    @test abs(energy(m)[end] - energy(m)[1]) < 1e-3*kinetic
end
# Restitution below 1, in both contacts.
for (touch, right) in [("Three", [0.290519, 0.878963]), ("Seven", [0.850670, 1.706984])]
    m = stack([0.05, 0.05], touch)
    simulate!(m, stopTime = 0.005, tolerance = 1e-7)
    @test off(speeds(m, 2, 2), right/3.0, 3.0) < 1e-4
end

# ---- Newton's cradle without gaps -------------------------------------------------------------------------------------------------

function cradle(touch)
    Cradle = Model3D(world = Object3D(feature = Scene()))
    for i in 1:5
        Cradle[Symbol("hook$i")] = Object3D(parent = :world, translation = [0.04*(i - 1), 0.3, 0.0])
        Cradle[Symbol("rod$i")] = Object3D(feature = nothing)
        Cradle[Symbol("b$i")] = Object3D(parent = Symbol("rod$i"), translation = [0.0, -0.3, 0.0], feature = solid(Sphere(diameter = 0.04), touch))
        Cradle[Symbol("turn$i")] = Revolute(obj1 = Symbol("hook$i"), obj2 = Symbol("rod$i"), axis = 3, phi = Var(init = i == 1 ? -0.3 : 0.0))
    end
    return @instantiateModel(Cradle, unitless = true)
end
# The balls push each other apart by 1e-12 m before they are struck; impulses are not to see that. At 1e-7 they saw one of the gaps,
# at 1e-8 all of them, and passed the whole speed on to the last ball.
for (touch, tolerance) in [("Spring", 1e-6), ("Sudden", 1e-6), ("Sudden", 1e-7), ("Sudden", 1e-8)]
    m = cradle(touch)
    simulate!(m, stopTime = 0.4, tolerance = tolerance)
    @test maximum(abs.([getLastValue(m, "turn$i.w") for i in 1:5] - [-0.094215, -0.041193, -0.020631, 0.164360, 1.292701])) < 1e-3*1.7
end
