# An engine on a rubber mount: springs and dampers along and about three axes, one of them stiffening
# by a function of the model. The engine shakes by an unbalanced force that turns with it; the plot
# shows how far it moves and what the frame feels.
using Modia3D
using Test

rubber(x) = 4.0e4*x + 2.0e8*x^3
speed = 2*pi*15.0                                            # fifteen turns a second
unbalance(; time, objectApply, objectCoord) = 60.0*[cos(speed*time), sin(speed*time), 0.0]

EngineMount = Model3D(
    world = Object3D(feature = Scene()),
    engine = Object3D(parent = :world, fixedToParent = false,
                      feature = Solid(shape = Box(lengthX = 0.5, lengthY = 0.4, lengthZ = 0.4),
                                      massProperties = MassPropertiesFromShapeAndMass(mass = 80.0),
                                      visualMaterial = VisualMaterial(color = "Steel Blue"))),
    crank = Object3D(parent = :engine, translation = [0.0, -0.1, 0.0]),
    mount = Bushing(obj1 = :world, obj2 = :engine,
                    springForceLaw = [4.0e4, rubber, 4.0e4], damperForceLaw = [400.0, 400.0, 400.0],
                    rotSpringForceLaw = [2.0e3, 2.0e3, 2.0e3], rotDamperForceLaw = [20.0, 20.0, 20.0]),
    shake = WorldForce(objectApply = :crank, forceFunction = unbalance)
)

mount = @instantiateModel(EngineMount, unitless = true)
simulate!(mount, stopTime = 3.0, tolerance = 1e-7)

y = getValues(mount, "engine.r_abs")[:, 2]
println("the engine sinks by ", round(-1000*y[end], digits = 1), " mm and shakes by ",
        round(1000*(maximum(y[400:end]) - minimum(y[400:end]))/2, digits = 2), " mm")
# On average the mount carries the weight.
weight = 80.0*9.81
last = getValues(mount, "mount.forceVector")[end-165:end, 2]      # fifteen turns
@test abs(sum(last)/length(last) - weight) < 0.01*weight
plot(mount, ["engine.translation", "mount.forceVector"])
