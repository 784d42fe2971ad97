# Models written as JSON and read back are the same, and run the same.
using Modia
using Test

Filter = Model(
    k = 2.0u"m/s", n = 3, on = true, name = "low pass",
    A = [1.0 2.0; 3.0 4.0],
    x = Var(init = 1.0, info = "state"),
    sub = Map(gain = :k),
    equations = :[
        der(x) = -n*x
        y = if x > 0.5; x else 2*x end
    ]
)
@test JSONToModel(modelToJSON(Filter)) == Filter
writeModel("filter.json", Filter)
again = readModel("filter.json")
@test again == Filter

Simple = Model(x = Var(init = 1.0), equations = :[der(x) = -2*x])
simple = @instantiateModel(JSONToModel(modelToJSON(Simple)))
simulate!(simple, stopTime = 1.0, requiredFinalStates = [exp(-2.0)])
@test_throws Exception JSONToModel("{ not json")
