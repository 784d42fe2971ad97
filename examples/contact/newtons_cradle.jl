# Newton's cradle: one ball comes in, and one goes out on the other side.
#
# Shows: contacts between bodies on joints, a pair of contact materials of our own (parts/cradle.txt), a chain of impacts
# within half a millisecond, each of which is located.
# Five steel balls hang side by side, a tenth of a millimeter apart. Equal balls that hit each other one by one exchange
# their velocities, so the last one takes it all. The first falls through the angle of 0.5 rad; the last rises as high.
# Expect: the outer balls swing in turns, and the inner three nearly rest. Energy stays.
using Modia3D
using Test
@usingModiaPlot

Modia3D.loadPalettes!(contactPairMaterialPalette = "parts/cradle.txt")

n, d, gap, l, start, g = 5, 0.04, 1e-4, 0.3, -0.5, 9.81
Cradle = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, -1, 0]), balance = true)))
for i in 1:n
    Cradle[Symbol("hook$i")] = Object3D(parent = :world, translation = [(i - (n + 1)/2)*(d + gap), 0.0, 0.0])
    Cradle[Symbol("arm$i")] = Object3D(feature = Visual(shape = CoordinateSystem(length = 0.02)))
    Cradle[Symbol("string$i")] = Object3D(parent = Symbol("arm$i"), translation = [0.0, -l/2, 0.0],
                                          feature = Visual(shape = Cylinder(axis = 2, diameter = 0.002, length = l)))
    Cradle[Symbol("ball$i")] = Object3D(parent = Symbol("arm$i"), translation = [0.0, -l, 0.0],
                                        feature = Solid(shape = Sphere(diameter = d), solidMaterial = "Steel",
                                                        contactMaterial = "Bearing", collision = true))
    Cradle[Symbol("swing$i")] = Revolute(obj1 = Symbol("hook$i"), obj2 = Symbol("arm$i"), axis = 3,
                                         phi = Var(init = i == 1 ? start : 0.0))
end
cradle = @instantiateModel(Cradle, unitless = true)
simulate!(cradle, stopTime = 2.0, tolerance = 1e-9, interval = 0.002)

t = getValues(cradle, "time")
phi = [getValues(cradle, "swing$i.phi") for i in 1:n]
energy = getValues(cradle, "balance.totalEnergy")

# Where the outer balls turn around.
top(x) = [i for i in 2:length(x)-1 if abs(x[i]) > 0.1 && abs(x[i]) >= abs(x[i-1]) && abs(x[i]) > abs(x[i+1])]
right, left = top(phi[n]), top(phi[1])
println("the last ball rises to ", round(phi[n][right[1]], digits = 5), " rad after ", round(t[right[1]], digits = 3),
        " s, the first comes back to ", round(phi[1][left[1]], digits = 5), " rad after ", round(t[left[1]], digits = 3), " s")
inner = maximum(maximum(abs.(phi[k])) for k in 2:n-1)
mass, center, inertia = Modia3D.massProperties(Solid(shape = Sphere(diameter = d), solidMaterial = "Steel"))
fallen = mass*g*l*(1 - cos(start))
println("the inner balls move by ", round(inner, digits = 5), " rad at most")
@test abs(phi[n][right[1]] + start) < 1e-4
@test abs(phi[1][left[1]] - start) < 1e-4
@test maximum(phi[1][1:right[1]]) < 0.001  # the first ball stays where it hit, up to gaps and dents
@test inner < 0.0025
@test maximum(abs.(energy .- energy[1])) < 1e-5*fallen
# While the last ball rises it has all of the momentum: m l w, with w from its fall.
momentum = getValues(cradle, "balance.momentum")[:, 1]
w = sqrt(2*fallen/(mass*l^2 + inertia[3, 3]))
@test abs(maximum(momentum) - mass*l*w) < 1e-3*mass*l*w
plot(cradle, [Tuple("swing$i.phi" for i in 1:n), Tuple("swing$i.phi" for i in 2:n-1)], heading = "Newton's cradle")
