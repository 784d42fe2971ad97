# A robot carries a sphere to and fro in the four ways of the thesis (section 12.2), along the same path.
#
# Shows: how contacts and actions share the work.
#   S1  contacts only: the sphere lies on the plate and is held by friction between two pads
#   S2  it is free while it is gripped and put down, and fixed to the plate or to the hand otherwise; contacts are always on
#   S3  the same, but contacts are off while it is fixed
#   S4  actions only: it is never free (gripping_robot.jl)
# Expect: 1, 10, 10 and 6 segments. At the end of each transport the sphere is at the same place in all four, within 0.2 mm; in
# S1 the pads then bear its weight by friction.
module GrippingScenarios

using Modia3D
using Test
@usingModiaPlot

include("$(Modia3D.modelsPath)/AllModels.jl")
include("$(Modia3D.modelsPath)/Translational.jl")
include("parts/gripper_arm.jl")
include("parts/transport.jl")
Modia3D.loadPalettes!(contactPairMaterialPalette = "parts/pads.txt")

squeeze = 0.004      # [m] less than the diameter: what the finger wants, and its drive makes a force of
lift = 0.0002        # [m] above the plate: it is put down, not pressed on it
settle = 0.3         # [s] until the controllers have come to rest
tight = diameter - squeeze

# Points of the path: above a place, beside it with the fixed finger 4 mm away from the sphere, at it, and a bit above it.
at(r, width) = [reach(r); width]'
low(place, width) = at(rest(place) + [0.0, 0.0, lift], width)
bit(place, width) = at(rest(place) + [0.0, 0.0, 0.01], width)
aside(place) = 0.004/hypot(place[1], place[2])*[place[2], -place[1], 0.0]     # along the grip
beside(place) = at(rest(place) + aside(place) + [0.0, 0.0, lift], open)
over(place) = at(rest(place) + aside(place) + [0.0, 0.0, 0.12], open)

# One transport. Which scenario it is decides what happens between the paths, which are the same.
function transport(a, scenario, from, to, depot)
    mixed = scenario in (2, 3)
    contacts = scenario == 2
    ptpJointSpace(a, [over(from); beside(from)])
    mixed && ActionRelease(a, "sphereLock")
    ptpJointSpace(a, [low(from, open); low(from, tight)])
    ActionWait(a, settle)
    scenario == 4 && ActionReleaseAndAttach(a, "sphereLock", "robot.hand")
    ptpJointSpace(a, bit(from, tight))
    ActionWait(a, settle)
    mixed && ActionAttach(a, "sphereLock", "robot.hand"; enableContactDetection = contacts)
    ptpJointSpace(a, [above(from, tight); above(to, tight); low(to, tight); low(to, open)])
    ActionWait(a, settle)
    mixed && ActionRelease(a, "sphereLock")
    scenario == 4 && ActionReleaseAndAttach(a, "sphereLock", depot)
    ptpJointSpace(a, beside(to))
    ActionWait(a, settle)
    mixed && ActionAttach(a, "sphereLock", depot; enableContactDetection = contacts)
    ptpJointSpace(a, over(to))
end
program(scenario) = a -> begin
    addReferencePath(a, names = axes, position = start, v_max = v_max, a_max = a_max)
    scenario > 1 && ActionAttach(a, "sphereLock", "leftPlace"; enableContactDetection = scenario == 2)
    transport(a, scenario, left, right, "rightPlace")
    transport(a, scenario, right, left, "leftPlace")
    ptpJointSpace(a, start')
end

# Each transport waits four times.
function length_of(from, to, begin_)
    paths = [[begin_; over(from); beside(from); low(from, open); low(from, tight)], [low(from, tight); bit(from, tight)],
             [bit(from, tight); above(from, tight); above(to, tight); low(to, tight); low(to, open)], [low(to, open); beside(to)], [beside(to); over(to)]]
    return sum(duration(path) for path in paths) + 4*settle
end
t1 = length_of(left, right, start')
t2 = t1 + length_of(right, left, over(right))
held = duration(start', over(left), beside(left), low(left, open), low(left, tight)) + duration(low(left, tight), bit(left, tight)) + 2*settle
stop = t2 + duration(over(left), start')

# What touches the sphere in S1.
touches = Model(leftTouch = ContactResult(object1 = :sphere, object2 = :(robot.leftFinger)),
                rightTouch = ContactResult(object1 = :sphere, object2 = :(robot.rightFinger)))
scenes = []
for scenario in 1:4
    Transport = Scenery(program(scenario), contacts = scenario < 4, gap = 5e-3, file = "gripping_s$scenario.json")
    scene = @instantiateModel(scenario == 1 ? Transport | touches : Transport, unitless = true)
    simulate!(scene, stopTime = stop, tolerance = 1e-7)
    push!(scenes, scene)
end

# The stored point next to a time; at the end of each transport, from scenario to scenario.
row(m, t) = findlast(x -> x <= t, getValues(m, "time", unit = false))
place(m, t) = getValues(m, "sphere.r_abs", unit = false)[row(m, t), :]
for (t, planned) in [(t1, rest(right)), (t2, rest(left))]
    println("at ", round(t, digits = 2), " s:")
    for scenario in 1:4
        r = place(scenes[scenario], t)
        println("  S$scenario  ", round.(1000.0*r, digits = 3), " mm")
        @test norm(r - planned) < 0.2e-3
        @test norm(r - place(scenes[4], t)) < 0.2e-3
    end
end

# S1, when the sphere has just been lifted and the arm waits: friction at the pads carries it, and no more than it can.
m = scenes[1]
force(name) = getValues(m, "$name.forceVector", unit = false)[row(m, held), :]
weight = 9.81*700.0*pi/6*diameter^3
carried = force("leftTouch") + force("rightTouch")
normal = getValues(m, "leftTouch.normalForce", unit = false)[row(m, held)]
println("two pads press with ", round(normal, digits = 2), " N and carry ", round(carried[3], digits = 4), " N of a weight of ", round(weight, digits = 4), " N")
@test isapprox(carried[3], weight, rtol = 1e-2)
@test weight < 2.0*normal
# In S2 and S3 states of the sphere come and go, in S1 they stay, in S4 they are none.
free(k) = length(filter(x -> !ismissing(x), getValues(scenes[k], "sphere.translation")[:, 1]))
points(k) = length(getValues(scenes[k], "time"))
@test free(1) == points(1) && 0 < free(2) < points(2) && 0 < free(3) < points(3) && free(4) <= 2

plot(scenes[1], ["sphere.r_abs", "leftTouch.normalForce"], heading = "S1: contacts only")
plot(scenes[2], ["sphere.r_abs", "sphere.translation"], heading = "S2: contacts and actions", figure = 2)

end
