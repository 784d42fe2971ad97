# Equations that say something else than was meant.

## a misspelt variable
#status 2
#says case01.jl:8:15: error[E0611]: 'xx' is unknown; did you mean 'x'?
#not equation is missing
#not did you mean 'xx'
using Modia
M = Model(x = Var(init = 1.0), equations = :[
    der(x) = -(xx)])
m = @instantiateModel(M, unitless = true)

## a variable of the script
#status 2
#says error[E0611]
#says note: nothing declares 'k', so it is an unknown; a parameter is declared by the model (k = ...), and the value of a name of the script is inserted by $k
#not to insert the value of this name
using Modia
k = 3.0
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -k*x]), unitless = true)

## ... inserted
#prints 0.0498
using Modia
k = 3.0
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -$k*x]), unitless = true)
simulate!(m, stopTime = 1.0)
println(round(getLastValue(m, "x"), digits = 4))

## a value that is to stay
#status 2
#says case04.jl:5:93: error[E0601]: here the equation says n = n; the value from before an event is pre(n)
using Modia
m = @instantiateModel(Model(n = Var(start = 0), equations = :[n = if time > 0.5; n + 1 else n end]), unitless = true)

## ... in the first branch of several
#status 2
#says error[E0601]: here the equation says n = n; the value from before an event is pre(n)
using Modia
m = @instantiateModel(Model(n = Var(start = 0), equations = :[n = time < 0.5 ? n : time < 0.7 ? 1 : 2]), unitless = true)

## comparisons, said once
#status 2
#says error[E0601]: an equation is written with one '='; '==' compares
using Modia
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) == -x; y == 2*x]), unitless = true)

## a loop among equations
#status 2
#says error[E0601]: a list of equations or connections holds no loop; insert the lines of a comprehension: $([:(x[$i] = $i) for i in 1:n]...)
using Modia
m = @instantiateModel(Model(equations = :[
    for i in 1:2
        x[i] = time
    end]), unitless = true)

## a loop among connections
#status 2
#says error[E0601]: a list of equations or connections holds no loop;
using Modia
include("$(Modia.modelsPath)/Electric.jl")
m = @instantiateModel(Model(R = [Resistor for i in 1:3], connect = :[for i in 1:2; (R[i].n, R[i+1].p); end]))

## the cause before the function that failed
#status 2
#says case09.jl:8:12: error[E0301]: 'undefinedThing' is not defined
#says note[E0714]: function 'g' failed
using Modia
function g(x)
    s = "a"
    return undefinedThing*x
end
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -g(x)]), unitless = true)
simulate!(m, stopTime = 1.0)

## a value of the function around
#status 2
#says error[E0611]
#says note: nothing declares 'k', so it is an unknown;
#not nothing declares 'x'
#not nothing declares 'y'
using Modia
decay(k) = Model(x = Var(init = 1.0), equations = :[der(x) = -k*x; y = 2*x])
m = @instantiateModel(decay(3.0), unitless = true)
