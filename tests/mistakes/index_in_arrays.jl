# What is said about constraints on elements of arrays that cannot be.

## both triangles of a symmetric constraint
#status 2
#says case01.jl:7:14: error[E0612]: both sides of this equation are symmetric, so element [2, 1] says the same as [1, 2]: 3 of its 9 elements are redundant; write one triangle of it only
#says warning[E0317]: simulate! is skipped
using Modia
W = Model(R = Var(init = [1.0 0.0 0.0; 0.0 1.0 0.0; 0.0 0.0 1.0]), V = Var(init = zeros(3, 3)), S = Var(start = zeros(3, 3)), equations = :[der(R) = V; der(V) = R*S
             R'*R = [1.0 0.0 0.0; 0.0 1.0 0.0; 0.0 0.0 1.0]])
m = @instantiateModel(W, unitless = true)
simulate!(m, stopTime = 1.0)

## a run that changes the size of an array that was taken apart
#status 2
#says error[E0641]: 'r' has another size than when the model was instantiated
#says error[E0641]: 'v' has another size than when the model was instantiated
using Modia
P = Model(r = Var(init = [0.6, -0.8]), v = Var(init = [0.0, 0.0]), F = Var(start = 0.0), equations = :[
    der(r) = v; der(v) = -F*r + [0.0, -9.81]; r'*r = 1.0])
m = @instantiateModel(P, unitless = true)
simulate!(m, stopTime = 1.0, merge = Map(r = [0.6, -0.8, 0.0], v = [0.0, 0.0, 0.0]))

## the size of a parameter that its equations hold
#status 2
#says error[E0641]: 'g' has another size than when the model was instantiated
using Modia
P = Model(r = Var(init = [0.6, -0.8]), v = Var(init = [0.0, 0.0]), F = Var(start = 0.0), g = [0.0, -9.81], equations = :[
    der(r) = v; der(v) = -F*r + g; r'*r = 1.0])
m = @instantiateModel(P, unitless = true)
simulate!(m, stopTime = 1.0, merge = Map(g = [0.0, -9.81, 1.0]))

## an init value of an element that equations determine
#says case04.jl:5:33: warning[E0617]: x[2]: init = 2, but the equations give 0; that holds, since they determine this element by themselves
#prints 0.5403
using Modia
m = @instantiateModel(Model(x = Var(init = [1.0, 2.0]), u = Var(start = 0.0), equations = :[der(x) = [-x[1], u]; x[2] = sin(time)]), unitless = true)
simulate!(m, stopTime = 1.0)
println(round(getLastValue(m, "u"), digits = 4))

## init values that contradict a constraint between elements
#status 3
#says error[E0617]
#says note: r[2]: init = -0.9, but the equations give
#says warning[E0317]
using Modia
P = Model(r = Var(init = [0.6, -0.9]), v = Var(init = [0.0, 0.0]), F = Var(start = 0.0), equations = :[
    der(r) = v; der(v) = -F*r + [0.0, -9.81]; r'*r = 1.0])
m = @instantiateModel(P, unitless = true)
simulate!(m, stopTime = 1.0)
println(getLastValue(m, "r"))

## one constraint too many, by elements
#status 2
#says error[E0611]
using Modia
P = Model(r = Var(init = [0.6, -0.8]), v = Var(init = [0.0, 0.0]), F = Var(start = 0.0), equations = :[
    der(r) = v; der(v) = -F*r + [0.0, -9.81]; r'*r = 1.0; r[1] = 0.6])
m = @instantiateModel(P, unitless = true)
