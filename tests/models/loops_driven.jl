# Drives in loops: a rotor behind a gear is inertia of the crank, torques act whichever joint is cut, prescribed motion
# gives the torque that power and closed form ask for, and a row of fourbars passes its singular positions.
using Modia3D
using Test
include("$(Modia.modelsPath)/AllModels.jl")
include("scenes/fourbar.jl")

off(x, y) = maximum(abs.(x .- y))
lengths = (crank = 0.4, coupler = 1.0, rocker = 0.8, base = 1.2)
crank(phi, w) = Map(rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :(crank.obj1), phi = phi, w = w))
Torque = Model(flange = Flange, tau = 0.0, equations = :[flange.tau = -tau])

# tau = 0.2 on a rotor of 0.01 kg m2 behind a gear of 10 is 2 on a crank with one kg m2 more.
Geared = Model(arm = Fourbar(lengths, w = 0.0) | crank(Var(init = nothing), Var(init = nothing)), gear = IdealGear | Map(ratio = 10.0),
    rotor = Inertia | Map(J = 0.01, phi = Var(init = 12.0)), torque = Torque | Map(tau = 0.2),
    connect = :[(torque.flange, rotor.flange_a); (rotor.flange_b, gear.flange_a); (gear.flange_b, arm.rev1.flange)])
heavier = Map(crank = Map(obj1 = Map(feature = Map(massProperties = Map(Ixx = 1.1, Iyy = 1.1, Izz = 0.4^2/12 + 1.0)))))
Heavy = Model(arm = (Fourbar(lengths, w = 0.0) | crank(Var(init = 1.2), Var(init = 0.0))) | heavier, torque = Torque | Map(tau = 2.0),
    connect = :[(torque.flange, arm.rev1.flange)])
geared = @instantiateModel(Geared, unitless = true)
heavy = @instantiateModel(Heavy, unitless = true)
for m in [geared, heavy]
    simulate!(m, DP8(), stopTime = 2.0, tolerance = 1e-10)
end
@test off(getValues(geared, "arm.rev1.phi"), getValues(heavy, "arm.rev1.phi")) < 1e-8
@test off(getValues(geared, "arm.rev3.phi"), getValues(heavy, "arm.rev3.phi")) < 1e-8

# Dampers in all four joints, of which any may be the one that is cut; first a start that fits.
m = @instantiateModel(Fourbar(lengths), unitless = true)
simulate!(m, stopTime = 0.1)
start(name) = getValues(m, name)[1]
hinge(a, b, name, cut) = RevoluteWithFlange(obj1 = a, obj2 = b, phi = Var(init = start("$name.phi")), w = Var(init = start("$name.w")), cut = cut)
Damped(cut) = Fourbar(lengths) | Map(
    rev1 = hinge(:world, :(crank.obj1), "rev1", cut == 1), rev2 = hinge(:(crank.obj2), :(coupler.obj1), "rev2", cut == 2),
    rev3 = hinge(:pivot, :(rocker.obj1), "rev3", cut == 3), rev4 = hinge(:(coupler.obj2), :(rocker.obj2), "rev4", cut == 4))
Law = Model(flange = Flange, d = 0.0, w = Var(init = nothing), equations = :[w = der(flange.phi), flange.tau = d*w])
function ends(cut)
    M = Model(arm = Damped(cut), d1 = Law | Map(d = 0.01), d2 = Law | Map(d = 0.02), d3 = Law | Map(d = 0.05), d4 = Law | Map(d = 0.03),
        connect = :[(d1.flange, arm.rev1.flange); (d2.flange, arm.rev2.flange); (d3.flange, arm.rev3.flange); (d4.flange, arm.rev4.flange)])
    m = @instantiateModel(M, unitless = true)
    simulate!(m, DP8(), stopTime = 2.0, tolerance = 1e-10)
    return [getValues(m, "arm.rev$k.phi")[end] for k in 1:4]
end
reference = ends(4)
for cut in 1:3
    @test off(ends(cut), reference) < 1e-7
end

# A prescribed angle: nothing is left to integrate but the angles that follow. The power of the torque is the change of
# energy of all rods, here of the crank angle alone: E = J(phi) w^2/2 + V(phi), tau = dE/dt/w.
Position = Model(flange = Flange, equations = :[flange.phi = 1.2 + 3.0*time + 0.5*sin(2*time)])
Led = Model(arm = Fourbar(lengths, w = 0.0) | crank(Var(init = nothing), Var(init = nothing)), drive = Position, connect = :[(drive.flange, arm.rev1.flange)])
led = @instantiateModel(Led, unitless = true)
simulate!(led, DP8(), stopTime = 3.0, interval = 0.001, tolerance = 1e-10)
function energy(phi, w)
    (x, y) = (lengths.crank*cos(phi) - lengths.base, lengths.crank*sin(phi))
    d = sqrt(x^2 + y^2)
    rocker = atan(y, x) - acos((lengths.rocker^2 + d^2 - lengths.coupler^2)/(2*lengths.rocker*d))
    tip = [lengths.base + lengths.rocker*cos(rocker), lengths.rocker*sin(rocker)]
    c = atan(tip[2] - lengths.crank*sin(phi), tip[1] - lengths.crank*cos(phi))
    w3 = w*lengths.crank*sin(c - phi)/(lengths.rocker*sin(c - rocker))
    w2 = w*lengths.crank*sin(rocker - phi)/(lengths.coupler*sin(c - rocker))
    middle = lengths.crank*w*[-sin(phi), cos(phi)] + lengths.coupler/2*w2*[-sin(c), cos(c)]
    height = lengths.crank/2*sin(phi) + lengths.crank*sin(phi) + lengths.coupler/2*sin(c) + lengths.rocker/2*sin(rocker)
    return lengths.crank^2/6*w^2 + lengths.rocker^2/6*w3^2 + (middle[1]^2 + middle[2]^2)/2 + lengths.coupler^2/24*w2^2 + 9.81*height
end
(t, phi, w, tau) = (getValues(led, "time"), getValues(led, "arm.rev1.phi"), getValues(led, "arm.rev1.w"), getValues(led, "arm.rev1.flange.tau"))
E = [energy(phi[i], w[i]) for i in 1:length(t)]
power = [(E[i - 2] - 8*E[i - 1] + 8*E[i + 1] - E[i + 2])/(12*0.001) for i in 3:length(t) - 2]
@test off(power, tau[3:end - 2].*w[3:end - 2]) < 1e-6

# A parallelogram is a pendulum: two rods that turn, one that is carried. It folds twice a turn, where all rods are in line.
Parallel = Fourbar((crank = 1.0, coupler = 1.0, rocker = 1.0, base = 1.0), phi = pi/2, w = -1.0) | Map(rev2 = Map(phi = Var(init = -pi/2), w = Var(init = 1.0)), rev3 = Map(phi = Var(init = pi/2), w = Var(init = -1.0)))
Pendulum = Model(phi = Var(init = pi/2), w = Var(init = -1.0), equations = :[der(phi) = w, der(w) = -2*9.81/(5/3)*cos(phi)])
pendulum = @instantiateModel(Pendulum)
simulate!(pendulum, DP8(), stopTime = 5.0, tolerance = 1e-12)
parallel = @instantiateModel(Parallel, unitless = true)
for (solver, tolerance, allowed) in [(Tsit5(), 1e-10, 1e-6), (DP8(), 1e-10, 1e-6), (CVODE_Adams(), 1e-10, 1e-4), (CVODE_BDF(), 1e-9, 1e-3)]
    simulate!(parallel, solver, stopTime = 5.0, tolerance = tolerance)
    @test off(getValues(parallel, "rev1.phi")[end], getValues(pendulum, "phi")[end]) < allowed
    @test off(getValues(parallel, "rev1.phi"), getValues(parallel, "rev3.phi")) < 1e-10
end
