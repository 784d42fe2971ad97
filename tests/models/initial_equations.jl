# Where a run begins: init of what is no state, initial equations, steady variables. Each start is
# held to a closed form.
module InitialEquations

using Modia
using Modia3D
using Test

close(x, y; tolerance = 1e-9) = isapprox(ustrip(x), y, rtol = tolerance, atol = tolerance)
first(m, name) = getValues(m, name)[1]

# ---- init of a variable that is computed from a state without init ----

Cubic = Model(
    y = Var(init = 3.0),
    equations = :[
        der(x) = -x
        y = 2.0*x + x^3
    ]
)
cubic = @instantiateModel(Cubic, unitless = true)
simulate!(cubic, stopTime = 1.0, tolerance = 1e-9)
@test close(first(cubic, "x"), 1.0) && close(first(cubic, "y"), 3.0)
@test close(getLastValue(cubic, "x"), exp(-1.0); tolerance = 1e-7)
# The value may change from run to run.
simulate!(cubic, stopTime = 1.0, merge = Map(y = 12.0))
@test close(first(cubic, "x"), 2.0)

# A state with start is a guess: it moves if it has to, and tells the root.
Angle = Model(
    phi = Var(start = 2.0),
    h = Var(init = 0.5),
    equations = :[
        der(phi) = 1.0
        h = sin(phi)
    ]
)
angle = @instantiateModel(Angle, unitless = true)
simulate!(angle, stopTime = 0.1)
@test close(first(angle, "phi"), pi - pi/6)
simulate!(angle, stopTime = 0.1, merge = Map(phi = 0.1))
@test close(first(angle, "phi"), pi/6)

# Those without a value move before those with start.
Sum = Model(
    a = Var(start = 0.25),
    c = Var(init = 2.0),
    equations = :[
        der(a) = -a
        der(b) = -2.0*b
        c = a + b
    ]
)
sum2 = @instantiateModel(Sum, unitless = true)
simulate!(sum2, stopTime = 0.1)
@test first(sum2, "a") == 0.25 && close(first(sum2, "b"), 1.75)

# The force in the bar of a pendulum decides its speed (Cartesian coordinates, index 3).
Pendulum = Model(
    L = 1.0, g = 9.81, m = 2.0,
    x = Var(init = 0.0), y = Var(start = -1.0), vx = Var(start = 1.0), vy = Var(start = 0.0),
    F = Var(init = 50.0), side = 0.0,
    equations = :[
        vx = der(x)
        vy = der(y)
        m*der(vx) = -F*x + side
        m*der(vy) = -F*y - m*g
        x^2 + y^2 = L^2
    ]
)
pendulum = @instantiateModel(Pendulum, unitless = true)
simulate!(pendulum, stopTime = 0.1)
@test close(first(pendulum, "vx"), sqrt((50.0 - 2.0*9.81)/2.0))

# ---- initial equations ----

Oscillator = Model(
    k = 2.0,
    x = Var(start = 1.0),
    equations = :[
        der(x) = v
        der(v) = -k*x
        energy = 0.5*v^2 + 0.5*k*x^2
    ],
    initialEquations = :[
        der(v) = -3.0
        energy = 4.0
    ]
)
oscillator = @instantiateModel(Oscillator, unitless = true)
for solver in [CVODE_BDF(), Tsit5(), IDA()]
    simulate!(oscillator, solver, stopTime = 1.0, tolerance = 1e-9)
    @test close(first(oscillator, "x"), 1.5) && close(first(oscillator, "v"), sqrt(2*(4.0 - 2.25)))
end
w = sqrt(2.0)
@test close(getLastValue(oscillator, "x"), 1.5*cos(w) + sqrt(3.5)/w*sin(w); tolerance = 1e-6)
simulate!(oscillator, stopTime = 1.0, merge = Map(k = 4.0))
@test close(first(oscillator, "x"), 0.75)

# Lists of initial equations are joined by a merge, as equations are.
pushed = @instantiateModel(Oscillator | Map(k = 2.0, initialEquations = nothing) | Map(initialEquations = :[x = 0.5]) |
                           Map(initialEquations = :[v = 4.0*x]), unitless = true)
simulate!(pushed, stopTime = 0.1)
@test close(first(pushed, "x"), 0.5) && close(first(pushed, "v"), 2.0)

# The second root, by a start value; with units; a number that is to be found is a variable that stays.
Throw = Model(
    g = 9.81u"m/s^2",
    h = Var(init = 0.0u"m"), s = Var(init = 0.0u"m"),
    v = Var(start = 9.0u"m/s"), speed = Var(start = 3.0u"m/s"), distance = 12.0u"m", T = Var(start = 2.0u"s"),
    equations = :[
        der(h) = v
        der(v) = -g
        der(s) = speed
        der(speed) = 0.0u"m/s^2"
        der(T) = 0.0
    ],
    initialEquations = :[
        speed*T = distance
        v*T = 0.5*g*T^2
        v = 2.0*speed
    ]
)
throw = @instantiateModel(Throw)
simulate!(throw, stopTime = 1.0, tolerance = 1e-9)
T = sqrt(2*12.0*2/9.81)
@test close(first(throw, "T"), T) && close(first(throw, "speed"), 12.0/T)
simulate!(throw, stopTime = T, tolerance = 1e-9)
@test close(getLastValue(throw, "h"), 0.0; tolerance = 1e-6) && close(getLastValue(throw, "s"), 12.0; tolerance = 1e-6)

# In components, with init on one side, arrays, an alias, and functions of the script.
square(x) = x*x
Tank = Model(
    level = Var(start = 1.0), out = Var(), area = 2.0,
    equations = :[
        area*der(level) = inflow - out
        out = 0.5*sqrt(level)
    ],
    initialEquations = :[square(level) = 9.0*area/2.0]
)
Tanks = Model(
    t1 = Tank,
    t2 = Tank | Map(area = 8.0),
    u = Var(start = [0.1, 0.2, 0.3]),
    depth = Var(),
    equations = :[
        t1.inflow = 1.0
        t2.inflow = t1.out
        der(u) = -u
        depth = t2.level
    ],
    initialEquations = :[
        u = [depth, 2.0*t1.level, 7.0]
    ]
)
tanks = @instantiateModel(Tanks, unitless = true)
simulate!(tanks, stopTime = 0.1)
@test close(first(tanks, "t1.level"), 3.0) && close(first(tanks, "t2.level"), 6.0)
@test getValues(tanks, "u")[1, :] ≈ [6.0, 6.0, 7.0]

# ---- steady state ----

Reaction = Model(
    x = Var(start = 1.0, steady = true), y = Var(start = 1.0, steady = true),
    equations = :[
        der(x) = 4.0 - x*y
        der(y) = x - y^2
    ]
)
reaction = @instantiateModel(Reaction, unitless = true)
simulate!(reaction, stopTime = 10.0)
@test close(first(reaction, "x"), 4.0^(2/3)) && close(first(reaction, "y"), 4.0^(1/3))
@test close(getLastValue(reaction, "x"), 4.0^(2/3))
# From far away, where full steps of Newton's method lead astray.
for guess in [30.0, 0.05, 200.0]
    simulate!(reaction, stopTime = 0.1, merge = Map(x = guess, y = guess))
    @test close(first(reaction, "y"), 4.0^(1/3))
end

# States of any size, also without a guess: the charge of a femtofarad behind a resistor and a diode.
Junction = Model(
    C = 1.0e-15, R = 1.0e3, Is = 1.0e-12, V = 1.0,
    q = Var(steady = true),
    equations = :[
        v = q/C
        i = (V - v)/R
        der(q) = i - Is*(exp(v/0.025) - 1.0)
    ]
)
junction = @instantiateModel(Junction, unitless = true)
for (V, C) in [(1.0, 1.0e-15), (0.3, 1.0e-12), (5.0, 2.0e-18)]
    simulate!(junction, stopTime = 1e-9, merge = Map(V = V, C = C))
    v = first(junction, "v")
    @test v > 0.0 && abs((V - v)/1.0e3 - 1.0e-12*(exp(v/0.025) - 1.0)) < 1e-9*(V - v)/1.0e3
end
# Unknowns that are not felt at their guess of zero, of very different sizes: nominal values say how far
# aside to begin. Roots 2 and 3 times these sizes.
Sizes = Model(
    A = 1.0, B = 1.0,
    equations = :[der(q) = -q; der(p) = -p],
    initialEquations = :[(q/A)^2 = 4.0; (p/B)^3 + q/A = 29.0]
)
for (A, B) in [(1.0e-12, 1.0e6), (1.0e6, 1.0e-12), (1.0e-15, 1.0e-9), (1.0e9, 1.0e7)]
    sized = @instantiateModel(Sizes | Map(A = A, B = B, q = Var(nominal = A), p = Var(nominal = 3.0*B)), unitless = true)
    simulate!(sized, stopTime = 1.0e-3)
    @test abs(first(sized, "q") - 2.0*A) < 1e-9*A && abs(first(sized, "p") - 3.0*B) < 1e-9*B
end
# Down an exponential from far away, and along with a controller that begins in balance.
Diode = Model(
    v = Var(start = 12.0, steady = true),
    equations = :[1.0e-6*der(v) = (12.0 - v)/1000.0 - 1.0e-14*(exp(v/0.02585) - 1.0)]
)
diode = @instantiateModel(Diode, unitless = true)
simulate!(diode, stopTime = 1e-6)
v = first(diode, "v")
@test abs((12.0 - v)/1000.0 - 1.0e-14*(exp(v/0.02585) - 1.0)) < 1e-10
Loop = Model(
    r = 2.0, x = Var(steady = true), z = Var(steady = true),
    equations = :[
        y = 3.0*x
        der(x) = -x + u
        der(z) = r - y
        u = 0.5*(r - y) + z
    ]
)
loop = @instantiateModel(Loop, unitless = true)
simulate!(loop, stopTime = 1.0)
@test close(first(loop, "x"), 2/3) && close(first(loop, "z"), 2/3) && close(getLastValue(loop, "y"), 2.0)
# A vector of init values behind a matrix.
Mapped = Model(
    w = Var(init = [1.0, 2.0]), u = Var(start = [0.0, 0.0]), A = [2.0 1.0; 1.0 3.0],
    equations = :[
        der(u) = -u
        w = A*u
    ]
)
mapped = @instantiateModel(Mapped, unitless = true)
simulate!(mapped, stopTime = 0.1)
@test getValues(mapped, "u")[1, :] ≈ [0.2, 0.6]
# A sky 1e12 m wide.
Far = Model(r = Var(start = 1.0e11), v = Var(), equations = :[der(r) = v; der(v) = -1.327e20/r^2 + h^2/r^3; h = 4.4e15],
            initialEquations = :[der(v) = 0.0; v = 0.0])
far = @instantiateModel(Far, unitless = true)
simulate!(far, stopTime = 1.0)
@test close(first(far, "r"), (4.4e15)^2/1.327e20)

# A rod between two temperatures, steady as an array; and with a source that radiates.
Rod = Model(
    T = Var(start = fill(300.0, 4), steady = true), left = 400.0, right = 275.0,
    equations = :[
        der(T) = [left - 2.0*T[1] + T[2], T[1] - 2.0*T[2] + T[3], T[2] - 2.0*T[3] + T[4], T[3] - 2.0*T[4] + right]
    ]
)
rod = @instantiateModel(Rod, unitless = true)
simulate!(rod, stopTime = 0.1)
@test getValues(rod, "T")[1, :] ≈ [375.0, 350.0, 325.0, 300.0]

# A pendulum in Cartesian coordinates that a wind of 3 N pushes aside: tan(phi) = F/(m*g).
wind = @instantiateModel(Pendulum | Map(x = Var(init = nothing, start = 0.5, steady = true), y = Var(start = -0.8),
                                        vx = Var(start = 0.0, steady = true), F = Var(init = nothing), side = 3.0),
                         unitless = true)
simulate!(wind, stopTime = 0.4)
@test close(first(wind, "x"), sin(atan(3.0/(2.0*9.81)))) && close(getLastValue(wind, "x"), first(wind, "x"); tolerance = 1e-6)

# Conditions belong to the start that is found, not to the guess.
Switched = Model(
    x = Var(start = 5.0, steady = true),
    equations = :[
        der(x) = if x > 3.0; 2.0 - x else 1.0 - 0.25*x^2 end
    ]
)
switched = @instantiateModel(Switched, unitless = true)
simulate!(switched, stopTime = 1.0)
@test close(first(switched, "x"), 2.0)

# A filter that is steady at its input, which a clock holds: the memories begin with their start
# values, whatever was tried before.
Sampled = Model(
    x = Var(start = 0.0, steady = true),
    s = Var(start = 1.5),
    equations = :[
        c = Clock(0.1)
        s = previous(s, c) + 0.5
        u = hold(s, c)
        der(x) = 2.0*u - x
    ]
)
sampled = @instantiateModel(Sampled, unitless = true)
simulate!(sampled, stopTime = 0.05)
plain = @instantiateModel(Sampled | Map(x = Var(init = 3.0, start = nothing, steady = false)), unitless = true)
simulate!(plain, stopTime = 0.05)
@test close(first(sampled, "x"), 3.0)
@test getValues(sampled, "u") == getValues(plain, "u") && getValues(sampled, "s") == getValues(plain, "s")

# ---- with 3D parts: a bar on a hinge, held by a torsion spring ----

include("$(Modia.modelsPath)/AllModels.jl")
Bar = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]))),
    bar = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0, width = 0.1, thickness = 0.1),
                                   massProperties = MassProperties(mass = 2.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    hinge = Object3D(parent = :bar, translation = [-0.5, 0.0, 0.0]),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :hinge, axis = 3,
                             phi = Var(start = 0.1, steady = true), w = Var(start = 0.0, steady = true)),
    spring = SpringDamper | Map(c = 20.0u"N*m/rad", d = 0.5u"N*m*s/rad"),
    fixed = Fixed,
    connect = :[
        (spring.flange_b, rev.flange)
        (spring.flange_a, fixed.flange)
    ]
)
bar = @instantiateModel(Bar, unitless = true)
simulate!(bar, stopTime = 1.0, tolerance = 1e-8)
phi = first(bar, "rev.phi")
@test abs(20.0*phi + 2.0*9.81*0.5*cos(phi)) < 1e-9
@test close(getLastValue(bar, "rev.phi"), phi; tolerance = 1e-7)
# A speed and an angle from what the spring does.
thrown = @instantiateModel(Bar | Map(rev = Map(phi = Var(steady = false), w = Var(steady = false, start = 0.0)),
                                     spring = Map(tau = Var(init = 4.0)),
                                     initialEquations = :[rev.w = 0.5*rev.phi]), unitless = true)
simulate!(thrown, stopTime = 0.1)
@test close(abs(20.0*first(thrown, "rev.phi") + 0.5*first(thrown, "rev.w")), 4.0)
@test close(first(thrown, "rev.w"), 0.5*first(thrown, "rev.phi"))

end
