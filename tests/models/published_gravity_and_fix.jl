# Two peculiarities of the published program, in both modes, with numbers that can be had by hand: the
# pull of a point on a body, and what a Fix on a turned frame carries.
using Modia3D
using Test

final(model, name) = getValues(model, name)[end, :]
odd(model, switch) = model | Map(world = Map(feature = Map(compatibility = switch)))

# ---- gravity-at-root ------------------------------------------------------------------------------

# Two equal masses on a rod of length 2: the center of mass is 1 away from the root, outward on the line
# of the fall. From rest at r0, half the way takes sqrt(r0^3/(2*mue))*(pi/4 + 1/2).
mue = 8.0
Weight = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))
Rod = Model3D(
    world = Object3D(feature = Scene(gravityField = PointGravityField(mue = mue))),
    near = Object3D(parent = :world, fixedToParent = false, translation = [2.0, 0.0, 0.0], feature = Weight),
    far = Object3D(parent = :near, translation = [2.0, 0.0, 0.0], feature = Weight)
)
halfWay(r0) = sqrt(r0^3/(2.0*mue))*(pi/4 + 0.5)
speedThere(r0) = -sqrt(2.0*mue/r0)

# The center of mass falls from 3 to 1.5, so the root is at 0.5.
real = @instantiateModel(Rod, unitless = true)
simulate!(real, stopTime = halfWay(3.0), tolerance = 1e-10)
@test maximum(abs.(final(real, "near.translation") - [0.5, 0.0, 0.0])) < 1e-7
@test maximum(abs.(final(real, "near.velocity") - [speedThere(3.0), 0.0, 0.0])) < 1e-7

# The root falls from 2 to 1 as if it were alone.
published = @instantiateModel(odd(Rod, "gravity-at-root"), unitless = true)
simulate!(published, stopTime = halfWay(2.0), tolerance = 1e-10)
@test maximum(abs.(final(published, "near.translation") - [1.0, 0.0, 0.0])) < 1e-7
@test maximum(abs.(final(published, "near.velocity") - [speedThere(2.0), 0.0, 0.0])) < 1e-7

# ---- straight-fix ---------------------------------------------------------------------------------

# The x axis of the turned frame points up. What slides on the frame held there falls; as published it
# slides sideways, without gravity.
Slide = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 10.0))),
    turned = Object3D(parent = :world, translation = [0.0, 0.0, 3.0], rotation = [0.0, 0.0, pi/2]),
    held = Object3D(),
    ball = Object3D(feature = Weight),
    fix = Fix(obj1 = :turned, obj2 = :held, translation = [1.0, 0.0, 0.0]),
    slide = Prismatic(obj1 = :held, obj2 = :ball, v = Var(init = 2.0))
)
falls = @instantiateModel(Slide, unitless = true)
simulate!(falls, stopTime = 1.0, tolerance = 1e-10)
@test abs(final(falls, "slide.s")[1] - (2.0 - 5.0)) < 1e-8
@test maximum(abs.(final(falls, "ball.r_abs") - [0.0, 1.0 + 2.0 - 5.0, 3.0])) < 1e-8

glides = @instantiateModel(odd(Slide, "straight-fix"), unitless = true)
simulate!(glides, stopTime = 1.0, tolerance = 1e-10)
@test abs(final(glides, "slide.s")[1] - 2.0) < 1e-8
@test maximum(abs.(final(glides, "ball.r_abs") - [2.0, 1.0, 3.0])) < 1e-8

# A chain of two: the second Fix holds on the first, with the turn that a member in between has. A pendulum
# about its z axis, which is the world's y axis, swings in the horizontal plane and keeps its speed; as
# published it hangs on the z axis of the world and falls from the horizontal, and energy stays.
Chain = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 10.0))),
    first = Object3D(),
    second = Object3D(),
    bob = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [1.0, 0.0, 0.0],
                                                                   Ixx = 0.2, Iyy = 0.2, Izz = 0.25))),
    fix1 = Fix(obj1 = :world, obj2 = :first, translation = [1.0, 0.0, 0.0], rotation = [-pi/2, 0.0, 0.0]),
    fix2 = Fix(obj1 = :first, obj2 = :second, translation = [0.0, 0.0, 1.0]),
    hinge = Revolute(obj1 = :second, obj2 = :bob, w = Var(init = 0.5))
)
turns = @instantiateModel(Chain, unitless = true)
simulate!(turns, stopTime = 0.4, tolerance = 1e-10)
@test maximum(abs.([final(turns, "hinge.phi")[1] - 0.2, final(turns, "hinge.w")[1] - 0.5])) < 1e-8
@test maximum(abs.(final(turns, "bob.r_abs") - [1.0, 1.0, 0.0])) < 1e-8

swings = @instantiateModel(odd(Chain, "straight-fix"), unitless = true)
simulate!(swings, stopTime = 0.4, tolerance = 1e-10)
(phi, w) = (final(swings, "hinge.phi")[1], final(swings, "hinge.w")[1])
@test phi < -0.3
@test abs(1.25*w^2/2 - (1.25*0.5^2/2 - 10.0*sin(phi))) < 1e-7
@test maximum(abs.(final(swings, "bob.r_abs") - [1.0, 1.0, 0.0])) < 1e-8
