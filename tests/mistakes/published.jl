# What published files use besides models: each works, or says what is wrong and lets the script go on.

## units inside quoted arrays of parameters
#prints 0.1 0.2
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), dx = 0.1,
    b = Object3D(parent = :world, translation = :[dx*u"m", 0.0, 200*u"mm"], rotation = :[-90*u"°", 0.0, -90*u"°"]))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.1)
b = m.evaluatedParameters[:b]
println(b.translation[1], " ", b.translation[3])

## the library by its module
#prints true -1.0
using Modia
Block = Modia.StateSpace | Map(A = [-1.0;;], B = [1.0;;], C = [1.0;;], D = [0.0;;])
println(haskey(Modia.Resistor, :R), " ", Block[:A][1, 1])

## names of its parts
#prints true
using Modia3D
println(Modia3D.Shapes.VisualMaterial === Modia3D.VisualMaterial && Modia3D.Frames.rot1 === Modia3D.rot1)

## a name that neither has
#status 2
#says error[E0301]: 'Rezistor' is not defined in module Modia
using Modia
R = Modia.Rezistor

## the name of a module inside it
#prints 7
module Robots
arms = 3
count() = Robots.arms + 4
println(Robots.count())
end

## using inside of a top-level if
#prints yes
const in3D = true
if in3D
    using Modia3D
elseif false
    using Nowhere
else
    using Modia
end
println(@isdefined(Object3D) ? "yes" : "no")

## JSON
#prints {"a":1,"b":[1.0,null],"c":"x"}
#prints   "b": [
using OrderedCollections
import JSON
d = OrderedDict("a" => 1, "b" => [1.0, NaN], "c" => :x)
println(JSON.json(d))
JSON.print(d, 2)

## splats in text
#prints list: 12, :a => 1:b => 2
f(; kwargs...) = "$(kwargs...)"
println("list: $((1, 2)...), $(f(a = 1, b = 2))")

## trailing dimensions of one
#prints [3.0;;] [-1.0;;] true
A = reshape([1.0], 1, 1)
println(A + [2.0], " ", A - [2.0], " ", isapprox(A, [1.0]))

## other shapes still differ
#status 2
#says error[E0307]: sizes of arrays do not match: 1x2 and 2 elements
A = [1.0 2.0] + [1.0, 2.0]

## implicitDependency in equations
#prints 0.3679
using Modia
implicitDependency(args...) = nothing
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = implicitDependency(-x, x)]), unitless = true)
simulate!(m, stopTime = 1.0)
println(round(getLastValue(m, "x"), digits = 4))

## one vector for several left sides
#prints 0.3679 0.7358
using Modia
f(x) = [x, 2*x]
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x; (a, b) = f(x)]), unitless = true)
simulate!(m, stopTime = 1.0)
println(round(getLastValue(m, "a"), digits = 4), " ", round(getLastValue(m, "b"), digits = 4))

## the folder of a script is the one that it may write to
#prints true true
using Modia
writeModel(joinpath(pwd(), "m.json"), Model(a = 1.0))
println(endswith(pwd(), "case13-results"), " ", readModel("m.json")[:a] == 1.0)

## a path in an equation
#prints 0.5
using Modia
path = PTP_path(["a"], positions = [0.0; 1.0;;], v_max = [1.0], a_max = [1.0])
m = @instantiateModel(Model(path = path, equations = :[y = getPosition(path, 1, time)]), unitless = true)
simulate!(m, stopTime = 1.0)
println(getLastValue(m, "y"))

## the inside of a model
#says case15.jl:8:9: warning[E0308]: an instantiated model has no field 'timer' here; its value is nothing
#prints 0.2 x nothing
using Modia
m = @instantiateModel(Model(T = 0.2, x = Var(init = 1.0), equations = :[der(x) = -x/T]), unitless = true)
info = m.equationInfo.x_info
t = m.evaluatedParameters[:T]
inner = m.timer
println(t, " ", info[1].x_name, " ", inner)

## a keyword that the run names
#prints 7 4
g(; a = 1, b = 2) = a + b
key = :a
println(g(; key => 5), " ", [g(; k => 3) for k in [:a, :b]][2])

## segue check knows nothing of a run, and does not complain
#command $SEGUE check FILE
#prints case17.jl: ok
using Modia
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(m, stopTime = 1.0)
function errors(m)
    t, x = getValues(m, "time"), getValues(m, "x")
    return maximum(abs.(x .- exp.(-t))), diff(x)./diff(t)
end
worst, slopes = errors(m)
println(maximum(abs.(diff(getValues(m, "x")) .- 0.1)))

## typed fields convert
#prints 0.002 m s^-1, 3.0 m s^-1, 1.0 m s^-1, 2.0
struct Speed
    v::typeof(1.0u"m/s")
end
mutable struct Pose
    v::quantity(Float64, u"m/s")
    x::Float64
end
pose = Pose(300.0u"cm/s", 2)
print(Speed(2u"mm/s").v, ", ", pose.v)
pose.v = 3.6u"km/hr"
println(", ", pose.v, ", ", pose.x)

## ... but not another dimension
#status 2
#says error[E0302]
struct Speed
    v::typeof(1.0u"m/s")
end
s = Speed(2u"kg")
