# When commands are executed, and the reference path between them, by closed forms.
using Modia3D
using Test

Timed(program; startTime = 0.0) = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    table = Object3D(parent = :world, lockable = true),
    box = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true,
                   feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    lock = Object3D(parent = :box, lockable = true),
    actions = ModelActions(world = :world, actions = program, startTime = startTime),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions)
                  p = getRefPathPosition(now, 1)
                  q = getRefPathPosition(now, 2)
                  p0 = getRefPathInitPosition(now, 1)
                  q0 = getRefPathInitPosition(now, 2)])
signal(m, name) = getValues(m, name, unit = false)

# From a to b in the time T: speeds up as long as it slows down, Ta each.
function along(a, b, T, Ta, t)
    v = (b - a)/(T - Ta)
    t <= 0.0 ? a :
    t < Ta ? a + v/Ta*t^2/2 :
    t < T - Ta ? a + v*(t - Ta/2) :
    t < T ? b - v/Ta*(T - t)^2/2 : b
end
# The slower of the signals decides: duration and time of speeding up of a row.
function needs(d, v_max, a_max)
    v, a = 1.0/maximum(abs.(d ./ v_max)), 1.0/maximum(abs.(d ./ a_max))
    v/a < sqrt(1.0/a) ? (1.0/v + v/a, v/a) : (2.0*sqrt(1.0/a), sqrt(1.0/a))
end

v_max, a_max = [0.5, 0.8], [1.0, 0.9]
start, one, two, three = [0.1, -0.2], [1.1, 0.5], [1.0, 0.55], [-0.4, 0.55]
(T1, Ta1) = needs(one - start, v_max, a_max)     # a trapezoid,
(T2, Ta2) = needs(two - one, v_max, a_max)       # a triangle,
(T3, Ta3) = needs(three - two, v_max, a_max)     # and one signal alone
moves(actions) = begin
    addReferencePath(actions, names = ["p", "q"], position = start, v_max = v_max, a_max = a_max)
    ActionWait(actions, 0.2)
    ptpJointSpace(actions, [1.1 0.5; 1.0 0.55])
    EventAfterPeriod(actions, 0.3)
    ActionAttach(actions, "lock", "table"; waitingPeriod = 0.25)
    ptpJointSpace(actions, two')                 # no motion: takes no time
    ptpJointSpace(actions, three')
    ActionRelease(actions, "lock")
    ActionWait(actions)
    EventAfterPeriod(actions)
    ActionDelete(actions, "lock")
end
for begins in [0.0, 0.15]
    t0 = begins + 0.2
    t1 = t0 + T1 + T2
    t2 = t1 + 0.3
    t3 = t2 + 0.25 + T3
    m = @instantiateModel(Timed(moves, startTime = begins), unitless = true)
    simulate!(m, stopTime = t3 + 0.4, interval = 0.01)
    time = signal(m, "time")
    for (k, name) in enumerate(["p", "q"])
        x = signal(m, name)
        for i in 1:length(time)
            t = time[i]
            exact = t < t0 + T1 ? along(start[k], one[k], T1, Ta1, t - t0) :
                    t < t1 ? along(one[k], two[k], T2, Ta2, t - t0 - T1) : along(two[k], three[k], T3, Ta3, t - t2 - 0.25)
            abs(x[i] - exact) < 1e-12 || @test (name, t, x[i]) == exact
        end
        @test x[end] == three[k]
        @test all(signal(m, name * "0") .== start[k])
    end
    # The box has states before it is attached, none while it is, and a place until it is deleted at the instant of release.
    free = [!ismissing(x) for x in getValues(m, "box.translation")[:, 1]]
    there = [!ismissing(x) for x in getValues(m, "box.r_abs")[:, 1]]
    @test all(free[findall(t -> t < t2, time)])
    @test !any(free[findall(t -> t2 < t < t3 - 1e-9, time)])
    @test all(there[findall(t -> t < t3 - 1e-9, time)])
    @test !any(there[findall(t -> t > t3 + 1e-9, time)])
    # Two points at each change of the structure, and three where two changes are at one instant.
    @test count(t -> isapprox(t, t2, atol = 1e-9), time) == 2
    @test count(t -> isapprox(t, t3, atol = 1e-9), time) == 3
end

# One signal: a number is a point, a vector some of them; limits and place have defaults.
single(actions) = begin
    addReferencePath(actions, names = ["p"])
    ptpJointSpace(actions, 2.0)
    ptpJointSpace(actions, [1.0, 1.5])
end
Single = Model3D(
    world = Object3D(feature = Scene()),
    actions = ModelActions(world = :world, actions = single),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions); p = getRefPathPosition(now, 1)])
m = @instantiateModel(Single, unitless = true)
simulate!(m, stopTime = 7.0, interval = 0.05)
ends = cumsum([3.0, 2.0, 2.0*sqrt(0.5)])          # 2 m at 1 m/s and 1 m/s^2: 1 s + 1 s + 1 s; 1 m and 0.5 m: triangles
for (t, x) in zip(signal(m, "time"), signal(m, "p"))
    exact = t < ends[1] ? along(0.0, 2.0, 3.0, 1.0, t) : t < ends[2] ? along(2.0, 1.0, 2.0, 1.0, t - ends[1]) :
            along(1.0, 1.5, ends[3] - ends[2], sqrt(0.5), t - ends[2])
    abs(x - exact) < 1e-12 || @test (t, x) == exact
end
@test getLastValue(m, "p") == 1.5
