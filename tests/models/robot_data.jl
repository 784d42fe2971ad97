# Data as they are published: moments of inertia that no body has are used as given; and a joint between something loose
# and something on a free body is the same motion in whatever direction and order it is written; large angles of a bushing
# go on through right and straight ones.
using Modia3D
using Test

space = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true))
drive = Model(flange = Model(phi = Var(potential = true), tau = Var(flow = true)), equations = :[flange.tau = -2.0])

# A link with a moment of inertia and no mass, which carries one whose moments are rounded: (0.35 + 0.2 + 1.0*0.5^2) z = 2.
Arm = Model3D(
    world = space,
    link = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.0, Iyy = 0.35))),
    hand = Object3D(parent = :link, translation = [0.5, 0, 0], feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.3003))),
    joint = RevoluteWithFlange(obj1 = :world, obj2 = :link, axis = 2), drive = drive, connect = :[(joint.flange, drive.flange)]
)
arm = @instantiateModel(Arm, unitless = true)
simulate!(arm, stopTime = 1.0, tolerance = 1e-9)
@test abs(getLastValue(arm, "joint.w") - 2.0/0.8) < 1e-8
@test abs(getLastValue(arm, "balance.kineticEnergy", unit = false) - 0.5*0.8*2.5^2) < 1e-7
# Alone on its joint.
Alone = Model3D(world = space, link = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.0, Iyy = 0.35))),
                joint = RevoluteWithFlange(obj1 = :world, obj2 = :link, axis = 2), drive = drive, connect = :[(joint.flange, drive.flange)])
alone = @instantiateModel(Alone, unitless = true)
simulate!(alone, stopTime = 1.0, tolerance = 1e-9)
@test abs(getLastValue(alone, "joint.w") - 2.0/0.35) < 1e-8

# A free body with such moments keeps energy and angular momentum, with the moments that were given.
Nut = Model3D(world = space, nut = Object3D(parent = :world, fixedToParent = false, angularVelocity = [0.02, 2.0, 0.01],
              feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.3003))))
nut = @instantiateModel(Nut, unitless = true)
simulate!(nut, stopTime = 10.0, tolerance = 1e-10)
h = getValues(nut, "balance.angularMomentum")
e = getValues(nut, "balance.kineticEnergy")
@test maximum(abs.(h[1, :] - [0.1*0.02, 0.2*2.0, 0.3003*0.01])) < 1e-12
@test maximum(abs.(h .- transpose(h[1, :]))) < 1e-7 && maximum(abs.(e .- e[1])) < 1e-7
@test abs(e[1] - 0.5*(0.1*0.02^2 + 0.2*2.0^2 + 0.3003*0.01^2)) < 1e-12

# ---- loose first ----------------------------------------------------------------------------------

solid(m) = Solid(massProperties = MassProperties(mass = m, centerOfMass = [0.1, 0.0, 0.0], Ixx = 0.1, Iyy = 0.15, Izz = 0.2))
objects = Map(world = space, body = Object3D(feature = solid(1.0)), pin = Object3D(parent = :body, translation = [0.3, 0, 0]),
              loose = Object3D(feature = solid(0.5)), more = Object3D(feature = solid(0.2)))
free = Free(obj1 = :world, obj2 = :body, velocity = [0.0, 0.2, 0.0], angularVelocity = [0.3, 0.5, 1.0])
ends = []
for first in [true, false], turned in [true, false], later in [true, false]
    joint = turned ? Revolute(obj1 = :loose, obj2 = :pin, axis = 3, w = Var(init = 0.7)) : Revolute(obj1 = :pin, obj2 = :loose, axis = 3, w = Var(init = -0.7))
    second = later ? Revolute(obj1 = :more, obj2 = :loose, axis = 1, w = Var(init = 0.2)) : Revolute(obj1 = :loose, obj2 = :more, axis = 1, w = Var(init = -0.2))
    model = first ? Model3D(; objects..., free = free, joint = joint, second = second) : Model3D(; objects..., joint = joint, second = second, free = free)
    m = @instantiateModel(model, unitless = true)
    simulate!(m, stopTime = 2.0, tolerance = 1e-9)
    push!(ends, vcat(getValues(m, "loose.r_abs")[end, :], getValues(m, "more.rot123_abs")[end, :], getValues(m, "body.r_abs")[end, :]))
end
for e in ends
    @test maximum(abs.(e - ends[1])) < 1e-7
end

# ---- a bushing that turns -------------------------------------------------------------------------

# A torsion spring about each axis in turn, wound up by more than half a turn both ways: I phi'' = -c phi, so the amplitude
# is 5 rad. About y it passes right angles, where the first and third angle are not determined.
for axis in 1:3, algorithm in [CVODE_BDF(), Tsit5()]
    unit = [1.0*(i == axis) for i in 1:3]
    Torsion = Model3D(
        world = space,
        shaft = Object3D(parent = :world, fixedToParent = false, angularVelocity = 5.0*sqrt(0.5/0.1)*unit,
                         feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
        pad = Bushing(obj1 = :world, obj2 = :shaft, springForceLaw = [1.0, 1.0, 1.0], rotSpringForceLaw = 0.5*unit, largeAngles = true)
    )
    torsion = @instantiateModel(Torsion, unitless = true)
    simulate!(torsion, algorithm, stopTime = 4.0, tolerance = 1e-9, interval = 0.01)
    t, phi = getValues(torsion, "time"), getValues(torsion, "pad.rotation")[:, axis]
    @test maximum(abs.(phi - 5.0*sin.(sqrt(0.5/0.1)*t))) < 1e-5
    @test maximum(abs.(getValues(torsion, "pad.torqueVector")[:, axis] + 0.5*phi)) < 1e-6
    e = getValues(torsion, "balance.totalEnergy")
    @test maximum(abs.(e .- e[1])) < 1e-5
end
