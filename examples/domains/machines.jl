# Electric machines: a synchronous motor on an inverter with a controller in its rotor's frame, a shunt and a series motor, a motor with gear that lifts, and a three-phase load in a star
#
# Shows: plugs of three phases, an averaged inverter, Park's frame in equations, windings in series and in parallel by connections, a lossy gear.
# Expect: with the current kept across the flux the torque is 3/2 p psi iq; the run-up takes J w/(torque - load). The other motors settle where voltage, current and torque balance, by hand.
module MachinesInUse

using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Control.jl")
include("$(Modia.modelsPath)/Machines.jl")

# Voltages for currents id = 0 and iq = 20 A: two PI controllers, and what the turning flux induces is added.
Drive = Model(
    dc = ConstantVoltage | Map(V = 300.0u"V"), inverter = Inverter, motor = PMMachine | Map(p = 4, R = 0.2u"Ω", Ld = 2.0e-3u"H", Lq = 2.0e-3u"H", psi = 0.1u"Wb", J = 0.01u"kg*m^2"), brake = ConstantTorque | Map(tau = -2.0u"N*m"), g = Ground,
    cd = PI | Map(k = 4.0u"V/A", T = 0.01u"s", x = Var(init = 0.0u"A")), cq = PI | Map(k = 4.0u"V/A", T = 0.01u"s", x = Var(init = 0.0u"A")),
    equations = :[
        cd.u = 0.0u"A" - motor.id
        cq.u = 20.0u"A" - motor.iq
        vd = cd.y - motor.p*motor.w*motor.Lq*motor.iq
        vq = cq.y + motor.p*motor.w*(motor.Ld*motor.id + motor.psi)
        angle = motor.p*motor.phi
        inverter.duty = [0.5 + (vd*cos(angle - k) - vq*sin(angle - k))/300.0u"V" for k in [0.0, 2*pi/3, -2*pi/3]]
    ],
    connect = :[
        (dc.p, inverter.p)
        (dc.n, inverter.n, g.p)
        (inverter.plug, motor.plug)
        (motor.flange, brake.flange)
    ])
drive = @instantiateModel(Drive)
simulate!(drive, stopTime = 0.15, tolerance = 1e-8)
plot(drive, ["motor.w", ("motor.id", "motor.iq"), ("motor.plug.ia", "motor.plug.ib", "motor.plug.ic")], heading = "Synchronous motor: speed, currents of the rotor's frame and of the phases")
torque = 1.5*4*0.1*20.0
# The current follows a PI controller and a coil: L s^2 + (R + k) s + k/T, from 0 to 20 A; its area that is missing is that of the integrator, R*T/k... of 20 A.
missing = 20.0*0.2*0.01/4.0
right = (10.0*0.15 - 6*0.1*missing)/0.01
println("speed ", round(getLastValue(drive, "motor.w", unit = false), digits = 3), " rad/s, by hand ", round(right, digits = 3), "; torque ", round(getLastValue(drive, "motor.tau", unit = false), digits = 5), " N m")
@test abs(getLastValue(drive, "motor.tau", unit = false) - torque) < 1e-3 && abs(getLastValue(drive, "motor.w", unit = false) - right) < 0.05
# Power in is power out: what the battery gives goes to the shaft and the windings.
@test abs(-300*getLastValue(drive, "dc.i", unit = false) - torque*getLastValue(drive, "motor.w", unit = false) - 1.5*0.2*400) < 1.0

# A part of one's own with the connector of the library: a plug that reads what goes through a phase.
PhaseMeter = Model(a = Plug, b = Plug, ia = output, equations = :[
    a.va = b.va; a.vb = b.vb; a.vc = b.vc
    0 = a.ia + b.ia; 0 = a.ib + b.ib; 0 = a.ic + b.ic
    ia = a.ia])
# A load in a star: V/sqrt(R^2 + (w L)^2), fed by a source of sines and by one that follows signals.
Grid = Model(source = ThreePhaseSignalVoltage, meter = PhaseMeter, load = ThreePhaseLoad | Map(R = 10.0u"Ω", L = 0.05u"H"), star = Star, phases = PlugToPins, lamp = Resistor | Map(R = 100.0u"Ω"), g = Ground, other = ThreePhaseVoltage | Map(V = 100.0u"V"), load2 = ThreePhaseLoad | Map(R = 10.0u"Ω", L = 0.05u"H"), star2 = Star,
             equations = :[source.v = [100.0u"V"*cos(2*pi*50u"Hz"*time - k) for k in [0.0, 2*pi/3, -2*pi/3]]],
             connect = :[(source.plug, meter.a, phases.plug); (meter.b, load.plug_p); (load.plug_n, star.plug); (phases.a, lamp.p); (lamp.n, source.n, star.n, g.p, other.n, star2.n); (other.plug, load2.plug_p); (load2.plug_n, star2.plug)])
grid = @instantiateModel(Grid)
simulate!(grid, stopTime = 0.1, tolerance = 1e-9, interval = 1e-4)
i = getValues(grid, "meter.ia", unit = false)
peak = maximum(i[findall(getValues(grid, "time", unit = false) .> 0.08)])
@test abs(peak - 100/sqrt(100 + (100*pi*0.05)^2)) < 1e-3 && maximum(abs.(i - getValues(grid, "load2.ia", unit = false))) < 1e-6
@test abs(maximum(getValues(grid, "lamp.i", unit = false)) - 1.0) < 1e-9

# The same machine with its winding in parallel and in series, against a fan: where do they settle?
machine = DCExcitedMachine | Map(R = 0.5u"Ω", L = 5.0e-3u"H", Re = 100.0u"Ω", Le = 1.0u"H", Lm = 0.8u"H", J = 0.02u"kg*m^2")
fan = FanTorque | Map(tau_n = 10.0u"N*m", w_n = 150.0u"rad/s")
Shunt = Model(dc = ConstantVoltage | Map(V = 200.0u"V"), m = machine, load = fan, g = Ground, connect = :[(dc.p, m.p, m.ep); (dc.n, m.n, m.en, g.p); (m.flange, load.flange)])
Series = Model(dc = ConstantVoltage | Map(V = 200.0u"V"), m = machine | Map(Re = 0.5u"Ω", Le = 0.02u"H", Lm = 0.05u"H"), load = fan, g = Ground, connect = :[(dc.p, m.p); (m.n, m.ep); (m.en, dc.n, g.p); (m.flange, load.flange)])
shunt, series = @instantiateModel(Shunt), @instantiateModel(Series)
simulate!(shunt, stopTime = 5.0, tolerance = 1e-8)
simulate!(series, stopTime = 20.0, tolerance = 1e-8)
function settles(excess, lo, hi)
    for k in 1:60
        mid = 0.5*(lo + hi)
        if excess(mid) > 0; lo = mid else hi = mid end
    end
    return lo
end
load(w) = 10.0*(w/150)^2
w1 = settles(w -> 1.6*(200 - 1.6*w)/0.5 - load(w), 0.0, 200.0)          # ie = 2 A: 1.6 V s
w2 = settles(w -> 0.05*(200/(1.0 + 0.05*w))^2 - load(w), 0.0, 2000.0)    # i = V/(R + Re + Lm w)
println("shunt ", round(getLastValue(shunt, "m.w", unit = false), digits = 3), " rad/s (", round(w1, digits = 3), "), series ", round(getLastValue(series, "m.w", unit = false), digits = 3), " rad/s (", round(w2, digits = 3), ")")
@test abs(getLastValue(shunt, "m.w", unit = false) - w1) < 1e-4*w1 && abs(getLastValue(series, "m.w", unit = false) - w2) < 1e-3*w2

# A motor with gear lifts 50 kg on a drum of 5 cm: i = m g r/(n eta k), w = (V - R i)/(k n).
Hoist = Model(dc = ConstantVoltage | Map(V = 24.0u"V"), m = GearMotor | Map(R = 0.5u"Ω", k = 0.05u"N*m/A", ratio = 60.0, eta = 0.8), weight = ConstantTorque | Map(tau = -50*9.81*0.05*u"N*m"), g = Ground, connect = :[(dc.p, m.p); (dc.n, m.n, g.p); (m.flange, weight.flange)])
hoist = @instantiateModel(Hoist)
simulate!(hoist, stopTime = 1.0, tolerance = 1e-8)
i = 50*9.81*0.05/(60*0.8*0.05)
println("hoist: ", round(-getLastValue(hoist, "dc.i", unit = false), digits = 5), " A (", round(i, digits = 5), ")")
@test abs(-getLastValue(hoist, "dc.i", unit = false) - i) < 1e-5 && abs(getLastValue(hoist, "m.motor.w", unit = false) - (24 - 0.5*i)/0.05) < 1e-3

end
