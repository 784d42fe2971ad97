# IDA: linear systems for derivatives are left to it from a certain size on (nlinearMinForDAE). Four
# masses with a full mass matrix, a state event and a time event must come out the same in every mode.
using Modia

Masses = Model(
    k = 4.0, d = 0.2, w = Var(init = 0.0),
    x1 = Var(init = 1.0), x2 = Var(init = 0.0), x3 = Var(init = 0.0), x4 = Var(init = 0.0),
    v1 = Var(init = 0.0), v2 = Var(init = 0.0), v3 = Var(init = 0.0), v4 = Var(init = 0.0),
    equations = :[
        der(x1) = v1
        der(x2) = v2
        der(x3) = v3
        der(x4) = v4
        hit = positive(x1 - 0.9)
        kick = if hit; -1.0 else 0.5 end
        2.0*der(v1) + 0.3*der(v2) + 0.2*der(v3) + 0.1*der(v4) = kick - k*x1 - d*v1
        0.3*der(v1) + 1.5*der(v2) + 0.4*der(v3) + 0.2*der(v4) = -k*x2 - d*v2
        0.2*der(v1) + 0.4*der(v2) + 1.2*der(v3) + 0.5*der(v4) = -k*x3 - d*v3
        0.1*der(v1) + 0.2*der(v2) + 0.5*der(v3) + 1.7*der(v4) = -k*x4 - d*v4
        late = after(0.7)
        der(w) = if late; x2 else -x2 end
    ]
)
masses = @instantiateModel(Masses, unitless = true)
names = ["x1", "x2", "x3", "x4", "v1", "v2", "v3", "v4", "w"]
values() = [getLastValue(masses, name) for name in names]
function countEvents()
    t = getValues(masses, "time")
    return length(findall(i -> t[i] == t[i-1], 2:length(t)))
end

simulate!(masses, stopTime = 3.0, tolerance = 1e-10)
reference = values()
events = countEvents()
@test events == 2
for (solver, size) in [(IDA(), 10), (IDA(), 1), (IDA(), 3), (CVODE_BDF(), 1), (Tsit5(), 10), (Rodas5(), 10), (DFBDF(), 1)]
    simulate!(masses, solver, stopTime = 3.0, tolerance = 1e-8, nlinearMinForDAE = size)
    @test maximum(abs.(values() - reference)) < 1e-5
    @test countEvents() == events
end
