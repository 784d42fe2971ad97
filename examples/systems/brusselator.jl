# Two substances that react and diffuse along a line, in 200 cells: the Brusselator.
#
# Shows: arrays in equations by comprehension, by a function with a loop, and by slices. All of them become the same
# operations on whole arrays, so a run takes as long as if each of the 400 equations were written out, or less.
# Expect: oscillations along the line; the three forms agree to rounding.
module BrusselatorExample

using Modia, Test
@usingModiaPlot

function reaction(u, v, a, b, c)
    n = length(u)
    du = zeros(n)
    dv = zeros(n)
    for i in 1:n
        du[i] = a + u[i]^2*v[i] - (b + 1)*u[i] + c*((i > 1 ? u[i-1] : a) - 2*u[i] + (i < n ? u[i+1] : a))
        dv[i] = b*u[i] - u[i]^2*v[i] + c*((i > 1 ? v[i-1] : b) - 2*v[i] + (i < n ? v[i+1] : b))
    end
    return du, dv
end

n = 200
Line = Model(n = n, a = 1.0, b = 3.0, c = 0.02*(n + 1)^2,
             u = Var(init = [1.0 + sin(2*pi*i/(n + 1)) for i in 1:n]), v = Var(init = 3.0*ones(n)))
Comprehension = Line | Model(equations = :[
    der(u) = [a + u[i]^2*v[i] - (b + 1)*u[i] + c*((i > 1 ? u[i-1] : a) - 2*u[i] + (i < n ? u[i+1] : a)) for i in 1:n]
    der(v) = [b*u[i] - u[i]^2*v[i] + c*((i > 1 ? v[i-1] : b) - 2*v[i] + (i < n ? v[i+1] : b)) for i in 1:n]
])
Loop = Line | Model(equations = :[(der(u), der(v)) = reaction(u, v, a, b, c)])
Slices = Line | Model(equations = :[
    der(u) = a .+ u.^2 .* v .- (b + 1)*u .+ c*(vcat(a, u[1:end-1]) .- 2*u .+ vcat(u[2:end], a))
    der(v) = b*u .- u.^2 .* v .+ c*(vcat(b, v[1:end-1]) .- 2*v .+ vcat(v[2:end], b))
])

ends = []
for model in [Comprehension, Loop, Slices]
    line = @instantiateModel(model)
    simulate!(line, CVODE_BDF(), stopTime = 10.0, interval = 0.1, tolerance = 1e-8)
    push!(ends, [getValues(line, "u")[end, :]; getValues(line, "v")[end, :]])
    model === Slices && plot(line, ("u[20]", "u[100]", "v[100]"), heading = "The Brusselator in $n cells")
end
@test maximum(abs.(ends[1] .- ends[3])) < 1e-6
@test maximum(abs.(ends[2] .- ends[3])) < 1e-6

end
