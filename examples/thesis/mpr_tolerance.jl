# How precise must portal refinement be? Figure 6.8 of the thesis.
#
# Shows: contactStatistics, compatibility = "modia-0.12" in a Scene, and a curve over something else than time.
# The published program finds distances by portal refinement (MPR) alone, up to a tolerance of its own. A distance that is
# wrong in its twelfth digit is no error anybody would see, but it jumps from one evaluation to the next, and a solver with
# variable steps and a tolerance of 1e-8 has to follow the jumps. So the thesis computes with 31 digits and asks for 1e-20.
# Expect: with plain MPR the evaluations stay at some 8000 up to a tolerance of 1e-17 and grow strongly from 1e-16 on, while
# the largest number of iterations falls from one row to the next. The default mode, which goes on from the portal
# to the exact distance in double precision, does not depend on the tolerance.
module MprTolerance

using Modia3D
using Test
@usingModiaPlot

steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
# The ellipsoid of scenario E3, thesis figure B.8. The hysteresis of contacts is that of 1e-20 throughout.
function evaluations(exponent, compatibility)
    Ellipsoids = Model3D(
        world = Object3D(feature = Scene(compatibility = compatibility, mprTolerance = 10.0^exponent)),
        ground = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = steel(Box(lengthX = 4.0, lengthY = 0.1, lengthZ = 3.0))),
        ellipsoid = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 1.0, 0.0], angularVelocity = [5.0, 0.0, -2.0],
                             feature = steel(Ellipsoid(lengthX = 0.1, lengthY = 0.2, lengthZ = 0.3))))
    model = @instantiateModel(Ellipsoids, unitless = true)
    simulate!(model, stopTime = 2.0, tolerance = 1e-8)
    c = Modia3D.contactStatistics(model)
    return [c[:crossings] + c[:forces], c[:phase3Most], c[:begun]]
end

exponents = -22:-14
plain = [evaluations(k, "modia-0.12") for k in exponents]
exact = [evaluations(k, "") for k in [-22, -14]]
for i in 1:length(exponents)
    println("mprTolerance 1e", exponents[i], ": ", plain[i][1], " evaluations of contacts, at most ", plain[i][2], " iterations of phase 3")
end
println("default mode: ", exact[1][1], " evaluations, at most ", exact[1][2], " iterations of phase 3")

least = minimum(p[1] for p in plain)
@test all(p[3] == 5 for p in plain)                 # the same five contacts each time
@test all(p[1] < 1.15*least for p in plain[1:6])    # flat up to 1e-17
@test plain[7][1] > 1.05*least                      # a little more at 1e-16
@test plain[9][1] > 2*least                         # and far more at 1e-14
@test all(plain[i+1][2] <= plain[i][2] for i in 1:length(plain)-1)
@test plain[3][2] <= 57                             # thesis table 6.1, for 1e-20
@test exact[1] == exact[2]
@test exact[1][2] <= 3

# The curve, with the exponent for the time.
curve = zeros(length(exponents), 2)
for i in 1:length(exponents), k in 1:2
    curve[i, k] = plain[i][k]
end
function at(k, x)
    i = min(Int(floor(x - exponents[1])) + 1, length(exponents) - 1)
    return curve[i, k] + (x - exponents[i])*(curve[i+1, k] - curve[i, k])
end
Figure = Model(evaluations = Var(info = "of contacts"), iterations = Var(info = "of phase 3"), exponent = Var(init = exponents[1]),
               equations = :[der(exponent) = 1.0
                             evaluations = at(1, exponent)
                             iterations = at(2, exponent)])
figure = @instantiateModel(Figure, unitless = true)
simulate!(figure, startTime = -22.0, stopTime = -14.0, interval = 1.0)
plot(figure, ["evaluations", "iterations"], xAxis = "exponent", heading = "Plain MPR over the exponent of its tolerance")

end
