# A screw press: a spindle turns in its bearing, and its thread drives a slider down.
#
# Shows: Helical, a joint that closes a loop: spindle and slider are held by joints of their own, and the thread between them
# leaves one degree of freedom of two.
# With the lead k = pitch/(2 pi), the torque tau at the spindle and the weight of the slider, both move together with
# (m + J/k^2) a = m g + tau/k.
# Expect: the slider is where this says, and the thread carries m (a - g).
using Modia3D
using Test
@usingModiaPlot

g, m, J, pitch, tau = 9.81, 20.0, 0.02, 0.01, 3.0
k = pitch/(2*pi)
Press = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, 0, -1]))),
    spindle = Object3D(feature = Solid(shape = Cylinder(axis = 3, diameter = 0.04, length = 0.5),
                                       massProperties = MassProperties(mass = 4.0, Ixx = 0.1, Iyy = 0.1, Izz = J))),
    slider = Object3D(feature = Solid(shape = Box(lengthX = 0.4, lengthY = 0.1, lengthZ = 0.08), massProperties = MassProperties(mass = m, Ixx = 0.3, Iyy = 0.3, Izz = 0.3))),
    bearing = Revolute(obj1 = :world, obj2 = :spindle, axis = 3),
    guide = Prismatic(obj1 = :world, obj2 = :slider, axis = 3),
    thread = Helical(obj1 = :spindle, obj2 = :slider, axis = 3, pitch = pitch),
    hand = WorldTorque(objectApply = :spindle),
    equations = :[hand.torque = [0.0, 0.0, $tau]]
)
press = @instantiateModel(Press, unitless = true)
simulate!(press, stopTime = 1.0, tolerance = 1e-9, interval = 0.01)

# Turned forward the spindle's thread pushes the slider the other way: seen from the spindle it turns back.
a = (m*g + tau/k)/(m + J/k^2)
t = getValues(press, "time")
s, phi = getValues(press, "guide.s"), getValues(press, "bearing.phi")
println("down by ", -1000*s[end], " mm after ", round(phi[end]/(2*pi), digits = 3), " turns; ", 500*a, " mm by the closed form")
@test maximum(abs.(s .+ 0.5*a*t.^2)) < 1e-9
@test maximum(abs.(phi .- 0.5*a*t.^2/k)) < 1e-6
@test abs(getValues(press, "thread.reactionForce")[end, 3] - m*(g - a)) < 1e-6
plot(press, ["guide.s", "bearing.phi"], heading = "Screw press")
