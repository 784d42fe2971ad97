# Forty hailstones on a plate: each has a solver of its own while it touches no other.
#
# Shows: bodies that do not touch have solvers of their own, by default. One solver for all would start anew whenever one of the forty lands.
# The stones fall from different heights and never meet, so each must move as it would alone: the run is compared with
# that of one stone.
# Expect: every stone bounces a few times and rests at its radius.
using Modia3D
using Test
@usingModiaPlot

N, D = 40, 0.05
height(i) = 0.3 + 0.02*i
stone(i) = Object3D(parent = :world, fixedToParent = false,
                    translation = [0.2*(i % 8), 0.2*div(i, 8), height(i)],
                    feature = Solid(shape = Sphere(diameter = D), solidMaterial = "DryWood", collision = true))
function hail(stones)
    m = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
                plate = Object3D(parent = :world, translation = [0.7, 0.4, -0.05],
                                 feature = Solid(shape = Box(lengthX = 3.0, lengthY = 2.0, lengthZ = 0.1), solidMaterial = "DryWood", collision = true)))
    for i in stones
        m[Symbol("stone$i")] = stone(i)
    end
    return m
end
All = hail(0:N-1)
hailing = @instantiateModel(All, unitless = true)
simulate!(hailing, stopTime = 1.5, tolerance = 1e-7, interval = 0.01)

# The last of them alone.
One = hail(N-1:N-1)
alone = @instantiateModel(One, unitless = true)
simulate!(alone, stopTime = 1.5, tolerance = 1e-7, interval = 0.01)
name = "stone$(N-1).translation"
z, times = getValues(hailing, name)[:, 3], getValues(hailing, "time")
zAlone, timesAlone = getValues(alone, name)[:, 3], getValues(alone, "time")
at(k, times, values) = values[findfirst(t -> abs(t - 0.01*k) < 1e-9, times)]
off = maximum(abs(at(k, times, z) - at(k, timesAlone, zAlone)) for k in 0:150)
println("beside the others and alone: ", off < 5e-5 ? "the same" : "$off m apart")
@test off < 5e-5
@test all(minimum(getValues(hailing, "stone$i.translation")[:, 3]) > D/2 - 1e-3 for i in 0:N-1)
plot(hailing, [Tuple("stone$i.translation[3]" for i in [0, 13, 26, 39])], heading = "Hail")
