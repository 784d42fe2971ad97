# Four bodies roll down a slope: who is first?
#
# Shows: free bodies that roll by friction alone; objects of the incline's own frame, where x is the way down; a cylinder on
# two spheres, since a contact has one point and a cylinder's side would touch along a line.
# Without slip m a = m g sin(slope) - F and I a/r = F r - R mu m g cos(slope), where mu is the coefficient of rolling
# resistance and R the radius in Hertz' law: that of the sphere, half the smallest axis of an ellipsoid. So
#     a = g (sin(slope) - mu R/r cos(slope))/(1 + I/(m r^2)).
# Expect: the lens wins, by a hair (it rolls on its rim about its short axis, where I = 2/5 m r^2 as for a ball, and has less
# resistance), then come the ball, the cylinder (I = 1/2 m r^2) and the hollow ball (2/3).
using Modia3D
using Test
@usingModiaPlot

g, slope, r, m, mu = 9.81, 0.2, 0.05, 2.0, 0.001
steel(shape; mass = m) = Solid(shape = shape, solidMaterial = "Steel", collision = true, massProperties = mass)
ball = Sphere(diameter = 2*r)
starting(z, feature) = Object3D(parent = :incline, fixedToParent = false, translation = [0.0, r, z], feature = feature)

Race = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, -1, 0]))),
    incline = Object3D(parent = :world, rotation = [0.0, 0.0, -slope]),
    plate = Object3D(parent = :incline, translation = [2.0, -0.05, 0.0],
                     feature = Solid(shape = Box(lengthX = 5.0, lengthY = 0.1, lengthZ = 2.0), solidMaterial = "Steel", collision = true)),
    ball = starting(-0.6, steel(ball)),
    hollow = starting(-0.2, steel(ball, mass = MassProperties(mass = m, Ixx = 2/3*m*r^2, Iyy = 2/3*m*r^2, Izz = 2/3*m*r^2))),
    lens = starting(0.2, steel(Ellipsoid(lengthX = 2*r, lengthY = 2*r, lengthZ = 0.04))),
    cylinder = starting(0.6, Solid(shape = Cylinder(axis = 3, diameter = 2*r, length = 0.2), massProperties = m)),
    left = Object3D(parent = :cylinder, translation = [0.0, 0.0, -0.1], feature = steel(ball, mass = MassProperties(mass = 0.0))),
    right = Object3D(parent = :cylinder, translation = [0.0, 0.0, 0.1], feature = steel(ball, mass = MassProperties(mass = 0.0)))
)
race = @instantiateModel(Race, unitless = true)
simulate!(race, stopTime = 2.0, tolerance = 1e-8, interval = 0.01)

t = getValues(race, "time")
i, j = argmin(abs.(t .- 1.0)), length(t)
for (name, inertia, R) in [("ball", 2/5, r), ("lens", 2/5, 0.02), ("cylinder", 1/2, r), ("hollow", 2/3, r)]
    v = getValues(race, "$name.velocity")
    a = (v[j, 1] - v[i, 1])/(t[j] - t[i])
    expected = g*(sin(slope) - mu*R/r*cos(slope))/(1 + inertia)
    println(name, ": ", round(a, digits = 5), " m/s2, by theory ", round(expected, digits = 5), " m/s2; ",
            round(getLastValue(race, "$name.translation")[1], digits = 4), " m in 2 s")
    @test abs(a - expected) < 1e-5*expected
    # Friction of a few hundredths of the weight is reached at a slip of less than a millimeter a second.
    @test abs(v[j, 1] + r*getLastValue(race, "$name.angularVelocity")[3]) < 1e-3
end
plot(race, [("ball.velocity[1]", "lens.velocity[1]", "cylinder.velocity[1]", "hollow.velocity[1]")], heading = "Down a slope")
