# NaN, division by zero, loops that do not converge, steps that become too small: each one error
# that names the time, the equation as written with its place, and the values in it.
model() { # model STATUS TEXT KEYS-AND-EQUATIONS
    cat > bad.jl <<END
using Modia
outside(x) = x > 0.5 ? last([x, Inf]) : x # not only numbers: it stays a call
Bad = Model($3)
bad = @instantiateModel(Bad, unitless = true)
simulate!(bad, stopTime = 2.0)
END
    for solver in CVODE_BDF Tsit5 IDA Rodas4; do
        status "$1" within 60 "$SEGUE" run --solver $solver bad.jl
        has err "$2"
        [ "$(grep -c 'error\[' err)" -eq 1 ] || fail "$solver: not one error but $(grep -c 'error\[' err)"
    done
}

# At initialization: status 3.
model 3 "division by zero in this equation at t = 0 s: y = 1/a (a = 0)" \
    'a = 0.0, x = Var(init = 1.0), equations = :[y = 1/a; der(x) = y - x]'
has err "bad.jl:3:"
model 3 "state x starts at time = 0 s with the value NaN" \
    'x = Var(init = NaN), equations = :[der(x) = -x]'
model 3 "the nonlinear equations for 'w' could not be solved at t = 0 s" \
    'x = Var(init = 1.0), w = Var(start = 1.0), equations = :[der(x) = w; w^2 = -1 - x^2]'

# While integrating: status 4, whatever the step sizes were that led there.
model 4 "the square root of a negative number in this equation at t = 0.5" \
    'x = Var(init = 1.0), equations = :[y = sqrt(0.5 - time); der(x) = y - x]'
has err "y = sqrt(0.5 - time) (time = 0.5"
model 4 "the logarithm of a number that is not positive in this equation" \
    'x = Var(init = 1.0), equations = :[der(x) = log(x) - 1]'
has err "der(x) = log(x) - 1 (x = -"
# Inside of a system of equations the guilty one is named, not the system.
model 4 "a function that returned no finite value in this equation" \
    'x = Var(init = 0.0), w = Var(start = 1.0), equations = :[der(x) = w + 1; w^3 + w = outside(x)]'
has err "w^3 + w = outside(x)"
model 4 "the square root of a negative number in this equation" \
    'x = Var(init = 1.0), equations = :[der(x) = -1.0; b = positive(sqrt(x)); y = if b; 1 else 2 end]'
has err "b = positive(sqrt(x))"
model 4 "the nonlinear equations for 'w' could not be solved at t = 0.5" \
    'x = Var(init = 0.0), w = Var(start = 1.0), equations = :[der(x) = 1.0; w^2 = 0.5 - x]'
has err "this equation is off by"
has err "w^2 = 0.5 - x"

# A pole: no equation is at fault, so states and the last event say where to look.
model 4 "stopped at time = 0.42642" \
    'x = Var(init = 1.0), v = Var(init = 1.0), equations = :[der(x) = -v; b = positive(x - 0.5); der(v) = if b; 1.0 else v^3/(0.1*x) end]'
has err "the states with the largest errors: v = "
has err "the last event was positive(x - 0.5) at time = 0.41421"
# The time is told behind what does not name it, whatever the names in it.
model 4 "stopped at time = 0.42642" \
    'x = Var(init = 1.0), height = Var(init = 1.0), equations = :[der(x) = -height; b = positive(x - 0.5); der(height) = if b; 1.0 else height^3/(0.1*x) end]'
has err "the states with the largest errors: height = "
grep -q "the states with the largest errors.*(at t = 0.42642" err || fail "no time behind the largest errors"

# Time that hardly advances ends in a message as well.
cat > stall.jl <<'END'
using Modia
Stall = Model(x = Var(init = 1.0), equations = :[der(x) = -1/x])
stall = @instantiateModel(Stall, unitless = true)
simulate!(stall, Tsit5(), stopTime = 2.0)
END
status 4 within 120 "$SEGUE" run stall.jl
has err "the solution ends at about time = 0.5"
has err "the derivative of 'x' grows beyond all bounds"
cat > fast.jl <<'END'
using Modia
Fast = Model(x = Var(init = 1.0), v = Var(init = 0.0), equations = :[der(x) = 1e13*v; der(v) = -1e13*x])
fast = @instantiateModel(Fast, unitless = true)
simulate!(fast, Tsit5(), stopTime = 2.0)
END
status 4 within 120 "$SEGUE" run fast.jl
has err "out of reach"

# A variable that nothing depends on does not stop the run, but is not silent either.
cat > output.jl <<'END'
using Modia
Output = Model(x = Var(init = 1.0), equations = :[der(x) = -1.0; y = log(x); z = 2*y])
output = @instantiateModel(Output, unitless = true)
simulate!(output, stopTime = 2.0)
@test isnan(getLastValue(output, "z"))
END
status 0 "$SEGUE" run output.jl
has err "warning"
has err "y = log(x) (x = -"
[ "$(grep -c warning err)" -eq 1 ] || fail "more than one warning"
