# A ball that bounces until it comes to rest.
#
# Shows: a condition that is located exactly (negative), an instant (edge), a jump of a state (reinit),
# a memory (pre), and a model that ends an endless row of ever shorter bounces by itself.
# Expect: impacts at 0.4515 s, 1.0836 s, 1.5260 s, ...; at rest from about 2.55 s on.
using Modia
using Test
@usingModiaPlot

Ball = Model(
    g = 9.81,      # gravity
    e = 0.7,       # speed after an impact / speed before it
    vmin = 0.01,   # slower than this, it stays on the ground
    h = Var(init = 1.0),
    v = Var(init = 0.0),
    resting = Var(start = false),
    equations = :[
        der(h) = if resting; 0.0 else v end
        der(v) = if resting; 0.0 else -g end
        impact = edge(negative(h))
        resting = pre(resting) || (impact && v > -vmin)
        jump = if impact; reinit(v, if v > -vmin; 0.0 else -e*v end) else false end
    ]
)

ball = @instantiateModel(Ball, unitless = true)
simulate!(ball, stopTime = 3.0)
println("height at the end: ", getLastValue(ball, "h"), ", at rest: ", getLastValue(ball, "resting"))
# The bounces get shorter by the factor e, so infinitely many end at a finite time.
last = sqrt(2/9.81)*(1 + 2*0.7/(1 - 0.7))
rest = getValues(ball, "time")[findfirst(getValues(ball, "resting"))]
@test abs(rest - last) < 0.01
@test abs(getLastValue(ball, "h")) < 1e-6
plot(ball, ["h", "v"], heading = "A ball comes to rest")
