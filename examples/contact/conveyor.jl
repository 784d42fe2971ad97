# A box on a conveyor that starts and stops.
#
# Shows: stick and slip by turns. The belt is a plate with a drive that brings it to 1 m/s faster than friction can follow, so the box slips, then rides along and
# sticks; when the belt stops it slides on and comes to rest.
# Expect: in slip the box is accelerated by 0.5 g, no more; it rides with 1 m/s and stands still in the end.
using Modia3D
using Test
@usingModiaPlot

steel(shape, look) = Solid(shape = shape, solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = look))
Conveyor = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), flatContact = "area", visualizeContactPoints = true)),
    belt = Object3D(feature = Solid(shape = Box(lengthX = 4.0, lengthY = 0.5, lengthZ = 0.05), solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = "DimGrey"))),
    drive = PrismaticWithFlange(obj1 = :world, obj2 = :belt, axis = 1, s = Var(init = 0.0), v = Var(init = 0.0)),
    motor = Model(flange = Model(s = Var(potential = true), f = Var(flow = true)), u = Var(), equations = :[flange.f = -u]),
    connect = :[(drive.flange, motor.flange)],
    box = Object3D(parent = :world, fixedToParent = false, translation = [-0.5, 0.0, 0.125], feature = steel(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2), "Peru")),
    under = ContactResult(object1 = :box, object2 = :belt),
    equations = :[
        going = if time < 0.8; 1.0 else 0.0 end
        motor.u = 2e4*(going - drive.v)
    ])
conveyor = @instantiateModel(Conveyor, unitless = true)
simulate!(conveyor, stopTime = 1.6, tolerance = 1e-6, interval = 0.005)
t, x, v = getValues(conveyor, "time"), getValues(conveyor, "box.translation")[:, 1], getValues(conveyor, "box.velocity")[:, 1]
stuck = getValues(conveyor, "under.sticking")
k = findfirst(s -> s >= 0.7, t)
println("the box rides with ", round(v[k], digits = 4), " m/s at 0.7 s and stops after ", round(x[end] - x[1], digits = 4), " m")
@test abs(v[k] - 1.0) < 1e-5 && stuck[k] == 1.0             # it rides
@test stuck[findfirst(s -> s >= 0.1, t)] == 0.0             # after it slipped,
@test stuck[findfirst(s -> s >= 0.9, t)] == 0.0             # and before it does again
@test abs(v[end]) < 1e-6 && stuck[end] == 1.0
slip = v[findfirst(s -> s >= 0.1, t)]/t[findfirst(s -> s >= 0.1, t)]
@test abs(slip - 0.5*9.81) < 0.02*9.81
plot(conveyor, [("box.velocity[1]", "drive.v"), ("under.sticking", "under.frictionShare")], heading = "A conveyor starts and stops")
