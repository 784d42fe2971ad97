# A mobile of any depth, built by a recursive function: a large model in a few lines.
#
# Shows: models as values that functions build; joints with dampers on their flanges.
# A mobile hangs from a rod. Of depth one it is a rod with a ball at its end; deeper ones have a bar
# there, and at each end of the bar a mobile one level less deep. Three joints with dampers hold a
# level together: one turns the bar, two let what hangs from it swing.
# Expect: of depth d it has 3*2^(d-1) - 2 joints and twice as many states. Let go out of plumb, it
# swings and comes to rest slowly.
using Modia3D
using Test
@usingModiaPlot

include("$(Modia.modelsPath)/AllModels.jl")

rodLength = 0.2
thickness = 0.01
sphereDiameter = 0.06

DampedJoint(obj1, obj2; axis = 3, start = 0.0) = Model(
    joint = RevoluteWithFlange(obj1 = obj1, obj2 = obj2, axis = axis, phi = Var(init = start)),
    damper = Damper | Map(d = 0.001),
    fixed = Fixed,
    connect = :[
        (damper.flange_b, joint.flange)
        (damper.flange_a, fixed.flange)
    ]
)
Rod = Model(
    top = Object3D(feature = Visual(shape = Sphere(diameter = 2*thickness))),
    body = Object3D(parent = :top, translation = [0.0, -rodLength/2, 0.0],
                    feature = Solid(shape = Cylinder(axis = 2, diameter = thickness, length = rodLength),
                                    solidMaterial = "Steel")),
    bottom = Object3D(parent = :top, translation = [0.0, -rodLength, 0.0])
)
Bar = Model(
    L = 1.0,
    middle = Object3D(feature = Solid(shape = Beam(axis = 1, length = :L, width = thickness, thickness = thickness),
                                      solidMaterial = "Steel")),
    left = Object3D(parent = :middle, translation = :[-L/2, 0.0, 0.0]),
    right = Object3D(parent = :middle, translation = :[L/2, 0.0, 0.0])
)

createMobile(depth) = depth == 1 ?
    Model(
        rod = Rod,
        ball = Object3D(parent = :(rod.bottom),
                        feature = Solid(shape = Sphere(diameter = sphereDiameter), solidMaterial = "Steel"))
    ) :
    Model(
        rod = Rod,
        bar = Bar | Map(L = 0.05*2.0^depth),
        left = createMobile(depth - 1),
        right = createMobile(depth - 1),
        turn = DampedJoint(:(rod.bottom), :(bar.middle), axis = 2, start = 0.1*depth),
        swingLeft = DampedJoint(:(bar.left), :(left.rod.top)),
        swingRight = DampedJoint(:(bar.right), :(right.rod.top))
    )

Mobile(depth) = Model3D(
    world = Object3D(feature = Scene()),
    mobile = createMobile(depth),
    top = DampedJoint(:world, :(mobile.rod.top), start = 0.3)
)
depth = 3
mobile = @instantiateModel(Mobile(depth), unitless = true)
simulate!(mobile, stopTime = 5.0)
@test length(get_xNames(mobile)) == 2*(3*2^(depth - 1) - 2)
plot(mobile, [("top.joint.phi", "mobile.turn.joint.phi"), ("mobile.swingLeft.joint.phi", "mobile.swingRight.joint.phi")])
