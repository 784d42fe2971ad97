# Systems of equations that have no solution, none that is determined, or none within the digits of
# their coefficients: an error that names the equation and by how much it is off, never a number.
model() { # model STATUS CODE TEXT KEYS-AND-EQUATIONS
    cat > bad.jl <<END
using Modia
Bad = Model($4, z = Var(init = 0.0))
bad = @instantiateModel(Bad, unitless = true)
simulate!(bad, stopTime = 2.0)
println("x = ", getLastValue(bad, "x"))
END
    status "$1" within 60 "$SEGUE" run bad.jl
    has err "error[$2]"
    has err "$3"
    [ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not one error but $(grep -c 'error\[' err)"
}

# No solution: the residual is told, and not that nothing determines x.
model 3 E0711 "nearest to a solution, at x = 0, this equation is off by -1, with terms of size 1;" 'equations = :[x^2 + 1 = 0; der(z) = x]'
has err "x^2 + 1 = 0"
lacks err "nothing determines"
model 3 E0711 "this equation is off by" 'equations = :[exp(x) + y = -5.0; y^2 + x^2 = -1.0 - x; der(z) = x]'
# A solution until t = 1.
model 4 E0711 "could not be solved at t = 1" 'x = Var(start = 1.0), equations = :[x^2 = 1 - time; der(z) = x]'
# Solved, but by any x.
model 3 E0716 "nothing determines 'x'" 'k = 0.0, equations = :[k*x^2 + sin(x)*k = k*time; der(z) = x]'

# Singular, and singular within rounding: coefficients of 1 and 1 + 2 roundings.
model 3 E0716 "nothing determines 'y'" 'd = 0.0, equations = :[x + y = 1.0 + time; x + (1 + d)*y = 2.0; der(z) = x]'
model 3 E0716 "nothing determines 'y'" 'd = 4e-16, equations = :[x + y = 1.0 + time; x + (1 + d)*y = 2.0; der(z) = x]'
model 3 E0716 "no unique solution" \
    'a = 3.0, b = 1e-16, equations = :[a*x + y + w = 1.0 + time; x + a*y + w = 2.0; (a + 1)*x + (a + 1)*y*(1 + b) + 2*w = 5.0; der(z) = x]'
# At t = 1 only: with a solution on both sides, and with one that grows without bound.
model 4 E0716 "at t = 1" 'a = 2.0, equations = :[a*x + y = 1.0; x*(1 + time) + y = 1.0; der(z) = x]'
# Where nobody asks for t = 1 the run goes on: a watch that looks there ended it without a word.
sed -i 's/stopTime = 2.0/stopTime = 2.0, interval = 0.3/' bad.jl
status 0 within 60 "$SEGUE" run bad.jl
model 4 E0724 "at about time = 1 s" 'a = 2.0, equations = :[a*x + y = 1.0; x*(1 + time) + y = 3.0; der(z) = x]'
# A ring of a hundred differences fixes no level.
"$SEGUE" run -e 'for i in 1:100; println("g*(x", i, " - x", i % 100 + 1, ") = g*(x", i % 100 + 1, " - x", (i + 1) % 100 + 1, ") + 0*time"); end' > ring
model 3 E0716 "no unique solution" "g = 1.7, equations = :[$(tr '\n' ';' < ring) der(z) = x1; x = x1]"

# Singular in the derivatives for all values of the parameters: constraints, which init values may contradict.
model 3 E0617 "y: init = 1, but the equations give 0" 'C = 1e-6, x = Var(init = 0.0), y = Var(init = 1.0), v = Var(init = 2.0),
    equations = :[C*(der(y) - der(x)) = x - sin(time); C*(der(x) - der(y)) = y; C*der(v) = -v; der(z) = x]'
# Coefficients of different sizes, three equations that combine only together: 0 = x + y/k + v/7e5.
model 3 E0617 "x: init = 0, but the equations give -3" 'C = 3.0, k = 0.5, x = Var(init = 0.0), y = Var(init = 1.0), v = Var(init = 7e5),
    equations = :[C*(der(y) - der(x)) = x; k*C*(der(x) - der(v)) = y; 7e5*C*(der(v) - der(y)) = v; der(z) = x]'
# Singular for the values that the model is instantiated with: the same.
model 3 E0617 "x: init = 0, but the equations give 1.5" 'L1 = 1.0, L2 = 4.0, M = 2.0, x = Var(init = 0.0), y = Var(init = 1.0),
    equations = :[L1*der(x) + M*der(y) = 1 - x; M*der(x) + L2*der(y) = -y; der(z) = x]'
model 3 E0617 "x: init = 0, but the equations give -3" 'a = 3.0, b = 3.0, c = 3.0, d = 3.0, x = Var(init = 0.0), y = Var(init = 1.0), v = Var(init = 2.0),
    equations = :[a*(der(y) - der(x)) = x; b*der(x) - c*der(v) = y; d*der(v) - b*der(y) = v; der(z) = x]'
# Rank one of three: two constraints.
model 3 E0617 "but the equations give" 'a = 2.0, b = 4.0, c = 3.0, d = 6.0, x = Var(init = 0.0), y = Var(init = 1.0), v = Var(init = 7.0),
    equations = :[der(x) + 2*der(y) + der(v) = -x; a*der(x) + b*der(y) + a*der(v) = time - y
        c*der(x) + d*der(y) + 3*der(v) = 1 - v; der(z) = x]'
[ "$(grep -c 'but the equations give' err)" -eq 2 ] || fail "not two constraints"
# Singular for the values of a run only: translated anew, and the same.
cat > three.jl <<'END'
using Modia
Three = Model(a = 1.0, b = 3.0, c = 3.0, d = 3.0, x = Var(init = 0.0), y = Var(init = 1.0), v = Var(init = 2.0),
    equations = :[a*der(y) - b*der(x) = x; b*der(x) - c*der(v) = y; d*der(v) - b*der(y) = v])
three = @instantiateModel(Three, unitless = true)
simulate!(three, stopTime = 1.0)
END
status 3 "$SEGUE" run --set a=3.0 three.jl
has err "error[E0617]"
has err "x: init = 0, but the equations give -3"
# Of two equations, by IDA.
cat > becomes.jl <<'END'
using Modia
Coupled = Model(k = 0.5, x = Var(init = 0.0), y = Var(init = 1.0),
    equations = :[der(x) + k*der(y) = -x; k*der(x) + der(y) = -y])
coupled = @instantiateModel(Coupled, unitless = true)
simulate!(coupled, stopTime = 1.0)
END
status 0 "$SEGUE" run becomes.jl
status 3 "$SEGUE" run --set k=1.0 --solver IDA becomes.jl
has err "x: init = 0, but the equations give 1"
# Coefficients that change during the run, where they are the same in all terms.
model 3 E0617 "y: init = 1, but the equations give 0" 'x = Var(init = 0.0), y = Var(init = 1.0),
    equations = :[(1 + time)*(der(y) - der(x)) = x - sin(time); (1 + time)*(der(x) - der(y)) = y; der(z) = x]'
# Nothing is left of the sum, or a contradiction.
for f in 1.0 2.0; do
    model 3 E0716 "no unique solution" "C = 0.5, x = Var(init = 0.0), y = Var(init = 1.0),
        equations = :[C*(der(y) - der(x)) = 1.0; C*(der(x) - der(y)) = -$f; der(z) = x]"
done
# A singular matrix in front of an array of derivatives hides a constraint, which the start values break.
model 3 E0617 "x[1]: init = 1, but the equations give -2" \
    'M = [1.0 -1.0; -1.0 1.0], x = Var(init = [1.0, 2.0]), equations = :[M*der(x) = -x; der(z) = x[1]]'
model 3 E0617 "but the equations give" 'M = [0.1 0.7; 0.3 2.1], x = Var(init = [1.0, 2.0]), equations = :[M*der(x) = -x; der(z) = x[1]]'
# A system that is singular in other unknowns says nothing about derivatives.
model 3 E0716 "nothing determines 'y'" 'd = 0.0, equations = :[x + y = 1.0 + time; x + (1 + d)*y = 2.0; der(z) = x]'
lacks err "matrix of the derivatives"

# What the message proposes runs: C du = x, -C du = y, u = y - x gives y = -x = u/2, u = exp(-t/(2 C)).
cat > good.jl <<'END'
using Modia
Good = Model(C = 0.5, u = Var(init = 1.0), x = Var(start = 0.0), y = Var(start = 1.0),
    equations = :[u = y - x; C*der(u) = x; -C*der(u) = y])
good = @instantiateModel(Good, unitless = true)
for solver in [IDA(), CVODE_BDF(), Tsit5()]
    simulate!(good, solver, stopTime = 2.0, tolerance = 1e-9)
    @test abs(getLastValue(good, "y") - 0.5*exp(-2.0)) < 1e-7
    @test abs(getLastValue(good, "x") + 0.5*exp(-2.0)) < 1e-7
end
END
status 0 "$SEGUE" run good.jl
