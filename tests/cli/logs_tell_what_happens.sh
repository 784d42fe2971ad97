# The log keywords, and what is not supported yet.
cat > log.jl <<'END'
using Modia
Osc = Model(k = 4.0, x = Var(init = 1.0), v = Var(init = 0.0), z = Var(start = 1.0), equations = :[
    der(x) = v
    der(v) = -k*x
    up = positive(x)
    late = after(0.5)
    y = x
    z + z^3 = x + (if up; 1.0 else 0.0 end)])
osc = @instantiateModel(Osc, unitless = true, log = true, logModel = true, logDetails = true, logTiming = true,
                        logExecution = true, logCode = true, saveCodeOnFile = "osc_code.txt")
simulate!(osc, stopTime = 1.0, log = true, logStates = true, logEvents = true, logTiming = true,
          logParameters = true, logEvaluatedParameters = true, logProgress = true)
showInfo(osc)
END
status 0 "$SEGUE" run -o files log.jl
has out "Instantiating model Osc"
has out "in module: Main"
has out "in file: log.jl:9"
has out "1 variables eliminated"
has out "y = x"
has out "nonlinear in z"
has out "Timing: parameters, components"
has out "Values at the start of Osc:"
has out "der(v) = -4.0"
has files/osc_code.txt "states x, v"
has out "parameters = Map("
has out "evaluatedParameters = Map("
has out "... Simulate model Osc"
has out "Initialization at time = 0 s"
has out "# states"
has out "Time event at time = 0.5 s"
has out "after(0.5) became true"
has out "State event at time = 0.78539"
has out "positive(x) became false"
has out "restart = Restart"
has out "Termination of Osc at time = 1 s"
for name in initCpuTime simCpuTime initAlloc simAlloc FloatType algorithm startTime terminationTime interval \
    tolerance nStates nResults nf_total nf_integrator nf_zeroCrossings nJac nAcceptedSteps nRejectedSteps \
    nTimeEvents nStateEvents nRestartEvents; do
    grep -q "^ *$name *= " out || fail "no line for $name"
done
has out "CVODE_BDF (ODE integrator)"
grep -q "^ *nTimeEvents *= 1$" out || fail "one time event"
grep -q "^ *nStateEvents *= 1$" out || fail "one state event"
has out "derivatives"
has out "storing results"
has out "eltypeOrType"

# Linear systems and whether IDA sees them solved.
cat > linear.jl <<'END'
using Modia
Pair = Model(a = Var(init = 1.0), b = Var(init = 2.0), equations = :[
    2*der(a) + der(b) = -a
    der(a) + 3*der(b) = -b])
pair = @instantiateModel(Pair, unitless = true)
simulate!(pair, IDA(), stopTime = 1.0, log = true, nlinearMinForDAE = NMIN)
END
sed 's/NMIN/10/' linear.jl > solved.jl
status 0 "$SEGUE" run solved.jl
has out "linearSystemsSizes     = [1]"
has out "linearSystemsOdeMode   = [true]"
sed 's/NMIN/1/' linear.jl > given.jl
status 0 "$SEGUE" run given.jl
has out "(DAE integrator)"

# Numbers with uncertainty: a clear message, whichever way they come in.
not_yet() {
    printf 'using Modia\nusing Measurements\n%s\n' "$1" > uncertain.jl
    status 2 "$SEGUE" run uncertain.jl
    has err "E0313"
    has err "not supported yet"
}
not_yet 'x = 1.0 ± 0.1'
not_yet 'x = 10 ∓ 1'
not_yet 'm = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), FloatType = Measurement{Float64})'
not_yet 'x = StaticParticles(100, Distributions.Uniform(0, 1))'
not_yet 'x = Measurements.value(3.0)'

# Angles of a free body that change their sequence.
cat > tumble.jl <<'EOF'
using Modia3D
Tumble = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    body = Object3D(parent = :world, fixedToParent = false, angularVelocity = [0.0, 1.0, 0.0],
                    feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0)))
)
tumble = @instantiateModel(Tumble, unitless = true)
simulate!(tumble, stopTime = 2.0, logEvents = true)
EOF
status 0 "$SEGUE" run tumble.jl
has out "singularitySafetyMargin(body.rotation[2]) became"
has out "body.rotation changed to [0, 0, 1.5"
