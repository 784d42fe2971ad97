# What people from other languages write, and brackets.

## a power
#status 2
#says case01.jl:4:9: error[E0201]: a power is written '^': x^2
y(x) = x**2

## commas in rows
#status 2
#says error[E0201]: the elements of a row have blanks between them, not commas: [1 2; 3 4]
A = [1,2;3,4]

## a missing bracket, in a list of equations
#status 2
#says case03.jl:7:20: error[E0201]: expected a separator or ']', found the end of the line
#says case03.jl:6:45: note: to close this '['
using Modia
M = Model(x = Var(init = 1.0), equations = :[
        der(x) = -x
)

## ... and in an array
#status 2
#says error[E0201]: expected ',' or ']', found ')'
#says note: to close this '['
x = maximum([1, 2)

## equations without the colon
#status 2
#says error[E0201]: equations are quoted: equations = :[...]
using Modia
M = Model(x = Var(init = 1.0), equations = [
        der(x) = -x
        y = 2*x])

## connections without the colon
#status 2
#says error[E0301]: 'R' is not defined; what stands there is quoted: connect = :[...]
using Modia
include("$(Modia.modelsPath)/Electric.jl")
M = Model(R = Resistor, C = Capacitor, connect = [(R.p, C.p)])

## an assignment of another language
#status 2
#says error[E0201]: there is no ':='; equations and assignments are written with '='
using Modia
M = Model(equations = :[y := 2*time])

## Python: a function
#status 2
#says case08.jl:4:1: error[E0201]: a function is written function f(x) ... end, or f(x) = ...
def f(x):
    return x

## Python: and, then
#status 2
#says error[E0201]: 'and' is written '&&'
#says error[E0201]: 'then' is not needed; a condition ends with its line or with ';'
a = 1 > 0 and 2 > 1
if 1 > 0 then
    println(1)
end

## Python: True
#status 2
#says error[E0301]: 'True' is not defined; write true
x = True

## Python: not
#status 2
#says error[E0301]: 'not' is not defined; 'not x' is written !x
if not true
    println(1)
end

## Modelica: a model, said once
#status 2
#says case12.jl:4:1: error[E0201]: a model is written Name = Model(key = value, ..., equations = :[...])
model Pendulum
  Real phi(start = 1);
equation
  der(phi) = 1;
end Pendulum;

## Modelica: a declaration among the arguments
#status 2
#says error[E0201]: a variable is declared by a key of its model: x = Var(start = 1.0)
using Modia
M = Model(Real x(start = 1), equations = :[der(x) = -x])

## Modelica: a declaration among the equations
#status 2
#says case14.jl:6:9: error[E0601]: a variable is declared by a key of its model: x = Var(start = 1.0)
using Modia
M = Model(equations = :[
        Real x(start = 1)
        der(x) = -x])
m = @instantiateModel(M, unitless = true)

## Modelica: connect among the arguments
#status 2
#says error[E0301]: 'connect' is not defined; connections are a key of the model: connect = :[(a.p, b.n)]
using Modia
include("$(Modia.modelsPath)/Electric.jl")
M = Model(R = Resistor, C = Capacitor, connect(R.p, C.p))

## connect(a, b) in a list is fine
#prints 0.3679
using Modia
include("$(Modia.modelsPath)/Electric.jl")
M = Model(R = Resistor, C = Capacitor | Map(v = Var(init = 1.0u"V")), G = Ground, connect = :[connect(R.p, C.p); connect(R.n, C.n, G.p)])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
println(round(ustrip(getLastValue(m, "C.v")), digits = 4))
