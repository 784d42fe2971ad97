# Where a run begins: a bar on a hinge, held by a torsion spring, starts at rest where gravity and spring balance,
# although nobody computed that angle. The same bar is then let go so that it just reaches the horizontal.
# Expect: the angle of rest solves c*phi + m*g*l/2*cos(phi) = 0, about -0.443 rad, and the bar stays there; the push at the
# start is the speed whose energy lifts the bar to the horizontal.
module RestingStart

using Modia
using Test

Bar = Model(
    m = 2.0u"kg", l = 1.0u"m", c = 20.0u"N*m", g = 9.81u"m/s^2",
    phi = Var(start = 0.1), w = Var(start = 0.0u"1/s"),
    equations = :[
        der(phi) = w
        m*l^2/3*der(w) = -c*phi - m*g*l/2*cos(phi)
        energy = m*l^2/6*w^2 + 0.5*c*phi^2 + m*g*l/2*sin(phi)
    ]
)

# At rest: both derivatives vanish at the start. The start values are only guesses now.
Resting = Bar | Map(phi = Var(steady = true), w = Var(steady = true))
resting = @instantiateModel(Resting)
simulate!(resting, stopTime = 2.0, tolerance = 1e-8)
phi = getValues(resting, "phi")
println("at rest at ", phi[1], " rad, two seconds later at ", phi[end], " rad")
@test abs(20.0*phi[1] + 9.81*cos(phi[1])) < 1e-9
@test abs(phi[end] - phi[1]) < 1e-6

# Pushed: from -0.3 rad with the energy of the bar at rest in the horizontal, phi = 0, upwards (the guess tells the root).
Pushed = Bar | Map(phi = Var(init = -0.3), w = Var(start = 1.0u"1/s"), initialEquations = :[energy = 0.0u"J"])
pushed = @instantiateModel(Pushed)
simulate!(pushed, stopTime = 1.0, tolerance = 1e-8)
println("pushed with ", getValues(pushed, "w")[1], " rad/s it comes up to ", maximum(getValues(pushed, "phi")), " rad")
w0 = sqrt(6*(9.81*sin(0.3) - 10*0.3^2)/2)
@test abs(getValues(pushed, "w")[1] - w0) < 1e-8
@test abs(maximum(getValues(pushed, "phi"))) < 1e-4

plot(resting, "phi", heading = "At rest", figure = 1)

end
