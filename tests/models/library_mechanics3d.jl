# Joints with friction, stops and motors, tires, and what parts of a 3D model share: by closed forms, and by SciPy for the cart (tests/peers/tires.py).
using Modia3D
using Test
include("$(Modia3D.modelsPath)/Mechanics3D.jl")

last(m, name) = getLastValue(m, name, unit = false)
near(a, b, eps = 1e-6) = abs(a - b) <= eps*max(1.0, abs(b))
body(mass, x, I) = Solid(massProperties = MassProperties(mass = mass, centerOfMass = [x, 0.0, 0.0], Ixx = I, Iyy = I, Izz = I))
methods = [CVODE_BDF(), IDA(), Rodas5(), Tsit5()]
function solved(model; stop, tolerance = 1e-8, solver = CVODE_BDF(), change = Map())
    m = @instantiateModel(model, unitless = true)
    simulate!(m, solver, stopTime = stop, tolerance = tolerance, merge = change)
    return m
end

# An arm that its hinge holds level: 9.81 N m of 9.9 N m, for an hour; and with gravity shared by the model it lets go at g = 9.9.
Arm(c, s) = Model3D(surroundings = surroundings, world = World(), arm = Object3D(feature = body(2.0, 0.5, 0.1)), rev = RevoluteWithFriction(obj1 = :world, obj2 = :arm, tau_c = c, tau_s = s))
for solver in methods
    local m = solved(Arm(2.0, 9.9), stop = 3600.0, solver = solver)
    @test abs(last(m, "rev.phi")) < 1e-15 && near(last(m, "rev.friction.tau"), -9.81, 1e-12)
end
@test abs(last(solved(Arm(9.9, 9.9), stop = 100.0, change = Map(surroundings = Map(g = 9.9*(1 - 1e-6)))), "rev.phi")) < 1e-15
# Beyond the limit by 1e-5 it falls: phi = -(g - 9.9) t^2/2 over I = 0.6 to begin with.
@test near(last(solved(Arm(9.9, 9.9), stop = 1.0, change = Map(surroundings = Map(g = 9.9*(1 + 1e-5)))), "rev.phi"), -9.9e-5/1.2, 2e-8)

# Half swings between phi and psi: m g l (sin phi - sin psi) = tau |psi - phi|, until gravity does not move it any more.
function rest(phi, tau)
    side = -1.0
    while abs(9.81*cos(phi)) > tau
        lo, hi = -pi/2, -pi/2 + side*(pi/2 + 0.2)
        for k in 1:100
            mid = 0.5*(lo + hi)
            if 9.81*(sin(phi) - sin(mid)) > tau*abs(mid - phi); lo = mid else hi = mid end
        end
        phi, side = lo, -side
    end
    return phi
end
for solver in methods
    local m = solved(Arm(0.5, 0.5), stop = 30.0, solver = solver)
    @test near(last(m, "rev.phi"), rest(0.0, 0.5)) && abs(last(m, "rev.w")) < 1e-12
end
# On a line: 3 kg with 2 m/s and 6 N come to rest after 1 m, and friction holds against 5 N.
m = solved(Model3D(world = World(), a = Object3D(feature = body(3.0, 0.0, 0.1)), slide = PrismaticWithFriction(obj1 = :world, obj2 = :a, v = Var(init = 2.0), f_c = 6.0, f_s = 6.0),
                   push = ConstantForce | Map(f = 5.0), connect = :[(push.flange, slide.flange)]), stop = 10.0)
@test near(last(m, "slide.s"), 6.0) && abs(last(m, "slide.v")) < 1e-12 && near(last(m, "slide.friction.flange.f"), 5.0)

# A wheel on a bearing whose friction is that of its load: w falls by mu r m g/I. Offset, the load is m (a + g): a pendulum that sticks within the angle of friction, sin = mu r/l.
Loaded(x, w) = Model3D(world = World(), a = Object3D(feature = body(2.0, x, 0.1)), rev = RevoluteWithFlange(obj1 = :world, obj2 = :a, phi = Var(init = -pi/2), w = Var(init = w)), f = LoadedFriction | Map(r = 0.02),
                       equations = :[bearing = a.R_abs*rev.reactionForce; f.load = sqrt(bearing[1]^2 + bearing[2]^2)], connect = :[(rev.flange, f.flange)])
for solver in methods
    local m = solved(Loaded(0.0, 3.0), stop = 10.0, solver = solver)
    @test abs(last(m, "rev.w")) < 1e-12 && near(last(m, "rev.phi") + pi/2, 4.5*0.1/(0.1*0.02*2*9.81))
end
m = solved(Loaded(0.5, 1.0), stop = 60.0)
@test abs(last(m, "rev.w")) < 1e-10 && abs(last(m, "rev.phi") + pi/2) < asin(0.1*0.02/0.5) + 1e-9 && near(last(m, "f.load"), 19.62)
@test near(last(m, "f.tau"), 2*9.81*0.5*sin(last(m, "rev.phi") + pi/2)*-1, 1e-8)

# End stops without dampers throw back: half a period of the spring. The door turns about y, so gravity does nothing.
Door = Model3D(world = World(), door = Object3D(feature = body(2.0, 0.5, 0.1)), hinge = RevoluteWithStops(obj1 = :world, obj2 = :door, axis = 2, w = Var(init = 2.0), phi_max = 0.5, d = 0.0),
               drawer = Object3D(feature = body(3.0, 0.0, 0.1)), slide = PrismaticWithStops(obj1 = :world, obj2 = :drawer, v = Var(init = -2.0), s_min = -0.5, d = 0.0))
for solver in methods
    local m = solved(Door, stop = 0.6, solver = solver)
    @test near(last(m, "hinge.w"), -2.0) && near(last(m, "hinge.phi"), 0.5 - 2*(0.35 - pi*sqrt(0.6/1e4)))
    @test near(last(m, "slide.v"), 2.0, 1e-5) && near(last(m, "slide.s"), -0.5 + 2*(0.35 - pi*sqrt(3/1e5)))
end

# A motor with gear on a joint: L di = V - R i - k n w, (I + eta n^2 J) dw = eta n k i; two exponentials.
Motor(eta, axis, V; keys...) = Model(bodies = Model3D(world = World(), a = Object3D(feature = body(2.0, 0.5, 0.1)), j = RevoluteWithMotor(; obj1 = :world, obj2 = :a, axis = axis, eta = eta, keys...)),
                             v = ConstantVoltage | Map(V = V), g = Ground, connect = :[(v.p, bodies.j.p); (v.n, bodies.j.n, g.p)])
for solver in methods, eta in [1.0, 0.9]
    local m = solved(Motor(eta, 2, 12.0, ratio = 20.0), stop = 0.5, solver = solver)
    b = eta*0.1^2*20^2/(0.001*(0.6 + eta*20^2*1e-4))
    l1, l2 = -500 + sqrt(500.0^2 - b), -500 - sqrt(500.0^2 - b)
    @test near(last(m, "bodies.j.w"), 12/2*(1 + (l2*exp(0.5*l1) - l1*exp(0.5*l2))/(l1 - l2)))
end
# Started from rest by a voltage that rises from zero, when nothing is large enough yet to say which way the gear turns.
Rising(V, eta) = Model(bodies = Model3D(world = World(), a = Object3D(feature = body(2.0, 0.5, 0.1)), j = RevoluteWithMotor(obj1 = :world, obj2 = :a, axis = 2, eta = eta, ratio = 20.0)),
                       v = SignalVoltage, g = Ground, equations = :[v.v = $V], connect = :[(v.p, bodies.j.p); (v.n, bodies.j.n, g.p)])
for solver in methods, eta in [1.0, 0.9], slope in [10.0, -10.0, 1e-3]
    local m = solved(Rising(:($slope*time), eta), stop = 0.5, solver = solver)
    b = eta*0.1^2*20^2/(0.001*(0.6 + eta*20^2*1e-4))
    l1, l2 = -500 + sqrt(500.0^2 - b), -500 - sqrt(500.0^2 - b)
    c1 = (1 + 1000/b*l2)/(l2 - l1)
    w = slope/2*(0.5 - 1000/b + c1*exp(0.5*l1) + (1000/b - c1)*exp(0.5*l2))
    @test abs(last(m, "bodies.j.w") - w) < 1e-6*abs(slope)
end
for solver in methods
    @test near(last(solved(Rising(:(time < 0.1 ? 0.0 : 12*(time - 0.1)), 0.9), stop = 1.0, solver = solver), "bodies.j.phi"), 1.6610977866)
    @test near(last(solved(Rising(:(10*time^2), 0.9), stop = 1.0, solver = solver), "bodies.j.phi"), 1.0393460978)
end
# Its gear holds the arm: what it gives is what gravity takes, also where friction depends on the load that it carries, and with current. Nothing is said about states that stay zero.
for (solver, stop) in [(CVODE_BDF(), 3600.0), (IDA(), 3600.0), (Rodas5(), 3600.0), (Tsit5(), 1.0)], V in [0.0, 0.5]
    local m = solved(Motor(0.9, 3, V, ratio = 50.0, tau_f = 0.2), stop = stop, solver = solver)
    @test abs(last(m, "bodies.j.phi")) < 1e-8 && near(last(m, "bodies.j.joint.flange.tau"), 9.81, 1e-9)
end
# Without a voltage the torque before the gear is noise about zero: that it changes its sign is nobody's matter (E0706 ended these runs).
for tolerance in [1e-5, 1e-6]
    @test abs(last(solved(Motor(0.9, 3, 0.0, ratio = 50.0, tau_f = 0.2), stop = 1.0, tolerance = tolerance, solver = Tsit5()), "bodies.j.phi")) < 1e-12
end
# A lift with a lead screw that loses half: i = m g h/(eta k), v = h (V - R i)/k with h = lead/2pi.
for solver in [CVODE_BDF(), IDA(), Rodas5()]
    local m = solved(Model(bodies = Model3D(world = World(), a = Object3D(feature = body(20.0, 0.0, 0.1)), j = PrismaticWithMotor(obj1 = :world, obj2 = :a, axis = 2, lead = 0.01, eta = 0.5)),
                           v = ConstantVoltage | Map(V = 12.0), g = Ground, connect = :[(v.p, bodies.j.p); (v.n, bodies.j.n, g.p)]), stop = 5.0, solver = solver)
    h = 0.01/(2*pi)
    @test near(-last(m, "v.i"), 20*9.81*h/0.05, 1e-8) && near(last(m, "bodies.j.v"), h*(12 - 20*9.81*h/0.05)/0.1, 1e-8)
end

# A cart with two wheels, led in its plane, the front one turned by 0.1 rad and the rear one driven until it spins.
mass(m, I) = Solid(massProperties = MassProperties(mass = m, Ixx = I, Iyy = I, Izz = I))
Cart = Model3D(surroundings = surroundings, world = World(), ox = Object3D(), oz = Object3D(), chassis = Object3D(feature = mass(100.0, 20.0)),
               jx = Prismatic(obj1 = :world, obj2 = :ox, axis = 1, v = Var(init = 8.0)), jz = Prismatic(obj1 = :ox, obj2 = :oz, axis = 3), jy = Revolute(obj1 = :oz, obj2 = :chassis, axis = 2),
               front = Object3D(parent = :chassis, translation = [0.8, 0.299, 0.0], rotation = [0.0, 0.1, 0.0]), rear = Object3D(parent = :chassis, translation = [-0.7, 0.299, 0.0]),
               wf = Object3D(feature = mass(10.0, 0.4)), wr = Object3D(feature = mass(10.0, 0.4)),
               af = Revolute(obj1 = :front, obj2 = :wf, axis = 3, w = Var(init = -26.0)), ar = RevoluteWithFlange(obj1 = :rear, obj2 = :wr, axis = 3, w = Var(init = -26.0)),
               tf = TyreOnPlane(wheel = :wf, c = 5.0e5), tr = TyreOnPlane(wheel = :wr, c = 5.0e5, roll = 0.02), motor = ConstantTorque | Map(tau = -40.0), connect = :[(motor.flange, ar.flange)])
for (solver, eps) in [(CVODE_BDF(), 1e-6), (Tsit5(), 1e-7)]
    local m = solved(Cart, stop = 3.0, solver = solver)
    @test near(last(m, "jx.s"), 13.1938886, eps) && near(last(m, "jz.s"), -18.1524113, eps) && near(last(m, "jy.phi"), 2.58644589, eps)
    @test near(last(m, "jy.w"), 2.34826915, eps) && near(last(m, "af.w"), -24.0398749, eps) && near(last(m, "ar.w"), -33.8760772, eps)
end
# On ice, by one line for all tires, it goes straight on.
@test abs(last(solved(Cart, stop = 1.0, change = Map(surroundings = Map(mu = 0.0))), "jy.phi")) < 1e-9

# A wheel that is put down rests at r - m g/c, in the gravity of the moon and with the ground elsewhere; up is then z.
Moon = Model3D(surroundings = Map(g = 1.62, n = [0.0, 0.0, -2.0], height = 1.5, mu = 0.9), world = World(), carrier = Object3D(), j = Prismatic(obj1 = :world, obj2 = :carrier, axis = 3, s = Var(init = 1.9)),
               wheel = Object3D(feature = mass(10.0, 0.4)), axle = Revolute(obj1 = :carrier, obj2 = :wheel, axis = 2, w = Var(init = 5.0)), tire = TyreOnPlane(wheel = :wheel, axis = 2, c = 1.0e4, d = 500.0))
m = solved(Moon, stop = 60.0)
@test near(last(m, "j.s"), 1.5 + 0.3 - 16.2/1e4, 1e-9) && near(last(m, "tire.N"), 16.2) && abs(last(m, "axle.w")) < 1e-6
