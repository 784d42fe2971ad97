# What went on without a word once, and ended with a result that nobody meant.

## only one partner can collide
#says case01.jl:6:5: warning[E0911]: Object3D 'ball' is the only one with collision = true
using Modia3D
Fall = Model3D(world = Object3D(feature = Scene(enableContactDetection = true)),
    ground = Object3D(parent = :world, feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0), solidMaterial = "Steel")),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.5, 0.0],
                    feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true)))
fall = @instantiateModel(Fall, unitless = true)
simulate!(fall, stopTime = 0.1)

## both partners can
#prints 1
#not E0911
using Modia3D
Fall = Model3D(world = Object3D(feature = Scene(enableContactDetection = true)),
    ground = Object3D(parent = :world, feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0), solidMaterial = "Steel", collision = true)),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.5, 0.0],
                    feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true)))
fall = @instantiateModel(Fall, unitless = true)
simulate!(fall, stopTime = 0.1)
println(1)

## what goes to standard error
#says aside
#prints said
#not saidaside
println(stderr, "aside")
println("said")
println(devnull, "nowhere")

## an input that an equation sets
#status 2
#says error[E0611]: model 'Loop': 1 equation is missing
#not is not connected
using Modia
include("$(Modia.modelsPath)/Blocks.jl")
Loop = Model(x = Var(init = 1.0), gain = Gain, equations = :[gain.u = reference; der(x) = gain.y - x])
loop = @instantiateModel(Loop, unitless = true)

## an input that nobody sets
#status 2
#says error[E0611]: model 'Loop': 1 equation is missing
#says the input 'gain.u' is not connected to anything
using Modia
include("$(Modia.modelsPath)/Blocks.jl")
Loop = Model(x = Var(init = 1.0), gain = Gain, equations = :[der(x) = gain.y - x])
loop = @instantiateModel(Loop, unitless = true)

## an interval longer than the run
#says warning[E0306]: interval = 5 s is longer than the run of 1 s
using Modia
decay = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(decay, stopTime = 1.0, interval = 5.0)

## signals that are not there
#status 1
#options --signals 'xx*,yy'
#says error[E0803]: --signals xx* matches no signal
#says error[E0803]: --signals yy matches no signal
using Modia
decay = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(decay, stopTime = 1.0)

## one of several patterns
#options --signals x,yy
#says warning[E0803]: --signals yy matches no signal
using Modia
decay = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(decay, stopTime = 1.0)

## a plot of a signal that is not there
#status 2
#says case09.jl:8:1: error[E0803]: 'case09-results/Decay.segue' has no signal 'x.y'
#prints it goes on
using Modia
Decay = Model(speed = Var(init = 1.0), equations = :[der(speed) = -speed])
decay = @instantiateModel(Decay, unitless = true); simulate!(decay, stopTime = 1.0)
plot(decay, ("speed", "x.y"))
println("it goes on")

## an angle in degrees
#says warning[E0306]: 'joint.phi' begins at -150 rad, which is -23.9 turns; degrees are written -150u"°"
using Modia3D
Arm = Model3D(world = Object3D(feature = Scene()),
    bar = Object3D(feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 0.1), solidMaterial = "Steel")),
    joint = Revolute(obj1 = :world, obj2 = :bar, phi = Var(init = -150)))
arm = @instantiateModel(Arm, unitless = true)
simulate!(arm, stopTime = 0.1)

## an angle in rad, and one in degrees that says so
#prints fine
#not warning
using Modia3D
Arm = Model3D(world = Object3D(feature = Scene()),
    bar = Object3D(feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 0.1), solidMaterial = "Steel")),
    joint = Revolute(obj1 = :world, obj2 = :bar, phi = Var(init = -150u"°"), w = Var(init = 20.0)))
arm = @instantiateModel(Arm, unitless = true)
simulate!(arm, stopTime = 0.1)
println("fine")

## a negative resistance
#says warning[E0730]: 'R.R' = -5 Ω is a negative resistance; is that meant?
using Modia
include("$(Modia.modelsPath)/Electric.jl")
Filter = Model(R = Resistor | Map(R = -5.0u"Ω"), C = Capacitor, V = ConstantVoltage, ground = Ground,
    connect = :[(V.p, R.p), (R.n, C.p), (C.n, V.n, ground.p)])
filter = @instantiateModel(Filter)
simulate!(filter, stopTime = 0.1)

## the tolerance by another name
#status 2
#says error[E0310]: simulate! has no keyword argument 'tol'; the relative tolerance is tolerance = 1e-6
using Modia
decay = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(decay, tol = 1e-6, stopTime = 1.0)

## a solver of another program, on the command line
#status 1
#options --solver ode45
#says error[E0002]: there is no solver 'ode45'; solvers are CVODE_BDF
println(1)

## a format that does not exist, before anything is run
#status 1
#options --result-format xlsx
#says error[E0002]: 'xlsx' is no result format
#not too late
println("too late")

## a source of another library
#status 2
#says error[E0301]: 'StepVoltage' is not defined; it comes with: include("$(Modia.modelsPath)/Circuits.jl")
using Modia
include("$(Modia.modelsPath)/Electric.jl")
M = Model(V = StepVoltage)

## a library file that does not exist
#status 1
#says error[E0001]: the library has no file 'Modia/models/Electrical.jl'; did you mean 'Electric.jl'?
using Modia
include("$(Modia.modelsPath)/Electrical.jl")

## a name in an equation that nobody defined, first and alone
#status 2
#says case18.jl:7:90: error[E0611]: 'gg' is unknown; did you mean 'g'?
#not equation is missing
#not one more equation
using Modia
Fall = Model(g = 9.81, h = Var(init = 1.0), v = Var(init = 0.0), equations = :[der(v) = -gg; der(h) = v])
fall = @instantiateModel(Fall, unitless = true)

## warnings that count
#status 5
#options --strict
#says error[E0306]: interval = 5 s is longer than the run of 1 s
#prints done
using Modia
decay = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(decay, stopTime = 1.0, interval = 5.0)
println("done")

## a quiet run still tells of misspelt names
#options -q
#says warning[E0503]
using Modia
Decay = Model(rate = 2.0, x = Var(init = 1.0), equations = :[der(x) = -rate*x]) | Map(rat = 3.0)
decay = @instantiateModel(Decay, unitless = true)
simulate!(decay, stopTime = 1.0, interval = 5.0)

## a scene of a model without one, before it runs
#status 1
#options --glb scene.glb
#says error[E0807]: model 'Decay' has no 3D parts, so there is no scene to write
using Modia
Decay = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
decay = @instantiateModel(Decay, unitless = true)
simulate!(decay, stopTime = 1.0)

## a text where equations compute with a number
#status 2
#says error[E0640]: a text or an object, where a number is needed, in the equation der(x) = -(k*x)
using Modia
Decay = Model(k = 10.0, x = Var(init = 1.0), equations = :[der(x) = -k*x])
decay = @instantiateModel(Decay, unitless = true)
simulate!(decay, stopTime = 1.0, merge = Map(k = "text"))

## a text that is the rate itself
#status 2
#says error[E0640]: a text or an object, where a number is needed, in the equation der(x) = k
using Modia
Grow = Model(k = "text", x = Var(init = 1.0), equations = :[der(x) = k])
grow = @instantiateModel(Grow, unitless = true)
simulate!(grow, stopTime = 1.0)

## a parameter that equations need is taken away
#status 2
#says error[E0503]: the parameter 'k' cannot be taken away from an instantiated model, whose equations need it
#prints 0.135
using Modia
Decay = Model(k = 10.0, x = Var(init = 1.0), equations = :[der(x) = -k*x])
decay = @instantiateModel(Decay, unitless = true)
simulate!(decay, stopTime = 1.0, merge = Map(k = nothing))
simulate!(decay, stopTime = 1.0, merge = Map(k = 2.0))
println(getLastValue(decay, "x"))

## texts that functions take, compare and hand on
#prints 0.135
using Modia
rate(s) = s == "slow" ? 1.0 : 2.0
Decay = Model(k = "fast", x = Var(init = 1.0), equations = :[y = k; der(x) = -rate(y)*x])
decay = @instantiateModel(Decay, unitless = true)
simulate!(decay, stopTime = 1.0)
println(getLastValue(decay, "x"))
