# A damped oscillating circuit against its closed form at three tolerances: the error goes down.
using Modia
using Test

include("$(Modia.modelsPath)/Electric.jl")

RLC = Model(
    V = ConstantVoltage | Map(V = 10.0u"V"),
    R = Resistor | Map(R = 0.5u"Ω"),
    L = Inductor | Map(L = 0.1u"H"),
    C = Capacitor | Map(C = 0.2u"F"),
    ground = Ground,
    connect = :[
        (V.p, R.p)
        (R.n, L.p)
        (L.n, C.p)
        (C.n, V.n, ground.p)
    ]
)
rlc = @instantiateModel(RLC)

function exactVoltage(t)
    a = 0.5/(2*0.1)
    w = sqrt(1/(0.1*0.2) - a^2)
    return 10*(1 - exp(-a*t)*(cos(w*t) + a/w*sin(w*t)))
end

errors = Float64[]
for tolerance in [1e-4, 1e-6, 1e-8]
    simulate!(rlc, stopTime = 2.0, tolerance = tolerance)
    t = getValues(rlc, "time")
    v = getValues(rlc, "C.v")
    push!(errors, maximum(abs.(v - exactVoltage.(t))))
end
println("errors at 1e-4, 1e-6, 1e-8: ", errors)
@test errors[1] < 1e-1 && errors[2] < 1e-3 && errors[3] < 1e-5
@test errors[2] < errors[1]/5 && errors[3] < errors[2]/5

# The same with an explicit method.
simulate!(rlc, Tsit5(), stopTime = 2.0, tolerance = 1e-9)
@test maximum(abs.(getValues(rlc, "C.v") - exactVoltage.(getValues(rlc, "time")))) < 1e-6
