# Three superellipsoids fall on a plate: a rounded brick, a cushion and a bead with edges.
#
# Shows: Superellipsoid, whose two exponents lead from a box (towards 0) over an ellipsoid (1) to an octahedron (towards 2),
# and its distance to a plate beside a closed form while it falls.
# The body is (|x/a|^q + |y/b|^q)^(p/q) + |z/c|^p <= 1 with p = 2/e1, q = 2/e2, the unit ball of a norm; its lowest point lies
# the dual norm of "up", in its own axes, below the center: the same with exponents 2/(2 - e1) and 2/(2 - e2).
# Expect: distances as that formula says until the first touch; no impact gives energy; volumes as a sum says.
using Modia3D
using Test
@usingModiaPlot

g, a = 9.81, [0.05, 0.08, 0.04]
exponents = [[0.3, 0.3], [0.6, 1.0], [1.5, 1.4]]
body(e) = Solid(shape = Superellipsoid(lengthX = 2a[1], lengthY = 2a[2], lengthZ = 2a[3], e1 = e[1], e2 = e[2]),
                solidMaterial = "Steel", collision = true)
falls(x, e) = Object3D(parent = :world, fixedToParent = false, translation = [x, 0.0, 0.3], rotation = [0.3, 0.2, 0.4],
                       angularVelocity = [5.0, 3.0, -2.0], feature = body(e))

Falling = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, 0, -1]), balance = true)),
    plate = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                     feature = Solid(shape = Box(lengthX = 3.0, lengthY = 2.0, lengthZ = 0.1), solidMaterial = "Steel", collision = true)),
    brick = falls(-0.5, exponents[1]),
    cushion = falls(0.0, exponents[2]),
    bead = falls(0.5, exponents[3]),
    toBrick = DistanceResult(object1 = :plate, object2 = :brick),
    toCushion = DistanceResult(object1 = :plate, object2 = :cushion),
    toBead = DistanceResult(object1 = :plate, object2 = :bead)
)
falling = @instantiateModel(Falling, unitless = true)
simulate!(falling, stopTime = 0.5, tolerance = 1e-7, interval = 0.002)

lowest(u, e) = ((abs(a[1]*u[1])^(2/(2 - e[2])) + abs(a[2]*u[2])^(2/(2 - e[2])))^((2 - e[2])/(2 - e[1])) +
                abs(a[3]*u[3])^(2/(2 - e[1])))^((2 - e[1])/2)
for (name, result, e) in [("brick", "toBrick", exponents[1]), ("cushion", "toCushion", exponents[2]), ("bead", "toBead", exponents[3])]
    high, angles = getValues(falling, name * ".translation[3]"), getValues(falling, name * ".rotation")
    distance = getValues(falling, result * ".distance")
    touch, off = findfirst(distance .<= 1e-9), 0.0
    for i in 1:touch
        up = Modia3D.rot123(angles[i, 1], angles[i, 2], angles[i, 3])*[0.0, 0.0, 1.0]
        off = max(off, abs(distance[i] - (high[i] - lowest(up, e))))
    end
    println("the ", name, " touches the plate after ", round(getValues(falling, "time")[touch], digits = 4),
            " s; distances on the way as the formula says to ", off, " m")
    @test off < 1e-10
end
energy = getValues(falling, "balance.totalEnergy")
@test all(energy[i+1] - energy[i] < 1e-6*energy[1] for i in 1:length(energy)-1)

# Volumes, closed forms in the program, here summed up over rays: across the axis, then along it.
function summed(e)
    p, q, N, area, volume = 2/e[1], 2/e[2], 4000, 0.0, 0.0
    for i in 1:N
        c, s = cos((i - 0.5)/N*pi/2), sin((i - 0.5)/N*pi/2)
        area += 2*(c^q + s^q)^(-2/q)
        volume += 2/3*(c^p + s^p)^(-3/p)*c
    end
    return 2*a[1]*a[2]*a[3]*area*volume*(pi/2/N)^2
end
for e in exponents
    println("volume ", Modia3D.volume(body(e)), " m^3, summed up ", summed(e))
    @test abs(Modia3D.volume(body(e))/summed(e) - 1) < 1e-5
end
plot(falling, [("toBrick.distance", "toCushion.distance", "toBead.distance"), "balance.totalEnergy"], heading = "Superellipsoids")
