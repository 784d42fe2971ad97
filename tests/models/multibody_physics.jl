# 3D mechanics held to closed forms and invariants: turntable, tumbling body, free motion seen from a
# moving parent, prescribed motion and the torque it takes, gears, several parts in one model.
using Modia3D
using Test

include("$(Modia.modelsPath)/AllModels.jl")

# Prescribes the angle of a flange; the torque comes out.
Position(angle) = Model(flange = Flange, equations = :[flange.phi = $angle])

# A mass slides on a table that turns freely: energy and angular momentum stay, which needs the whole
# Coriolis acceleration.
Turntable = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    table = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.4, Iyy = 0.4, Izz = 0.5))),
    mass = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0))),
    turn = Revolute(obj1 = :world, obj2 = :table, w = Var(init = 3.0)),
    slide = Prismatic(obj1 = :table, obj2 = :mass, s = Var(init = 0.1))
)
turntable = @instantiateModel(Turntable, unitless = true)
simulate!(turntable, stopTime = 1.0, tolerance = 1e-10)
w = getValues(turntable, "turn.w")
s = getValues(turntable, "slide.s")
v = getValues(turntable, "slide.v")
momentum = (0.5 .+ 2.0*s.^2).*w
energy = 0.5*(0.5 .+ 2.0*s.^2).*w.^2 + v.^2
@test maximum(abs.(momentum .- momentum[1])) < 1e-8
@test maximum(abs.(energy .- energy[1])) < 1e-7
@test maximum(s) > 0.6

# The same in a frame that is driven: on a table with prescribed speed 2 the slider obeys s'' = 4 s,
# and the torque of the drive is the derivative of the angular momentum, 2 m s s' w.
Driven = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    table = Object3D(),
    mass = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0))),
    turn = RevoluteWithFlange(obj1 = :world, obj2 = :table, phi = Var(), w = Var()),
    slide = Prismatic(obj1 = :table, obj2 = :mass, s = Var(init = 0.1)),
    drive = Position(:(2.0*time)),
    connect = :[(drive.flange, turn.flange)]
)
driven = @instantiateModel(Driven, unitless = true)
simulate!(driven, stopTime = 1.0, tolerance = 1e-10)
t = getValues(driven, "time")
@test get_xNames(driven) == ["slide.v", "slide.s"]
@test maximum(abs.(getValues(driven, "slide.s") - 0.1*cosh.(2*t))) < 1e-8
tau = getValues(driven, "turn.flange.tau")
@test maximum(abs.(tau - 2*2.0*(0.1*cosh.(2*t)).*(0.2*sinh.(2*t))*2.0)) < 1e-6

# Inverse dynamics: a bar is swung as prescribed, the torque comes out and drives the same bar freely.
Swing = Model3D(
    world = Object3D(feature = Scene()),
    bar = Object3D(feature = Solid(massProperties = MassProperties(mass = 3.0, centerOfMass = [0.5, 0, 0], Ixx = 0.1, Iyy = 0.2, Izz = 0.25))),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :bar, phi = Var(), w = Var()),
    drive = Position(:(0.3*sin(4.0*time))),
    connect = :[(drive.flange, rev.flange)]
)
swing = @instantiateModel(Swing, unitless = true)
simulate!(swing, stopTime = 1.0)
t = getValues(swing, "time")
phi = 0.3*sin.(4.0*t)
@test maximum(abs.(getValues(swing, "rev.phi") - phi)) < 1e-12
@test maximum(abs.(getValues(swing, "rev.flange.tau") - (-16.0*phi*(0.25 + 3.0*0.25) + 3.0*9.81*0.5*cos.(phi)))) < 1e-10

# A motor behind an ideal gear moves the bar: its inertia counts with the square of the ratio, here
# even alone, as the link has no mass of its own.
Geared(link) = Model(
    part = Model3D(
        world = Object3D(feature = Scene(gravityField = NoGravityField())),
        bar = Object3D(feature = Solid(massProperties = link)),
        rev = RevoluteWithFlange(obj1 = :world, obj2 = :bar, phi = Var(init = 0.0), w = Var(init = 0.0))
    ),
    motor = Inertia | Map(J = 0.01, phi = Var(), w = Var()),
    gear = IdealGear | Map(ratio = 10.0),
    torque = UnitlessTorque,
    equations = :[torque.tau = 0.5],
    connect = :[
        (torque.flange, motor.flange_a)
        (motor.flange_b, gear.flange_a)
        (gear.flange_b, part.rev.flange)
    ]
)
for (link, J) in [(MassProperties(mass = 1.0, Izz = 0.2, Ixx = 0.1, Iyy = 0.1), 0.2), (MassProperties(), 0.0)]
    geared = @instantiateModel(Geared(link), unitless = true)
    simulate!(geared, stopTime = 1.0, requiredFinalStates = [0.5*5.0/(J + 1.0), 5.0/(J + 1.0)])
    @test get_xNames(geared) == ["part.rev.phi", "part.rev.w"]
    @test abs(getLastValue(geared, "part.rev.flange.tau") - 5.0*J/(J + 1.0)) < 1e-9
end

# A free body tumbles about its middle axis (Dzhanibekov): energy and angular momentum stay while the
# angles pass their singularities in both sequences.
Tumbling = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    nut = Object3D(parent = :world, fixedToParent = false, velocity = [0.1, 0.0, 0.0], angularVelocity = [0.01, 5.0, 0.02],
                   feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.3)))
)
tumbling = @instantiateModel(Tumbling, unitless = true)
simulate!(tumbling, stopTime = 100.0, tolerance = 1e-11, interval = 0.1)
function balance(model)
    spin = getValues(model, "nut.angularVelocity")
    rot = getValues(model, "nut.rotation")
    xyz = getValues(model, "nut.rotationXYZ")
    n = length(xyz)
    L = zeros(n, 3)
    E = zeros(n)
    for i in 1:n
        R = Modia3D.rotationFromAngles(rot[i, :], xyz[i] == 1)
        wb = R*spin[i, :]
        Lb = [0.1*wb[1], 0.2*wb[2], 0.3*wb[3]]
        L[i, :] = R'*Lb
        E[i] = 0.5*(wb[1]*Lb[1] + wb[2]*Lb[2] + wb[3]*Lb[3])
    end
    return (L, E, xyz)
end
L, E, xyz = balance(tumbling)
@test maximum(abs.(E .- E[1])) < 1e-6
@test maximum(abs.(L[:, 1] .- L[1, 1])) < 1e-6
@test maximum(abs.(L[:, 2] .- L[1, 2])) < 1e-6
@test maximum(abs.(L[:, 3] .- L[1, 3])) < 1e-6
@test sum(xyz) > 20 && sum(xyz) < length(xyz) - 20
@test maximum(abs.(getValues(tumbling, "nut.translation")[:, 1] - 0.1*getValues(tumbling, "time"))) < 1e-9

# Without forces a body goes straight, also when its coordinates belong to a parent that turns and
# shakes.
Carousel = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    disk = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.2))),
    seat = Object3D(parent = :disk, translation = [1.0, 0.0, 0.0], rotation = [0.3, 0.2, 0.1]),
    ball = Object3D(parent = :seat, fixedToParent = false, translation = [0.1, 0.2, 0.3], velocity = [0.5, 0.4, 0.3], angularVelocity = [0.2, 0.1, -0.3],
                    feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    turn = RevoluteWithFlange(obj1 = :world, obj2 = :disk, phi = Var(), w = Var()),
    drive = Position(:(1.5*time + 0.2*sin(3.0*time))),
    connect = :[(drive.flange, turn.flange)]
)
carousel = @instantiateModel(Carousel, unitless = true)
simulate!(carousel, stopTime = 2.0, tolerance = 1e-10, interval = 0.5)
r = getValues(carousel, "ball.r_abs")
for i in 2:size(r, 1)-1
    @test maximum(abs.(r[i + 1, :] - 2*r[i, :] + r[i - 1, :])) < 1e-8
end
@test maximum(r[:, 1]) - minimum(r[:, 1]) > 0.5

# Two parts in one model, each with its world and gravity; their drives are coupled.
Part(g) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g))),
    bar = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [1.0, 0, 0]))),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :bar, phi = Var(init = 0.0), w = Var(init = 0.0)),
    rock = Object3D(parent = :world, fixedToParent = false, feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0)))
)
Two = Model(earth = Part(9.81), moon = Part(1.62) | Map(rev = Map(phi = Var(init = nothing), w = Var(init = nothing))),
            connect = :[(earth.rev.flange, moon.rev.flange)])
two = @instantiateModel(Two, unitless = true)
simulate!(two, stopTime = 1.0, tolerance = 1e-9)
@test abs(getValues(two, "earth.rock.r_abs")[end, 2] + 9.81/2) < 1e-6
@test abs(getValues(two, "moon.rock.r_abs")[end, 2] + 1.62/2) < 1e-6
# Rigidly coupled they swing like one pendulum in the mean of both fields.
phi = getValues(two, "earth.rev.phi")
w = getValues(two, "earth.rev.w")
@test maximum(abs.(w.^2 + (9.81 + 1.62)*sin.(phi))) < 1e-6
@test maximum(abs.(phi - getValues(two, "moon.rev.phi"))) < 1e-12
