# Reference paths of action programs in equations: ptpJointSpace and getRefPathPosition against the
# closed forms of point-to-point motion (components3d.md 10.7), also while another part of the model
# changes its structure, and the path functions by themselves.
using Modia3D
using Test

# Two signals: the second needs longer, so both follow its time. Then back with the first one alone.
program(actions) = begin
    addReferencePath(actions; names = ["a", "b"], position = [0.5, -1.0], v_max = [2.0, 1.0], a_max = [4.0, 2.0])
    ptpJointSpace(actions, [1.5 1.0])
    ActionWait(actions, 0.25)
    ptpJointSpace(actions, [1.0 1.0; 1.0 0.5])
end
# Changes the structure in the middle of both.
other(actions) = begin
    ActionWait(actions, 0.7)
    ActionAttach(actions, "ballLock", "table")
    ActionWait(actions, 1.0)
    ActionRelease(actions, "ballLock")
    ActionWait(actions, 1.3)
    EventAfterPeriod(actions, 0.5)
end
single(actions) = begin
    addReferencePath(actions; names = ["p"], v_max = [1.0], a_max = [1.0])
    ptpJointSpace(actions, [0.25, 2.0])
    ptpJointSpace(actions, 0.0)
end

# Path parameter s of a motion by `most` (the largest ratio of way to limit), from 0 to 1.
function parameter(t, mv, ma)
    (sd, sdd) = (1/mv, 1/ma)
    (t1, t2) = (sqrt(1/sdd), sd/sdd)
    if t <= 0.0
        return 0.0
    elseif t2 >= t1
        return t >= 2*t1 ? 1.0 : t < t1 ? sdd/2*t^2 : 1.0 - sdd/2*(2*t1 - t)^2
    end
    stop = 1/sd + t2
    return t >= stop ? 1.0 : t < t2 ? sdd/2*t^2 : t < 1/sd ? sdd*t2^2/2 + sd*(t - t2) : 1.0 - sdd/2*(stop - t)^2
end
duration(mv, ma) = ma >= mv^2 ? 2*sqrt(ma) : mv + ma/mv
# First way: (1, 2) with limits (2, 1) and (4, 2): b rules. Then a by -0.5, then b by -0.5.
first = duration(2.0, 1.0)
second = first + 0.25
third = second + duration(0.25, 0.125)
aExpected(t) = 0.5 + parameter(t, 2.0, 1.0) - 0.5*parameter(t - second, 0.25, 0.125)
bExpected(t) = -1.0 + 2.0*parameter(t, 2.0, 1.0) - 0.5*parameter(t - third, 0.5, 0.25)
toQuarter = duration(0.25, 0.25)
toTwo = toQuarter + duration(1.75, 1.75)
pExpected(t) = 0.25*parameter(t, 0.25, 0.25) + 1.75*parameter(t - toQuarter, 1.75, 1.75) - 2.0*parameter(t - toTwo, 2.0, 2.0)

Lump = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))
Paths = Model(
    lead = Model3D(
        world = Object3D(feature = Scene()),
        actions = ModelActions(world = :world, actions = program),
        now = Var(hideResult = true),
        equations = :[
            now = executeActions(actions)
            a = getRefPathPosition(now, 1)
            b = getRefPathPosition(now, 2)
            a0 = getRefPathInitPosition(now, 1)
            b0 = getRefPathInitPosition(now, 2)
        ]),
    one = Model3D(
        world = Object3D(feature = Scene()),
        actions = ModelActions(world = :world, actions = single),
        now = Var(hideResult = true),
        equations = :[
            now = executeActions(actions)
            p = getRefPathPosition(now, 1)
        ]),
    change = Model3D(
        world = Object3D(feature = Scene(gravityField = NoGravityField())),
        table = Object3D(parent = :world, lockable = true),
        ball = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, feature = Lump),
        ballLock = Object3D(parent = :ball, lockable = true),
        actions = ModelActions(world = :world, actions = other),
        now = Var(hideResult = true),
        equations = :[now = executeActions(actions)]),
    # A drive that follows, and the way itself as an integral.
    x = Var(init = 0.5), way = Var(init = 0.0),
    equations = :[
        der(x) = 20.0*(lead.a - x)
        der(way) = lead.b
    ]
)
paths = @instantiateModel(Paths, unitless = true)
for solver in [CVODE_BDF(), IDA(), Tsit5()]
    simulate!(paths, solver, stopTime = 8.0, tolerance = 1e-8, interval = 0.02)
    t = getValues(paths, "time", unit = false)
    (a, b, p) = (getValues(paths, "lead.a"), getValues(paths, "lead.b"), getValues(paths, "one.p"))
    @test maximum(abs.(a - aExpected.(t))) < 1e-9
    @test maximum(abs.(b - bExpected.(t))) < 1e-9
    @test maximum(abs.(p - pExpected.(t))) < 1e-9
    @test getLastValue(paths, "lead.a0") == 0.5 && getLastValue(paths, "lead.b0") == -1.0
    # Half the way takes half the time: the integral of b while it goes is that of its mean.
    @test isapprox(getLastValue(paths, "way"),
                   0.0*first + 1.0*(third - first) + 0.75*duration(0.5, 0.25) + 0.5*(8.0 - third - duration(0.5, 0.25)),
                   rtol = 1e-6)
    @test isapprox(getLastValue(paths, "x"), 1.0, atol = 1e-6)
end

# The functions by themselves, called from equations: position, and what index reduction makes of it.
path = PTP_path(["u", "v"], positions = [0.0 1.0; 2.0 -1.0], v_max = [1.0, 2.0], a_max = [1.0, 4.0])
place(t) = getPosition(path, 1, t)
Follow = Model(
    path = Par(value = path), k = getIndex(path, "u"), z = Var(init = 0.0),
    equations = :[
        u = getPosition(path, k, time)
        v = getPosition(path, 2, time)
        w = place(time)
        rate = der(w)
        der(z) = u
    ]
)
follow = @instantiateModel(Follow, unitless = true)
simulate!(follow, stopTime = 4.0, tolerance = 1e-9)
t = getValues(follow, "time", unit = false)
@test maximum(abs.(getValues(follow, "u") - 2.0*parameter.(t, 2.0, 2.0))) < 1e-12
@test maximum(abs.(getValues(follow, "v") - (1.0 .- 2.0*parameter.(t, 2.0, 2.0)))) < 1e-12
@test isapprox(getLastValue(follow, "z"), 0.5*2.0*pathEndTime(path) + 2.0*(4.0 - pathEndTime(path)), rtol = 1e-7)
@test isapprox(maximum(getValues(follow, "rate")), 1.0, atol = 1e-9)
