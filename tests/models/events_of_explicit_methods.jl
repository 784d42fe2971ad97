# Events in steps of explicit methods that are much longer than the way to them. The state at an event must be as exact as if the step had ended
# there: from the polynomial of the long step a bridge of check valves was off by up to 10,000 tolerances after 40 events, with status 0, since
# steps that begin at zeros of a sine and have all their stages there see no errors. Held against closed forms.
module EventsOfExplicitMethods

using Modia
using Test

methods = [BS3(), RK4(), Tsit5(), DP5(), CashKarp(), RKF45(), Vern6(), Vern7(), DP8(), Vern8()]

# Bounces by the closed form of each flight.
Ball = Model(h = Var(init = 1.0), v = Var(init = 0.0), equations = :[
    der(h) = v
    der(v) = -9.81
    impact = edge(negative(h))
    jump = if impact; reinit(v, -0.95*v) else false end])
function ball(t)
    v, at = sqrt(2*9.81), sqrt(2/9.81)
    while true
        v = 0.95*v
        if at + 2*v/9.81 > t
            return v*(t - at) - 9.81/2*(t - at)^2
        end
        at = at + 2*v/9.81
    end
end

# Heats and cools for log(1.5) in turn, between 0.8 and 1.2.
Thermostat = Model(T = Var(init = 1.0), heats = Var(start = true), equations = :[
    heats = if pre(heats); T < 1.2 else T < 0.8 end
    der(T) = -T + (if heats; 2.0 else 0.0 end)])
function thermostat(t)
    t1 = log(1/0.8)
    t < t1 && return 2 - exp(-t)
    s = mod(t - t1, 2*log(1.5))
    return s < log(1.5) ? 1.2*exp(-s) : 2 - 1.2*exp(-(s - log(1.5)))
end

# A bridge of ideal check valves, and what it does: a level that hardly feels the flow, so that steps are as long as several periods.
Bridge = Model(f = 1.0, h = Var(init = 1.0), equations = :[
    q = 1e-3*sin(2*pi*f*time)
    q - a + d = 0.0
    -q - c + b = 0.0
    p1 - p = if s1 > 0; 1e-8*s1 else s1 end
    a = if s1 > 0; s1 else 0.0 end
    p2 - p = if s3 > 0; 1e-8*s3 else s3 end
    c = if s3 > 0; s3 else 0.0 end
    p0 - p1 = if s2 > 0; 1e-8*s2 else s2 end
    d = if s2 > 0; s2 else 0.0 end
    p0 - p2 = if s4 > 0; 1e-8*s4 else s4 end
    b = if s4 > 0; s4 else 0.0 end
    p = h
    p0 = 0.0
    der(h) = a + c])
Halves = Model(f = 1.0, h = Var(init = 1.0), equations = :[
    q = 1e-3*sin(2*pi*f*time)
    der(h) = if q > 0; q else -q end])
halves(t, f) = 1 + 1e-3*(floor(2*f*t)/pi + (1 - cos(2*pi*mod(f*t, 0.5)))/(2*pi))/f

# The sign of a swing through a slow filter.
Wave = Model(x = Var(init = 0.0), v = Var(init = 1.0), y = Var(init = 0.0), equations = :[
    der(x) = v
    der(v) = -x
    der(y) = (if x > 0; 1.0 else -1.0 end) - 0.2*y])
function wave(t)
    y, u, at = 0.0, 1.0, 0.0
    while at + pi < t
        y, u, at = 5*u + (y - 5*u)*exp(-0.2*pi), -u, at + pi
    end
    return 5*u + (y - 5*u)*exp(-0.2*(t - at))
end

# Parabolas.
Relay = Model(x = Var(init = 1.0), v = Var(init = 0.0), equations = :[
    der(x) = v
    der(v) = if x > 0; -1.0 else 1.0 end])
function relay(t)
    s, T = mod(t, 4*sqrt(2.0)), sqrt(2.0)
    return s < T ? 1 - s^2/2 : s < 3*T ? -1 + (s - 2*T)^2/2 : 1 - (s - 4*T)^2/2
end

# Half waves of two frequencies.
Springs = Model(x = Var(init = 0.0), v = Var(init = 1.0), equations = :[
    der(x) = v
    der(v) = if x > 0; -x else -25*x end])
function springs(t)
    s = mod(t, 1.2*pi)
    return s < pi ? sin(s) : -sin(5*(s - pi))/5
end

# A saw tooth of a state.
Saw = Model(x = Var(init = 0.0), y = Var(init = 0.0), equations = :[
    der(x) = 1 + 0.0*y
    der(y) = mod(x, 0.7)^2])
saw(t) = floor(t/0.7)*0.7^3/3 + mod(t, 0.7)^3/3

cases = [("ball", Ball, "h", ball, 7.77), ("thermostat", Thermostat, "T", thermostat, 20.3), ("wave", Wave, "y", wave, 30.1), ("relay", Relay, "x", relay, 31.3),
         ("springs", Springs, "x", springs, 30.1), ("saw", Saw, "y", saw, 20.4)]
for f in [1.0, 0.37, 113.0]
    part(Of) = Of | Map(f = f)
    right(t) = halves(t, f)
    push!(cases, ("bridge, $f Hz", part(Bridge), "h", right, 20.3/f))
    push!(cases, ("halves, $f Hz", part(Halves), "h", right, 20.3/f))
end
for (name, Of, signal, right, stop) in cases
    model = @instantiateModel(Of, unitless = true)
    coarse = [(Heun(), tolerance) for tolerance in [1e-3, 1e-4, 1e-5, 1e-6]]
    fine = [(solver, tolerance) for solver in methods for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9]]
    for (solver, tolerance) in [coarse; fine]
        simulate!(model, solver, stopTime = stop, tolerance = tolerance)
        off = abs(getLastValue(model, signal) - right(stop))/tolerance
        off < 100 || println(name, " by ", solver, " at ", tolerance, ": ", off, " tolerances off")
        @test off < 100
    end
end

end
