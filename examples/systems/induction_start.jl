# An induction motor is switched to the mains, runs up through a belt against a fan, and settles.
#
# Shows: a three-phase plug, an induction machine, a belt and a load that grows with the square of the speed.
# Expect: currents of 170 A at first, the speed overshoots and settles below 157 rad/s. Three checks of the end: speed, torque and current obey the
# equivalent circuit of the machine at its slip; and the start agrees with SciPy, where the machine is six coupled coils: 83.74468 rad/s after 0.1 s.
using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Machines.jl")

Start = Model(
    mains = ThreePhaseVoltage | Map(V = 325.0u"V", f = 50.0u"Hz"), ground = Ground,
    motor = InductionMachine | Map(J = 0.05u"kg*m^2"),
    belt = Belt | Map(r_a = 0.08u"m", r_b = 0.16u"m", c = 2.0e5u"N/m", d = 400.0u"N*s/m"),
    wheel = Inertia | Map(J = 0.3u"kg*m^2"), fan = FanTorque | Map(tau_n = 60.0u"N*m", w_n = 75.0u"rad/s"),
    connect = :[
        (mains.plug, motor.plug)
        (mains.n, ground.p)
        (motor.flange, belt.flange_a)
        (belt.flange_b, wheel.flange_a)
        (wheel.flange_b, fan.flange)
    ])

start = @instantiateModel(Start)
simulate!(start, stopTime = 1.0, tolerance = 1e-8)
plot(start, ["motor.w", "motor.tau", "motor.plug.ia"], heading = "Start of an induction motor: speed, torque, current")

# The equivalent circuit at slip s: stator, and rotor with Rr/s, in parallel to the magnetizing inductance; as real and imaginary parts.
last(name) = getLastValue(start, name, unit = false)
w = 100*pi
slip = 1 - 2*last("motor.w")/w
(rr, xr, xm) = (0.4/slip, w*0.003, w*0.1)
den = rr^2 + (xr + xm)^2
(r, x) = (0.5 + rr*xm^2/den, w*0.003 + xm*(rr^2 + xr*(xr + xm))/den)
current = 325/sqrt(r^2 + x^2)
torque = 1.5*current^2*(r - 0.5)*2/w
println("slip ", slip, ", current ", current, " A, torque ", torque, " N m")
at(name, t) = (k = findlast(getValues(start, "time") .<= t + 1e-12); getValues(start, name)[k])
@test abs(torque - last("motor.tau")) < 1e-4*torque
@test abs(sqrt(last("motor.isx")^2 + last("motor.isy")^2) - current) < 1e-4*current
@test abs(last("motor.tau") - 0.5*60*(last("wheel.w")/75)^2) < 1e-3*torque
println("after 0.1 s: ", at("motor.w", 0.1), " rad/s")
@test abs(at("motor.w", 0.1) - 83.74468) < 1e-4
