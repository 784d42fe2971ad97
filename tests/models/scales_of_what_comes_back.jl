# What dies away far below its tolerance and grows again later, out of what was left of it: a population in a bad season, down to 1e-1000 of its size,
# a laser that is pumped again, an epidemic, an oscillation that is damped and driven, bad seasons that end with an event of time or of a state,
# seasons that change while other events come and go. In units from 1e-12 to 1e15 and at times from 1e-9 s to 1e6 s, with implicit and explicit methods,
# at four tolerances. What a solver has of such a state is noise of either sign: most of these runs ended at zero, or with E0703.
module ScalesOfWhatComesBack

using Modia
using Test

Season = Model(U = 1.0, T = 1.0, k = 4.0, p = Var(init = 1e-3), equations = :[
    T*der(p) = k*(time/T - 5)*p*(1 - p/(2*U))])
# p/(2 - p) grows by exp(k ((t - 5)^2 - 25)/2).
season(k, p0, t) = 2/(1 + (2 - p0)/p0*exp(-k*((t - 5)^2 - 25)/2))
Two = Model(p = Var(init = 1e-3), q = Var(init = 0.5), y = Var(init = 1.0), v = Var(init = 0.0), equations = :[
    der(p) = 4*(time - 5)*p*(1 - p/2) + 0.01*q*p
    der(q) = 3*(time - 6)*q*(1 - q/3) - 0.1*p*q
    der(y) = v
    der(v) = -9*y])
Switched = Model(k = 10.0, p = Var(init = 1e-3), equations = :[
    der(p) = (if time < 5; -k else k end)*p*(1 - p/2)])
By_state = Model(p = Var(init = 1e-3), y = Var(init = 0.0), equations = :[
    der(y) = 1 - 0.1*y
    der(p) = (if y < 4; -10.0 else 10.0 end)*p*(1 - p/2)])
Beside = Model(p = Var(init = 1e-3), y = Var(init = 0.0), equations = :[
    der(y) = (if mod(time, 0.25) < 0.125; 1.0 else 0.0 end) - y
    der(p) = 4*(time - 5)*p*(1 - p/2)])
Seen = Model(p = Var(init = 1e-3), q = Var(init = 0.0), equations = :[
    der(p) = 4*(time - 5)*p*(1 - p/2)
    der(q) = if p > 0.5; 1.0 else 0.0 end])
Laser = Model(off = 20.0, on = 40.0, n = Var(init = 0.0), s = Var(init = 1e-6), equations = :[
    pump = if time > off && time < on; 0.0 else 4.0 end
    der(n) = pump - n - 5*n*s
    der(s) = 20*s*(n - 1)])
Pulsed = Model(n = Var(init = 0.0), s = Var(init = 1e-6), equations = :[
    pump = if mod(time, 10.0) < 6.0; 4.0 else 0.0 end
    der(n) = pump - n - 5*n*s
    der(s) = 20*s*(n - 1)])
Epidemic = Model(S = Var(init = 0.9), E = Var(init = 0.001), I = Var(init = 0.001), equations = :[
    b = if mod(time, 20.0) < 10.0; 0.0 else 5.0 end
    der(S) = 0.05*(1 - S) - b*S*I
    der(E) = b*S*I - 2*E
    der(I) = 2*E - 3*I])
Swing = Model(x = Var(init = 1.0), v = Var(init = 0.0), equations = :[
    d = if time < 20; 1.0 else -1.0 end
    der(x) = v
    der(v) = -9*x - 2*d*v - 4*x^2*v])

all = [CVODE_BDF(), CVODE_Adams(), IDA(), Rodas5(), Tsit5(), DP8(), TRBDF2(), Vern8()]
function check(name, model, stop, value, right, map = Map(); tolerances = [1e-3, 1e-4, 1e-6, 1e-8])
    for solver in all, tolerance in tolerances
        simulate!(model, solver, stopTime = stop, tolerance = tolerance, merge = map)
        off = abs(value(model) - right)/abs(right)
        # What grows makes more of what a tolerance leaves: a thousand tolerances are 1e-3 of the time of a factor of e.
        bound = tolerance > 5e-4 ? 0.3 : max(1000*tolerance, 1e-4)
        off < bound || println(name, ", ", solver, ", ", tolerance, ": off by ", off)
        @test off < bound
    end
end
last(name) = m -> getLastValue(m, name)

model = @instantiateModel(Season, unitless = true)
case(; k = 4.0, U = 1.0, T = 1.0) = Map(k = k, U = U, T = T, p = Var(init = 1e-3*U))
for k in [1.5, 4.0, 7.0, 14.0, 40.0, 180.0]  # down to 1e-11, 1e-25, 1e-41, 1e-79, 1e-220, 1e-980
    check("season $k", model, 12.0, last("p"), season(k, 1e-3, 12.0), case(k = k))
end
check("season, when it is back", model, 10.2, last("p"), season(4.0, 1e-3, 10.2), case())
for U in [1e-12, 1e6, 1e15]
    check("season in $U", model, 12.0, m -> getLastValue(m, "p")/U, season(4.0, 1e-3, 12.0), case(U = U), tolerances = [1e-4, 1e-6])
end
for T in [1e-9, 1e6]
    check("season of $T s", model, 12.0*T, last("p"), season(4.0, 1e-3, 12.0), case(T = T), tolerances = [1e-4, 1e-6])
end

# The others against a method of order 8 that controls them down to 1e-290.
function compare(name, Of, stop, value; tolerances = [1e-3, 1e-4, 1e-6, 1e-8])
    model = @instantiateModel(Of, unitless = true)
    simulate!(model, Vern8(), stopTime = stop, tolerance = 1e-12, atol = 1e-290)
    check(name, model, stop, value, value(model), tolerances = tolerances)
end
compare("two", Two, 14.0, m -> getLastValue(m, "p") + getLastValue(m, "q"))
compare("switched", Switched, 12.0, last("p"))
compare("switched fast", Switched | Map(k = 40.0), 12.0, last("p"))
compare("by a state", By_state, 14.0, last("p"))
compare("beside events", Beside, 12.0, last("p"))
compare("seen by a condition", Seen, 12.0, last("q"))
compare("laser", Laser, 60.0, last("s"))
compare("laser, short", Laser | Map(off = 6.0, on = 14.0), 30.0, last("s"))
compare("laser, pulsed", Pulsed, 45.0, last("s"))
compare("epidemic", Epidemic, 90.0, last("S"))
compare("swing", Swing, 38.0, m -> getLastValue(m, "x")^2 + getLastValue(m, "v")^2/9, tolerances = [1e-6, 1e-8])
end
