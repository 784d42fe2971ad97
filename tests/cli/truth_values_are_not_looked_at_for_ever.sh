# Whether x is just zero is true at single instants, and no look between the points of the method can
# tell when. Here it goes into a system of equations behind which a condition lies, and x swings below
# its tolerance: no reason to halve intervals around each of its zeros until time has no more digits.
# Without that it took 2900 to 4900 evaluations of the conditions.
cat > swings.jl <<'EOF'
using Modia
Swings = Model(x = Var(init = 1e-9), v = Var(init = 0.0), w = Var(init = 0.0), equations = :[
    der(x) = v
    der(v) = -100.0*x
    y + y^3 = sin(time) + (if x == 0.0; 0.0 else x end)
    up = y > 0.5
    der(w) = if up; 1.0 else 0.0 end])
swings = @instantiateModel(Swings, unitless = true)
simulate!(swings, stopTime = 10.0, log = true)
# sin(t) = 0.5 + 0.5^3 twice in each of two periods
@test abs(getLastValue(swings, "w") - (2*pi - 4*asin(0.625))) < 1e-7
EOF
for solver in CVODE_BDF Rodas5 Tsit5; do
    status 0 "$SEGUE" run --solver $solver swings.jl
    looks=$(sed -n 's/.*nf_zeroCrossings *= *\([0-9]*\).*/\1/p' out)
    [ "${looks:-9999}" -lt 1500 ] || fail "$solver: conditions were evaluated $looks times"
done
