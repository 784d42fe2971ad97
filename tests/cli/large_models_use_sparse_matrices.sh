# A ladder of 3000 states: a Jacobian costs as many evaluations as it has colors, not as it has
# columns, whether the equations are written one by one or as one vector.
n=3000
{
    echo 'using Modia'
    echo 'L = Model('
    i=1
    while [ $i -le $n ]; do echo "v$i = Var(init = 0.0),"; i=$((i + 1)); done
    echo 'equations = :['
    echo "der(v1) = sin(time) - 2*v1 + v2"
    i=2
    while [ $i -lt $n ]; do echo "der(v$i) = v$((i - 1)) - 2*v$i + v$((i + 1))"; i=$((i + 1)); done
    echo "der(v$n) = v$((n - 1)) - v$n])"
    echo 'l = @instantiateModel(L, unitless = true)'
    echo 'simulate!(l, stopTime = 5.0, interval = 1.0)'
} > scalars.jl
cat > vector.jl <<END
using Modia
L = Model(v = Var(init = zeros($n)), equations = :[
    der(v) = [sin(time); v[1:end-1]] - v - [v[1:end-1] - v[2:end]; 0.0]])
l = @instantiateModel(L, unitless = true)
simulate!(l, stopTime = 5.0, interval = 1.0)
END
for solver in CVODE_BDF IDA KenCarp4; do
    for model in scalars vector; do
        status 0 within 60 "$SEGUE" run --solver $solver --summary summary.json $model.jl
        evaluations=$(sed 's/.*"nRhs":\([0-9]*\).*/\1/' summary.json)
        jacobians=$(sed 's/.*"nJac":\([0-9]*\).*/\1/' summary.json)
        [ "$jacobians" -gt 0 ] || fail "$solver, $model: no Jacobian was computed"
        # Some of them test what is still below its tolerance (docs/theory/accuracy.md), and watches look at 250 points,
        # whatever the interval; one a column would be 3000 a Jacobian.
        [ "$evaluations" -lt 3500 ] || fail "$solver, $model: $evaluations evaluations for $jacobians Jacobians"
    done
done
