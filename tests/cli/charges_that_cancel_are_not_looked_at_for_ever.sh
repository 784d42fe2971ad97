# Charges that add up to nothing but rounding go into a system of equations, behind which a condition
# lies. Beside what is left of them no interval is short enough for a straight line; beside the charges
# all of the step is. Without that conditions were evaluated 335,000 times at 1e-3, and 3,294,000 times
# at 1e-5.
cat > cancel.jl <<'MODEL'
using Modia
Cancel = Model(a = Var(init = 0.0), b = Var(init = 0.0), c = Var(init = 0.0), n = Var(init = 0.0),
               w = Var(start = 1.0), equations = :[
    der(a) = cos(time) - 0.3*a
    der(b) = -0.7*cos(time) - 0.3*b
    der(c) = -0.3*cos(time) - 0.3*c
    w + w^3 - 2.0 - sin(0.3*time) = a + b + c
    der(n) = if w > 1.2; 1.0 else 0.0 end])
cancel = @instantiateModel(Cancel, unitless = true)
simulate!(cancel, stopTime = 20.0, log = true)
# w is above 1.2 while sin(0.3 t) is above 1.2 + 1.2^3 - 2
@test abs(getLastValue(cancel, "n") - (pi - 2*asin(0.928))/0.3) < 1e-2
MODEL
for solver in CVODE_BDF IDA Rodas5 Tsit5; do
    for tolerance in 1e-3 1e-5; do
        status 0 "$SEGUE" run --solver $solver --tol $tolerance cancel.jl
        looks=$(sed -n 's/.*nf_zeroCrossings *= *\([0-9]*\).*/\1/p' out)
        [ "${looks:-9999999}" -lt 20000 ] || fail "$solver at $tolerance: conditions were evaluated $looks times"
    done
done
