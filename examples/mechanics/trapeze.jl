# A rod flies through the air, catches a bar with one end, swings on it, and lets go.
#
# Shows: ActionAttach(...; joint = "revolute", impulse = true): a joint that exists for a while, with states of its own. Three
# phases of one run: free motion, a pendulum on a pin, free motion again. The catch takes energy, since the end of the rod stops
# at once; about the bar angular momentum stays.
# Expect: the speed after the catch, the energy of the swing and both flights by closed forms.
using Modia3D
using Test
@usingModiaPlot

(m, L, g) = (2.0, 1.0, 9.81)
J = m*L^2/12                       # about its center
# It hangs level when its end meets the bar at time T, after a throw from below.
(T, v0, w0) = (0.4, [0.5, 0.0, 4.5], [0.0, 2.0, 0.0])
turned = w0[2]*T                   # about y
start = -(v0*T - [0.0, 0.0, g*T^2/2]) + L/2*[1.0, 0.0, 0.0]

function program(actions)
    ActionWaitUntil(actions, "grip", "bar"; closer = 1e-3)
    ActionAttach(actions, "grip", "bar"; joint = "revolute", axis = 2, impulse = true)
    ActionWaitUntil(actions, "other", "above"; closer = 0.9)      # its other end swings up
    ActionRelease(actions, "grip")
end

Trapeze = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, 0, -1]), gap = 0.01, animationFile = "trapeze.json", nominalLength = 1.0)),
    bar = Object3D(parent = :world, lockable = true, feature = Visual(shape = Cylinder(axis = 2, diameter = 0.04, length = 0.6))),
    above = Object3D(parent = :world, translation = [-1.0, 0.0, 0.6]),
    rod = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = start, rotation = [0.0, -turned, 0.0], velocity = v0,
                   angularVelocity = w0, feature = Solid(shape = Cylinder(axis = 1, diameter = 0.03, length = L),
                                                         massProperties = MassProperties(mass = m, Ixx = 1e-3, Iyy = J, Izz = J))),
    grip = Object3D(parent = :rod, lockable = true, translation = [-L/2, 0.0, 0.0]),
    other = Object3D(parent = :rod, translation = [L/2, 0.0, 0.0]),
    actions = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions)]
)
trapeze = @instantiateModel(Trapeze, unitless = true)
simulate!(trapeze, stopTime = 2.5, tolerance = 1e-9)

values(name) = getValues(trapeze, name, unit = false)
time = values("time")
swing = findall(x -> !ismissing(x), values("grip.w"))
(catch_, leave) = (swing[1], swing[end])
println("catches the bar at ", round(time[catch_], digits = 4), " s and lets go at ", round(time[leave], digits = 4), " s")

# The catch: angular momentum about the bar, of a rod with the inertia J + m L^2/4 there.
(r, v) = (values("rod.r_abs")[catch_ - 1, :], values("rod.velocity")[catch_ - 1, :])
about = r - values("grip.r_abs")[catch_ - 1, :]
w = (J*w0[2] + m*(about[3]*v[1] - about[1]*v[3]))/(J + m*L^2/4)
println("turns with ", round(w, digits = 4), " rad/s instead of ", w0[2], "; the catch takes ", round(getLastValue(trapeze, "actions.energyLoss", unit = false), digits = 3), " J")
@test isapprox(values("grip.w")[catch_], w, rtol = 1e-6)
before = 0.5*m*sum(v .^ 2) + 0.5*J*w0[2]^2
@test isapprox(getLastValue(trapeze, "actions.energyLoss", unit = false), before - 0.5*(J + m*L^2/4)*w^2, rtol = 1e-6)
# The swing: energy stays, and the end stays at the bar.
energy(i) = 0.5*(J + m*L^2/4)*values("grip.w")[i]^2 + m*g*values("rod.r_abs")[i, 3]
@test isapprox(energy(leave), energy(catch_), atol = 1e-6)
@test all(norm(values("grip.r_abs")[i, :]) < 1.01e-3 for i in swing)
# And off: the parabola of its center, with the velocity that it had on the bar.
t = time[end] - time[leave]
hung = cross([0.0, values("grip.w")[leave], 0.0], values("rod.r_abs")[leave, :] - values("grip.r_abs")[leave, :])
@test isapprox(values("rod.velocity")[leave + 1, :], hung, rtol = 1e-9, atol = 1e-12)
@test isapprox(values("rod.r_abs")[end, :], values("rod.r_abs")[leave, :] + hung*t - [0.0, 0.0, g*t^2/2], rtol = 1e-6)

plot(trapeze, [("grip.w", "rod.angularVelocity[2]"), "rod.r_abs", "grip.r_abs"], heading = "A rod catches a bar and lets go")
