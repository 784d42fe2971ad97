# Full restarts that change nothing, in models of equations: states that are chosen anew, motion along
# a switch, reinit, init values of what is no state, initial equations, nonlinear systems, delays. A run in
# eight segments ends where the run in one does.
using Modia
using Test

include("$(Modia.modelsPath)/AllModels.jl")

restart_period = 0.13
include("scenes/restarter.jl")

function compare(Plain, names, solvers, atol)
    plain = @instantiateModel(Plain, unitless = true)
    cut = @instantiateModel(Plain | Map(beats = Beats), unitless = true)
    for solver in solvers
        simulate!(plain, solver, stopTime = 1.0, tolerance = 1e-9)
        simulate!(cut, solver, stopTime = 1.0, tolerance = 1e-9)
        for name in names
            a = getLastValue(plain, name, unit = false)
            b = getLastValue(cut, name, unit = false)
            @test maximum(abs.(a .- b)) < atol
        end
    end
end
all = [CVODE_BDF(), IDA(), Tsit5()]

# A pendulum in x and y that turns over, so other variables become states on the way.
Turning = Model(
    x = Var(init = 0.0), vx = Var(init = 8.0), y = Var(start = -1.0), vy = Var(start = 0.0), F = Var(start = 0.0),
    equations = :[
        vx = der(x)
        vy = der(y)
        der(vx) = -F*x
        der(vy) = -F*y - 9.81
        x^2 + y^2 = 1
    ]
)
compare(Turning, ["x", "y", "vx"], [CVODE_BDF(), Tsit5()], 1e-5)

# Dry friction that sticks.
Slip = Model(v = Var(init = 1.0), x = Var(init = 0.0),
    equations = :[
        der(x) = v
        der(v) = 3*sin(5*time) - 2.0*sign(v)
    ]
)
compare(Slip, ["x", "v"], [CVODE_BDF(), Tsit5()], 1e-6)

Ball = Model(h = Var(init = 1.0), v = Var(init = 0.0),
    equations = :[
        der(h) = v
        der(v) = -9.81
        hit = positive(-h)
        bounced = if edge(hit); reinit(v, -0.7*v) else false end
    ]
)
compare(Ball, ["h", "v"], all, 1e-6)

# The angle of the first inertia follows from that of the second; its init value holds at the start.
Gear = Model(
    J1 = Inertia | Map(J = 1.0, phi = Var(init = 0.0), w = Var(init = 2.0)),
    gear = IdealGear | Map(ratio = 3.0),
    J2 = Inertia | Map(J = 2.0, phi = Var(init = nothing), w = Var(init = nothing)),
    brake = Model(flange = Flange, equations = :[flange.tau = 0.3*der(flange.phi)]),
    connect = :[
        (J1.flange_b, gear.flange_a)
        (gear.flange_b, J2.flange_a)
        (J2.flange_b, brake.flange)
    ]
)
compare(Gear, ["J1.phi", "J1.w", "J2.w"], all, 1e-6)

Steady = Model(x = Var(start = 1.0), y = Var(start = 1.0),
    initialEquations = :[0 = der(x); 0 = der(y) + 0.1],
    equations = :[
        der(x) = -x + y + time
        der(y) = -2*y + x^2 - 0.3
    ]
)
compare(Steady, ["x", "y"], all, 1e-6)

Nonlinear = Model(x = Var(init = 0.1), z = Var(start = 2.0),
    equations = :[
        der(x) = z - x
        z^3 - 3*z + x = 0.5
    ]
)
compare(Nonlinear, ["x", "z"], all, 1e-6)

Vector = Model(x = Var(init = [1.0, 2.0, 3.0]), A = [0 1 0; 0 0 1; -1 -2 -3], equations = :[der(x) = A*x])
compare(Vector, ["x"], all, 1e-6)

# What was is remembered over restarts.
Delayed = Model(x = Var(init = 1.0), y = Var(init = 0.0),
    equations = :[
        der(x) = -2.0*delay(x, 0.2)
        der(y) = delay(sin(3*time), 0.17)
    ]
)
compare(Delayed, ["x", "y"], all, 1e-6)
