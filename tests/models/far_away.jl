# No preferred origin: a scene with contacts does the same wherever it is, and with about as many steps.
using Modia3D
using Test

solid(shape; kw...) = Solid(shape = shape, solidMaterial = "Steel", collision = true; kw...)
free(x, v, feature) = Object3D(parent = :world, fixedToParent = false, translation = x, velocity = v, feature = feature)
plate(at, thick) = Object3D(parent = :world, translation = at - [0.0, thick/2, 0.0], feature = solid(Box(lengthX = 2.0, lengthY = thick, lengthZ = 2.0)))
effort(m) = Modia3D.contactStatistics(m)[:forces] # evaluations of derivatives

# ---- a steel ball falls by 1 m; up and aside, for other methods, on a planet ------------------------------------------------------

function drop(at, method; D = 0.1, gravity = UniformGravityField(), stopTime = 0.75)
    Drop = Model3D(world = Object3D(feature = Scene(gravityField = gravity, balance = true)), plate = plate(at, D),
                   ball = free(at + [0.0, 1.0 + D/2, 0.0], [0.0, 0.0, 0.0], solid(Sphere(diameter = D))))
    m = @instantiateModel(Drop, unitless = true)
    simulate!(m, method, stopTime = stopTime)
    @test getLastValue(m, "contacts.begun") == 1
    return [getLastValue(m, "ball.translation")[2] - at[2], getLastValue(m, "ball.velocity")[2]]
end
for method in [CVODE_BDF(), IDA(), Tsit5(), Rodas5()]
    here = drop([0.0, 0.0, 0.0], method)
    @test abs(here[1] - 0.05 - 0.466) < 0.02 # close to the top
    for at in [[0.0, 10.0, 0.0], [0.0, -1e4, 0.0], [0.0, 1e6, 0.0], [3e6, 2.0, -1e6]]
        @test norm(drop(at, method) - here) < 1e-4
    end
end
R = 6.371e6
@test norm(drop([0.0, R, 0.0], CVODE_BDF(), gravity = PointGravityField(mue = 9.81*R^2)) - drop([0.0, 0.0, 0.0], CVODE_BDF())) < 1e-4
# A small ball is softer than the rounding of far places for longer: 2 mm, 100 km away.
@test norm(drop([0.0, 1e5, 0.0], CVODE_BDF(), D = 0.002) - drop([0.0, 0.0, 0.0], CVODE_BDF(), D = 0.002)) < 1e-3

# On joints: their coordinates count by the size of what they carry.
function guided(Y, joint)
    Guided = Model3D(world = Object3D(feature = Scene()), plate = plate([0.0, Y, 0.0], 0.1), ball = Object3D(feature = solid(Sphere(diameter = 0.1))), joint = joint(Y + 1.05))
    m = @instantiateModel(Guided, unitless = true)
    simulate!(m, stopTime = 0.75)
    @test getLastValue(m, "contacts.begun") == 1
    return getLastValue(m, "joint." * (joint === slide ? "s" : "r"))[joint === slide ? 1 : 2] - Y
end
slide(y) = Prismatic(obj1 = :world, obj2 = :ball, axis = 2, s = Var(init = y))
loose(y) = FreeMotion(obj1 = :world, obj2 = :ball, r = Var(init = [0.0, y, 0.0]))
for joint in [slide, loose], Y in [10.0, 1e4, 1e6]
    @test abs(guided(Y, joint) - 0.51605) < 5e-5
end

# ---- on a train -------------------------------------------------------------------------------------------------------------------

# Speeds that count are those against each other: along the normal it was off by 6e-4 to 4e-3 at 1 km/s, and by 2e-2 at 10 km/s.
function train(v, method; D = 0.1, u = 4.4, ball_first = false)
    floor = free([0.0, -D/2, 0.0], v, solid(Box(lengthX = 20*D, lengthY = D, lengthZ = 20*D), massProperties = MassProperties(mass = 1e6, Ixx = 1e6, Iyy = 1e6, Izz = 1e6)))
    ball = free([0.0, 10.5*D, 0.0], v + [0.0, -u, 0.0], solid(Sphere(diameter = D)))
    Train = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())))
    Train = merge(Train, ball_first ? Model(ball = ball, floor = floor) : Model(floor = floor, ball = ball))
    m = @instantiateModel(Train, unitless = true)
    simulate!(m, method, stopTime = 16*D/u)
    return (getLastValue(m, "ball.velocity") - getLastValue(m, "floor.velocity"))/u, effort(m)
end
for (method, D, u) in [(CVODE_BDF(), 0.1, 4.4), (IDA(), 0.1, 4.4), (CVODE_Adams(), 0.1, 4.4), (Tsit5(), 0.1, 4.4), (Rodas5(), 0.1, 4.4), (CVODE_BDF(), 0.01, 0.3), (CVODE_BDF(), 2.0, 20.0)]
    (still, n) = train([0.0, 0.0, 0.0], method, D = D, u = u)
    for v in [[1000.0, 0.0, 0.0], [0.0, 1000.0, 0.0], [0.0, -1000.0, 0.0], [0.0, 1e4, 0.0], [300.0, 400.0, -500.0]]
        (moving, k) = train(v, method, D = D, u = u, ball_first = v[2] < 0)
        @test norm(moving - still) < 5e-5
        @test n/1.5 < k < 1.5*n
    end
end

# On slides: a light sled and a ball, each on a joint of its own along the same way.
function slides(V)
    Slides = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())),
                     sled = Object3D(feature = solid(Box(lengthX = 0.1, lengthY = 0.3, lengthZ = 0.3))), first = Prismatic(obj1 = :world, obj2 = :sled, axis = 1, s = Var(init = 0.0), v = Var(init = V)),
                     ball = Object3D(feature = solid(Sphere(diameter = 0.1))), second = Prismatic(obj1 = :world, obj2 = :ball, axis = 1, s = Var(init = 0.2), v = Var(init = V - 4.4)))
    m = @instantiateModel(Slides, unitless = true)
    simulate!(m, stopTime = 0.05)
    return ([getLastValue(m, "first.v"), getLastValue(m, "second.v")] .- V)/4.4
end
for V in [100.0, 1000.0, -1000.0]
    @test norm(slides(V) - slides(0.0)) < 5e-5 # 5e-4 to 1e-3 before
end

# A train that is led, and one that the ball leaves: it flies on alone, and what it has then is its own speed again.
function led(v)
    Led = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(n = [0.0, -1.0, 0.0]))),
                  floor = Object3D(feature = solid(Box(lengthX = 2.0, lengthY = 0.1, lengthZ = 2.0))),
                  motion = PrescribedMotion(obj1 = :world, obj2 = :floor, r = :[0.0, -0.05 + V*time, 0.0]), V = v,
                  ball = free([0.0, 1.05, 0.0], [0.0, v, 0.0], solid(Sphere(diameter = 0.1))))
    m = @instantiateModel(Led, unitless = true)
    simulate!(m, stopTime = 0.75)
    return [getLastValue(m, "ball.translation")[2] - 0.75*v, getLastValue(m, "ball.velocity")[2] - v]
end
@test norm(led(1000.0) - led(0.0)) < 1e-4

# ---- at rest ----------------------------------------------------------------------------------------------------------------------

# It bounces and comes to rest. At 10 m this took 31,000 steps, and 1,200 at 1 m.
function rest(Y)
    Rest = Model3D(world = Object3D(feature = Scene()), plate = plate([0.0, Y, 0.0], 0.01),
                   ball = free([0.0, Y + 0.21, 0.0], [0.0, 0.0, 0.0], solid(Sphere(diameter = 0.02))),
                   touch = ContactResult(object1 = :ball, object2 = :plate))
    m = @instantiateModel(Rest, unitless = true)
    simulate!(m, stopTime = 4.0)
    @test abs(getLastValue(m, "touch.normalForce", unit = false)/(8000*4/3*pi*0.01^3*9.81) - 1) < 1e-4
    return getLastValue(m, "contacts.begun"), effort(m)
end
(begun, n) = rest(0.0)
for Y in [1.0, 10.0, 1000.0]
    (b, k) = rest(Y)
    @test abs(b - begun) <= 1
    @test n/1.5 < k < 1.5*n
end
