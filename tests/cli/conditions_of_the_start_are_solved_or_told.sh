# Initial equations, steady variables and init values that cannot be met or leave something open: the
# names, both sides of what does not hold, the exit status of its kind.
model() { # model STATUS TEXT KEYS
    cat > bad.jl <<END
using Modia
Bad = Model($3)
bad = @instantiateModel(Bad, unitless = true)
simulate!(bad, stopTime = 1.0)
END
    status "$1" "$SEGUE" run bad.jl
    has err "$2"
    has err "bad.jl:"
}
decay='der(x) = -x'

# What cannot be met, with residuals.
model 3 "x = 3.0: the left side is 2.5, the right side 3" "x = Var(start = 1.0), initialEquations = :[x = 2.0; x = 3.0], equations = :[$decay]"
has err "error[E0619]: Bad: the initial conditions cannot all be met"
has err "x = 2.0: the left side is 2.5, the right side 2"
model 3 "all states have init values" "x = Var(init = 1.0), initialEquations = :[x = 2.0], equations = :[$decay]"
has err "x = 2.0: the left side is 1, the right side 2"
model 3 "der(x) = 0 (steady): the left side is 1, the right side 0" 'x = Var(init = 1.0, steady = true), equations = :[der(x) = 2.0 - x]'
model 3 "der(x) = 0 (steady): the left side is 1, the right side 0" 'x = Var(steady = true), equations = :[der(x) = x^2 + 1]'
model 3 "the equations have no value near the start values" 'x = Var(start = 1.0, steady = true), equations = :[der(x) = sqrt(x - 5.0)]'
# Init values alone contradict as ever, also where a state could move.
model 3 "error[E0617]" "y = Var(init = 1.0), z = Var(init = 2.0), equations = :[$decay; y = 2*x; z = 3*x]"
has err "y: init = 1, but the equations give 0"
has err "z: init = 2, but the equations give 0"

# What stays open.
model 3 "error[E0619]: Bad: the initial conditions do not determine all of x, y; give one of them an init value" "initialEquations = :[x + y = 2.0], equations = :[$decay; der(y) = -2*y]"
model 3 "do not determine all of a, b" 'c = Var(init = 2.0), equations = :[der(a) = -a; der(b) = -b; c = a + b]'
model 3 "do not determine s; give it an init value" 's = Var(steady = true), v = Var(steady = true), equations = :[der(s) = v; der(v) = -v]'

# What cannot stand there.
model 2 "error[E0618]: this initial equation needs der(y), which the equations of the model do not contain" "x = Var(start = 1.0), initialEquations = :[der(y) = 1.0], equations = :[$decay; y = 2*x]"
model 2 "this initial equation needs 'q', which is no variable of the equations" "x = Var(start = 1.0), initialEquations = :[q = 1.0], equations = :[$decay]"
model 2 "steady = true: the equations of the model do not contain der(y)" "x = Var(init = 1.0), y = Var(steady = true), equations = :[$decay; y = 2*x]"
model 2 "steady must be true or false" "x = Var(start = 1.0, steady = 3), equations = :[$decay]"
model 2 "holds an operator of events or clocks" "x = Var(start = 1.0), initialEquations = :[x = pre(x)], equations = :[$decay]"
model 2 "an initial equation has one left side" "x = Var(start = 1.0), initialEquations = :[(x, y) = f(x)], equations = :[$decay]"
model 2 "connections stand in equations or connect" "x = Var(start = 1.0), initialEquations = :[(x, y)], equations = :[$decay]"
model 2 "not an equation" "x = Var(start = 1.0), initialEquations = :[x + 1], equations = :[$decay]"
model 2 "initialEquations needs a quoted list" "x = Var(start = 1.0), initialEquations = 3.0, equations = :[$decay]"
model 2 "contains no variable; to find a number at the start, make it a constant variable instead of a parameter" 'p = 2.0, x = Var(start = 1.0), initialEquations = :[p = 3.0], equations = :[der(x) = -p*x]'

# Units are checked there, too.
cat > units.jl <<'END'
using Modia
Bad = Model(v = Var(start = 1.0u"m/s"), initialEquations = :[v = 3.0u"s"], equations = :[der(v) = -v/1.0u"s"])
bad = @instantiateModel(Bad)
END
status 2 "$SEGUE" run units.jl
has err "different units"
