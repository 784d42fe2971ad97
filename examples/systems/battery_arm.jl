# A robot arm on a battery: two motors behind gears lift and lower a load every 4 s; their windings heat, and beyond a temperature the controller takes current away.
#
# Shows: 3D bodies, gears, motors, windings whose resistance and temperature depend on each other, choppers, and a battery whose voltage falls: four domains in one model.
# Expect: peaks of current shrink when the first winding passes 303 K; the battery gives 0.6 % of its charge. SciPy, with the equations of Lagrange of a double
# pendulum, has at the end the angles -1.0100372 and 0.4943162 rad, windings at 317.21264 and 302.91579 K and the charge 0.9940840.
module BatteryArm

using Modia3D
using Test
@usingModiaPlot
include("$(Modia3D.modelsPath)/Machines.jl")
include("$(Modia3D.modelsPath)/Thermal.jl")

# A joint: winding (with heat), chopper, electromotive force, rotor, gear; and a controller that limits the current.
Drive = Model(
    p = Pin, n = Pin, flange = Flange,
    reference = input,
    ratio = 160.0, k = 0.05, Kp = 300.0, Kd = 25.0, iMax = 12.0, Tmax = 323.15,
    chopper = Chopper, winding = HeatingResistor | Map(R = 1.0, alpha = 0.0039), emf = EMF | Map(k = :k),
    rotor = Inertia | Map(J = 5.0e-5, phi = Var(init = nothing), w = Var(init = nothing)), gear = IdealGear | Map(ratio = :ratio),
    copper = HeatCapacitor | Map(C = 20.0, T = Var(init = 293.15)), case = Ambient | Map(G = 0.4),
    equations = :[
        wanted = Kp*(reference - gear.phi_b) - Kd*rotor.w/ratio
        cool = clamp((Tmax - copper.T)/20.0, 0.0, 1.0)           # 1 while it is cool, 0 at Tmax
        room = winding.R*iMax*cool
        voltage = clamp(wanted, k*rotor.w - room, k*rotor.w + room)
        chopper.duty = clamp(voltage/24.0, -1.0, 1.0)
    ],
    connect = :[
        (p, chopper.p)
        (n, chopper.n)
        (chopper.a, winding.p)
        (winding.n, emf.p)
        (emf.n, chopper.b)
        (winding.port, copper.port, case.port)
        (emf.flange, rotor.flange_a)
        (rotor.flange_b, gear.flange_a)
        (gear.flange_b, flange)
    ])

bar(length, mass) = Solid(shape = Box(lengthX = length, lengthY = 0.06, lengthZ = 0.06), massProperties = MassPropertiesFromShapeAndMass(mass = mass))
Robot = Model(
    arm = Model3D(
        world = Object3D(feature = Scene(nominalLength = 1.0)),
        upper = Object3D(), upperBar = Object3D(parent = :upper, translation = [0.25, 0.0, 0.0], feature = bar(0.5, 4.0)),
        elbow = Object3D(parent = :upper, translation = [0.5, 0.0, 0.0]),
        lower = Object3D(), lowerBar = Object3D(parent = :lower, translation = [0.2, 0.0, 0.0], feature = bar(0.4, 2.0)),
        load = Object3D(parent = :lower, translation = [0.4, 0.0, 0.0], feature = Solid(shape = Sphere(diameter = 0.1), massProperties = MassPropertiesFromShapeAndMass(mass = 1.5))),
        j1 = RevoluteWithFlange(obj1 = :world, obj2 = :upper, axis = 3, phi = Var(init = -1.0), w = Var(init = 0.0)),
        j2 = RevoluteWithFlange(obj1 = :elbow, obj2 = :lower, axis = 3, phi = Var(init = 0.5), w = Var(init = 0.0))
    ),
    battery = Battery | Map(Q = 7200.0, R = 0.1, ocv_soc = [0.0, 0.2, 1.0], ocv_v = [20.0, 23.0, 25.0]), ground = Ground,
    drive1 = Drive, drive2 = Drive | Map(ratio = 100.0),
    equations = :[
        up = mod(time, 4.0) < 2.0
        drive1.reference = if up; 0.6 else -1.0 end
        drive2.reference = if up; -0.4 else 0.5 end
    ],
    connect = :[
        (battery.p, drive1.p, drive2.p)
        (battery.n, drive1.n, drive2.n, ground.p)
        (drive1.flange, arm.j1.flange)
        (drive2.flange, arm.j2.flange)
    ])

robot = @instantiateModel(Robot, unitless = true)
simulate!(robot, stopTime = 40.0, tolerance = 1e-8)
plot(robot, [("arm.j1.phi", "arm.j2.phi"), ("drive1.winding.i", "drive2.winding.i"), ("drive1.copper.T", "drive2.copper.T"), "battery.soc"], heading = "Arm on a battery: angles, currents, temperatures, charge")

last(name) = getLastValue(robot, name)
println("angles ", last("arm.j1.phi"), " and ", last("arm.j2.phi"), " rad, windings at ", last("drive1.copper.T"), " and ", last("drive2.copper.T"), " K, charge ", last("battery.soc"))
@test abs(last("arm.j1.phi") + 1.0100372) < 1e-6 && abs(last("arm.j2.phi") - 0.4943162) < 1e-6
@test abs(last("drive1.copper.T") - 317.21264) < 1e-3 && abs(last("drive2.copper.T") - 302.91579) < 1e-3
@test abs(last("battery.soc") - 0.9940840) < 1e-6

end
