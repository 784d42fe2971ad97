# A study in a script: three lengths of a pendulum with thirty frictions, one table.
#
# Shows: study(model, ...), a metric by an expression and one by a function, a plot of the table.
# Expect: the longer the pendulum, the slower it is; with this little friction the greatest speed is that of
# the energy at the start, sqrt(2 g/L (1 - cos(phi0))), or less.
#
#     segue run examples/studies/pendulum_table.jl
using Modia, Test

Pendulum = Model(
    L = 0.8u"m", m = 1.0u"kg", d = 0.5u"N*m*s/rad", g = 9.81u"m/s^2",
    phi = Var(init = 1.57u"rad"), w = Var(init = 0.0u"rad/s"),
    equations = :[
        w = der(phi)
        0.0 = m*L^2*der(w) + d*w + m*g*L*sin(phi)
    ])
pendulum = @instantiateModel(Pendulum)

# How often it swings through the lowest point: a function of the result of a run.
function turns(result)
    phi = getValues(result, "phi")
    count(phi[1:end-1] .* phi[2:end] .< 0)
end

table = study(pendulum, Tsit5(), vary = Map(L = [0.4, 0.8, 1.6], d = "loguniform(0.005,0.02)"), runs = 30, seed = 1,
    metric = ["fastest=max(abs(w))", turns], stopTime = 4.0, tolerance = 1e-8, interval = 0.01)

free = sqrt.(2*9.81 ./ table["L"] * (1 - cos(1.57)))
@test all(table["status"] .== "ok")
@test all(table["fastest"] .< free)
@test all(table["fastest"] .> 0.8*free)
@test all(table["turns"][table["L"] .== 0.4] .>= table["turns"][table["L"] .== 1.6][1])
println("swings through the lowest point: ", Int.(table["turns"][1:3]), " for L = ", table["L"][1:3])

plot(table, "fastest", xAxis = "L", heading = "greatest speed over length")
