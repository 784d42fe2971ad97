# Points that stick (friction = "stick"): what is held stays, what slips does so at its limit, what rolls rolls; by closed forms.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "stick.txt")
g, mu = 9.81, 0.3
solid(shape, touch) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true)
scene(slope, friction) = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [sin(slope), 0, -cos(slope)]), friction = friction))
plate(touch, s) = solid(Box(lengthX = 40*s, lengthY = 6*s, lengthZ = 0.2*s), touch)
floor(touch, s) = Object3D(parent = :world, translation = [0, 0, -0.1*s], feature = plate(touch, s))
soft(x) = x^3*(10 - 15*x + 6*x^2)
at(m, time) = findfirst(x -> x >= time, getValues(m, "time"))

# A crate of the size s on four balls, with its center of mass near the floor.
function crate(touch, slope, s; friction = "stick")
    r = 0.05*s
    foot(x, y) = Object3D(parent = :crate, translation = [x*s, y*s, r], feature = Solid(shape = Sphere(diameter = 2*r), solidMaterial = "Steel",
                          contactMaterial = touch, collision = true, massProperties = MassProperties(mass = 0.0)))
    return Model3D(world = scene(slope, friction),
        crate = Object3D(parent = :world, fixedToParent = false,
                         feature = Solid(massProperties = MassProperties(mass = 1000*s^3, centerOfMass = [0, 0, 0.1*s], Ixx = 150*s^5, Iyy = 150*s^5, Izz = 150*s^5))),
        foot1 = foot(0.4, 0.4), foot2 = foot(-0.4, 0.4), foot3 = foot(0.4, -0.4), foot4 = foot(-0.4, -0.4))
end

# ---- slopes ----------------------------------------------------------------------------------------------------------
# An hour on a slope of 0.2 rad, and just below the limit.
for (slope, friction, touch) in [(0.2, "stick", "Grip"), (0.2, "thesis", "Held"), (atan(0.99*mu), "stick", "Grip"), (atan(mu*(1 - 1e-5)), "stick", "Grip")]
    m = @instantiateModel(crate(touch, slope, 1.0; friction = friction) | Model3D(floor = floor(touch, 1.0)), unitless = true)
    simulate!(m, stopTime = 3600.0, tolerance = 1e-6, interval = 1.0)
    x = getValues(m, "crate.translation")
    # It starts with a jolt, and so near to the limit little is left to stop it.
    @test norm(x[at(m, slope > 0.29 ? 600.0 : 1.0), :] - x[end, :]) < 1e-9
    @test getStateNames(m) == ["crate.translation", "crate.velocity", "crate.rotation", "crate.angularVelocity"]
end
# Between the coefficients of sliding and of stick what stands holds, and what slides goes on.
for (v, holds) in [(0.0, true), (0.5, false)]
    m = @instantiateModel(crate("Dry", atan(0.39), 1.0) | Model3D(floor = floor("Dry", 1.0), crate = Map(velocity = [v, 0, 0])), unitless = true)
    simulate!(m, stopTime = 2.0, tolerance = 1e-6, interval = 0.5)
    @test abs(getLastValue(m, "crate.velocity")[1]/(v + 2*g*(0.39 - mu)*cos(atan(0.39))) - (holds ? 0 : 1)) < 1e-2
end
# By default, and where the pair does not want it, it creeps.
for (friction, touch) in [("thesis", "Grip"), ("stick", "Soft")]
    m = @instantiateModel(crate(touch, 0.2, 1.0; friction = friction) | Model3D(floor = floor(touch, 1.0)), unitless = true)
    simulate!(m, stopTime = 2.0, tolerance = 1e-6)
    @test 1e-3 < getLastValue(m, "crate.velocity")[1] < 4e-3
end
# Beyond the limit it slides as Coulomb says.
slope = atan(1.1*mu)
m = @instantiateModel(crate("Grip", slope, 1.0) | Model3D(floor = floor("Grip", 1.0)), unitless = true)
simulate!(m, stopTime = 2.0, tolerance = 1e-7, interval = 0.5)
v = getValues(m, "crate.velocity")[:, 1]
@test abs((v[end] - v[at(m, 1.0)])/(g*(sin(slope) - mu*cos(slope))) - 1) < 1e-5

# ---- other structures ------------------------------------------------------------------------------------------------
# While it holds something else is attached and released: its anchors go on.
include("scenes/acting.jl")
changes(actions) = begin
    ActionWait(actions, 1.0)
    ActionAttach(actions, "lock", "spot")
    ActionWait(actions, 0.5)
    ActionRelease(actions, "lock")
end
fall = g*[sin(0.2), 0, -cos(0.2)]/2
foot(x, y) = Object3D(parent = :crate, translation = [x, y, 0.05], feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", contactMaterial = "Grip",
                      collision = true, massProperties = MassProperties(mass = 0.0)))
body(mass) = Solid(massProperties = MassProperties(mass = mass, Ixx = 150.0, Iyy = 150.0, Izz = 150.0))
m = @instantiateModel(Acting(changes;
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [sin(0.2), 0, -cos(0.2)]), friction = "stick", gap = 0.01, attachSpeed = 20.0)),
    floor = floor("Grip", 1.0), crate = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, feature = body(1000.0)),
    foot1 = foot(0.4, 0.4), foot2 = foot(-0.4, 0.4), foot3 = foot(0.4, -0.4), foot4 = foot(-0.4, -0.4),
    other = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0, 0, 50.0], feature = body(1.0)),
    lock = Object3D(parent = :other, lockable = true), spot = Object3D(parent = :world, lockable = true, translation = [0, 0, 50.0] + fall)), unitless = true)
simulate!(m, stopTime = 2.0, tolerance = 1e-7, interval = 0.01)
x = signal(m, "crate.r_abs")
@test norm(x[at(m, 0.99), :] - x[end, :]) < 1e-10

# ---- a force that rises until the crate slips ------------------------------------------------------------------------
for (s, method) in [(0.01, CVODE_BDF()), (1.0, CVODE_BDF()), (1.0, IDA()), (1.0, Rodas5()), (10.0, IDA())]
    mass = 1000*s^3
    push(; time, objectApply, objectCoord) = [mu*mass*g*time, 0.0, 0.0]
    m = @instantiateModel(crate("Grip", 0.0, s) | Model3D(floor = floor("Grip", s), force = WorldForce(objectApply = :crate, forceFunction = push)), unitless = true)
    stop = 1 + 0.5*sqrt(s)
    simulate!(m, method, stopTime = stop, tolerance = 1e-6, interval = 0.01)
    v, x = getValues(m, "crate.velocity")[:, 1], getValues(m, "crate.translation")[:, 1]
    # v = mu g (t - slip)^2/2
    slip = stop - sqrt(2*v[end]/(mu*g))
    @test abs(slip - 1) < 1e-4
    @test x[at(m, 0.995)] < 3e-5*s
end

# ---- a conveyor that starts and stops --------------------------------------------------------------------------------
belt(s) = Model3D(base = Object3D(parent = :world, translation = [0, 0, -0.1*s]), belt = Object3D(feature = plate("Grip", s)),
                  drive = PrescribedMotion(obj1 = :base, obj2 = :belt, r = Var()), seen = SensorResult(object = :crate, objectOrigin = :belt))
# Slowly: it is carried along.
m = @instantiateModel(crate("Grip", 0.0, 1.0) | belt(1.0) | Model3D(equations = :[drive.r = [soft(min(max(0.5*(time - 0.2), 0.0), 1.0)), 0.0, 0.0]]), unitless = true)
simulate!(m, stopTime = 4.0, tolerance = 1e-7, interval = 0.01)
x, k = getValues(m, "seen.translation"), at(m, 0.15)
@test maximum([norm(x[i, :] - x[k, :]) for i in k:size(x, 1)]) < 1e-5
@test norm(x[end, :] - x[k, :]) < 1e-8
# With 2 mu g up to 1 m/s: it slips by v^2/(2 mu g) (1 - 1/2), and then goes along.
m = @instantiateModel(crate("Grip", 0.0, 1.0) | belt(1.0) | Model3D(v = Var(init = 0.0), way = Var(init = 0.0), equations = :[
    der(v) = if time > 0.2 && time < 0.2 + 1.0/(2*0.3*9.81); 2*0.3*9.81 else 0.0 end
    der(way) = v
    drive.r = [way, 0.0, 0.0]]), unitless = true)
simulate!(m, stopTime = 1.5, tolerance = 1e-8, interval = 0.01)
x = getValues(m, "seen.translation")[:, 1]
@test abs((x[at(m, 0.15)] - x[end])/(1/(2*mu*g)*0.5) - 1) < 5e-3 # it takes a millisecond to wind up the contacts
@test abs(x[end] - x[at(m, 1.0)]) < 1e-8

# ---- static friction above that of sliding: stick and slip by turns --------------------------------------------------
# On a belt with v, held by a spring: it sticks for 2 A/v, A = (mu_s - mu) m g/c, and slips until it is as fast as the belt again.
c, v, w = 4e5, 0.1, 20.0
spring(; time, objectApply, objectCoord) = [-c*Modia3D.measFramePosition(objectApply)[1], 0.0, 0.0]
A, middle = 0.15*1000*g/c, mu*1000*g/c
period, top = 2*A/v + 2*(pi - atan(A*w/v))/w, middle + sqrt(A^2 + (v/w)^2)
for method in [CVODE_BDF(), IDA(), Rodas5()]
    m = @instantiateModel(crate("Dry", 0.0, 1.0) | Model3D(crate = Map(velocity = [v, 0, 0]), base = Object3D(parent = :world, translation = [0, 0, -0.1]),
        belt = Object3D(feature = plate("Dry", 1.0)), drive = PrescribedMotion(obj1 = :base, obj2 = :belt, r = Var()),
        force = WorldForce(objectApply = :crate, forceFunction = spring), equations = :[drive.r = [0.1*time, 0.0, 0.0]]), unitless = true)
    simulate!(m, method, stopTime = 2.0, tolerance = 1e-6, interval = 0.0005)
    x, t = getValues(m, "crate.translation")[:, 1], getValues(m, "time")
    tops = [t[i] for i in 2:length(t)-1 if x[i] > x[i-1] && x[i] >= x[i+1] && x[i] > 0.99*maximum(x)]
    turns = 1 + sum(diff(tops) .> 0.1)
    @test turns == 6
    @test abs((tops[end] - tops[1])/(5*period) - 1) < 2e-3
    @test abs(maximum(x)/top - 1) < 1e-2
end

# ---- rolling ---------------------------------------------------------------------------------------------------------
ball(r, v) = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, r], velocity = v, feature = solid(Sphere(diameter = 2*r), "Grip"))
for (r, method, tolerance) in [(0.0005, CVODE_BDF(), 1e-4), (0.05, CVODE_BDF(), 1e-6), (0.05, IDA(), 1e-6), (0.05, Rodas5(), 1e-6), (5.0, CVODE_BDF(), 1e-8)]
    stop = sqrt(r/0.05)
    # Down a slope; the radius of rolling is smaller by the depth.
    m = @instantiateModel(Model3D(world = scene(0.2, "stick"), floor = floor("Grip", 10*r), ball = ball(r, zeros(3))), unitless = true)
    simulate!(m, method, stopTime = stop, tolerance = tolerance, interval = stop/4)
    v, w, k = getValues(m, "ball.velocity"), getValues(m, "ball.angularVelocity"), at(m, stop/2)
    @test abs((v[end, 1] - v[k, 1])/(getValues(m, "time")[end] - getValues(m, "time")[k])/(5/7*g*sin(0.2)) - 1) < 2e-4
    @test abs(v[end, 1]/(w[end, 2]*r) - 1) < 3e-4
    # From sliding to rolling.
    m = @instantiateModel(Model3D(world = scene(0.0, "stick"), floor = floor("Grip", 10*r), ball = ball(r, [stop, 0, 0])), unitless = true)
    simulate!(m, method, stopTime = stop, tolerance = tolerance)
    @test abs(getLastValue(m, "ball.velocity")[1]/(5/7*stop) - 1) < 2e-4
end

# Four balls in a pyramid, three of them on the floor: it stands where mu > tan(theta/2), sin(theta) = 1/sqrt(3), so from 0.3178 on.
for (touch, stands) in [("Less", false), ("More", true)], r in [0.0005, 0.05, 5.0]
    one(x, y, z) = Object3D(parent = :world, fixedToParent = false, translation = r*[x, y, z], feature = solid(Sphere(diameter = 2*r), touch))
    m = @instantiateModel(Model3D(world = scene(0.0, "stick"), floor = floor(touch, 10*r), a = one(2/sqrt(3), 0, 1), b = one(-1/sqrt(3), 1, 1), c = one(-1/sqrt(3), -1, 1),
                                  top = one(0, 0, 1 + 2*sqrt(2/3))), unitless = true)
    simulate!(m, stopTime = 5*sqrt(r/0.05), tolerance = 1e-7)
    x, t = getValues(m, "top.translation"), getValues(m, "time")
    @test (x[end, 3] > 2*r) == stands
    @test !stands || norm(x[end, :] - x[findfirst(u -> u >= t[end]/2, t), :]) < 1e-9*r
end

# A cart on four balls: its brake holds it on a slope, and when that is off after 20 s it rolls down.
tyre() = Object3D(feature = solid(Sphere(diameter = 0.1), "Grip"))
hub(x, y) = Object3D(parent = :cart, translation = [x, y, 0.0])
Cart = Model3D(world = scene(0.2, "stick"), floor = floor("Grip", 1.0),
    cart = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.05], feature = Solid(massProperties = MassProperties(mass = 20.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    hub1 = hub(0.3, 0.2), hub2 = hub(-0.3, 0.2), hub3 = hub(0.3, -0.2), hub4 = hub(-0.3, -0.2),
    tyre1 = tyre(), tyre2 = tyre(), tyre3 = tyre(), tyre4 = tyre(),
    axle1 = RevoluteWithFlange(obj1 = :hub1, obj2 = :tyre1, axis = 2), axle2 = RevoluteWithFlange(obj1 = :hub2, obj2 = :tyre2, axis = 2),
    axle3 = RevoluteWithFlange(obj1 = :hub3, obj2 = :tyre3, axis = 2), axle4 = RevoluteWithFlange(obj1 = :hub4, obj2 = :tyre4, axis = 2),
    equations = :[
        on = if time < 20.0; 1.0 else 0.0 end
        axle1.flange.tau = -on*(1e4*axle1.phi + 50.0*axle1.w)
        axle2.flange.tau = -on*(1e4*axle2.phi + 50.0*axle2.w)
        axle3.flange.tau = -on*(1e4*axle3.phi + 50.0*axle3.w)
        axle4.flange.tau = -on*(1e4*axle4.phi + 50.0*axle4.w)
    ])
m = @instantiateModel(Cart, unitless = true)
simulate!(m, stopTime = 22.0, tolerance = 1e-7, interval = 0.5)
x, v, k = getValues(m, "cart.translation"), getValues(m, "cart.velocity")[:, 1], at(m, 21.0)
@test norm(x[at(m, 2.0), :] - x[at(m, 19.5), :]) < 1e-9
tyres = 4*8000*4/3*pi*0.05^3
@test abs((v[end] - v[k])/(g*sin(0.2)*(20 + tyres)/(20 + 1.4*tyres)) - 1) < 1e-4

# ---- a capsule between two pads --------------------------------------------------------------------------------------
# 45 g; lifted, turned, shaken at 5 m/s2, and turned back. At points; areas: flat_capsule.jl.
points = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, 0, -1]), friction = "stick", flatContact = "point"))
pad() = Solid(shape = Box(lengthX = 0.01, lengthY = 0.03, lengthZ = 0.03), contactMaterial = "Pad", solidMaterial = "Aluminium", collision = true, massProperties = 0.05)
drive = Model(flange = Model(s = Var(potential = true), f = Var(flow = true)), u = Var(), equations = :[flange.f = -u])
half = 0.014
Pinch(force) = Model3D(world = points, hand = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.01, Iyy = 0.01, Izz = 0.01))),
    wrist = PrescribedMotion(obj1 = :world, obj2 = :hand, r = Var(), rot = Var()),
    pad1 = Object3D(parent = :hand, translation = [half + 0.005, 0, 0], feature = pad()), pad2 = Object3D(feature = pad()),
    slide = PrismaticWithFlange(obj1 = :hand, obj2 = :pad2, axis = 1, s = Var(init = -half - 0.005)), drive = drive, connect = :[(slide.flange, drive.flange)],
    capsule = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Capsule(axis = 1, diameter = 0.008, length = 0.02), contactMaterial = "Pad",
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
for (force, method) in [(12.0, CVODE_BDF()), (60.0, CVODE_BDF()), (12.0, IDA())]
    m = @instantiateModel(Pinch(force), unitless = true)
    simulate!(m, method, stopTime = 7.0, tolerance = 1e-7, interval = 0.01)
    x, k = getValues(m, "seen.translation"), at(m, 0.4)
    # Two contacts, each of 2 (1 - nu)/(2 - nu) 3/2 f/p. Its weight pulls another way once it is turned.
    depth = getValues(m, "touch.penetration")[k]
    stiff = 2*2*(1 - 0.34)/(2 - 0.34)*1.5*force/depth
    pull = (Modia3D.rot123(1.5, 0.0, 0.7)*[0, 0, -g] - [0, 0, -g])[2:3]
    @test norm(x[at(m, 5.0), 2:3] - x[k, 2:3] - 0.045*pull/stiff) < 0.03*0.045*norm(pull)/stiff + 1e-7*0.1 # it was lifted by 0.1 m
    # With 5 m/s2 across the weight, and turned: from there it goes by this at most across the pads.
    most = maximum([norm(x[i, 2:3] - x[k, 2:3]) for i in k:size(x, 1)])
    @test most < 0.045*(sqrt(g^2 + 5^2) + g)/stiff
    @test norm(x[end, :] - x[k, :]) < 1e-7
end
