# A capsule along a face presses with a strip and its round ends: it rests, bounces, rolls, and is held, by closed forms.
using Modia3D, Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "flat_capsule.txt")
g, r, half, rho = 9.81, 0.05, 0.1, 8000.0
gravity(n) = UniformGravityField(g = g, n = n)
part(shape, touch) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true)
On(field, touch; tilt = 0.0, z = r, v = 0.0) = Model3D(
    world = Object3D(feature = Scene(gravityField = field)),
    plate = Object3D(parent = :world, translation = [0, 0, -0.05], feature = part(Box(lengthX = 4, lengthY = 4, lengthZ = 0.1), "Plate")),
    capsule = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, z], rotation = [0, tilt, 0], velocity = [0, 0, -v],
                       feature = part(Capsule(axis = 1, diameter = 2*r, length = 2*half), touch)),
    touch = ContactResult(object1 = :capsule, object2 = :plate))
mh, mc = rho*2/3*pi*r^3, rho*pi*r^2*2*half
M = mc + 2*mh

# ---- rest ------------------------------------------------------------------------------------------------------------
# Depth by the law: the weight is k (L S + V), S a segment of the circle and V one of the ball; k of two layers as thick as the bodies.
steel = 2.0e11*0.7/(1.3*0.4)
k = steel/0.1/2
S(d) = r^2*acos(1 - d/r) - (r - d)*sqrt(2*r*d - d^2)
weight(d) = k*(2*half*S(d) + pi/3*d^2*(3*r - d))
for (tilt, h) in [(1e-3, 2e-4), (0.5, 0.1)]
    m = @instantiateModel(On(gravity([0, 0, -1]), "Rolls"; tilt = tilt, z = r + h), unitless = true)
    simulate!(m, stopTime = 10.0, tolerance = 1e-6, interval = 0.05)
    x, t = getValues(m, "capsule.translation"), getValues(m, "time")
    from = findfirst(s -> s >= 1.0, t)
    @test maximum([norm(x[i, :] - x[end, :]) for i in from:length(t)]) < 1e-9
    @test abs(weight(r - x[end, 3])/(M*g) - 1) < 0.01
    @test abs(getValues(m, "touch.normalForce")[end]/(M*g) - 1) < 1e-6
end

# ---- restitution -----------------------------------------------------------------------------------------------------
# Flat, and on one end: the impulse through the end turns the capsule, too.
I = mc/12*(3*r^2 + 4*half^2) + 2*(0.4*mh*r^2 + mh*((half + 0.375*r)^2 - (0.375*r)^2))
for (tilt, v) in [(0.0, 0.01), (0.0, 1.0), (0.05, 0.01), (0.05, 0.3), (0.5, 1.0), (1.2, 1.0)]
    m = @instantiateModel(On(NoGravityField(), "Bounces"; tilt = tilt, z = r + half*sin(tilt) + 1e-4, v = v), unitless = true)
    T = 0.003/v
    simulate!(m, stopTime = T, tolerance = 1e-7, interval = T/200)
    f = getValues(m, "touch.normalForce")
    i = findfirst(y -> y > 0, f)
    j = i + findfirst(y -> y == 0, f[i:end])
    x = tilt == 0 ? 0.0 : half*cos(tilt)
    J = 1.5*v/(1/M + x^2/I)
    @test abs(getValues(m, "capsule.velocity")[j, 3] - (J/M - v)) < 0.005*v
    @test abs(getValues(m, "capsule.angularVelocity")[j, 2] + J*x/I) < 0.005*v/half
end

# ---- rolling ---------------------------------------------------------------------------------------------------------
m = @instantiateModel(On(gravity([0, sin(0.1), -cos(0.1)]), "Rolls"), unitless = true)
simulate!(m, stopTime = 1.0, tolerance = 1e-7)
J = 0.5*mc*r^2 + 2*0.4*mh*r^2
x = getLastValue(m, "capsule.translation")
@test abs(x[2]/(0.5*g*sin(0.1)/(1 + J/(M*r^2))) - 1) < 1e-3
@test abs(x[1]) < 1e-8

# ---- held ------------------------------------------------------------------------------------------------------------
# 45 g along two pads; lifted, turned about all axes, shaken with 5 m/s2, turned back: no farther than the pads give way, and back.
pad() = Solid(shape = Box(lengthX = 0.01, lengthY = 0.03, lengthZ = 0.03), contactMaterial = "Pad", solidMaterial = "Aluminium", collision = true, massProperties = 0.05)
drive = Model(flange = Model(s = Var(potential = true), f = Var(flow = true)), u = Var(), equations = :[flange.f = -u])
soft(x) = x^3*(10 - 15*x + 6*x^2)
Pinch(force, length) = Model3D(world = Object3D(feature = Scene(gravityField = gravity([0, 0, -1]), nominalLength = 0.1)),
    hand = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.01, Iyy = 0.01, Izz = 0.01))),
    wrist = PrescribedMotion(obj1 = :world, obj2 = :hand, r = Var(), rot = Var()),
    pad1 = Object3D(parent = :hand, translation = [0.009, 0, 0], feature = pad()), pad2 = Object3D(feature = pad()),
    slide = PrismaticWithFlange(obj1 = :hand, obj2 = :pad2, axis = 1, s = Var(init = -0.009)), drive = drive, connect = :[(slide.flange, drive.flange)],
    capsule = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Capsule(axis = 2, diameter = 0.008, length = length), contactMaterial = "Pad",
                       solidMaterial = "Aluminium", massProperties = 0.045, collision = true)),
    seen = SensorResult(object = :capsule, objectOrigin = :pad1), touch = ContactResult(object1 = :capsule, object2 = :pad1), force = force,
    equations = :[
        drive.u = force
        lift = soft(min(max(time - 0.5, 0.0), 1.0))
        turn = soft(min(max(time - 1.5, 0.0), 1.0)) - soft(min(max(time - 5.0, 0.0), 1.0))
        on = soft(min(max(2*(time - 2.5), 0.0), 1.0)) - soft(min(max(2*(time - 4.5), 0.0), 1.0))
        shake = on*5.0/(10*pi)^2*sin(10*pi*time)
        wrist.r = [0.0, shake, 0.1*lift]
        wrist.rot = [1.5*turn, 0.0, 0.7*turn]
    ])
for (force, length) in [(12.0, 0.05), (60.0, 0.012)] # longer than the pads, and shorter
    m = @instantiateModel(Pinch(force, length), unitless = true)
    simulate!(m, stopTime = 7.0, tolerance = 1e-8, interval = 0.01)
    x, t = getValues(m, "seen.translation"), getValues(m, "time")
    from = findfirst(s -> s >= 0.4, t)
    # Each pad holds with 2 (1 - nu)/(2 - nu) k A, A k = 3/2 f/p of a strip, nearly.
    depth = getValues(m, "touch.penetration")[from]
    stiff = 2*2*(1 - 0.34)/(2 - 0.34)*1.5*force/depth
    @test maximum([norm(x[i, 2:3] - x[from, 2:3]) for i in from:size(x, 1)]) < 1.3*0.045*(sqrt(g^2 + 5^2) + g)/stiff
    @test norm(x[end, :] - x[from, :]) < 1e-7
end

# ---- a first touch of nothing but rounding ---------------------------------------------------------------------------------
# The middle of a round end comes down right above an edge: at the touch itself nothing is deep, and nothing presses (it was 747 kN there).
on_edge(off) = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true)),
    block = Object3D(parent = :world, rotation = [0, pi/4, 0], feature = Solid(shape = Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2), solidMaterial = "DryWood", collision = true)),
    falls = Object3D(parent = :world, fixedToParent = false, translation = [off, 0, 0.1*sqrt(2) + 0.0301], velocity = [0, 0, -1.0],
                     feature = Solid(shape = Capsule(axis = 1, diameter = 0.06, length = 0.1), solidMaterial = "DryWood", collision = true)), touch = ContactResult(object1 = :block, object2 = :falls))
hardest(m) = maximum([isnan(f) ? 0.0 : f for f in getValues(m, "touch.normalForce")])
peaks = Float64[]
for off in [0.05, 0.05 + 1e-6]
    m = @instantiateModel(on_edge(off), unitless = true)
    simulate!(m, stopTime = 0.02, tolerance = 1e-8, interval = 1e-5)
    push!(peaks, hardest(m))
end
@test abs(peaks[1]/peaks[2] - 1) < 0.01
