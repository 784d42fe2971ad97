# Parts of Mechanics3D.jl on the flanges of joints with several coordinates, and states that switch away from singular angles in a tree and in a loop: by closed forms.
using Modia3D
using Test
include("$(Modia3D.modelsPath)/Mechanics3D.jl")

last(m, name) = getLastValue(m, name, unit = false)
near(a, b, eps = 1e-6) = abs(a - b) <= eps*max(1.0, abs(b))
at(x) = Var(init = x)
methods = [CVODE_BDF(), IDA(), Rodas5(), Tsit5()]
function solved(model; stop, tolerance = 1e-8, solver = CVODE_BDF())
    m = @instantiateModel(model, unitless = true)
    simulate!(m, solver, stopTime = stop, tolerance = tolerance)
    return m
end
# 2 kg about its center, with the inertia I about each axis; gravity along -y.
ball(I) = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = I, Iyy = I, Izz = I)))
on(joint, parts) = Model3D(world = World(), a = ball(0.1), j = joint) | parts
# What comes to rest by a constant force: over the way v^2 m/(2 f).
way(v, m, f) = v^2*m/(2*f)

for solver in methods
    # A gimbal: friction about its first axis, a stop about the second one, which is reached with the speed that it began with and throws back.
    local m = solved(on(UniversalWithFlanges(obj1 = :world, obj2 = :a, axis1 = 1, axis2 = 2, w1 = at(3.0)),
        Model(f = JointFriction | Map(tau_c = 0.5, tau_s = 0.5), connect = :[(f.flange, j.flange1)])), stop = 5.0, solver = solver)
    @test near(last(m, "j.phi1"), way(3.0, 0.1, 0.5)) && abs(last(m, "j.w1")) < 1e-10 && abs(last(m, "j.phi2")) < 1e-10
    m = solved(on(UniversalWithFlanges(obj1 = :world, obj2 = :a, axis1 = 1, axis2 = 2, w2 = at(2.0)),
        Model(stop = RotationalStop | Map(phi_min = -1.0, phi_max = 0.5, c = 1.0e4, d = 0.0), connect = :[(stop.flange, j.flange2)])), stop = 0.5, solver = solver)
    half = pi*sqrt(0.1/1.0e4)
    @test near(last(m, "j.phi2"), 0.5 - 2.0*(0.5 - 0.25 - half), 1e-5) && near(last(m, "j.w2"), -2.0, 1e-5)
    # A spindle: both of its motions have friction of their own; and it is held against 5 of 6 N.
    m = solved(on(CylindricalWithFlanges(obj1 = :world, obj2 = :a, axis = 3, v = at(2.0), w = at(3.0)),
        Model(f = JointFriction | Map(tau_c = 0.5, tau_s = 0.5), g = GuideFriction | Map(f_c = 6.0, f_s = 6.0), push = ConstantForce | Map(f = -5.0),
              connect = :[(f.flange, j.flangePhi); (g.flange, push.flange, j.flangeS)])), stop = 5.0, solver = solver)
    @test near(last(m, "j.s"), way(2.0, 2.0, 11.0)) && abs(last(m, "j.v")) < 1e-10 && near(last(m, "j.phi"), way(3.0, 0.1, 0.5)) && near(last(m, "g.flange.f"), -5.0)
end
for solver in methods[1:3] # the windings are stiff
    # A plate: friction, a spring and a motor in its plane. Along y it hangs from the spring: 2*9.81/400 m, and swings about that.
    local m = solved(on(PlanarWithFlanges(obj1 = :world, obj2 = :a, axis = 3, v1 = at(2.0)),
        Model(g = GuideFriction | Map(f_c = 6.0, f_s = 6.0), spring = LinearSpring | Map(c = 400.0), hook = FixedPosition, motor = JointMotor | Map(L = 1.0e-6, ratio = 10.0, eta = 1.0),
              V = ConstantVoltage | Map(V = 5.0), ground = Ground,
              connect = :[(g.flange, j.flangeS1); (hook.flange, spring.flange_a); (spring.flange_b, j.flangeS2); (motor.flange, j.flangePhi); (V.p, motor.p); (V.n, motor.n, ground.p)])),
        stop = 1.0, solver = solver)
    # J = 0.1 + ratio^2 1e-4 = 0.11 behind k ratio = 1 N m/A with 1 ohm: w = 5 (1 - exp(-t/0.11)).
    @test near(last(m, "j.s1"), way(2.0, 2.0, 6.0)) && near(last(m, "j.s2"), -2*9.81/400*(1 - cos(sqrt(200.0))), 1e-5)
    @test near(last(m, "j.w"), 5.0*(1 - exp(-1/0.11)), 1e-5) && near(last(m, "j.phi"), 5.0*(1.0 - 0.11*(1 - exp(-1/0.11))), 1e-5)
    # A feed: a thread of 0.2 m, so 2 kg are 2 (0.2/2 pi)^2 kg m2 more; motor and screw.
    lead = 0.2/(2*pi)
    J = 0.1 + 2*lead^2 + 0.01
    m = solved(on(HelicalWithFlange(obj1 = :world, obj2 = :a, axis = 1, pitch = 0.2),
        Model(motor = JointMotor | Map(L = 1.0e-6, ratio = 10.0, eta = 1.0), V = ConstantVoltage | Map(V = 5.0), ground = Ground,
              connect = :[(motor.flange, j.flange); (V.p, motor.p); (V.n, motor.n, ground.p)])), stop = 1.0, solver = solver)
    @test near(last(m, "j.phi"), 5.0*(1.0 - J*(1 - exp(-1/J))), 1e-5) && near(last(m, "a.r_abs")[1], lead*last(m, "j.phi"))
    # A lead screw on a slide: 2 kg and the rotor, (2 pi/lead)^2 J.
    mass = 2.0 + (2*pi/0.1)^2*1.0e-4
    drive = 0.1*2*pi/0.1 # k over the lead: N/A and V s/m
    m = solved(on(PrismaticWithFlange(obj1 = :world, obj2 = :a, axis = 1), Model(motor = SlideMotor | Map(L = 1.0e-6, lead = 0.1, eta = 1.0), V = ConstantVoltage | Map(V = 5.0), ground = Ground,
              connect = :[(motor.flange, j.flange); (V.p, motor.p); (V.n, motor.n, ground.p)])), stop = 0.2, solver = solver)
    tau = mass/drive^2
    @test near(last(m, "j.s"), 5.0/drive*(0.2 - tau*(1 - exp(-0.2/tau))), 1e-5)
end

# A ball joint that a hinge narrows down to one axis turns through the angles that are singular, as the hinge alone does.
bar = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [0.0, -0.5, 0.2], Ixx = 0.1, Iyy = 0.2, Izz = 0.15)))
aslant = surroundings | Map(n = [-0.6, -0.48, -0.64])
for (axis, w) in ((2, [0.0, 7.0, 0.0]), (1, [9.0, 0.0, 0.0]), (3, [0.0, 0.0, 9.0]))
    hinge = solved(Model3D(surroundings = aslant, world = World(), a = bar, tip = Object3D(parent = :a, translation = [1.0, 1.0, 1.0]), j = Revolute(obj1 = :world, obj2 = :a, axis = axis, w = at(maximum(w)))), stop = 3.0, tolerance = 1e-10)
    loop = solved(Model3D(surroundings = aslant, world = World(), a = bar, tip = Object3D(parent = :a, translation = [1.0, 1.0, 1.0]), j = Spherical(obj1 = :world, obj2 = :a, w = at(w)),
        k = Revolute(obj1 = :world, obj2 = :a, axis = axis, cut = true)), stop = 3.0, tolerance = 1e-10)
    println("a ball with a hinge about axis ", axis, ": ", maximum(abs.(getValues(hinge, "tip.r_abs")[end, :] - getValues(loop, "tip.r_abs")[end, :])), " m")
    @test maximum(abs.(getValues(hinge, "tip.r_abs")[end, :] - getValues(loop, "tip.r_abs")[end, :])) < 1e-6
    @test (axis == 2) == (false in getValues(loop, "j.isrot123")) # the second angle alone comes near a right one
end

# A mass behind a spring whose other end is led by sin(3 t), from rest: x = c/(c/m - 9)/m (sin(3 t) - 3/w sin(w t)), w^2 = c/m = 50.
led = @instantiateModel(Model(source = PositionSource, spring = LinearSpring | Map(c = 100.0u"N/m"), mass = TranslationalMass | Map(m = 2.0u"kg"),
    equations = :[source.s = 1.0u"m"*sin(3.0*time/1u"s")], connect = :[(source.flange, spring.flange_a); (spring.flange_b, mass.flange_a)]))
simulate!(led, stopTime = 2.0u"s", tolerance = 1e-9)
@test near(last(led, "mass.s"), 50/(50 - 9)*(sin(6.0) - 3/sqrt(50)*sin(sqrt(50)*2)))

# A free body that its joint carries, thrown and spun: a parabola, and with one moment of inertia a spin that stays.
free = solved(Model3D(world = World(), a = ball(0.1), tip = Object3D(parent = :a, translation = [1.0, 0.0, 0.0]),
    j = FreeMotion2(obj1 = :world, obj2 = :a, v = at([1.0, 2.0, 3.0]), w = at([0.0, 0.0, 4.0]))), stop = 2.0, tolerance = 1e-10)
@test maximum(abs.(last(free, "a.r_abs") - [2.0, 4.0 - 9.81/2*4.0, 6.0])) < 1e-7
@test maximum(abs.(last(free, "tip.r_abs") - last(free, "a.r_abs") - [cos(8.0), sin(8.0), 0.0])) < 1e-7
