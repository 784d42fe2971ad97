# Functions that jump are events, and motion along a jump is found. Numbers are closed forms, or come from an independent
# solution that was put together phase by phase with SciPy's DOP853 at 1e-12.
using Modia

methods = [CVODE_BDF(), IDA(), Tsit5(), Rodas4(), KenCarp4()]
last(m, name) = getLastValue(m, name)

# --- sliding: both sides of the jump lead to it ---

Relay = Model(x = Var(init = 1.0), equations = :[der(x) = -sign(x)])
relay = @instantiateModel(Relay, unitless = true)
simulate!(relay, stopTime = 5.0)
@test abs(last(relay, "x")) < 1e-9
for method in methods
    simulate!(relay, method, stopTime = 5.0)
    @test abs(last(relay, "x")) < 1e-9
end

# Dry friction brings a pendulum to rest away from the bottom; the force there is what holds it.
Pendulum = Model(phi = Var(init = 1.2), w = Var(init = 0.0), equations = :[
    der(phi) = w
    friction = sign(w)
    0.3*der(w) = -4.905*sin(phi) - friction])
pendulum = @instantiateModel(Pendulum, unitless = true)
for method in methods
    simulate!(pendulum, method, stopTime = 5.0, tolerance = 1e-8)
    @test abs(last(pendulum, "phi") - 0.122177696) < 1e-6
    @test abs(last(pendulum, "w")) < 1e-8
    @test abs(last(pendulum, "friction") + 4.905*sin(last(pendulum, "phi"))) < 1e-7
end

# A block on a belt, held by a spring: it sticks, slips, and sticks again.
Belt = Model(x = Var(init = 0.0), v = Var(init = 0.0), equations = :[
    der(x) = v
    f = (1.0 + 0.5*exp(-abs(v - 0.3)))*sign(0.3 - v)
    der(v) = -x + f])
belt = @instantiateModel(Belt, unitless = true)
for method in methods
    simulate!(belt, method, stopTime = 30.0, tolerance = 1e-9)
    @test abs(last(belt, "x") - 1.3720529538) < 1e-5
    @test abs(last(belt, "v") + 0.5012223854) < 1e-5
    # While it sticks the spring grows by what the belt moves, and friction balances it.
    simulate!(belt, method, stopTime = 3.0, tolerance = 1e-9)
    @test abs(last(belt, "v") - 0.3) < 1e-8
    @test abs(last(belt, "f") - last(belt, "x")) < 1e-7
end

# From rest, a force below the limit of friction moves nothing; above it does, until it sticks again.
Forced = Model(v = Var(init = 0.0), moved = Var(init = 0.0), equations = :[
    der(v) = 1.5*sin(time) - sign(v)
    der(moved) = abs(v)])
forced = @instantiateModel(Forced, unitless = true)
for method in methods
    simulate!(forced, method, stopTime = 0.72, tolerance = 1e-8)
    @test last(forced, "moved") < 1e-8
    # v = 1.5 (cos a - cos t) - (t - a) from a = asin(1/1.5) on; zero again at 3.3231163.
    simulate!(forced, method, stopTime = 2.0, tolerance = 1e-8)
    @test abs(last(forced, "v") - (1.5*(cos(asin(1/1.5)) - cos(2.0)) - (2.0 - asin(1/1.5)))) < 1e-6
    simulate!(forced, method, stopTime = 3.5, tolerance = 1e-8)
    @test abs(last(forced, "v")) < 1e-7
end

# A relay follows a signal as long as that is slow enough; conditions written out do the same.
Follow = Model(x = Var(init = 0.5), equations = :[der(x) = if x > sin(time); -2.0 else 2.0 end])
follow = @instantiateModel(Follow, unitless = true)
for method in methods
    simulate!(follow, method, stopTime = 5.0)
    @test abs(last(follow, "x") - sin(5.0)) < 1e-5
end

# Two surfaces at once.
Both = Model(x = Var(init = 1.0), y = Var(init = 2.0), equations = :[
    der(x) = -sign(x) + 0.2*sign(y)
    der(y) = -sign(y) - 0.3*sign(x)])
both = @instantiateModel(Both, unitless = true)
for method in methods
    simulate!(both, method, stopTime = 8.0)
    @test abs(last(both, "x")) + abs(last(both, "y")) < 1e-8
end

# Elements of an array slide each by itself.
Many = Model(v = Var(init = [1.0, -2.0, 3.0, -4.0]), equations = :[der(v) = -sign.(v)])
many = @instantiateModel(Many, unitless = true)
for method in methods
    simulate!(many, method, stopTime = 3.5)
    @test abs(last(many, "v")[1]) + abs(last(many, "v")[2]) + abs(last(many, "v")[3]) < 1e-8
    @test abs(last(many, "v")[4] + 0.5) < 1e-6
end

# So do elements that are compared.
Compared = Model(v = Var(init = [1.0, -2.0, 3.0]), equations = :[der(v) = 1.0 .- 2.0*(v .> 0.0)])
compared = @instantiateModel(Compared, unitless = true)
for method in methods
    simulate!(compared, method, stopTime = 2.5)
    @test abs(last(compared, "v")[1]) + abs(last(compared, "v")[2]) < 1e-8
    @test abs(last(compared, "v")[3] - 0.5) < 1e-6
end

# --- steps: integrals of functions that jump ---

# Comparisons of arrays, against each other, against time, and in a function: how long each holds within 6 s.
counted(x) = sum((x .> 0.5) .* 2.0)
Compare = Model(below = Var(init = [0.0, 0.0]), y = Var(init = [0.0, 1.0]), limit = [0.3, 0.7], late = Var(init = [0.0, 0.0]),
    count = Var(init = 0.0), equations = :[
    der(below) = 1.0*(y .< limit)
    der(y) = [cos(time), -sin(time)]
    der(late) = 1.0*(limit .<= time)
    der(count) = counted([sin(time), cos(time)])])
compare = @instantiateModel(Compare, unitless = true)
for method in methods
    simulate!(compare, method, stopTime = 6.0, tolerance = 1e-9)
    @test abs(last(compare, "below")[1] - (6.0 - (pi - 2*asin(0.3)))) < 1e-6
    @test abs(last(compare, "below")[2] - (2*pi - 2*acos(0.7))) < 1e-6
    @test maximum(abs.(last(compare, "late") - [5.7, 5.3])) < 1e-9
    @test abs(last(compare, "count") - 2*((pi - 2*asin(0.5)) + acos(0.5) + (6.0 - (2*pi - acos(0.5))))) < 1e-6
end


Steps = Model(a = Var(init = 0.0), b = Var(init = 0.0), c = Var(init = 0.0), d = Var(init = 0.0), e = Var(init = 0.0),
    f = Var(init = 0.0), g = Var(init = 0.0), x = Var(init = 0.0), equations = :[
    der(x) = 1.9*cos(time)
    der(a) = floor(time)
    der(b) = mod(time, 0.3)
    der(c) = ceil(x)
    der(d) = round(3*time)
    der(e) = div(7*time, 2)
    der(f) = trunc(x)
    der(g) = rem(-time, 0.4)])
steps = @instantiateModel(Steps, unitless = true)
# x = 1.9 sin t up to 5 s: above 1 from a to pi - a, below -1 from pi + a to 5, with a = asin(1/1.9).
rise = asin(1/1.9)
for method in methods
    simulate!(steps, method, stopTime = 5.0, tolerance = 1e-10)
    @test abs(last(steps, "a") - 10.0) < 1e-6
    @test abs(last(steps, "b") - (16*0.045 + 0.02)) < 1e-6
    @test abs(last(steps, "c") - (pi + (pi - 2*rise) - (5.0 - (pi + rise)))) < 1e-6
    # round(3t) is k between (k - 1/2)/3 and (k + 1/2)/3
    @test abs(last(steps, "d") - (sum(k/3 for k in 1:14) + 15*(5.0 - 14.5/3))) < 1e-6
    @test abs(last(steps, "e") - (sum(k*2/7 for k in 0:16) + 17*(5.0 - 34/7))) < 1e-6
    @test abs(last(steps, "f") - ((pi - 2*rise) - (5.0 - (pi + rise)))) < 1e-6
    @test abs(last(steps, "g") + (12*0.08 + 0.02)) < 1e-6
end

# --- functions of the script ---

switch(e) = if e > 0; 1.0 elseif e < 0; -1.0 else 0.0 end
root(x) = x > 0 ? sqrt(x) : 0.0
staircase(x) = floor(x) + (x > 2.5 ? 10.0 : 0.0)
Called = Model(x = Var(init = 1.0), h = Var(init = 1.0), s = Var(init = 0.0), ramp = Var(init = 0.0), equations = :[
    der(x) = -switch(x)
    der(h) = -1.0 - root(h)
    der(ramp) = 1.0
    der(s) = staircase(ramp)])
called = @instantiateModel(Called, unitless = true)
for method in methods
    simulate!(called, method, stopTime = 5.0, tolerance = 1e-8)
    @test abs(last(called, "x")) < 1e-8
    # 1 to 0 takes 2 (1 - log 2); from there on the speed is 1.
    @test abs(last(called, "h") + 5.0 - 2*(1 - log(2.0))) < 1e-6
    @test abs(last(called, "s") - 35.0) < 1e-6
end

# --- a switch that begins at its tie ---

# A block on a belt that a spring begins to pull: it sticks from rest, breaks away when the spring has the limit of
# friction, 20 (x + 0.1) s, and comes to rest 2 pi/sqrt(10) s later. In any unit, under every method.
Pulled = Model(U = 1.0, x = Var(init = 0.0), v = Var(init = 0.0), equations = :[
    der(x) = v
    der(v) = 10*(0.05*U*time - x) - U*sign(v)])
pulled = @instantiateModel(Pulled, unitless = true)
broke, rest = 0.0, 0.0
while 20*(rest + 0.1) < 10.0
    broke = 20*(rest + 0.1)
    rest = 0.05*(broke + 2*pi/sqrt(10.0)) - 0.1
end
moving = min(10.0 - broke, 2*pi/sqrt(10.0))
place = 0.05*(broke + moving) - 0.1 - 0.05/sqrt(10.0)*sin(sqrt(10.0)*moving)
for method in [CVODE_BDF(), IDA(), Tsit5(), DP5(), Rodas5(), KenCarp4(), CVODE_Adams(), Vern7()], U in [1.0, 1e6]
    simulate!(pulled, method, stopTime = 10.0, tolerance = 1e-7, merge = Map(U = U))
    @test abs(last(pulled, "x")/U - place) < 1e-5
end
