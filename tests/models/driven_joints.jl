# Joints and the equations around them: sticking friction, a sampled controller, a rack between two joints, a drive between
# two parts, accelerations that close loops, joints by themselves beside coupled ones.
using Modia3D
using Test
include("$(Modia.modelsPath)/AllModels.jl")
include("$(Modia.modelsPath)/Translational.jl")
include("scenes/two_links.jl")

off(x, y) = maximum(abs.(x .- y))
bar(m, c, I) = Solid(massProperties = MassProperties(mass = m, centerOfMass = [c, 0, 0], Ixx = I, Iyy = I, Izz = I))
Pendulum(m, c, I, phi, w) = Model3D(
    world = Object3D(feature = Scene()), bar = Object3D(feature = bar(m, c, I)),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :bar, phi = phi, w = w)
)

# Dry friction in the hinge, which slides, sticks and lets go again. From rest at 0.1 it swings until the work of
# friction is what the weight gave: m g c (sin(0.1) - sin(phi)) = tau0 (0.1 - phi); at last it sticks.
Friction = Model(
    flange = Flange, tau0 = 3.0, forward = Var(start = false), backward = Var(start = false),
    equations = :[
        w = der(flange.phi)
        a = der(w)
        stuck = !(pre(forward) || pre(backward))
        beyond = positive(sa - 1.0)
        below = positive(-sa - 1.0)
        startForward = stuck && beyond
        startBackward = stuck && below
        locked = stuck && !startForward && !startBackward
        a = if locked; 0.0 elseif pre(forward) || startForward; sa - 1.0 else sa + 1.0 end
        flange.tau = tau0*(if locked; sa elseif pre(forward) || startForward; 1.0 else -1.0 end)
        ahead = positive(w)
        back = positive(-w)
        forward = ahead && (pre(forward) || startForward)
        backward = back && (pre(backward) || startBackward)
    ]
)
Sticking = Model(arm = Pendulum(2.0, 0.4, 0.2, Var(init = 0.1), Var(init = 0.0)), friction = Friction, connect = :[(friction.flange, arm.rev.flange)])
sticking = @instantiateModel(Sticking, unitless = true)
simulate!(sticking, stopTime = 5.0, tolerance = 1e-8)
phi = getValues(sticking, "arm.rev.phi")
lowest = minimum(phi)
@test abs(2.0*9.81*0.4*(sin(0.1) - sin(lowest)) - 3.0*(0.1 - lowest)) < 1e-5
@test abs(phi[end] - phi[end-100]) < 1e-8 && abs(phi[end] + pi/2) < asin(3.0/(2.0*9.81*0.4))
@test abs(getLastValue(sticking, "friction.flange.tau")) < 3.0

# A controller that samples every 10 ms, against the same recursion with a fine Runge-Kutta method.
Sampled = Model(
    arm = Pendulum(2.0, 0.4, 0.2, Var(init = 0.1), Var(init = 0.0)), torque = UnitlessTorque, u = Var(start = 0.0),
    equations = :[
        c = Clock(0.01)
        u = 100.0*(0.5 - sample(arm.rev.phi, c)) - 10.0*sample(arm.rev.w, c)
        torque.tau = hold(u, c)
    ],
    connect = :[(torque.flange, arm.rev.flange)]
)
sampled = @instantiateModel(Sampled, unitless = true)
simulate!(sampled, stopTime = 1.0, tolerance = 1e-9, interval = 0.01)
function step(p, v, u, h)
    f(p) = (u - 2.0*9.81*0.4*cos(p))/(0.2 + 2.0*0.16)
    for i in 1:20
        (k1, l1) = (v, f(p))
        (k2, l2) = (v + h/2*l1, f(p + h/2*k1))
        (k3, l3) = (v + h/2*l2, f(p + h/2*k2))
        (k4, l4) = (v + h*l3, f(p + h*k3))
        p = p + h/6*(k1 + 2*k2 + 2*k3 + k4)
        v = v + h/6*(l1 + 2*l2 + 2*l3 + l4)
    end
    return (p, v)
end
function controlled(n)
    (p, v) = (0.1, 0.0)
    for k in 1:n
        (p, v) = step(p, v, 100.0*(0.5 - p) - 10.0*v, 0.01/20)
    end
    return p
end
@test abs(getValues(sampled, "arm.rev.phi")[end] - controlled(100)) < 1e-7

# A rack on a turning arm shifts a slider with the turn: one degree of freedom, energy stays.
Rack = Model(radius = 0.1, turn = Flange, shift = TranslationalFlange,
             equations = :[shift.s = radius*turn.phi; 0 = turn.tau + radius*shift.f])
Racked = Model3D(
    world = Object3D(feature = Scene(balance = true)), a = Object3D(feature = bar(2.0, 0.4, 0.2)),
    guide = Object3D(parent = :a, translation = [0.3, 0.1, 0]), b = Object3D(feature = bar(1.0, 0.1, 0.05)),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :a, phi = Var(init = 0.3), w = Var(init = 0.5)),
    slide = PrismaticWithFlange(obj1 = :guide, obj2 = :b, s = Var(), v = Var()),
    rack = Rack, connect = :[(rev.flange, rack.turn); (slide.flange, rack.shift)]
)
racked = @instantiateModel(Racked, unitless = true)
for (solver, minimum) in [(CVODE_BDF(), 10), (IDA(), 1)]
    simulate!(racked, solver, stopTime = 2.0, tolerance = 1e-9, nlinearMinForDAE = minimum)
    @test getStateNames(racked)[1:2] == ["rev.phi", "rev.w"]
    energy = getValues(racked, "balance.totalEnergy")
    @test off(energy, energy[1]) < 1e-5 && off(getValues(racked, "slide.s"), 0.1*getValues(racked, "rev.phi")) < 1e-12
end

# A gear between two parts, and a spring.
Geared = Model(a = Pendulum(1.0, 0.5, 0.1, Var(), Var()), b = Pendulum(2.0, 0.3, 0.1, Var(init = 0.2), Var(init = 0.0)),
               gear = IdealGear | Map(ratio = 3.0), connect = :[(a.rev.flange, gear.flange_a); (gear.flange_b, b.rev.flange)])
geared = @instantiateModel(Geared, unitless = true)
simulate!(geared, stopTime = 2.0, tolerance = 1e-9)
(p, w, pb, wb) = (getValues(geared, "a.rev.phi"), getValues(geared, "a.rev.w"), getValues(geared, "b.rev.phi"), getValues(geared, "b.rev.w"))
energy = 0.5*0.35*w.^2 + 0.5*0.28*wb.^2 + 9.81*0.5*sin.(p) + 9.81*0.6*sin.(pb)
@test off(energy, energy[1]) < 1e-5 && off(p, 3*pb) < 1e-12

# Torques from accelerations, of driven joints and of others: linear loops and one that is not.
for (equations, joint, T1, T2) in [
        (:[r1.flange.tau = -0.5*der(r1.w) + 0.3*der(r2.w); r2.flange.tau = -0.1*der(r1.w)], RevoluteWithFlange, :(-0.5*a1 + 0.3*a2), :(-0.1*a1)),
        (:[r1.flange.tau = -0.5*der(r1.w) + 0.3*der(r2.w)], Revolute, :(-0.5*a1 + 0.3*a2), :(0.0)),
        (:[r1.flange.tau = -2.0*tanh(0.5*der(r1.w)); r2.flange.tau = 0.0], RevoluteWithFlange, :(-2.0*tanh(0.5*a1)), :(0.0))]
    double = @instantiateModel(TwoLinks(RevoluteWithFlange, joint) | Map(equations = equations), unitless = true)
    lagrange = @instantiateModel(TwoLinksOfLagrange(T1, T2), unitless = true)
    simulate!(lagrange, stopTime = 2.0, tolerance = 1e-9)
    for (solver, minimum) in [(CVODE_BDF(), 10), (IDA(), 1)]
        simulate!(double, solver, stopTime = 2.0, tolerance = 1e-9, nlinearMinForDAE = minimum)
        @test off(getValues(double, "r1.phi"), getValues(lagrange, "q1")) < 1e-5 && off(getValues(double, "r2.w"), getValues(lagrange, "w2")) < 1e-5
    end
end

# The same chain with joints by themselves, with open flanges, and with torques that are zero times an acceleration, so that
# a system of equations is solved: articulated bodies and the coupled way agree.
Chain(turn, shift, equations) = Model3D(
    k = 0.0, world = Object3D(feature = Scene(gravityField = UniformGravityField(n = [0.2, -1, 0.4]))), e_0 = Object3D(parent = :world),
    b = [Object3D(feature = bar(1.0 + 0.1*i, 0.3, 0.1 + 0.01*i)) for i in 1:5],
    e = [Object3D(parent = Symbol("b_$i"), translation = [0.6, 0.1, 0.05], rotation = [0.1*i, 0.2, -0.1*i]) for i in 1:5],
    j = [i == 4 ? shift(obj1 = Symbol("e_$(i-1)"), obj2 = Symbol("b_$i"), axis = [1, 2, i], s = Var(init = 0.1), v = Var(init = 0.3)) :
                  turn(obj1 = Symbol("e_$(i-1)"), obj2 = Symbol("b_$i"), axis = [i, 1, 2], phi = Var(init = 0.1*i), w = Var(init = 0.3/i)) for i in 1:5],
    fly = Object3D(parent = :e_5, fixedToParent = false, velocity = [0.1, 0.2, 0.3], angularVelocity = [0.1, 0.2, 0.3], feature = bar(0.3, 0.1, 0.1)),
    equations = equations
)
alone = @instantiateModel(Chain(Revolute, Prismatic, :[q = 1.0]), unitless = true)
open = @instantiateModel(Chain(RevoluteWithFlange, PrismaticWithFlange, :[q = 1.0]), unitless = true)
coupled = @instantiateModel(Chain(RevoluteWithFlange, PrismaticWithFlange,
    :[j_1.flange.tau = -k*der(j_2.w); j_2.flange.tau = -k*der(j_1.w); j_3.flange.tau = -k*der(j_5.w); j_4.flange.f = -k*der(j_4.v); j_5.flange.tau = -k*der(j_1.w)]), unitless = true)
for m in [alone, open, coupled]
    simulate!(m, stopTime = 0.1, tolerance = 1e-9)
end
for name in ["j_1.der(w)", "j_2.der(w)", "j_3.der(w)", "j_4.der(v)", "j_5.der(w)"]
    x = getValues(alone, name)[1]
    @test abs(getValues(open, name)[1] - x) < 1e-10*abs(x) && abs(getValues(coupled, name)[1] - x) < 1e-10*abs(x)
end
@test off(getValues(coupled, "fly.der(velocity)")[1, :], getValues(alone, "fly.der(velocity)")[1, :]) < 1e-10
