# A capsule that falls over: from its round end onto its side, and to rest.
#
# Shows: a capsule presses on flat sides with its round ends and with the strip along it, and goes over from one to the other
# without a jump. It is put down on its end, leaning by 0.3 rad, tips over, rocks from end to end ever lower, and lies still.
# Expect: from 2 s on it stays where it is to a billionth of a millimeter, and it lies as deep as the law says: the weight is
# k (L S + V), with a segment S of the circle and V of the ball, and k = E (1 - nu)/((1 + nu)(1 - 2 nu))/(d + t).
using Modia3D
using Test
@usingModiaPlot

r, L, t, lean, g, rho = 0.05, 0.2, 0.1, 0.3, 9.81, 8000.0
steel(shape, color) = Solid(shape = shape, solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = color))
Fallen = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, 0, -1]), nominalLength = 0.5)),
    plate = Object3D(parent = :world, translation = [0, 0, -0.5*t], feature = steel(Box(lengthX = 1, lengthY = 0.6, lengthZ = t), "LightGrey")),
    capsule = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, r + 0.5*L*cos(lean)], rotation = [0, lean, 0],
                       feature = steel(Capsule(axis = 3, diameter = 2*r, length = L), "SteelBlue")),
    touch = ContactResult(object1 = :capsule, object2 = :plate))

fallen = @instantiateModel(Fallen, unitless = true)
simulate!(fallen, stopTime = 5.0, tolerance = 1e-6, interval = 0.01)
x, time = getValues(fallen, "capsule.translation"), getValues(fallen, "time")
from = findfirst(s -> s >= 2.0, time)
still = maximum([norm(x[i, :] - x[end, :]) for i in from:length(time)])
deep = r - x[end, 3]
k = 2.0e11*0.7/(1.3*0.4)/(2*r + t)
carried = k*(L*(r^2*acos(1 - deep/r) - (r - deep)*sqrt(2*r*deep - deep^2)) + pi/3*deep^2*(3*r - deep))
weight = rho*(pi*r^2*L + 4/3*pi*r^3)*g
println("it lies ", round(1e6*deep, digits = 2), " micrometers deep, which carries ", round(carried, digits = 1), " N of ", round(weight, digits = 1), " N")
@test still < 1e-12
@test abs(carried/weight - 1) < 1e-3
plot(fallen, ["capsule.translation", "touch.normalForce"], heading = "A capsule that falls over")
