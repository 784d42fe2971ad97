# An explicit method that is held up by stability says so once, with the remedy; one that follows an oscillation
# closely, or has little to do, says nothing.
cat > stiff.jl <<'END'
using Modia
Stiff = Model(x = Var(init = 1.0), y = Var(init = 1.0), v = Var(init = 0.0),
              equations = :[der(x) = -1e4*(x - cos(time)); der(y) = v; der(v) = -y])
stiff = @instantiateModel(Stiff, unitless = true)
simulate!(stiff, Tsit5(), stopTime = 5.0)
println("x = ", round(getLastValue(stiff, "x"), digits = 3))
END
for solver in Tsit5 BS3 Heun Vern7 Vern8 DP8; do
    status 0 "$SEGUE" run --solver $solver stiff.jl
    has out "x = 0.284"
    has err "warning[E0719]: the model is stiff for $solver"
    has err "decays within 0.0001 s; an implicit method such as CVODE_BDF()"
    [ "$(grep -c E0719 err)" -eq 1 ] || fail "told once"
done
for solver in CVODE_BDF KenCarp4 IDA; do
    status 0 "$SEGUE" run --solver $solver stiff.jl
    has out "x = 0.284"
    lacks err E0719
done
sed -e 's/-1e4\*(x - cos(time))/cos(20*time)/' -e 's/stopTime = 5.0/stopTime = 2000.0/' stiff.jl > smooth.jl
status 0 "$SEGUE" run --solver Tsit5 --tol 1e-4 smooth.jl
lacks err E0719
status 0 "$SEGUE" run --solver Vern8 --tol 1e-3 smooth.jl
lacks err E0719
