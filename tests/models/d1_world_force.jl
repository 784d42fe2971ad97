# Scenario D1: a force along the axis of a turned frame; exact. A torque beside it.
using Modia3D
using Test

# A trapezoid: 1 N between 2 s and 3 s.
trapezoid(t) = max(0.0, min(1.0, t - 1.0, 4.0 - t))
pull(; time, objectApply, objectCoord) = [trapezoid(time), 0.0, 0.0]

cube(mass) = Solid(shape = Box(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1),
                   massProperties = MassProperties(mass = mass, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))

BoxWorldForce = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    frame = Object3D(parent = :world, rotation = [0.0, 0.0, 30u"°"]),
    box = Object3D(parent = :world, fixedToParent = false, feature = cube(1.0)),
    force = WorldForce(objectApply = :box, forceFunction = pull, objectCoord = :frame)
)
box = @instantiateModel(BoxWorldForce, unitless = true)
simulate!(box, stopTime = 5.0, tolerance = 1e-6, interval = 0.1,
          requiredFinalStates = [4.330091998452314, 2.4999797809222875, 0.0, 1.7320345346635413, 0.9999906048337232, 0.0,
                                 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
simulate!(box, stopTime = 5.0, tolerance = 1e-9)
@test maximum(abs.(getValues(box, "box.r_abs")[end, :] - [2.5*sqrt(3), 2.5, 0.0])) < 1e-6
@test maximum(abs.(getValues(box, "box.velocity")[end, :] - [sqrt(3), 1.0, 0.0])) < 1e-6
t = getValues(box, "time")
@test maximum(abs.(getValues(box, "force.forceVector")[:, 1] - trapezoid.(t))) < 1e-12
@test unit(getValuesWithUnit(box, "force.forceVector")[1]) == u"N"

# The function may look at the object: here it holds it back, as a damper would, and reads units.
brake(; time, objectApply, objectCoord) = -2.0*Modia3D.measFrameTransVelocity(objectApply)
turn(; time, objectApply, objectCoord) = [0.0, 0.0, 0.3u"N*m"]
Held = BoxWorldForce | Map(
    box = Map(velocity = [1.0, 0.0, 0.0]),
    force = redeclare | WorldForce(objectApply = :box, forceFunction = brake),
    torque = WorldTorque(objectApply = :box, torqueFunction = turn)
)
held = @instantiateModel(Held, unitless = true)
simulate!(held, stopTime = 2.0, tolerance = 1e-9)
@test abs(getValues(held, "box.velocity")[end, 1] - exp(-4.0)) < 1e-7
@test abs(getValues(held, "box.angularVelocity")[end, 3] - 6.0) < 1e-7
@test getValues(held, "torque.torqueVector")[end, :] == [0.0, 0.0, 0.3]

# With the annotations of published files.
function sineForce(; time::Float64, objectApply::Modia3D.Object3D{F}, objectCoord::Union{Modia3D.Object3D{F}, Nothing})::SVector{3,F} where F <: Modia3D.VarFloatType
    return SVector{3,F}(sin(time), 0.0, 0.0)
end
sine = @instantiateModel(BoxWorldForce | Map(force = Map(forceFunction = sineForce, objectCoord = nothing)), unitless = true)
simulate!(sine, stopTime = 2.0, tolerance = 1e-9)
@test abs(getValues(sine, "box.velocity")[end, 1] - (1.0 - cos(2.0))) < 1e-7
