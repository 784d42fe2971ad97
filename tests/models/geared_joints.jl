# Rotors behind gears: where each joint has its own, forward dynamics takes their inertias along; a
# coupling of two rotors, here of strength zero, makes it a system of equations. Both move alike.
using Modia3D
using Test

include("$(Modia.modelsPath)/AllModels.jl")
include("$(Modia.modelsPath)/Translational.jl")

Link = Model(
    body = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.5, centerOfMass = [0.2, 0.05, 0.0],
                                                                    Ixx = 0.02, Iyy = 0.09, Izz = 0.085))),
    tip = Object3D(parent = :body, translation = [0.4, 0.0, 0.1])
)
Drive = Model(
    flange = Flange,
    push = input,
    torque = UnitlessTorque,
    rotor = Inertia | Map(J = 2.0e-4, phi = Var(init = nothing), w = Var(init = nothing)),
    gear = IdealGear | Map(ratio = 30.0),
    equations = :[torque.tau = 0.01*sin(3*time) + push - 1e-4*rotor.w],
    connect = :[(torque.flange, rotor.flange_a); (rotor.flange_b, gear.flange_a); (gear.flange_b, flange)]
)
Sled = Model(
    flange = TranslationalFlange,
    equations = :[
        v = der(flange.s)
        flange.f = 4.0*flange.s + 3.0*der(v)
    ]
)
Arm = Model(
    arm = Model3D(
        world = Object3D(feature = Scene()),
        a = Link, b = Link, c = Link, d = Link,
        rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :(a.body), axis = 3, phi = Var(init = 0.3), w = Var(init = 0.0)),
        rev2 = RevoluteWithFlange(obj1 = :(a.tip), obj2 = :(b.body), axis = 2, phi = Var(init = -0.4), w = Var(init = 0.0)),
        slide = PrismaticWithFlange(obj1 = :(b.tip), obj2 = :(c.body), axis = 1, s = Var(init = 0.1), v = Var(init = 0.2)),
        loose = Revolute(obj1 = :(c.tip), obj2 = :(d.body), axis = 3, phi = Var(init = 0.5))
    ),
    drive1 = Drive, drive2 = Drive, sled = Sled,
    strength = 0.0,
    equations = :[drive1.push = 0.0],
    connect = :[(drive1.flange, arm.rev1.flange); (drive2.flange, arm.rev2.flange); (sled.flange, arm.slide.flange)]
)
Single = Arm | Map(equations = :[drive2.push = 0.0])
Coupled = Arm | Map(equations = :[drive2.push = strength*der(arm.rev1.w)])
ends = []
for model in [Single, Coupled]
    arm = @instantiateModel(model, unitless = true)
    simulate!(arm, stopTime = 2.0, tolerance = 1e-10)
    push!(ends, [getLastValue(arm, name) for name in
                 ["arm.rev1.phi", "arm.rev1.w", "arm.rev2.phi", "arm.slide.s", "arm.loose.phi", "arm.loose.w",
                  "drive1.gear.flange_b.tau", "drive2.gear.flange_b.tau", "drive1.rotor.flange_b.tau"]])
end
@test maximum(abs.(ends[1] - ends[2])) < 1e-10

# The states may be those of the rotors.
Turned = Model(
    flange = Flange,
    rotor = Inertia | Map(J = 0.05, phi = Var(init = 0.2), w = Var(init = 0.3)),
    gear = IdealGear | Map(ratio = 0.5),
    connect = :[(flange, gear.flange_a); (gear.flange_b, rotor.flange_a)]
)
Behind = Model(
    arm = Model3D(
        world = Object3D(feature = Scene()),
        a = Link, b = Link,
        rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :(a.body), phi = Var(init = nothing), w = Var(init = nothing)),
        rev2 = RevoluteWithFlange(obj1 = :(a.tip), obj2 = :(b.body), axis = 2, phi = Var(init = nothing), w = Var(init = nothing))
    ),
    drive1 = Turned, drive2 = Turned,
    connect = :[(drive1.flange, arm.rev1.flange); (drive2.flange, arm.rev2.flange)]
)
Coupling = Model(
    a = Flange, b = Flange, strength = 0.0,
    equations = :[wa = der(a.phi); wb = der(b.phi); a.tau = strength*der(wb); b.tau = strength*der(wa)]
)
Joined = Behind | Map(coupling = Coupling, more = :[(coupling.a, arm.rev1.flange); (coupling.b, arm.rev2.flange)])
ends = []
for model in [Behind, Joined]
    arm = @instantiateModel(model, unitless = true)
    simulate!(arm, stopTime = 2.0, tolerance = 1e-10)
    @test get_xNames(arm) == ["drive1.rotor.phi", "drive1.rotor.w", "drive2.rotor.phi", "drive2.rotor.w"]
    push!(ends, [getLastValue(arm, name) for name in
                 ["arm.rev1.phi", "arm.rev1.w", "arm.rev2.phi", "arm.rev2.w", "drive1.rotor.a", "arm.rev1.flange.tau"]])
end
@test maximum(abs.(ends[1] - ends[2])) < 1e-9
