# Objects that functions hand to each other, functions with several results, and implicitDependency:
# a plane double pendulum whose dynamics live in a struct, as a multibody program would, against its
# twin made of equations.
using Modia
using Test

mutable struct Arm
    q
    w
    a
    calls
    Arm() = new(zeros(2), zeros(2), zeros(2), 0)
end

# Positions and velocities go in first, accelerations then; the residuals come out last.
function setStates(arm, q1, q2, w1, w2)
    arm.q = [q1, q2]
    arm.w = [w1, w2]
    return arm
end
function setAccelerations(arm, a1, a2)
    arm.a = [a1, a2]
    arm.calls += 1
    return arm
end
# Two point masses of 1 kg on rods of 1 m: M(q) a + h(q, w) = u.
function torques(arm, g)
    c, s = cos(arm.q[1] - arm.q[2]), sin(arm.q[1] - arm.q[2])
    u1 = 2*arm.a[1] + c*arm.a[2] + s*arm.w[2]^2 + 2*g*sin(arm.q[1])
    u2 = c*arm.a[1] + arm.a[2] - s*arm.w[1]^2 + g*sin(arm.q[2])
    return u1, u2
end
kinetic(arm) = 0.5*(2*arm.w[1]^2 + arm.w[2]^2 + 2*cos(arm.q[1] - arm.q[2])*arm.w[1]*arm.w[2])

States = Model(
    g = 9.81,
    q1 = Var(init = 1.0), q2 = Var(init = 0.5), w1 = Var(init = 0.0), w2 = Var(init = 0.0),
    equations = :[
        w1 = der(q1)
        w2 = der(q2)
    ]
)
# The object carries the accelerations past the eyes of the translator: the residuals depend on
# der(w1) and der(w2) only through it, which implicitDependency says.
ByObject = States | Model(
    arm = Par(value = :(Arm())),
    arm1 = Var(hideResult = true), arm2 = Var(hideResult = true),
    equations = :[
        arm1 = setStates(arm, q1, q2, w1, w2)
        arm2 = setAccelerations(arm1, der(w1), der(w2))
        (0, 0) = implicitDependency(torques(arm2, g), der(w1), der(w2))
        energy = kinetic(arm1) - g*(2*cos(q1) + cos(q2))
    ]
)
Twin = States | Model(
    equations = :[
        2*der(w1) + cos(q1 - q2)*der(w2) = -sin(q1 - q2)*w2^2 - 2*g*sin(q1)
        cos(q1 - q2)*der(w1) + der(w2) = sin(q1 - q2)*w1^2 - g*sin(q2)
    ]
)
byObject = @instantiateModel(ByObject, unitless = true)
twin = @instantiateModel(Twin, unitless = true)
@test get_xNames(byObject) == get_xNames(twin)
for solver in [CVODE_BDF(), Tsit5(), IDA()]
    simulate!(byObject, solver, stopTime = 1.0, tolerance = 1e-9)
    simulate!(twin, solver, stopTime = 1.0, tolerance = 1e-9)
    for name in ["q1", "q2", "w1", "w2", "der(w1)"]
        @test isapprox(getLastValue(byObject, name), getLastValue(twin, name), atol = 1e-6)
    end
end
energy = getValues(byObject, "energy")
@test maximum(abs.(energy .- energy[1])) < 1e-6
