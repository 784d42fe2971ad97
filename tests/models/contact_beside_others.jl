# Three scenes against closed forms and against an integration of the law outside of Segue (Runge-Kutta with steps of 5 ns
# in a script): all methods have the same numbers.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_beside_others.txt")
solid(shape, touch; mass = nothing) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true, massProperties = mass)
plate(touch, l) = solid(Box(lengthX = l, lengthY = 0.1, lengthZ = 2.0), touch)
nothingness = MassProperties(mass = 0.0)
methods = [(CVODE_BDF(), 1e-8), (IDA(), 1e-8), (KenCarp4(), 1e-8)]

# A steel ball with backspin strikes a steel plate: it leaves rolling.
Spin = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())),
               plate = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = plate("Hard", 2.0)),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.06, 0.0], velocity = [1.0, -2.0, 0.0],
                               angularVelocity = [0.0, 0.0, 20.0], feature = solid(Sphere(diameter = 0.1), "Hard")))
spin = @instantiateModel(Spin, unitless = true)
for (method, tolerance) in methods
    simulate!(spin, method, stopTime = 0.02, tolerance = tolerance)
    v, w = getLastValue(spin, "ball.velocity"), getLastValue(spin, "ball.angularVelocity")[3]
    @test abs(v[1]/0.426787644 - 1) < 1e-6
    @test abs(v[2]/1.366368399 - 1) < 1e-6
    @test abs(w/-8.537092808 - 1) < 1e-6
end

# A box on spheres at its vertices slides down an incline of 0.6 rad: g (sin - mu cos).
g, slope = 9.81, 0.6
down(touch) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, -1, 0]))),
    incline = Object3D(parent = :world, rotation = [0.0, 0.0, -slope]),
    plate = Object3D(parent = :incline, translation = [4.0, -0.05, 0.0], feature = plate(touch, 10.0)))
foot(x, z) = Object3D(parent = :box, translation = [x, -0.05, z], feature = solid(Sphere(diameter = 0.02), "Slides", mass = nothingness))
Box4 = down("Slides") | Model(
    box = Object3D(parent = :incline, fixedToParent = false, translation = [0.0, 0.06, 0.0],
                   feature = Solid(shape = Box(lengthX = 0.3, lengthY = 0.1, lengthZ = 0.2), massProperties = 2.0)),
    f1 = foot(0.15, 0.1), f2 = foot(0.15, -0.1), f3 = foot(-0.15, 0.1), f4 = foot(-0.15, -0.1))
# A ball rolls down, with resistance.
Ball = down("Rolls") | Model(
    ball = Object3D(parent = :incline, fixedToParent = false, translation = [0.0, 0.05, 0.0], feature = solid(Sphere(diameter = 0.1), "Rolls", mass = 2.0)))
for (what, name, expected) in [(Box4, "box", g*(sin(slope) - 0.3*cos(slope))), (Ball, "ball", g*(sin(slope) - 0.01*cos(slope))/1.4)]
    m = @instantiateModel(what, unitless = true)
    for (method, tolerance) in methods
        simulate!(m, method, stopTime = 1.0, tolerance = tolerance, interval = 0.01)
        t, v = getValues(m, "time"), getValues(m, "$name.velocity")[:, 1]
        i = argmin(abs.(t .- 0.5))
        a = (v[end] - v[i])/(t[end] - t[i])
        @test abs(a/expected - 1) < 1e-5
    end
end
