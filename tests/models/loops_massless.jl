# Links without mass in closed loops. At the end of a chain such a link would have no acceleration of its own, so another
# joint of the loop is cut, whatever the order of declaration; between two bodies it follows them.
using Modia3D
using Test

bar(l) = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [l/2, 0.0, 0.0], Ixx = 0.01, Iyy = 0.1, Izz = 0.1)))
at(m, name) = getLastValue(m, name, unit = false)

# A fourbar whose coupler has no mass is one with a Rod. The joints of the coupler are declared last, so they would be cut.
cranks = Model3D(
    world = Object3D(feature = Scene()), pivot = Object3D(parent = :world, translation = [1.0, 0.0, 0.0]),
    crank = bar(0.3), crankEnd = Object3D(parent = :crank, translation = [0.3, 0.0, 0.0]),
    rocker = bar(0.6), rockerEnd = Object3D(parent = :rocker, translation = [0.6, 0.0, 0.0]),
    rev1 = Revolute(obj1 = :world, obj2 = :crank, phi = Var(init = 1.0)),
    rev2 = Revolute(obj1 = :pivot, obj2 = :rocker, phi = Var(init = 1.4))
)
rod = @instantiateModel(cranks | Map(rod = Rod(obj1 = :crankEnd, obj2 = :rockerEnd, length = 1.0)), unitless = true)
simulate!(rod, DP8(), stopTime = 1.0, tolerance = 1e-10)
start = getValues(rod, "rev2.phi")[1]
# Angles of the coupler at the start, seen from the crank and from the rocker.
along = [1.0 + 0.6*cos(start) - 0.3*cos(1.0), 0.6*sin(start) - 0.3*sin(1.0)]
turn = atan(along[2], along[1])
link = @instantiateModel(cranks | Map(
    coupler = Object3D(), couplerEnd = Object3D(parent = :coupler, translation = [1.0, 0.0, 0.0]),
    rev2 = Map(phi = Var(init = start)),
    rev3 = Revolute(obj1 = :crankEnd, obj2 = :coupler, phi = Var(init = turn - 1.0)),
    rev4 = Revolute(obj1 = :couplerEnd, obj2 = :rockerEnd, phi = Var(init = start - turn)),
    equations = :[force = rev4.reactionForce]), unitless = true)
for algorithm in [DP8(), IDA(), CVODE_BDF()]
    simulate!(link, algorithm, stopTime = 1.0, tolerance = 1e-10)
    @test abs(getValues(link, "rev1.phi")[1] - 1.0) < 1e-12
    @test abs(at(link, "rev1.phi") - at(rod, "rev1.phi")) < 1e-6
    @test abs(at(link, "rev2.w") - at(rod, "rev2.w")) < 1e-6
    @test maximum(abs.(at(link, "force") .- at(rod, "rod.reactionForce"))) < 1e-4
end

# A slider-crank with a rod without mass, turned at a constant speed against the pressure of a gas. Crank and piston have
# flanges; that of the crank is led, so the piston is cut, and its force acts all the same. Power tells the torque.
r = 0.04; l = 0.13; speed = 100.0
Engine = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    crank = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1e-3, Iyy = 1e-3, Izz = 1e-3))),
    pin = Object3D(parent = :crank, translation = [r, 0.0, 0.0]),
    rod = Object3D(), rodEnd = Object3D(parent = :rod, translation = [l, 0.0, 0.0]),
    piston = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.5, Ixx = 1e-4, Iyy = 1e-4, Izz = 1e-4))),
    main = RevoluteWithFlange(obj1 = :world, obj2 = :crank, phi = Var(init = nothing), w = Var(init = nothing)),
    cylinder = PrismaticWithFlange(obj1 = :world, obj2 = :piston, axis = 1, s = Var(init = r + l)),
    big = Revolute(obj1 = :pin, obj2 = :rod),
    small = Revolute(obj1 = :rodEnd, obj2 = :piston),
    equations = :[main.flange.phi = 100.0*time; cylinder.flange.f = -4000.0*exp(-20.0*(0.17 - cylinder.s))]
)
engine = @instantiateModel(Engine, unitless = true)
for algorithm in [Tsit5(), IDA()]
    simulate!(engine, algorithm, stopTime = 0.05, tolerance = 1e-9)
    p = speed*0.05
    b = sqrt(l^2 - (r*sin(p))^2)
    x = r*cos(p) + b
    x1 = -r*sin(p) - r^2*sin(p)*cos(p)/b
    x2 = -r*cos(p) - r^2*cos(2*p)/b - (r^2*sin(p)*cos(p))^2/b^3
    @test abs(at(engine, "cylinder.s") - x) < 1e-12
    @test abs(at(engine, "main.flange.tau") - (0.5*x2*speed^2 + 4000.0*exp(-20.0*(0.17 - x)))*x1) < 1e-8
end
