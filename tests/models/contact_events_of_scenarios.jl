# When contacts of the scenarios begin and how fast they are, and numbers of the papers on billiards.
using Modia3D
using Test

# The points right after the events at which a contact begins.
function begins(m)
    begun = getValues(m, "contacts.begun")
    return [i for i in 2:length(begun) if begun[i] > begun[i-1]]
end
near(x, expected, tolerance) = abs(x - expected) < tolerance

# ---- E1: six impacts -------------------------------------------------------------------------------------------------

include("e1_bouncing_sphere.jl")
t, v = getValues(bouncing, "time"), getValues(bouncing, "prism.v")
at = begins(bouncing)
left = [i for i in 2:length(t) if getValues(bouncing, "contacts.ended")[i] > getValues(bouncing, "contacts.ended")[i-1]]
table = [0.451524 4.429447 3.026109; 1.068476 3.026109 2.06737; 1.489967 2.06737 1.412372
         1.777923 1.412372 0.964887; 1.974649 0.964887 0.65917; 2.109048 0.65917 0.450307]
@test length(at) == 6 && length(left) == 6
for k in 1:6
    @test near(t[at[k]], table[k, 1], 1e-5)
    @test near(-v[at[k]], table[k, 2], 5e-5)
    @test near(v[left[k]], table[k, 3], 5e-5)
    @test near(v[left[k]]/-v[at[k]], 0.68318, 4e-5)
end

# ---- E2: eight impacts, then it rolls --------------------------------------------------------------------------------

include("e2_heavy_sphere.jl")
t, v = getValues(heavy, "time"), getValues(heavy, "sphere.velocity")[:, 2]
at = begins(heavy)
table = [0.201928 1.98091; 0.481369 1.33922; 0.671725 0.899562; 0.801168 0.597728
         0.888935 0.389718; 0.94815 0.245216; 0.987737 0.142813; 1.013617 0.064898]
@test length(at) == 8
for k in 1:8
    @test near(t[at[k]], table[k, 1], 3e-6)
    @test near(-v[at[k]], table[k, 2], 1e-5)
end

# ---- E3 and E7 in metric distances -----------------------------------------------------------------------------------

include("e3_ellipsoid.jl")
at = begins(ellipsoid)
table = [0.419773, 0.847090, 1.214618] # and no more: it leaves the plate
@test length(at) == 3 && norm(getValues(ellipsoid, "time")[at] - table) < 2e-6

include("e7_four_balls.jl")
at = begins(four)
table = [0.530375, 0.530667, 1.050435, 1.178378, 1.185477, 1.218244, 1.623859]
@test length(at) == 7 && norm(getValues(four, "time")[at] - table) < 3e-6

# ---- two balls on an older cloth (friction 0.6, rolling 0.02), figure 9 of [NEO2019] ---------------------------------

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_events_of_scenarios.txt")
ivory() = Solid(shape = Sphere(diameter = 0.06), solidMaterial = "BilliardBall", contactMaterial = "Ivory", collision = true)
cloth() = Object3D(parent = :world, translation = [0.0, 0.0, -0.01],
                   feature = Solid(shape = Box(lengthX = 3.0, lengthY = 0.5, lengthZ = 0.02), solidMaterial = "DryWood", contactMaterial = "Felt", collision = true))
rolling(x, v) = Object3D(parent = :world, fixedToParent = false, translation = [x, 0.0, 0.03], velocity = [v, 0.0, 0.0], feature = ivory())
down() = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1])))
Older = Model3D(world = down(), table = cloth(), first = rolling(-1.3, 3.0), second = rolling(0.0, 0.0))
older = @instantiateModel(Older, unitless = true)
simulate!(older, stopTime = 0.7, tolerance = 1e-8, interval = 0.001)
t = getValues(older, "time")
v1, v2, w1 = getValues(older, "first.velocity")[:, 1], getValues(older, "second.velocity")[:, 1], getValues(older, "first.angularVelocity")[:, 2]
point(time) = argmin(abs.(t .- time))
@test near(v1[point(0.15)], 2.121829, 2e-5) && near(w1[point(0.15)], 70.7265, 1e-3)
@test near(getValues(older, "first.translation")[point(0.5), 3], 0.03 - 1.608e-6, 1e-9)
hit = begins(older)[end]
@test near(t[hit], 0.559053, 2e-6) && near(v1[hit], 2.0645, 5e-5)
@test near(v1[point(0.56)], 0.0035, 5e-5) && near(v2[point(0.56)], 2.0610, 5e-5)

# ---- a ball and a cushion, figure 8 of [NO2019]: restitution 0.98, contact at 7/5 of the ball's radius -----------------

# It slides for 2 v/(7 mu g) = 0.109 s, rolls, hits the rail at 0.23 s and rolls back at once: that is what the height is for.
# The rail pushes the ball on the cloth, whose friction turns the spin around while they touch.
Rail = Model3D(world = down(), table = cloth(), ball = rolling(0.2, 2.25),
               rail = Object3D(parent = :world, translation = [0.6825, 0.0, 0.049],
                               feature = Solid(shape = Box(lengthX = 0.1, lengthY = 0.5, lengthZ = 0.014), solidMaterial = "DryWood", contactMaterial = "Rubber", collision = true)),
               touch = ContactResult(object1 = :ball, object2 = :rail))
rail = @instantiateModel(Rail, unitless = true)
simulate!(rail, stopTime = 0.6, tolerance = 1e-8, interval = 0.001)
t, v, w = getValues(rail, "time"), getValues(rail, "ball.velocity")[:, 1], getValues(rail, "ball.angularVelocity")[:, 2]
slip = v - 0.03*w
hit = begins(rail)[1]
@test slip[point(0.10)] > 0.05 && abs(slip[point(0.12)]) < 1e-3
@test near(t[hit], 0.2322, 1e-4) && abs(slip[hit]) < 1e-3
# The edge of the rail, rounded by 1 mm, is 12 mm above the center of the ball.
@test norm(getValues(rail, "touch.normalVector")[hit, :] - [-sqrt(1 - (13/31)^2), 0.0, -13/31]) < 1e-3
@test v[point(0.235)] < -0.9*v[hit] && abs(slip[point(0.235)]) < 0.03*v[hit]
@test v[end] < -0.85*v[hit] && abs(slip[end]) < 1e-3
