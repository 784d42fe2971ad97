# Growth out of what is below its absolute tolerance: an implicit method with long steps makes it smaller instead, and nothing of that is
# seen. Where the start value says how small it is, tolerances begin with that; else the run finds out and comes again, with a note, and is right.
near() { # near VALUE PART: the line "OUT value" of out
    awk -v want="$1" -v part="$2" '$1 == "OUT" { got = $2; n++ }
        END { d = got - want; exit !(n && (d < 0 ? -d : d) <= part*(want < 0 ? -want : want)) }' out ||
        fail "$model, $solver, $tolerance: not $1: $(grep OUT out)"
}
run() { # run NAME SOLVER TOLERANCE STOP OUT DECLARATIONS EQUATIONS
    model=$1 solver=$2 tolerance=$3
    cat > growth.jl <<END
using Modia
Growth = Model($6, equations = :[$7])
growth = @instantiateModel(Growth, unitless = true)
simulate!(growth, $2(), stopTime = $4, tolerance = $3)
println("OUT ", getLastValue(growth, "$5"))
END
    status 0 within 20 "$SEGUE" run growth.jl
}
solvers="CVODE_BDF IDA Tsit5 Vern8 CVODE_Adams KenCarp4 Rodas5"

# x' = x(1 - x), y' = -x y/10: y = (1 + x0(exp(t) - 1))^(-0.1). Beside 1, in other units, and with other units of time.
logistic() { # logistic SOLVER TOLERANCE START STOP PART
    run "logistic from $3" "$1" "$2" "$4" y "x = Var(init = $3), y = Var(init = 1.0)" "der(x) = x*(1 - x); der(y) = -0.1*x*y"
    near "$(awk -v x="$3" -v t="$4" 'BEGIN { printf "%.12g", exp(-0.1*log(1 + x*(exp(t) - 1))) }')" "$5"
}
for each in $solvers; do
    logistic $each 1e-6 1e-14 60.0 1e-3
done
for each in 1e-4 1e-9; do
    logistic CVODE_BDF $each 1e-14 60.0 1e-2
    logistic Tsit5 $each 1e-14 60.0 1e-2
done
for each in 1e-12:50.0 1e-18:60.0 1e-30:90.0 1e-100:260.0 1e-300:705.0; do
    logistic CVODE_BDF 1e-6 ${each%:*} ${each#*:} 1e-3
    logistic Tsit5 1e-6 ${each%:*} ${each#*:} 1e-3
done
for unit in 1e-20 1e-9; do
    run "logistic in $unit" CVODE_BDF 1e-6 60.0 y "x = Var(init = 1e-14*$unit), y = Var(init = 1.0), u = $unit" "der(x) = x*(1 - x/u); der(y) = -0.1*x/u*y"
    near 0.0622634395944 1e-3
done
for rate in 1e9:60e-9 1e-6:60e6; do
    run "logistic with $rate" CVODE_BDF 1e-6 ${rate#*:} y "x = Var(init = 1e-14), y = Var(init = 1.0), k = ${rate%:*}" "der(x) = k*x*(1 - x); der(y) = -0.1*k*x*y"
    near 0.0622634395944 1e-3
done

# Epidemics from one in 1e15, autocatalysis, bacteria and food, two that compete, a chain reaction: references by an explicit method of order 5
# whose errors are relative to each state.
seir="S = Var(init = 1.0), L = Var(init = 0.0), I = Var(init = 1e-15), R = Var(init = 0.0)"
for each in CVODE_BDF IDA Tsit5 Rodas5; do
    run SEIR $each 1e-6 400.0 S "$seir" "der(S) = -0.5*S*I; der(L) = 0.5*S*I - 0.25*L; der(I) = 0.25*L - 0.2*I; der(R) = 0.2*I"
    near 0.107355 1e-3
    run autocatalysis $each 1e-6 40.0 A "A = Var(init = 1.0), X = Var(init = 1e-16)" "der(A) = 0.1*(1 - A) - 3*A*X; der(X) = 3*A*X - 0.5*X"
    near 0.166649 1e-3
    run bacteria $each 1e-6 32.0 F "B = Var(init = 1e-13), F = Var(init = 1.0)" "der(B) = 1.2*B*F/(0.3 + F); der(F) = -2.4*B*F/(0.3 + F)"
    near 0.141746 1e-3
    run competition $each 1e-6 60.0 y "a = Var(init = 1e-14), b = Var(init = 1e-16), y = Var(init = 1.0)" \
        "der(a) = a*(1 - a - b); der(b) = 1.2*b*(1 - a - b); der(y) = -0.1*b*y"
    near 0.0901916 1e-3
    run neutrons $each 1e-6 500.0 T "n = Var(init = 1e-12), c = Var(init = 1e-11), T = Var(init = 0.0)" \
        "der(n) = ((0.003 - 0.5*T) - 0.0065)/1e-2*n + 0.08*c; der(c) = 0.0065/1e-2*n - 0.08*c; der(T) = n"
    near 0.0111621 1e-3
done
# Nobody gave a small value: the light of a laser begins with what is emitted by itself, as soon as there is enough to amplify it.
for each in $solvers; do
    run laser $each 1e-6 60.0 S "N = Var(init = 0.0), S = Var(init = 0.0)" "der(N) = 1.5 - N - N*S; der(S) = 2*(N - 1)*S + 1e-20*N"
    near 0.500012 1e-3
done
# Two states that only grow together, one of them from zero; an oscillation; a flow.
for each in CVODE_BDF Tsit5 KenCarp4; do
    run inverted $each 1e-6 10.5 p "p = Var(init = 1e-13), w = Var(init = 0.0)" "der(p) = w; der(w) = 9.81*sin(p) - 0.1*w"
    near 3.83211 1e-3
    run inverted2 $each 1e-6 10.5 p "p = Var(init = 1e-13), w = Var(init = 0.0), z = Var(init = 1.0)" "der(p) = w; der(w) = 9.81*sin(p) - 0.1*w; der(z) = -z + cos(time)"
    near 3.83211 1e-3
    run oscillator $each 1e-6 170.0 z "v = Var(init = 1e-15), i = Var(init = 0.0), z = Var(init = 1.0)" "der(v) = -i + 0.5*v - v^3; der(i) = v; der(z) = -0.01*v^2*z"
    near 0.896755 1e-3
    run lorenz $each 1e-6 3.2 z "x = Var(init = 1e-13), y = Var(init = 0.0), z = Var(init = 0.0)" "der(x) = 10*(y - x); der(y) = x*(28 - z) - y; der(z) = x*y - 8/3*z"
    near 26.4251 1e-3
done
# Large at first, gone for a while, and back: exp((t - 10)^2/2 - 50).
for each in $solvers; do
    run back $each 1e-6 30.0 y "x = Var(init = 0.5), y = Var(init = 1.0)" "der(x) = (time - 10)*x*(1 - x); der(y) = -0.1*x*y"
    near 0.365247 1e-3
    has err "note[E0718]"
done
# The same with the tolerance that the user chose, and with events on the way: between two of them there are a few steps only.
model=atol solver=CVODE_BDF tolerance=1e-6
cat > growth.jl <<'END'
using Modia
Growth = Model(x = Var(init = 1e-14), y = Var(init = 1.0), equations = :[der(x) = x*(1 - x); der(y) = -0.1*x*y])
growth = @instantiateModel(Growth, unitless = true)
simulate!(growth, stopTime = 60.0, atol = 1e-9)
println("OUT ", getLastValue(growth, "y"))
END
status 0 within 20 "$SEGUE" run growth.jl
near 0.0622634395944 1e-3
for each in CVODE_BDF IDA Tsit5; do
    for period in 0.2 2.0 40.0; do
        run "pulses of $period" $each 1e-6 60.0 y "x = Var(init = 1e-14), y = Var(init = 1.0), z = Var(init = 0.0)" \
            "der(x) = x*(1 - x); der(y) = -0.1*x*y; der(z) = (if mod(time, $period) < $period/2; 1.0 else 0.0 end) - z"
        near 0.0622634395944 1e-3
    done
    for start in 1e-12 1e-14 1e-30; do
        run "lockdown from $start" $each 1e-6 400.0 R "S = Var(init = 1.0), I = Var(init = $start), R = Var(init = 0.0)" \
            "b = if time < 30.0; 0.6 elseif time < 50; 0.1 else 0.5 end; der(S) = -b*S*I; der(I) = b*S*I - 0.2*I; der(R) = 0.2*I"
        near 0.892645 1e-3
    done
done

# Something bounces beside it, on a stiff ground: long flights of a few steps, short impacts of many.
for each in CVODE_BDF Tsit5 Rodas5; do
    run ball $each 1e-6 60.0 y "x = Var(init = 1e-14), y = Var(init = 1.0), h = Var(init = 1.0), v = Var(init = 0.0)" \
        "der(x) = x*(1 - x); der(y) = -0.1*x*y; der(h) = v; der(v) = -9.81 - (if h < 0; 1e5*h + 10*v else 0.0 end)"
    near 0.0622634395944 1e-3
done
# Where nothing can be repeated (sliding, delays, nonlinear systems that it depends on) tolerances follow the start value all the same.
run slides CVODE_BDF 1e-6 60.0 y "x = Var(init = 1e-14), y = Var(init = 1.0), s = Var(init = 1.0)" \
    "der(x) = x*(1 - x); der(y) = -0.1*x*y; der(s) = -sign(s) + 0.3*sin(time)"
near 0.0622634395944 1e-3
lacks err warning
run systems CVODE_BDF 1e-6 60.0 y "x = Var(init = 1e-14), y = Var(init = 1.0), w = Var(start = 0.5)" \
    "w + 0.1*w^3 = x; der(x) = w*(1 - x); der(y) = -0.1*x*y"
near 0.0625498397 1e-3
lacks err warning
# Without a start value a warning says so.
run "laser with a system" CVODE_BDF 1e-6 60.0 S "N = Var(init = 0.0), S = Var(init = 0.0), w = Var(start = 0.5)" \
    "w + 0.1*w^3 = S; der(N) = 1.5 - N - N*S; der(S) = 2*(N - 1)*w + 1e-20*N"
has err "warning[E0718]"

# Nothing of the kind: what decays, what is rounding beside it, an oscillation, an integrator, a pendulum that hangs: no warning.
cat > quiet.jl <<'END'
using Modia
Quiet = Model(a = Var(init = 1e-14), b = Var(init = 1.0), c = Var(init = 1e-13), d = Var(init = 0.0), e = Var(init = 1e-15), f = Var(init = 0.0), p = Var(init = 1e-12), w = Var(init = 0.0),
    equations = :[der(a) = -a; der(b) = -0.1*b; der(c) = d; der(d) = -c; der(e) = 1e-16; der(f) = (b + 0.1) - b - 0.1; der(p) = w; der(w) = -9.81*sin(p)])
quiet = @instantiateModel(Quiet, unitless = true)
for solver in [CVODE_BDF(), Tsit5(), Rodas5()]
    for tolerance in [1e-4, 1e-6, 1e-8]
        simulate!(quiet, solver, stopTime = 10.0, tolerance = tolerance)
        println("b = ", getLastValue(quiet, "b"))
    end
end
END
status 0 within 20 "$SEGUE" run quiet.jl
lacks err warning
lacks err error

# Balls that rest on a plate, one of them on top of it already: the rates of their contacts are large, and nothing grows. Not a word.
cat > rest.jl <<'END'
using Modia3D
ball(x, z) = Object3D(parent = :world, fixedToParent = false, translation = [x, 0.0, z],
                      feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", contactMaterial = "DryWood", collision = true))
Rest = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    plate = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                     feature = Solid(shape = Box(lengthX = 1.0, lengthY = 1.0, lengthZ = 0.1), solidMaterial = "Steel", contactMaterial = "DryWood", collision = true)),
    a = ball(0.0, 0.05), b = ball(0.2, 0.0501))
rest = @instantiateModel(Rest, unitless = true)
for tolerance in [1e-4, 1e-6, 1e-8]
    simulate!(rest, stopTime = 1.0, tolerance = tolerance)
    println("height = ", getLastValue(rest, "a.translation")[3])
end
END
status 0 within 60 "$SEGUE" run rest.jl
lacks err E0718
