# Round sides roll as their materials say and no other way: damping of impacts, which acts over the whole patch, must not resist
# them. Closed forms for what rolls without slip: a = (sin - mu_r cos) g / (1 + J/(m R^2)), whatever restitution and elasticity.
using Modia3D, Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "flat_rolling.txt")
scene(n) = Scene(gravityField = UniformGravityField(g = 9.81, n = n))
solid(shape, touch; made = "Steel") = Solid(shape = shape, solidMaterial = made, contactMaterial = touch, collision = true)

Rolling(; a = 0.0, size = 1.0, touch = "Free", made = "Steel", v = 0.0) = Model3D(
    world = Object3D(feature = scene([sin(a), 0, -cos(a)])),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05*size], feature = solid(Box(lengthX = 20.0*size, lengthY = size, lengthZ = 0.1*size), "Floor")),
    roller = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.1*size], velocity = [v, 0, 0], angularVelocity = [0, v/(0.1*size), 0],
        feature = solid(Cylinder(axis = 2, diameter = 0.2*size, length = 0.3*size), touch, made = made)))
rolled(; T = 1.0, tol = 1e-7, solver = CVODE_BDF(), keys...) = begin
    m = @instantiateModel(Rolling(; keys...), unitless = true)
    simulate!(m, solver, stopTime = T, tolerance = tol)
    getLastValue(m, "roller.translation")
end

# Down a slope, of steel and of wood, three sizes, two solvers: only mu_r resists.
for (touch, mu, size, made) in [("Free", 0.0, 1.0, "Steel"), ("Free", 0.0, 10.0, "DryWood"), ("Slow", 0.02, 1.0, "DryWood"), ("Slow", 0.02, 0.1, "Steel"), ("Dead", 0.02, 10.0, "Steel")]
    T = sqrt(size)
    r = rolled(a = 0.1, size = size, touch = touch, made = made, T = T)
    @test abs(r[1]/(0.5*9.81*(sin(0.1) - mu*cos(0.1))*2/3*T^2) - 1) < 2e-3
    @test abs(r[2]) < 1e-9*size
end
@test abs(rolled(a = 0.1, solver = IDA())[1]/(9.81*sin(0.1)/3) - 1) < 1e-3

# On the level it goes on, or stops after v^2/(2 mu_r g 2/3).
@test abs(rolled(v = 1.0)[1] - 1.0) < 1e-4
@test abs(rolled(v = 1.0, touch = "Slow", T = 10.0)[1] - 1.0/(2*0.02*9.81*2/3)) < 0.03

# A wheel over a wheel of the same kind: both are round, and nothing holds the upper one back. While it does not slip and does not
# leave, the lower one fixed, (2 R) phi'' = 2/3 g sin(phi).
Wheels = Model3D(
    world = Object3D(feature = scene([0, 0, -1])),
    lower = Object3D(parent = :world, feature = solid(Cylinder(axis = 2, diameter = 0.2, length = 0.3), "Free")),
    upper = Object3D(parent = :world, fixedToParent = false, translation = [0.2*sin(0.1), 0, 0.2*cos(0.1)], feature = solid(Cylinder(axis = 2, diameter = 0.2, length = 0.3), "Free")))
wheels = @instantiateModel(Wheels, unitless = true)
simulate!(wheels, stopTime = 0.4, tolerance = 1e-7)
r = getLastValue(wheels, "upper.translation")
phi, w, h, c = 0.1, 0.0, 1e-4, 2/3*9.81/0.2
for i in 1:4000
    global phi, w
    w += 0.5*h*c*sin(phi)
    phi += h*w
    w += 0.5*h*c*sin(phi)
end
@test abs(atan(r[1], r[3]) - phi) < 2e-3
