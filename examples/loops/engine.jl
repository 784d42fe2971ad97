# The slider crank of a four-stroke engine with one cylinder: stroke 86 mm, a connecting rod of 143.5 mm, a piston of 0.5 kg.
#
# Shows: two driven joints in one loop. Gas pushes the piston through the flange of its joint, the crank turns against a
# load that grows with speed. Driven joints stay in the tree if others can be cut, so one of the pins closes the loop.
# Expect: the stroke is x = r cos(phi) + sqrt(l^2 - r^2 sin(phi)^2); the pins carry up to 12 kN when the gas burns.
using Modia3D
using Test
@usingModiaPlot

include("$(Modia.modelsPath)/AllModels.jl")
include("$(Modia.modelsPath)/Translational.jl")

r = 0.043
l = 0.1435

# Burns behind every second upper dead center: 12 kN at the most.
burning(phi) = 12000.0*exp(-((mod(phi + 2*pi, 4*pi) - 2*pi - 0.3)/0.4)^2)
Load = Model(flange = Flange, w = Var(init = nothing), equations = :[w = der(flange.phi), flange.tau = 0.25*w])
Gas = Model(flange = TranslationalFlange, angle = Flange, equations = :[flange.f = burning(angle.phi), angle.tau = 0.0])

look(shape, color) = Visual(shape = shape, visualMaterial = VisualMaterial(color = color))
Slider = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), enableContactDetection = false, nominalLength = 0.25)),
    crank = Object3D(feature = Solid(massProperties = MassProperties(mass = 4.0, Ixx = 0.01, Iyy = 0.01, Izz = 0.015))),
    wheel = Object3D(parent = :crank, translation = [0.0, 0.0, -0.03], feature = look(Cylinder(axis = 3, diameter = 0.11, length = 0.02), "Grey")),
    pin = Object3D(parent = :crank, translation = [r, 0.0, 0.0], feature = look(Cylinder(axis = 3, diameter = 0.02, length = 0.06), "Red")),
    rod = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.6, centerOfMass = [0.045, 0.0, 0.0], Ixx = 0.0001, Iyy = 0.0016, Izz = 0.0016))),
    bar = Object3D(parent = :rod, translation = [l/2, 0.0, 0.0], feature = look(Beam(axis = 1, length = l, width = 0.02, thickness = 0.015), "Blue")),
    eye = Object3D(parent = :rod, translation = [l, 0.0, 0.0]),
    piston = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.5, Ixx = 0.0004, Iyy = 0.0004, Izz = 0.0004))),
    skirt = Object3D(parent = :piston, translation = [0.01, 0.0, 0.0], feature = look(Cylinder(axis = 1, diameter = 0.086, length = 0.05), "Silver")),
    shaft = RevoluteWithFlange(obj1 = :world, obj2 = :crank, phi = Var(init = 0.1), w = Var(init = 150.0)),
    bigEnd = Revolute(obj1 = :pin, obj2 = :rod),
    cylinder = PrismaticWithFlange(obj1 = :world, obj2 = :piston, axis = 1, s = Var(init = 0.18)),
    smallEnd = Revolute(obj1 = :eye, obj2 = :piston)
)
Engine = Model(
    slider = Slider, gas = Gas, load = Load,
    connect = :[
        (gas.flange, slider.cylinder.flange)
        (gas.angle, slider.shaft.flange, load.flange)
    ]
)

engine = @instantiateModel(Engine, unitless = true)
simulate!(engine, Tsit5(), stopTime = 0.25, interval = 0.0005, tolerance = 1e-9)
plot(engine, ["slider.shaft.w", "slider.cylinder.s", "slider.smallEnd.reactionForce"], figure = 1)

phi = getValues(engine, "slider.shaft.phi")
@test maximum(abs.(getValues(engine, "slider.cylinder.s") .- (r*cos.(phi) .+ sqrt.(l^2 .- r^2*sin.(phi).^2)))) < 1e-12
