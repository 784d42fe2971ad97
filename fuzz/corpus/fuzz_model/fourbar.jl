using Modia3D
using Test
include("$(Modia.modelsPath)/AllModels.jl")

Bar(L, color) = Model(
    obj1 = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [L/2, 0.0, 0.0], Ixx = 0.001, Iyy = L^2/12, Izz = L^2/12))),
    shape = Object3D(parent = :obj1, translation = [L/2, 0.0, 0.0], feature = Visual(shape = Beam(axis = 1, length = L, width = 0.06, thickness = 0.04), visualMaterial = VisualMaterial(color = color))),
    obj2 = Object3D(parent = :obj1, translation = [L, 0.0, 0.0])
)
Fourbar(first) = Model3D(
    world = Object3D(feature = Scene(enableContactDetection = false, nominalLength = 1.5)),
    base = Object3D(parent = :world, translation = [0.6, -0.08, 0.0], feature = Visual(shape = Box(lengthX = 1.4, lengthY = 0.06, lengthZ = 0.3), visualMaterial = VisualMaterial(color = "Grey"))),
    pivot = Object3D(parent = :world, translation = [1.2, 0.0, 0.0]),
    crank = Bar(0.4, "Red"), coupler = Bar(1.0, "Blue"), rocker = Bar(0.8, "Green"),
    rev1 = first(:world, :(crank.obj1)),
    rev2 = Revolute(obj1 = :(crank.obj2), obj2 = :(coupler.obj1), phi = Var(init = -0.6)),
    rev3 = Revolute(obj1 = :pivot, obj2 = :(rocker.obj1), phi = Var(init = 2.0)),
    rev4 = Revolute(obj1 = :(coupler.obj2), obj2 = :(rocker.obj2))
)

free = @instantiateModel(Fourbar((a, b) -> Revolute(obj1 = a, obj2 = b, phi = Var(init = 1.2), w = Var(init = 9.0))), unitless = true)
simulate!(free, Tsit5(), stopTime = 0.01, tolerance = 1e-8)
plot(free, [("rev1.w", "rev3.w"), "rev4.reactionForce"], figure = 1)

Motion = Model(flange = Flange, equations = :[flange.phi = 1.2 + 2*pi*time])
Driven = Model(
    arm = Fourbar((a, b) -> RevoluteWithFlange(obj1 = a, obj2 = b, phi = Var(init = nothing), w = Var(init = nothing))),
    motion = Motion,
    connect = :[(motion.flange, arm.rev1.flange)]
)
driven = @instantiateModel(Driven, unitless = true)
simulate!(driven, stopTime = 0.01, tolerance = 1e-8)
plot(driven, ["arm.rev3.phi", "arm.rev1.flange.tau"], figure = 2)

rocker = getValues(driven, "arm.rev3.phi")
@test abs(rocker[1] - rocker[end]) < 1e-8
