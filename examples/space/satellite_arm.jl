# A satellite turns itself without a thruster: it leads its arm around a loop and back to where it was.
#
# Shows: a free base that carries joints with prescribed motion; momentum of a whole system; a result that depends on
# the way that was taken and not on how fast.
# Nothing pushes from outside, so momentum and angular momentum stay zero, and the base answers every motion of the arm.
# Expect: at the end all joints are at their start again and everything rests, but the satellite has turned by 13 degrees.
using Modia3D
using Test
@usingModiaPlot

include("$(Modia3D.modelsPath)/AllModels.jl")

# Three loops in the plane of the two joint angles, from rest to rest within T seconds.
Motion(middle, offset) = Model(
    T = 60.0,
    flange = Flange,
    equations = :[
        s = time/T
        flange.phi = $middle + 0.8*sin(6*pi*(10.0*s^3 - 15.0*s^4 + 6.0*s^5) + $offset)
    ]
)
Link(L) = Model(
    base = Object3D(),
    body = Object3D(parent = :base, translation = [L/2, 0.0, 0.0],
                    feature = Solid(shape = Beam(axis = 1, length = L, width = 0.1, thickness = 0.1),
                                    massProperties = MassPropertiesFromShapeAndMass(mass = 40.0))),
    tip = Object3D(parent = :base, translation = [L, 0.0, 0.0])
)
joint(obj1, obj2) = RevoluteWithFlange(obj1 = obj1, obj2 = obj2, phi = Var(init = nothing), w = Var(init = nothing))

Satellite = Model(
    space = Model3D(
        world = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true,
                                         animationFile = "satellite.json")),
        base = Object3D(parent = :world, fixedToParent = false,
                        feature = Solid(shape = Box(lengthX = 1.0, lengthY = 1.0, lengthZ = 1.0),
                                        massProperties = MassPropertiesFromShapeAndMass(mass = 200.0))),
        shoulder = Object3D(parent = :base, translation = [0.5, 0.0, 0.0]),
        arm1 = Link(1.5),
        arm2 = Link(1.2),
        rev1 = joint(:shoulder, :(arm1.base)),
        rev2 = joint(:(arm1.tip), :(arm2.base))
    ),
    motion1 = Motion(0.0, 0.0),
    motion2 = Motion(1.2, pi/2),
    connect = :[
        (motion1.flange, space.rev1.flange)
        (motion2.flange, space.rev2.flange)
    ]
)
satellite = @instantiateModel(Satellite, unitless = true)

largest(name) = maximum(abs.(getValues(satellite, name)))
function turned(T)
    simulate!(satellite, stopTime = T, tolerance = 1e-8, merge = Map(motion1 = Map(T = T), motion2 = Map(T = T)))
    @test largest("space.balance.momentum") < 1e-5*largest("space.base.velocity")*280.0
    @test largest("space.balance.angularMomentum") < 1e-5*largest("space.base.angularVelocity")*100.0
    @test maximum(abs.(getLastValue(satellite, "space.base.angularVelocity"))) < 1e-6
    return getLastValue(satellite, "space.base.rotation")[3]
end
quickly = turned(20.0)
slowly = turned(60.0)
println("the satellite has turned by ", round(quickly*180/pi, digits = 3), " degrees in 20 s, by ",
        round(slowly*180/pi, digits = 3), " degrees in 60 s")
@test abs(slowly) > 0.1
@test abs(slowly - quickly) < 1e-5

plot(satellite, [("space.rev1.phi", "space.rev2.phi"), "space.base.rotation[3]", "space.base.translation",
                 ("space.rev1.flange.tau", "space.rev2.flange.tau")])
