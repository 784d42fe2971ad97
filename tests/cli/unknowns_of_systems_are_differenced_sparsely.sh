# A chain of 20 inverters whose node voltages follow from their charges, a system of 40 nonlinear equations. With the voltages among
# the unknowns of Newton's equations a Jacobian takes a few evaluations, not one a state. And a stiff node that comes to its
# switch steadily has crossed: its rate would be another one at once if its charge were off, and that is nothing to be in doubt about.
n=20
{
    echo 'using Modia'
    echo 'cb(v) = if v <= 0.0; 0.24/sqrt(1.0 - v/0.87) else 0.24*(1.0 + v/1.74) end'
    echo 'ids(vgs, vds) = if vgs <= 0.2; 0.0 elseif vgs - 0.2 <= vds; 8.0*(vgs - 0.2)^2*(1.0 + 0.02*vds) else 8.0*vds*(2.0*(vgs - 0.2) - vds)*(1.0 + 0.02*vds) end'
    echo 'M = Model(R = 0.05,'
    i=1
    while [ $i -le $n ]; do
        echo "y$i = Var(init = 0.0), w$i = Var(init = 0.0), x$i = Var(start = 0.0), z$i = Var(start = 0.0),"
        i=$((i + 1))
    done
    echo 'equations = :['
    echo 'x0 = 2.5 - 2.5*cos(time)'
    i=1
    while [ $i -le $n ]; do
        load="2.0*x$i"
        [ $i -lt $n ] && load="0.6*(x$i - z$((i + 1)))"
        echo "y$i = 0.6*(x$i - z$i) + cb(-x$i)*x$i + $load"
        echo "der(y$i) = (5.0 - x$i)/2.0 - (x$i - z$i)/R"
        echo "w$i = 0.6*(z$i - x$((i - 1))) + 0.6*(z$i - x$i)"
        echo "der(w$i) = (x$i - z$i)/R - ids(x$((i - 1)), z$i)"
        i=$((i + 1))
    done
    echo '])'
    echo 'm = @instantiateModel(M, unitless = true)'
    echo 'simulate!(m, stopTime = 20.0, tolerance = 1e-6)'
    # SciPy, LSODA at 1e-9.
    echo 'println("right = ", abs(getLastValue(m, "x1") - 0.4875616) < 1e-4 && abs(getLastValue(m, "x20") - 3.5252987) < 1e-4)'
} > gates.jl
for solver in CVODE_BDF IDA Rodas5; do
    status 0 within 60 "$SEGUE" run --solver $solver --check-patterns --summary summary.json gates.jl
    has out 'right = true'
    lacks err E0718
    status 0 within 60 "$SEGUE" run --solver $solver --summary summary.json gates.jl
    evaluations=$(sed 's/.*"nRhs":\([0-9]*\).*/\1/' summary.json)
    # One a state were 31,000, 97,000 and 62,000.
    [ "$evaluations" -lt 50000 ] || fail "$solver: $evaluations evaluations"
done
