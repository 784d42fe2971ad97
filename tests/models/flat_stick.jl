# Flat sides that stick: they slip at their limit and not before, and what is carried, braked or pinched stays where it was.
using Modia3D, Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "flat_stick.txt")
g, mu = 9.81, 0.3
solid(shape, touch) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true)
scene(slope) = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [sin(slope), 0, -cos(slope)])))
free(feature, r) = Object3D(parent = :world, fixedToParent = false, translation = r, feature = feature)
ground(s, touch) = Object3D(parent = :world, translation = [0, 0, -s/2], feature = solid(Box(lengthX = 400*s, lengthY = 40*s, lengthZ = s), touch))
block(s, touch) = free(solid(Box(lengthX = s, lengthY = s, lengthZ = s/2), touch), [0, 0, s/4])
function run(m, stopTime; method = CVODE_BDF(), tolerance = 1e-7, points = 500)
    m = @instantiateModel(m, unitless = true)
    simulate!(m, method, stopTime = stopTime, tolerance = tolerance, interval = stopTime/points)
    return m
end
at(m, time) = findfirst(x -> x >= time, getValues(m, "time"))
soft(x) = x^3*(10 - 15*x + 6*x^2)

# ---- a force that rises ------------------------------------------------------------------------------------------------
# It slips at mu_s N, with 1 s, and goes on with what the force is more than mu N. The force acts at the floor, so that nothing tips.
# With a static coefficient the law by itself is 9.2e-5 off, and when friction lets go at 1e-7 is known to 3e-5 s, whichever way: so it is 1e-9 there.
for (s, touch, holds, method) in [(0.01, "Even", 0.3, CVODE_BDF()), (0.2, "Even", 0.3, CVODE_BDF()), (0.2, "Even", 0.3, IDA()), (0.2, "Even", 0.3, Rodas5()), (5.0, "Even", 0.3, CVODE_BDF()),
                                  (0.2, "Static", 0.4, CVODE_BDF()), (0.2, "Static", 0.4, Rodas5())]
    weight = 8000*s^3/2*g
    push(; time, args...) = [holds*weight*time, 0.0, 0.0]
    m = run(Model3D(world = scene(0.0), ground = ground(s, touch), a = block(s, touch), low = Object3D(parent = :a, translation = [0, 0, -s/4]),
                    f = WorldForce(objectApply = :low, forceFunction = push)), 1.2; method = method, tolerance = touch == "Static" ? 1e-9 : 1e-7)
    v, k = getValues(m, "a.velocity")[:, 1], at(m, 1.15)
    t = getValues(m, "time")[k]
    @test getValues(m, "a.translation")[at(m, 0.999), 1] < 1e-6*s
    @test abs(v[k]/(g*(holds*(t^2 - 1)/2 - mu*(t - 1))) - 1) < 1e-4
end

# ---- a plate that is tilted slowly --------------------------------------------------------------------------------------
# It slips where the slope is mu: events are located, so the angle is known to far less than what it takes in a step. What Newton's method may leave
# at 1e-8 is some 1e-6 of the limit of a face that gives way by nanometers, so it is 1e-9 here.
m = run(Model3D(world = scene(0.0), plate = Object3D(feature = solid(Box(lengthX = 10.0, lengthY = 2.0, lengthZ = 0.1), "Even")),
                lead = PrescribedMotion(obj1 = :world, obj2 = :plate, r = Var(), rot = Var()), a = free(solid(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.1), "Even"), [0, 0, 0.1]),
                seen = ContactResult(object1 = :a, object2 = :plate),
                equations = :[lead.r = [0.0, 0.0, 0.0]
                              angle = 0.29*soft(min(0.5*time, 1.0)) + 5e-4*max(time - 2.0, 0.0)
                              lead.rot = [0.0, angle, 0.0]]), 5.5; tolerance = 1e-9, points = 5500)
sticks, angle = getValues(m, "seen.sticking"), getValues(m, "angle")
@test abs(tan(angle[findlast(x -> x == 1.0, sticks)]) - mu) < 1e-6

# ---- an hour on a slope: tests/models/flat_contact.jl. Just above the limit it slides as Coulomb says ------------------------
# From when friction is wound up; in 10 s by v = g (tan - mu) cos t.
for more in [1e-6, 1e-3]
    slope = atan(mu*(1 + more))
    m = run(Model3D(world = scene(slope), ground = ground(0.2, "Even"), a = block(0.2, "Even")), 10.0; tolerance = 1e-8, points = 10)
    v = getValues(m, "a.velocity")[:, 1]
    @test abs((v[end] - v[at(m, 1.0)])/(9*g*mu*more*cos(slope)) - 1) < 0.01
end
# Between both coefficients what stands holds, and what slides goes on.
for (v, holds) in [(0.0, true), (0.5, false)]
    slope = atan(0.39)
    m = run(Model3D(world = scene(slope), ground = ground(0.2, "Static"), a = block(0.2, "Static") | Map(velocity = [v, 0, 0])), 2.0)
    @test abs(getLastValue(m, "a.velocity")[1]/(v + 2*g*(0.39 - mu)*cos(slope)) - (holds ? 0 : 1)) < 1e-2
end

# ---- a conveyor that starts and stops -----------------------------------------------------------------------------------
belt() = Model3D(world = scene(0.0), belt = Object3D(feature = solid(Box(lengthX = 10.0, lengthY = 2.0, lengthZ = 0.1), "Even")), lead = PrescribedMotion(obj1 = :world, obj2 = :belt, r = Var()),
                 a = free(solid(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.1), "Even"), [0, 0, 0.1]), seen = SensorResult(object = :a, objectOrigin = :belt))
# Slowly: it goes along.
m = run(belt() | Model3D(equations = :[lead.r = [soft(min(max(0.5*(time - 0.2), 0.0), 1.0)), 0.0, 0.0]]), 4.0)
x, k = getValues(m, "seen.translation"), at(m, 0.19)
@test maximum([norm(x[i, :] - x[k, :]) for i in k:size(x, 1)]) < 1e-7
@test norm(x[end, :] - x[k, :]) < 1e-8
# With 2 mu g to 1 m/s and back: it slips by v^2/(2 mu g) (1 - 1/2), and by as much the other way.
m = run(belt() | Model3D(v = Var(init = 0.0), way = Var(init = 0.0), equations = :[
    der(v) = if time > 0.2 && time < 0.2 + 1.0/(2*0.3*9.81); 2*0.3*9.81 elseif time > 1.2 && time < 1.2 + 1.0/(2*0.3*9.81); -2*0.3*9.81 else 0.0 end
    der(way) = v
    lead.r = [way, 0.0, 0.0]]), 2.5; tolerance = 1e-8)
x = getValues(m, "seen.translation")[:, 1]
@test abs((x[at(m, 0.15)] - x[at(m, 1.1)])/(1/(2*mu*g)*0.5) - 1) < 1e-3
@test abs(x[end] - x[at(m, 0.15)]) < 1e-7

# ---- wheels with a brake on a slope --------------------------------------------------------------------------------------
wheel() = Object3D(feature = solid(Cylinder(axis = 2, diameter = 0.1, length = 0.03), "Even"))
hub(x, y) = Object3D(parent = :cart, translation = [x, y, 0.0])
Cart = Model3D(world = scene(0.2), ground = ground(0.1, "Even"),
    cart = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.05], feature = Solid(massProperties = MassProperties(mass = 20.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    hub1 = hub(0.3, 0.2), hub2 = hub(-0.3, 0.2), hub3 = hub(0.3, -0.2), hub4 = hub(-0.3, -0.2), wheel1 = wheel(), wheel2 = wheel(), wheel3 = wheel(), wheel4 = wheel(),
    axle1 = RevoluteWithFlange(obj1 = :hub1, obj2 = :wheel1, axis = 2), axle2 = RevoluteWithFlange(obj1 = :hub2, obj2 = :wheel2, axis = 2),
    axle3 = RevoluteWithFlange(obj1 = :hub3, obj2 = :wheel3, axis = 2), axle4 = RevoluteWithFlange(obj1 = :hub4, obj2 = :wheel4, axis = 2),
    equations = :[
        on = if time < 20.0; 1.0 else 0.0 end
        axle1.flange.tau = -on*(1e4*axle1.phi + 50.0*axle1.w)
        axle2.flange.tau = -on*(1e4*axle2.phi + 50.0*axle2.w)
        axle3.flange.tau = -on*(1e4*axle3.phi + 50.0*axle3.w)
        axle4.flange.tau = -on*(1e4*axle4.phi + 50.0*axle4.w)
    ])
m = run(Cart, 22.0; points = 44)
x, v, k = getValues(m, "cart.translation"), getValues(m, "cart.velocity")[:, 1], at(m, 21.0)
wheels = 4*8000*pi*0.05^2*0.03
@test norm(x[at(m, 2.0), :] - x[at(m, 19.5), :]) < 1e-9
@test abs((v[end] - v[k])/(g*sin(0.2)*(20 + wheels)/(20 + 1.5*wheels)) - 1) < 1e-4

# ---- what lies along a pad ----------------------------------------------------------------------------------------------
# 45 g between two pads with 12 and 60 N; lifted by 0.1 m, turned, shaken at 5 m/s2 and turned back.
pad() = Solid(shape = Box(lengthX = 0.01, lengthY = 0.03, lengthZ = 0.03), contactMaterial = "Pad", solidMaterial = "Aluminium", collision = true, massProperties = 0.05)
drive = Model(flange = Model(s = Var(potential = true), f = Var(flow = true)), u = Var(), equations = :[flange.f = -u])
Pinch(shape, force) = Model3D(world = scene(0.0), hand = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.01, Iyy = 0.01, Izz = 0.01))),
    wrist = PrescribedMotion(obj1 = :world, obj2 = :hand, r = Var(), rot = Var()),
    pad1 = Object3D(parent = :hand, translation = [0.009, 0, 0], feature = pad()), pad2 = Object3D(feature = pad()),
    slide = PrismaticWithFlange(obj1 = :hand, obj2 = :pad2, axis = 1, s = Var(init = -0.009)), drive = drive, connect = :[(slide.flange, drive.flange)],
    held = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = shape, contactMaterial = "Pad", solidMaterial = "Aluminium", massProperties = 0.045, collision = true)),
    seen = SensorResult(object = :held, objectOrigin = :pad1), force = force,
    equations = :[
        drive.u = force
        lift = soft(min(max(time - 0.5, 0.0), 1.0))
        turn = soft(min(max(time - 1.5, 0.0), 1.0)) - soft(min(max(time - 5.0, 0.0), 1.0))
        on = soft(min(max(2*(time - 2.5), 0.0), 1.0)) - soft(min(max(2*(time - 4.5), 0.0), 1.0))
        wrist.r = [0.0, on*5.0/(10*pi)^2*sin(10*pi*time), 0.1*lift]
        wrist.rot = [1.5*turn, 0.0, 0.7*turn]
    ])
for (shape, force) in [(Cylinder(axis = 2, diameter = 0.008, length = 0.02), 12.0), (Cylinder(axis = 3, diameter = 0.008, length = 0.05), 60.0),
                       (Beam(axis = 2, length = 0.012, width = 0.008, thickness = 0.008), 12.0), (Box(lengthX = 0.008, lengthY = 0.02, lengthZ = 0.01), 12.0)]
    m = run(Pinch(shape, force), 7.0; points = 700)
    x, k = getValues(m, "seen.translation"), at(m, 0.4)
    @test maximum([norm(x[i, :] - x[k, :]) for i in k:size(x, 1)]) < 1e-7
    @test norm(x[end, :] - x[k, :]) < 1e-8
    @test getStateNames(m) == ["slide.s", "slide.v", "held.translation", "held.velocity", "held.rotation", "held.angularVelocity"]
end
