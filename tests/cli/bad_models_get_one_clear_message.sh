# Models that cannot work: what is wrong, where, and what to try; the exit status of its kind.
model() { # model STATUS TEXT EQUATIONS-AND-KEYS [simulate keywords]
    cat > bad.jl <<END
using Modia
Bad = Model($3)
bad = @instantiateModel(Bad, unitless = true)
simulate!(bad, stopTime = 1.0${4:+, $4})
END
    status "$1" "$SEGUE" run bad.jl
    has err "$2"
    has err "bad.jl:"
}

model 2 "1 equation is missing" 'equations = :[x = y + 1]'
model 2 "not defined" 'equations = :[x = foo(time)]'
model 2 "binding at the top level" 'y = :(x + 1), x = Var(init = 1.0), equations = :[der(x) = -x]'
model 2 "not an equation" 'equations = :[x + 1]'
model 2 "der takes one variable or expression" 'equations = :[der(x, 2) = 1]'
model 2 "der(2 * p): it is constant, so its derivative is always zero" 'p = 1.0, equations = :[x = der(2*p)]'
model 2 "the derivative of something in it is not known" 'equations = :[x = der(last([time, 2.0*time]))]'
model 3 "init values contradict the equations" 'x = Var(init = 1.0), y = Var(init = 1.0), equations = :[der(x) = -x; y = 2*x]'
model 4 "step became too small" 'x = Var(init = 2.0), equations = :[der(x) = x^2]'
model 5 "requiredFinalStates" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'requiredFinalStates = [1.0, 2.0]'
model 5 "requiredFinalStates has 0 elements, but the model has 1 states; the final states are [" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'requiredFinalStates = []'
model 2 "requiredFinalStates must be a vector of numbers" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'requiredFinalStates = "all"'
model 1 "stopTime = 1 s must not be before startTime = 2 s" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'startTime = 2.0'
model 1 "interval = 1e-300 s is below the resolution of time" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'interval = 1e-300'
model 2 "tolerance must be a positive number" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'tolerance = -1.0'
model 2 "stopTime must be a finite number of seconds" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'startTime = 0.0) ; simulate!(bad, stopTime = Inf'
model 2 "startTime must be a finite number of seconds, or a quantity of time" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'startTime = 0.0u"m"'
model 2 "log must be true or false" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'log = 1'
model 2 "merge must be a Map" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'merge = 3'
model 2 "requiredFinalStates must be a vector of numbers" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'requiredFinalStates = ["a"]'
model 2 "interval must be a duration that is not negative" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'interval = -1.0'
model 2 "did you mean" 'x = Var(init = 1.0), equations = :[der(x) = -x]' 'tolerence = 1e-3'

cat > units.jl <<'END'
using Modia
Bad = Model(m = 2.0u"kg", v = Var(init = 1.0u"m/s"), equations = :[m*der(v) = 3.0u"s"])
bad = @instantiateModel(Bad)
END
status 2 "$SEGUE" run units.jl
has err "different units"
sed -i 's/m\*der(v) = 3.0u"s"/der(m*v) = 3.0u"kg"/' units.jl
status 2 "$SEGUE" run units.jl
has err "different units"
has err "units.jl:2:"

cat > connect.jl <<'END'
using Modia
include("$(Modia.modelsPath)/AllModels.jl")
Bad = Model(R = Resistor, I = Inertia, connect = :[(R.p, I.flange_a)])
bad = @instantiateModel(Bad)
Worse = Model(R = Resistor, connect = :[(R.p, R.q)])
worse = @instantiateModel(Worse)
END
status 2 "$SEGUE" run connect.jl
has err "do not fit together"
has err "connect.jl:3:"
has err "connect.jl:5:"

# Operators of equations with too few or too many arguments.
cat > count.jl <<'END'
using Modia
Bad = Model(x = Var(init = 1.0), equations = :[der(x) = -x; y = hold(x); z = pre(x, 2)])
bad = @instantiateModel(Bad, unitless = true)
END
status 2 "$SEGUE" run count.jl
has err "count.jl:2:65: error[E0603]: hold takes 2 arguments, 1 given"
has err "count.jl:2:78: error[E0603]: pre takes 1 argument, 2 given"

# A name that stands too far down is shown where it stands.
cat >forward.jl <<'EOF'
using Modia
M = Model(a = Par(value = :(2*b)), b = Par(value = 3.0), x = Var(init = :a), equations = :[der(x) = -x])
m = @instantiateModel(M, unitless = true)
simulate!(m)
EOF
status 2 "$SEGUE" run forward.jl
has err "'b' is not defined"
has err "forward.jl:2:36: note: 'b' stands further down"

# Two that need each other can stand in no order.
cat >cycle.jl <<'EOF'
using Modia3D
M = Model3D(world = Object3D(feature = Scene()),
            a = Object3D(parent = :b),
            b = Object3D(parent = :a))
m = @instantiateModel(M, unitless = true)
EOF
status 2 "$SEGUE" run cycle.jl
has err "cycle.jl:4:13: note: 'b' needs 'a' in turn: the two form a cycle"

# One mistake, one error: what cannot work without the model is a warning.
cat >follow.jl <<'EOF2'
using Modia3D, Test
M = Model3D(world = Object3D(feature = Scene()), a = Object3D())
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)
simulate!(m, stopTime = 2.0)
@test getLastValue(m, "a.r_abs") == 0.0
@test length(get_xNames(m)) == 0
n = @instantiateModel(Model(x = 1.0, equations = :[der(y) = z]), unitless = true)
simulate!(n, stopTime = 1.0)
@test getLastValue(n, "y") == 0.0
t = getValues(m, "time")
EOF2
status 2 "$SEGUE" run follow.jl
[ "$(grep -c 'error\[' err)" -eq 2 ] || fail "not one error for each of two mistakes: $(cat err)"
has err "follow.jl:2:50: error[E0901]"
has err "follow.jl:8:"
has err "follow.jl:5:1: warning[E0317]: simulate! fails again, for the reason given above"
has err "follow.jl:6:1: warning[E0317]: the test"
has err "follow.jl:11:5: warning[E0317]: model 'M' has no result, since simulate! failed"
# Who forgets to simulate is still told so.
printf 'using Modia\nM = Model(x = Var(init = 1.0), equations = :[der(x) = -x])\nm = @instantiateModel(M)\nx = getValues(m, "x")\n' >forgot.jl
status 2 "$SEGUE" run forgot.jl
has err "forgot.jl:4:5: error[E0803]: model 'M' has no result yet; simulate! it first"

# A component that is wrong is wrong wherever it is used, in this model and the next; once is enough.
cat >often.jl <<'EOF2'
using Modia3D
Part = Model(body = Object3D(parent = :world, feature = Solid(shape = Box(lengthX = -1.0), massProperties = 1.0)))
for k in 1:2
    M = Model3D(world = Object3D(feature = Scene()), a = Part, b = Part, c = Part)
    m = @instantiateModel(M, unitless = true)
    simulate!(m, stopTime = 1.0)
end
EOF2
status 2 "$SEGUE" run --balance often.jl
[ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not one error: $(cat err)"
has err "often.jl:2:75: error[E0907]: Box of Solid of Object3D 'a.body': lengthX must be finite and not negative"
has err "often.jl:6:5: warning[E0317]: simulate! fails again, for the reason given above"
# What a run says has its place also behind a balance sheet.
printf 'using Modia3D\nM = Model3D(world = Object3D(feature = Scene()))\nm = @instantiateModel(M, unitless = true)\nsimulate!(m, stopTime = -1.0)\n' >back.jl
"$SEGUE" run --balance back.jl >out 2>err && fail "a run went backwards"
has err "back.jl:4:1: error[E0701]"
# So is one that they share.
cat >shared.jl <<'EOF2'
using Modia3D
lump = Solid(massProperties = MassProperties(mass = 1.0, Ixx = -9.0, Iyy = 1.0, Izz = 1.0))
M = Model3D(world = Object3D(feature = Scene()),
    a = Object3D(parent = :world, fixedToParent = false, feature = lump),
    b = Object3D(parent = :world, fixedToParent = false, feature = lump))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)
EOF2
status 2 "$SEGUE" run shared.jl
[ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not one error: $(cat err)"
has err "shared.jl:2:14: error[E0902]: Object3D 'a': a principal moment of inertia is negative"
