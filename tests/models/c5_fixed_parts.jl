# Scenario C5: parts fixed to each other in both directions and turned; their common inertia is that of
# turned parts. With the published program's sum, which does not turn them, its numbers come out.
using Modia3D
using Test

include("$(Modia.modelsPath)/AllModels.jl")

Bar = Model(
    body = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0, width = 0.2, thickness = 0.2), massProperties = MassProperties(mass = 2.0))),
    left = Object3D(parent = :body, translation = [-0.5, 0.0, 0.0]),
    right = Object3D(parent = :body, translation = [0.5, 0.0, 0.0])
)
Weight = Object3D(feature = Solid(shape = Capsule(axis = 3, diameter = 0.25, length = 0.5), solidMaterial = "DryWood"))
Fixed3D = Model(
    pendulum = Model3D(
        world = Object3D(feature = Scene()),
        bar0 = Bar,
        bar1 = Bar,
        bar2 = Bar,
        capsule1 = Weight,
        capsule2 = Weight,
        hook = Object3D(parent = :capsule2, translation = [-0.25, 0.0, 0.0]),
        rev = RevoluteWithFlange(obj1 = :world, obj2 = :(bar0.left), phi = Var(init = 1.0)),
        fix1 = Fix(obj1 = :(bar0.right), obj2 = :(bar1.left), translation = [0.0, -0.25, 0.0]),
        fix2 = Fix(obj1 = :(bar0.right), obj2 = :(bar2.left), translation = [0.0, 0.25, 0.0], rotation = [0, 0, pi/4]),
        fix3 = Fix(obj1 = :(bar1.right), obj2 = :capsule1, translation = [0.25, 0.0, 0.0], rotation = [pi/2, 0, 0]),
        fix4 = Fix(obj1 = :capsule2, obj2 = :(bar2.right), translation = [-0.25, 0.0, 0.0], rotation = [-pi/2, 0, 0])
    ),
    damper = Damper | Map(d = 100),
    fixed = Fixed,
    connect = :[
        (damper.flange_b, pendulum.rev.flange)
        (damper.flange_a, fixed.flange)
    ]
)
system = @instantiateModel(Fixed3D, unitless = true)
simulate!(system, stopTime = 10.0, requiredFinalStates = [-1.6319663, 0.4972615])

Published = Fixed3D | Map(pendulum = Map(world = Map(feature = Map(compatibility = "unturned-inertia"))))
published = @instantiateModel(Published, unitless = true)
simulate!(published, stopTime = 10.0, requiredFinalStates = [-1.6164397926928633, 0.4670955914743122])
