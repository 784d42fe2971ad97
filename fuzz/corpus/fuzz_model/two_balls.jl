using Modia3D
using Test
@usingModiaPlot
D = 0.057
R, g = D/2, 9.81
slab(x, y, z, material) = Solid(shape = Box(lengthX = x, lengthY = y, lengthZ = z), solidMaterial = material, collision = true)
rail(x, y, lx, ly) = Object3D(parent = :world, translation = [x, y, R], feature = slab(lx, ly, 0.03, "BilliardCushion"))
Table(lx, ly) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, 0, -1]), balance = true)),
    cloth = Object3D(parent = :world, translation = [0.0, 0.0, -0.02], feature = slab(lx + 0.2, ly + 0.2, 0.04, "BilliardTable")),
    right = rail(lx/2 + 0.025, 0.0, 0.05, ly),
    left = rail(-lx/2 - 0.025, 0.0, 0.05, ly),
    back = rail(0.0, ly/2 + 0.025, lx, 0.05),
    front = rail(0.0, -ly/2 - 0.025, lx, 0.05)
)
ball(x, y; velocity = [0.0, 0.0, 0.0], spin = [0.0, 0.0, 0.0]) = Object3D(
    parent = :world, fixedToParent = false, translation = [x, y, R], velocity = velocity, angularVelocity = spin,
    feature = Solid(shape = Sphere(diameter = D), solidMaterial = "BilliardBall", collision = true))


v0, mu, rolling = 2.0, 0.8, 0.01
Two = Table(2.4, 0.6) | Model(cue = ball(-1.0, 0.0, velocity = [v0, 0.0, 0.0]), target = ball(0.0, 0.0))
two = @instantiateModel(Two, unitless = true)
simulate!(two, stopTime = 0.01, tolerance = 1e-7, interval = 0.002)

t = getValues(two, "time")
v1, v2 = getValues(two, "cue.velocity")[:, 1], getValues(two, "target.velocity")[:, 1]
w1, w2 = getValues(two, "cue.angularVelocity")[:, 2], getValues(two, "target.angularVelocity")[:, 2]

rolls = 2*v0/(7*mu*g)
half, i = argmin(abs.(t .- rolls/2)), argmin(abs.(t .- rolls .- 0.02))
println("rolling after ", round(rolls, digits = 4), " s with ", round(v1[i], digits = 4), " m/s; 5/7 of the start: ",
        round(5/7*v0, digits = 4), " m/s")
@test abs(v1[half] - (v0 - mu*g*t[half])) < 1e-3*v0
@test abs(v1[i] - 5/7*v0) < 0.01*v0
@test abs(v1[i] - R*w1[i]) < 1e-3*v0

hit = findfirst(v2 .> 0.5)
before, after = argmin(abs.(t .- t[hit] .+ 0.004)), argmin(abs.(t .- t[hit] .- 0.15))
println("impact after ", round(t[hit], digits = 3), " s at ", round(v1[before], digits = 4), " m/s; later the balls roll with ",
        round(v1[after], digits = 4), " and ", round(v2[after], digits = 4), " m/s")
@test abs(v2[hit] - v1[before]) < 0.03*v0
@test abs(v1[after] - 2/7*v1[before]) < 0.02*v0
@test abs(v2[after] - 5/7*v1[before]) < 0.02*v0
@test abs(v1[end] - R*w1[end]) < 1e-3 && abs(v2[end] - R*w2[end]) < 1e-3
for v in [v1, v2]
    @test abs((v[end] - v[after])/(t[end] - t[after]) + 5/7*rolling*g) < 1e-3
end
plot(two, [("cue.velocity[1]", "target.velocity[1]"), ("cue.angularVelocity[2]", "target.angularVelocity[2]")],
     heading = "Two billiard balls")
