# Two 3D parts whose structures change in one run, once in the same event, beside states and a clock
# of equations: free fall by closed forms.
using Modia3D
using Test

program1(actions) = begin
    ActionAttach(actions, "ballLock", "tableLock")
    ActionWait(actions, 0.5)
    ActionRelease(actions, "ballLock")
    ActionWait(actions, 0.5)
    ActionDelete(actions, "ballLock")
end
program2(actions) = begin
    ActionWait(actions, 0.5)
    ActionAttach(actions, "ballLock", "tableLock")
    ActionWait(actions, 0.25)
    ActionRelease(actions, "ballLock")
end
Drop(; program, velocity = [0.0, 0.0, 0.0]) = Model3D(
    world = Object3D(feature = Scene(gap = 10.0, attachSpeed = 100.0)),
    tableLock = Object3D(parent = :world, lockable = true, translation = [0.0, 2.0, 0.0]),
    ball = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.0, 2.0, 0.0],
                    velocity = velocity,
                    feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    ballLock = Object3D(parent = :ball, lockable = true),
    actions = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions)]
)
Two = Model(
    a = Drop(program = program1), b = Drop(program = program2, velocity = [1.0, 0.0, 0.0]),
    y = Var(init = 1.0), n = Var(start = 0.0),
    equations = :[
        der(y) = -y
        c = Clock(0.2)
        n = previous(n, c) + 1.0
    ]
)
two = @instantiateModel(Two, unitless = true)
for solver in [CVODE_BDF(), IDA(), Tsit5(), CVODE_Adams()]
    simulate!(two, solver, stopTime = 1.4, tolerance = 1e-9, interval = 0.01)
    t = getValues(two, "time", unit = false)
    a = getValues(two, "a.ball.r_abs", unit = false)
    b = getValues(two, "b.ball.r_abs", unit = false)
    for i in 1:length(t)
        fallen = t[i] <= 0.5 ? 0.0 : 9.81/2*(t[i] - 0.5)^2
        if t[i] < 0.99
            @test isapprox(a[i,2], 2.0 - fallen, atol = 1e-6)
        elseif t[i] > 1.01
            @test ismissing(a[i,2])
        end
        first = 9.81/2*min(t[i], 0.5)^2
        second = t[i] <= 0.75 ? 0.0 : 9.81/2*(t[i] - 0.75)^2
        @test isapprox(b[i,2], 2.0 - first - second, atol = 1e-6)
        @test isapprox(b[i,1], min(t[i], 0.5), atol = 1e-6)
    end
    @test isapprox(getLastValue(two, "y"), exp(-1.4), rtol = 1e-6)
    @test getLastValue(two, "n") == 8.0
end
