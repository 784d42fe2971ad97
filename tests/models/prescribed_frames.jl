# Frames that equations lead: by functions of time, and by states of the equations; what hangs on them follows, and the
# force that it takes comes out.
using Modia3D
using LinearAlgebra
using Test

earth = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1])))
inertia = MassProperties(mass = 2.0, centerOfMass = [0.1, 0.05, -0.2], Ixx = 0.1, Iyy = 0.12, Izz = 0.15)
plate = Object3D(feature = Solid(massProperties = inertia))
algorithms = [CVODE_BDF(), IDA(), Tsit5(), QBDF()]
atEnd(m, name) = vec(getValues(m, name)[end, :])

# A plate all by itself, through a right second angle: pose and motion are those that were asked for, and the force is
# mass times acceleration of the center.
Shaken = Model3D(
    world = earth, plate = plate,
    middle = Object3D(parent = :plate, translation = [0.1, 0.05, -0.2]),
    lead = PrescribedMotion(obj1 = :world, obj2 = :plate, r = Var(), rot = Var()),
    equations = :[
        lead.r = [sin(time), 0.5*cos(2*time), 0.1*time]
        lead.rot = [0.3*sin(time), 1.2*time, time^2]
        short = 2.0*(middle.a_abs + [0.0, 0.0, 9.81]) - lead.force
        a = plate.a_abs
        R = plate.R_abs
    ]
)
shaken = @instantiateModel(Shaken, unitless = true)
simulate!(shaken, stopTime = 2.0, tolerance = 1e-8)
@test maximum(abs.(atEnd(shaken, "plate.r_abs") - [sin(2.0), 0.5*cos(4.0), 0.2])) < 1e-12
@test maximum(abs.(atEnd(shaken, "a") - [-sin(2.0), -2*cos(4.0), 0.0])) < 1e-12
@test maximum(abs.(getValues(shaken, "R")[end, :, :] - Modia3D.rot123([0.3*sin(2.0), 2.4, 4.0]))) < 1e-12
@test maximum(abs.(getValues(shaken, "short"))) < 1e-10

# A pendulum on a support that shakes: l phi'' = -(g + a) sin(phi), integrated beside it.
bob = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.5, centerOfMass = [0, 0, -0.8], Ixx = 0.01, Iyy = 0.01, Izz = 0.01)))
Kapitza = Model3D(
    world = earth, support = Object3D(), bob = bob,
    swing = Revolute(obj1 = :support, obj2 = :bob, axis = 2, phi = Var(init = 3.0)),
    lead = PrescribedMotion(obj1 = :world, obj2 = :support, r = Var()),
    phi = Var(init = 3.0), w = Var(init = 0.0),
    equations = :[
        lead.r = [0.0, 0.0, 0.05*sin(100.0*time)]
        der(phi) = w
        der(w) = -(9.81 - 500.0*sin(100.0*time))*sin(phi)*0.5*0.8/(0.01 + 0.5*0.64)
    ]
)
kapitza = @instantiateModel(Kapitza, unitless = true)
for algorithm in algorithms
    simulate!(kapitza, algorithm, stopTime = 3.0, tolerance = 1e-9)
    @test maximum(abs.(getValues(kapitza, "phi") - getValues(kapitza, "swing.phi"))) < 1e-5
    @test abs(atEnd(kapitza, "swing.phi")[1] - pi) < 0.5 # it stays up
end

# A crane: the trolley follows its set point by equations, and its load swings; the same with a mass and a force.
Crane = Model3D(
    world = earth, trolley = Object3D(), bob = bob,
    swing = Revolute(obj1 = :trolley, obj2 = :bob, axis = 2),
    lead = PrescribedMotion(obj1 = :world, obj2 = :trolley, r = Var()),
    x = Var(init = 0.0), v = Var(init = 0.0),
    equations = :[
        der(x) = v
        der(v) = 4.0*(1.0 - x) - 3.0*v + 0.5*swing.phi
        lead.r = [x, 0.0, 0.0]
    ]
)
Plain = Model( # phi'' (I + m l^2) = -m l (g sin(phi) - x'' cos(phi)): turned about y, it goes to -x
    x = Var(init = 0.0), v = Var(init = 0.0), phi = Var(init = 0.0), w = Var(init = 0.0),
    equations = :[
        der(x) = v
        der(v) = 4.0*(1.0 - x) - 3.0*v + 0.5*phi
        der(phi) = w
        (0.01 + 0.5*0.64)*der(w) = -0.5*0.8*(9.81*sin(phi) - der(v)*cos(phi))
    ]
)
crane = @instantiateModel(Crane, unitless = true)
plain = @instantiateModel(Plain, unitless = true)
simulate!(plain, stopTime = 4.0, tolerance = 1e-9)
for algorithm in algorithms
    simulate!(crane, algorithm, stopTime = 4.0, tolerance = 1e-9)
    @test maximum(abs.(getValues(crane, "swing.phi") - getValues(plain, "phi"))) < 1e-6
    @test maximum(abs.(getValues(crane, "x") - getValues(plain, "x"))) < 1e-6
end

# A place that an equation gives and that does not change: its derivatives are vectors, too.
Rest = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    table = Object3D(feature = Solid(shape = Box(lengthX = 1.0, lengthY = 1.0, lengthZ = 0.05), massProperties = 10.0)),
    lead = PrescribedMotion(obj1 = :world, obj2 = :table, r = Var(), rot = Var()), to = [0.1, 0.2, 0.3],
    equations = :[
        lead.r = [0.1, 0.2, 0.3]
        2.0*to = lead.rot
        v = table.v_abs
    ]
)
rest = @instantiateModel(Rest, unitless = true)
simulate!(rest, stopTime = 0.1)
@test getLastValue(rest, "table.r_abs", unit = false) == [0.1, 0.2, 0.3]
@test maximum(abs.(getLastValue(rest, "table.rot123_abs", unit = false) - [0.2, 0.4, 0.6])) < 1e-15
@test maximum(abs.(getLastValue(rest, "lead.force") - [0.0, 0.0, 98.1])) < 1e-12
@test getLastValue(rest, "v") == zeros(3)
