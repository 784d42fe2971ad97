# Scenario C2: a pendulum as a component, with a damper on its flange, by three solvers.
using Modia3D
using Test

include("$(Modia.modelsPath)/AllModels.jl")

Bar = Model(
    L = 1.0,
    m = 1.0,
    body = Object3D(feature = Solid(shape = Beam(axis = 1, length = :L, width = 0.2, thickness = 0.2),
                                    massProperties = MassProperties(mass = :m))),
    left = Object3D(parent = :body, translation = :[-L/2, 0.0, 0.0])
)
System = Model(
    pendulum = Model3D(
        world = Object3D(feature = Scene()),
        bar = Bar | Map(m = 2.0),
        rev = RevoluteWithFlange(obj1 = :world, obj2 = :(bar.left), phi = Var(init = 1.0), w = Var(init = 0.0))
    ),
    damper = Damper | Map(d = 0.5),
    fixed = Fixed,
    connect = :[
        (damper.flange_b, pendulum.rev.flange)
        (damper.flange_a, fixed.flange)
    ]
)
final = [-1.578178763749515, 0.06153191687388868]
system = @instantiateModel(System, unitless = true)
simulate!(system, Tsit5(), stopTime = 10.0, requiredFinalStates = final)
simulate!(system, stopTime = 10.0, requiredFinalStates = final)
simulate!(system, IDA(), stopTime = 10.0, nlinearMinForDAE = 1, requiredFinalStates = final)
@test get_xNames(system) == ["pendulum.rev.phi", "pendulum.rev.w"]
w = getValues(system, "pendulum.rev.w")
@test maximum(abs.(getValues(system, "pendulum.rev.flange.tau") + 0.5*w)) < 1e-12
@test maximum(abs.(getValues(system, "damper.tau") - 0.5*w)) < 1e-12
@test !hasSignal(system, "pendulum.multibodyTerms")
@test hasSignal(system, "pendulum.bar.left.r_abs")
