# Mechanisms that pass singular positions, where two branches of their motion cross: they go on as they came, at a cost that
# is that of any other motion, with every family of solvers.
using Modia3D
using Test

off(x, y) = maximum(abs.(x .- y))
scene = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = false, balance = true))
link(m, c, I) = Object3D(feature = Solid(massProperties = MassProperties(mass = m, centerOfMass = c, Ixx = I, Iyy = I, Izz = I)))
hinge(obj1, obj2, phi, w) = Revolute(obj1 = obj1, obj2 = obj2, phi = Var(init = phi), w = Var(init = w))
drift(m) = (E = getValues(m, "balance.totalEnergy"); off(E, E[1])/maximum(getValues(m, "balance.kineticEnergy")))

# A parallelogram whose two cranks weigh differently: as they come in line, the force that keeps them parallel grows beyond
# all bounds. The other branch has them turn against each other.
Parallelogram(phi, w) = Model3D(world = scene, pivot = Object3D(parent = :world, translation = [2.0, 0.0, 0.0]),
    crank = link(3.0, [0.1, 0.4, 0.0], 0.3), tip = Object3D(parent = :crank, translation = [0.0, 1.0, 0.0]),
    rocker = link(0.5, [0.0, 0.7, 0.0], 0.1), top = Object3D(parent = :rocker, translation = [0.0, 1.0, 0.0]),
    bar = link(1.5, [0.3, 0.2, 0.0], 0.4), far = Object3D(parent = :bar, translation = [2.0, 0.0, 0.0]),
    rev1 = hinge(:world, :crank, phi, w), rev2 = hinge(:pivot, :rocker, phi, w), rev3 = hinge(:tip, :bar, -phi, -w),
    rev4 = Revolute(obj1 = :top, obj2 = :far, phi = Var(init = -phi), w = Var(init = -w)))

# With parallel cranks the bar does not turn, and the whole is a pendulum: what a method gains or loses is what it does there.
Pendulum = Model(phi = Var(init = 0.3), w = Var(init = -4.0), equations = :[
    der(phi) = w
    2.655*der(w) = 9.81*((3.0*0.4 + 0.5*0.7 + 1.5)*sin(phi) - 3.0*0.1*cos(phi))])
pendulum = @instantiateModel(Pendulum, unitless = true)
simulate!(pendulum, DP8(), stopTime = 5.0, tolerance = 1e-12)
last = getValues(pendulum, "phi")[end]
m = @instantiateModel(Parallelogram(0.3, -4.0), unitless = true)
for solver in [Tsit5(), DP8(), BS3(), CVODE_Adams(), CVODE_BDF(), IDA(), Rodas5(), TRBDF2()], tolerance in [1e-5, 1e-8]
    simulate!(m, solver, stopTime = 5.0, interval = 0.02, tolerance = tolerance)
    phi = getValues(m, "rev1.phi")
    @test off(phi, getValues(m, "rev2.phi")) < 1e-7 && off(phi, -getValues(m, "rev3.phi")) < 1e-7
    simulate!(pendulum, solver, stopTime = 5.0, interval = 0.02, tolerance = tolerance)
    @test abs(phi[end] - last) < 5*abs(getValues(pendulum, "phi")[end] - last) + 300*tolerance
    @test drift(m) < 300*tolerance
end
@test abs(last) > 25.0

# A fourbar whose longest and shortest links are together as long as the others: it folds once a turn, and then has the other
# of its two positions for the same angle of the crank.
function closedForm(phi)
    fold = sqrt(2.0)*cos(phi/2)*sqrt(6.0 - 4.0*cos(phi)) # the root of a square, with the sign that is smooth
    return atan(-sin(phi), 3.0 - cos(phi)) + atan(fold, 2.0*(cos(phi) - 1.0))
end
coupler(phi, psi) = atan(1.5*sin(psi) - sin(phi), 3.0 + 1.5*cos(psi) - cos(phi))
(phi, psi) = (1.0, closedForm(1.0))
Folding = Model3D(world = scene, pivot = Object3D(parent = :world, translation = [3.0, 0.0, 0.0]),
    crank = link(2.0, [0.45, 0.1, 0.0], 0.17), tip = Object3D(parent = :crank, translation = [1.0, 0.0, 0.0]),
    bar = link(1.5, [1.1, 0.1, 0.0], 0.8), far = Object3D(parent = :bar, translation = [2.5, 0.0, 0.0]),
    rocker = link(1.0, [0.7, 0.1, 0.0], 0.2), top = Object3D(parent = :rocker, translation = [1.5, 0.0, 0.0]),
    rev1 = hinge(:world, :crank, phi, 6.0), rev2 = hinge(:tip, :bar, coupler(phi, psi) - phi, 0.0),
    rev3 = hinge(:pivot, :rocker, psi, 0.0), rev4 = Revolute(obj1 = :top, obj2 = :far))
folding = @instantiateModel(Folding, unitless = true)
for solver in [Tsit5(), DP8(), CVODE_Adams(), CVODE_BDF(), IDA(), Rodas5()], tolerance in [1e-5, 1e-8]
    simulate!(folding, solver, stopTime = 5.0, interval = 0.02, tolerance = tolerance)
    phi = getValues(folding, "rev1.phi")
    psi = getValues(folding, "rev3.phi")
    @test maximum([abs(sin((psi[i] - closedForm(phi[i]))/2)) for i in 1:length(phi)]) < 1e-9
    @test drift(folding) < 300*tolerance && phi[end] > 6*pi
end

# A start where all is in line: the speeds say which branch it is, and no constraint is taken for redundant.
start = @instantiateModel(Parallelogram(-pi/2, -4.0), unitless = true)
for solver in [Tsit5(), CVODE_BDF(), Rodas5()]
    simulate!(start, solver, stopTime = 2.0, tolerance = 1e-8)
    phi = getValues(start, "rev1.phi")
    @test off(phi, getValues(start, "rev2.phi")) < 1e-7 && off(phi, phi[1]) > 1.0
    @test drift(start) < 3e-6
end
