# The surface of a thick wall is heated at once: how deep the heat has come, beside the closed form.
#
# Shows: arrays of states, and erf as a function of equations: Carslaw and Jaeger, 2.4, T = 1 - erf(x/(2 sqrt(a t))).
# Expect: the 60 cells follow the closed form to 0.2 % of the step.
module HalfSpace

using Modia, Test
@usingModiaPlot

n = 60
Wall = Model(
    a = 1e-6,       # diffusivity [m^2/s]
    dx = 0.002,     # size of a cell [m]
    deep = 0.02,    # where it is compared, the border of two cells [m]
    T = Var(init = zeros(n)),
    equations = :[
        der(T) = a/dx^2*([2.0*(1.0 - T[1]); T[1:end-1] - T[2:end]] - [T[1:end-1] - T[2:end]; T[end]])
        there = 0.5*(T[10] + T[11])
        closed = 1.0 - erf(deep/(2.0*sqrt(a*(time + 1e-9))))
        off = there - closed
    ]
)

wall = @instantiateModel(Wall, unitless = true)
simulate!(wall, stopTime = 600.0, tolerance = 1e-8)
plot(wall, ("there", "closed"), heading = "Two centimeters below the surface")

@test maximum(abs.(getValues(wall, "off"))) < 2e-3

end
