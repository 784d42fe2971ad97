# Two more peculiarities of the published program with numbers that can be had by hand: a slider on a turntable,
# and a bushing between frames of which one is held by a Fix on something turned.
using Modia3D
using Test

include("$(Modia.modelsPath)/AllModels.jl")
final(model, name) = getValues(model, name)[end, :]
odd(model, switch) = model | Map(world = Map(feature = Map(compatibility = switch)))

# ---- single-coriolis ------------------------------------------------------------------------------

# A point on a free turntable: (I + m s^2) w' + c m s v w = 0, where c is 2 and, as published, 1. So w (I + m s^2) or
# w sqrt(I + m s^2) stays as it is.
inertia = 2.0
Table = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    table = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = inertia))),
    point = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0))),
    turn = Revolute(obj1 = :world, obj2 = :table, w = Var(init = 2.0)),
    slide = Prismatic(obj1 = :table, obj2 = :point, s = Var(init = 0.5), v = Var(init = 1.0))
)
function turnFaster(power, switch)
    table = @instantiateModel(odd(Table, switch), unitless = true)
    simulate!(table, stopTime = 0.5, tolerance = 1e-10)
    (w, s) = (final(table, "turn.w")[1], final(table, "slide.s")[1])
    @test s > 1.0
    @test abs(w - 2.0*((inertia + 0.25)/(inertia + s^2))^power) < 1e-8
end
turnFaster(1.0, "straight-fix") # a switch that does nothing here
turnFaster(0.5, "single-coriolis")

# The torque that keeps the table at a given speed: 2 m s v w, or half of it, while s = s0 cosh(w t) + v0/w sinh(w t).
Position = Model(flange = Flange, equations = :[flange.phi = 2.0*time])
Driven = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    table = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = inertia))),
    point = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.5))),
    turn = RevoluteWithFlange(obj1 = :world, obj2 = :table, phi = Var(), w = Var()),
    slide = Prismatic(obj1 = :table, obj2 = :point, s = Var(init = 0.5), v = Var(init = 1.0)),
    drive = Position, connect = :[(drive.flange, turn.flange)]
)
(s, v) = (0.5*cosh(1.0) + 0.5*sinh(1.0), 1.0*sinh(1.0) + 1.0*cosh(1.0))
for (count, switch) in [(2.0, "straight-fix"), (1.0, "single-coriolis")]
    driven = @instantiateModel(odd(Driven, switch), unitless = true)
    simulate!(driven, stopTime = 0.5, tolerance = 1e-10)
    @test maximum(abs.([final(driven, "slide.s")[1] - s, final(driven, "slide.v")[1] - v])) < 1e-7
    @test abs(final(driven, "turn.flange.tau")[1] - count*1.5*s*v*2.0) < 1e-6
end

# ---- straight-fix ---------------------------------------------------------------------------------

# A ball that slides along x of the world, on a bushing whose springs lie along the axes of a frame that is turned by
# 90 degrees: its stiffness along y counts. As published the frame is not turned where forces ask for it.
Pad = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    turned = Object3D(parent = :world, rotation = [0.0, 0.0, pi/2]),
    held = Object3D(), below = Object3D(parent = :held, translation = [1.0, 0.0, 0.0]),
    ball = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0))),
    fix = Fix(obj1 = :turned, obj2 = :held),
    slide = Prismatic(obj1 = :world, obj2 = :ball, s = Var(init = 0.1)),
    pad = Bushing(obj1 = :held, obj2 = :ball, springForceLaw = [4.0, 9.0, 1.0], largeAngles = true)
)
for (stiffness, turn, switch) in [(9.0, pi/2, "single-coriolis"), (4.0, 0.0, "straight-fix")]
    pad = @instantiateModel(odd(Pad, switch), unitless = true)
    simulate!(pad, stopTime = 1.0, tolerance = 1e-10)
    @test abs(final(pad, "slide.s")[1] - 0.1*cos(sqrt(stiffness)*1.0)) < 1e-8
    @test abs(final(pad, "held.rot123_abs")[3] - turn) < 1e-12
    # What is only carried knows better.
    @test maximum(abs.(final(pad, "below.r_abs") - [0.0, 1.0, 0.0])) < 1e-12
    @test abs(final(pad, "below.rot123_abs")[3] - pi/2) < 1e-12
end

# ---- switches of a Scene that stands behind what they concern -------------------------------------

# A spring along x from a wheel that has turned by 90 degrees; as published its line is taken along y.
Late = Model3D(
    wheel = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    ball = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0))),
    spring = SpringDamperPtP(obj1 = :wheel, obj2 = :ball, springForceLaw = 10.0),
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    turn = Revolute(obj1 = :world, obj2 = :wheel, phi = Var(init = pi/2)),
    slide = Prismatic(obj1 = :world, obj2 = :ball, s = Var(init = 1.0))
)
for (acceleration, switch) in [(-5.0, "single-coriolis"), (0.0, "spring-direction")]
    late = @instantiateModel(odd(Late, switch), unitless = true)
    simulate!(late, stopTime = 0.0)
    @test abs(getLastValue(late, "slide.der(v)", unit = false) - acceleration) < 1e-12
end
