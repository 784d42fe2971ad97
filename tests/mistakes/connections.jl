# Connections are never lost in silence.

## a vector of quoted connections is a list of them, with tuples of quotes, too
#prints [0.7165, 0.3679, 0.3679]
using Modia
include("$(Modia.modelsPath)/Electric.jl")
Parts = Model(R = Resistor, C = Capacitor | Map(v = Var(init = 1.0u"V")), ground = Ground)
links = [:(R[$i].n, R[$(i + 1)].p) for i in 1:2]
Chain = Parts | Model(R = nothing) | Model(R = [Resistor for i in 1:3],
    connect = :[$(links...); (R[1].p, C.p); (R[3].n, C.n, ground.p)])
Vector = Parts | Model(connect = [:(R.p, C.p), (:(R.n), :(C.n), :(ground.p))])
Tuples = Parts | Model(connect = :((R.p, C.p), (R.n, C.n, ground.p)))
last(M) = (m = @instantiateModel(M); simulate!(m, stopTime = 1.0); round(ustrip(getLastValue(m, "C.v")), digits = 4))
println([last(Chain), last(Vector), last(Tuples)])

## equations as a vector, and appended
#prints [0.3679, 1.3679]
using Modia
M = Model(x = Var(init = 1.0), equations = [:(der(x) = -x)]) | Model(equations = [:(y = x + 1)])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)
println([round(getLastValue(m, "x"), digits = 4), round(getLastValue(m, "y"), digits = 4)])

## an equation between connectors
#status 2
#says case03.jl:7:17: error[E0604]: this is an equation between two connectors; connect them by (R.p, C.p) in connect = :[...]
using Modia
include("$(Modia.modelsPath)/Electric.jl")
F = Model(R = Resistor, C = Capacitor, ground = Ground,
    connect = :[R.p = C.p
                (R.n, C.n, ground.p)])
m = @instantiateModel(F)

## ... among the equations
#status 2
#says error[E0604]: this is an equation between two connectors; connect them by (C.p, R.p)
using Modia
include("$(Modia.modelsPath)/Electric.jl")
F = Model(R = Resistor, C = Capacitor, ground = Ground, equations = :[C.p = R.p], connect = :[(R.n, C.n, ground.p)])
m = @instantiateModel(F)

## text in place of connections
#status 2
#says case05.jl:6:57: error[E0501]: connect needs a quoted list of connections: connect = :[(a.p, b.n)]
using Modia
include("$(Modia.modelsPath)/Electric.jl")
F = Model(R = Resistor, C = Capacitor, ground = Ground, connect = ["(R.p, C.p)"])
m = @instantiateModel(F)

## a merge that replaces connections
#says case06.jl:8:30: warning[E0604]: this replaces the connections of the model that it is merged with; (R.p, C.p), (R.n, C.n, ground.p) no longer hold; repeat here what is to stay
#says case06.jl:7:5: note: they stand here
using Modia
include("$(Modia.modelsPath)/Electric.jl")
A = Model(R = Resistor, C = Capacitor, ground = Ground,
    connect = :[(R.p, C.p); (R.n, C.n, ground.p)])
B = A | Model(R2 = Resistor, connect = :[(R2.p, C.p); (R2.n, C.n)])

## a merge that wires anew loses nothing
#prints 3
using Modia
include("$(Modia.modelsPath)/Electric.jl")
A = Model(R = Resistor, C = Capacitor, ground = Ground, connect = :[(R.p, C.p); (R.n, C.n, ground.p)])
B = A | Model(L = Inductor, connect = :[(R.p, L.p); (L.n, C.p); (R.n, C.n, ground.p)])
C = A | Map(R = nothing, connect = :[(C.p, ground.p, C.n)])
println(length([A, B, C]))

## $(x...) of what is no list
#status 2
#says error[E0302]: $(x...) inserts the elements of a vector or tuple of expressions
using Modia
x = 3
q = :[a, $(x...)]
