# Free fall in every gravity field, against closed forms; energy stays in all of them.
using Modia3D
using Test

Falling(field; start = [0.0, 0.0, 2.0], velocity = [0.0, 0.0, 0.0]) = Model3D(
    world = Object3D(feature = Scene(gravityField = field, balance = true)),
    body = Object3D(parent = :world, fixedToParent = false, translation = start, velocity = velocity,
                    feature = Solid(shape = Box(lengthX = 0.1, lengthY = 0.2, lengthZ = 0.3), massProperties = 1.5))
)
function fall(field, stop; keys...)
    m = @instantiateModel(Falling(field; keys...), unitless = true)
    simulate!(m, stopTime = stop, tolerance = 1e-10)
    energy = getValues(m, "balance.totalEnergy")
    @test maximum(abs.(energy .- energy[1])) < 1e-6*maximum(abs.(getValues(m, "balance.kineticEnergy"))) + 1e-12
    return getValues(m, "body.r_abs")[end, :]
end
near(a, b) = maximum(abs.(a - b)) < 1e-6

@test near(fall(NoGravityField(), 3.0; velocity = [1.0, 0.0, -0.5]), [3.0, 0.0, 0.5])
@test near(fall(UniformGravityField(), 1.0), [0.0, -9.81/2, 2.0])
@test near(fall(UniformGravityField(g = 3.7, n = [0, 0, -2]), 0.5), [0.0, 0.0, 2.0 - 3.7/8])

# From rest towards a point mass: from r0 to r0/4 in sqrt(r0^3/(2 mue)) (u + sin(2u)/2), cos(u)^2 = 1/4.
u = acos(0.5)
T = sqrt(8.0/(2*2.0))*(u + sin(2u)/2)
@test near(fall(PointGravityField(mue = 2.0), T), [0.0, 0.0, 0.5])
# The mass may be given instead; and a circle around it takes its time.
G = 6.67408e-11
mass = 2.0/G
@test near(fall(PointGravityField(mass), T), [0.0, 0.0, 0.5])
@test near(fall(PointGravityField(mass = mass), 2pi*sqrt(8.0/2.0); start = [2.0, 0.0, 0.0], velocity = [0.0, 1.0, 0.0]), [2.0, 0.0, 0.0])
# The earth, by default, at its surface; the tolerance is relative to the distance of its center.
R = 6.3781e6
earth = @instantiateModel(Falling(PointGravityField(); start = [R, 0.0, 0.0]), unitless = true)
simulate!(earth, stopTime = 1.0, tolerance = 1e-10)
@test abs(getValues(earth, "body.velocity")[end, 1] + G*5.9722e24/R^2) < 1e-3
