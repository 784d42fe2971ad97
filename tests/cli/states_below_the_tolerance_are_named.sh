# Where a state below its absolute tolerance makes a difference the run is repeated from there, and a note says so once; who says
# how large states are, be it by a start value, hears nothing; the compatible mode keeps a tenth of the relative tolerance, whatever the model says.
cat > small.jl <<'END'
using Modia
Small = Model(x = Var(init = 1e-9), y = Var(init = 2e-9), equations = :[der(x) = -x^2*1e9; der(y) = -y])
small = @instantiateModel(Small, unitless = true)
simulate!(small, stopTime = 5.0)
println("x = ", getLastValue(small, "x"))
END
status 0 "$SEGUE" run small.jl
has out "x = 1.666"
lacks err E0718
# A start value of zero says nothing.
cat > zero.jl <<'END'
using Modia
Zero = Model(x = Var(init = 0.0), y = Var(init = 0.0), equations = :[der(x) = 1e-9 - x^2*1e9; der(y) = 1e-9 - y])
zero = @instantiateModel(Zero, unitless = true)
simulate!(zero, stopTime = 5.0)
println("x = ", getLastValue(zero, "x"))
END
status 0 "$SEGUE" run zero.jl
has out "x = 9.99"
has err "becomes so small that its absolute tolerance 1e-07 does not control it"
has err "from time = 0 s on the run was repeated with smaller absolute tolerances"
[ "$(grep -c E0718 err)" -eq 1 ] || fail "told once"
status 0 "$SEGUE" run --atol 1e-16 small.jl
has out "x = 1.666"
has err "atol = 1e-16"
lacks err E0718
sed 's/Var(init = \(.\)e-9)/Var(init = \1e-9, nominal = 1e-9)/g' small.jl > nominal.jl
status 0 "$SEGUE" run nominal.jl
has out "x = 1.666"
lacks err E0718
status 0 "$SEGUE" run --compat modia-0.12 nominal.jl
cp out compat
lacks err E0718
status 0 "$SEGUE" run --compat modia-0.12 small.jl # its Jacobians are others, too
cmp out compat || fail "nominal values count in the compatible mode"

# What is only rounding beside larger states is no reason to speak, nor is a state that is zero.
cat > quiet.jl <<'END'
using Modia
Quiet = Model(a = Var(init = 1.0), b = Var(init = 0.0), c = Var(init = 0.0),
              equations = :[der(a) = -a; der(b) = (a + 0.1) - a - 0.1; der(c) = 0.0*a])
quiet = @instantiateModel(Quiet, unitless = true)
simulate!(quiet, stopTime = 1.0)
END
status 0 "$SEGUE" run quiet.jl
lacks err E0718

# Robertson's problem: what is left of y1 below the tolerance would become negative and run away. The run goes back.
cat > tail.jl <<'END'
using Modia
Robertson = Model(y1 = Var(init = 1.0), y2 = Var(init = 0.0), y3 = Var(init = 0.0), equations = :[
    der(y1) = -0.04*y1 + 1e4*y2*y3
    der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2
    der(y3) = 3e7*y2^2])
robertson = @instantiateModel(Robertson, unitless = true)
simulate!(robertson, stopTime = 1e13)
println("y1 = ", getLastValue(robertson, "y1"))
END
status 0 "$SEGUE" run tail.jl
has out "y1 = 2.08"
has err "note[E0718]: 'y1' becomes so small that its absolute tolerance 1e-07 does not control it"
"$SEGUE" info tail-results | grep -q y3 || fail "the results are gone"
[ "$(grep -c E0718 err)" -eq 1 ] || fail "told once"
status 0 "$SEGUE" run --atol 1e-14 tail.jl
has out "y1 = 2.08"
lacks err E0718
# What is driven by states that are large passes through zero without a word, and so does what decays.
cat > swing.jl <<'END'
using Modia
Swing = Model(x = Var(init = 1.0), v = Var(init = 0.0), d = Var(init = 1.0), f = Var(init = 1.0),
              equations = :[der(x) = v; der(v) = -x; der(d) = -30*d; der(f) = -30*f + (if time < 2; 0.0 else 1.0 end)])
swing = @instantiateModel(Swing, unitless = true)
simulate!(swing, stopTime = 20.0, dtmax = 0.001)
END
status 0 "$SEGUE" run swing.jl
lacks err E0718

cat > wrong.jl <<'END'
using Modia
Wrong = Model(x = Var(init = 1.0, nominal = -1.0), equations = :[der(x) = -x])
wrong = @instantiateModel(Wrong, unitless = true)
END
status 2 "$SEGUE" run wrong.jl
has err "nominal of 'x' must be a positive number"
cat > unit.jl <<'END'
using Modia
Wrong = Model(v = Var(init = 1.0u"V", nominal = 1.0u"mA"), equations = :[der(v) = -v/1.0u"s"])
wrong = @instantiateModel(Wrong)
Inferred = Model(v = Var(init = 1.0u"V"), R = 2.0u"Ω", i = Var(nominal = 1.0u"mV"), equations = :[der(v) = -v/1.0u"s"; R*i = v])
inferred = @instantiateModel(Inferred)
END
status 2 "$SEGUE" run unit.jl
has err "unit.jl:2:19: error[E0606]: 'v' and its nominal value have different units"
has err "unit.jl:4:60: error[E0606]: 'i' and its nominal value have different units: one is in A (current)"
sed 's/mA/mV/; s/i = Var(nominal = 1.0u"mV")/i = Var(nominal = 1.0u"mA")/' unit.jl > right.jl
status 0 "$SEGUE" run right.jl
lacks err E0606
status 1 "$SEGUE" run --atol 0 small.jl
has err "--atol needs a number"
sed 's/stopTime = 5.0/stopTime = 5.0, atol = 0.0/' small.jl > zero.jl
status 2 "$SEGUE" run zero.jl
has err "atol must be a positive number"
