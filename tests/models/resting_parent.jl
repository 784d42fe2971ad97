# Free motion relative to a turning disk, as physics has it and as the published program has it: there
# x'' = w^2 x in the frame of the disk, without the Coriolis acceleration, and a frame that carries nothing
# else stands still.
using Modia3D
using Test

include("$(Modia.modelsPath)/AllModels.jl")

Position = Model(flange = Flange, equations = :[flange.phi = 1.5*time])
Ball = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))
Disk = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    disk = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.2))),
    seat = Object3D(parent = :disk, translation = [1.0, 0.0, 0.0], rotation = [0.3, 0.2, 0.1]),
    onDisk = Object3D(parent = :disk, fixedToParent = false, translation = [0.1, 0.2, 0.3], velocity = [0.5, 0.4, 0.3],
                      angularVelocity = [0.2, 0.1, -0.3], feature = Ball),
    onSeat = Object3D(parent = :seat, fixedToParent = false, translation = [0.1, 0.2, 0.3], velocity = [0.5, 0.4, 0.3],
                      angularVelocity = [0.2, 0.1, -0.3], feature = Ball),
    turn = RevoluteWithFlange(obj1 = :world, obj2 = :disk, phi = Var(), w = Var()),
    moved = Object3D(feature = Ball),
    motion = FreeMotion(obj1 = :disk, obj2 = :moved, r = Var(init = [0.1, 0.2, 0.3]), v = Var(init = [0.5, 0.4, 0.3]),
                        w = Var(init = [0.2, 0.1, -0.3])),
    drive = Position,
    connect = :[(drive.flange, turn.flange)]
)
final(model, name) = getValues(model, name)[end, :]

real = @instantiateModel(Disk, unitless = true)
simulate!(real, stopTime = 2.0, tolerance = 1e-10)
# Straight on in the world: the velocity at the start is that of the disk there and its own.
@test maximum(abs.(final(real, "onDisk.r_abs") - ([0.1, 0.2, 0.3] + 2.0*[0.5 - 1.5*0.2, 0.4 + 1.5*0.1, 0.3]))) < 1e-8

odd = @instantiateModel(Disk | Map(world = Map(feature = Map(compatibility = "resting-parent"))), unitless = true)
simulate!(odd, stopTime = 2.0, tolerance = 1e-10)
wt = 1.5*2.0
@test maximum(abs.(final(odd, "onDisk.translation") - [0.1*cosh(wt) + 0.5/1.5*sinh(wt), 0.2*cosh(wt) + 0.4/1.5*sinh(wt), 0.3 + 0.6])) < 1e-6
@test maximum(abs.(final(odd, "onDisk.angularVelocity") - [0.2, 0.1, -0.3])) < 1e-9
@test maximum(abs.(final(odd, "onSeat.translation") - [1.1, 1.0, 0.9])) < 1e-9
@test maximum(abs.(final(odd, "onSeat.angularVelocity") - [0.2, 0.1, -0.3])) < 1e-9
@test maximum(abs.(final(real, "onSeat.translation") - [1.1, 1.0, 0.9])) > 0.1

# FreeMotion does the same as an object with states of its own.
for model in [real, odd]
    @test maximum(abs.(final(model, "motion.r") - final(model, "onDisk.translation"))) < 1e-8
    @test maximum(abs.(final(model, "motion.rot") - final(model, "onDisk.rotation"))) < 1e-8
end

# One on the other: the order of declaration does not matter.
Disk2(top1, top2) = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), compatibility = "resting-parent")),
    disk = Object3D(feature = Ball),
    first = top1,
    middle = Object3D(parent = :disk, fixedToParent = false, translation = [0.1, 0.2, 0.3], velocity = [0.5, 0.4, 0.3],
                      angularVelocity = [0.2, 0.1, -0.3], feature = Ball),
    second = top2,
    turn = RevoluteWithFlange(obj1 = :world, obj2 = :disk, phi = Var(), w = Var()),
    drive = Position,
    connect = :[(drive.flange, turn.flange)]
)
(r, v, w) = ([0.3, 0.0, 0.1], [0.1, 0.2, 0.3], [0.4, -0.2, 0.1])
after = @instantiateModel(Disk2(Object3D(parent = :world), Object3D(parent = :middle, fixedToParent = false, translation = r,
                                                                     velocity = v, angularVelocity = w, feature = Ball)), unitless = true)
before = @instantiateModel(Disk2(Object3D(feature = Ball), Free(obj1 = :middle, obj2 = :first, translation = r, velocity = v,
                                                                 angularVelocity = w)), unitless = true)
simulate!(after, stopTime = 2.0, tolerance = 1e-10)
simulate!(before, stopTime = 2.0, tolerance = 1e-10)
@test maximum(abs.(final(after, "second.r_abs") - final(before, "first.r_abs"))) < 1e-8
@test maximum(abs.(final(after, "second.angularVelocity") - final(before, "first.angularVelocity"))) < 1e-8
