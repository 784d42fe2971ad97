# --native: the program in C, by the system's compiler, gives what the interpreter gives, bit for bit: examples of all
# kinds, results as text. What was compiled once is not compiled again. Without a compiler a run says so and is interpreted.
command -v cc > /dev/null || exit 77
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
examples=$SG_SOURCE_DIR/examples
models="first/first_order first/heated_chain first/half_space first/pendulum first/rc_filter events/bouncing_ball
    events/dead_time events/stick_slip mechanics/cartesian_pendulum mechanics/vector_pendulum mechanics/servo_pendulum
    mechanics/engine_mount systems/brusselator systems/buck_converter systems/heated_tank systems/hydraulic_press
    systems/induction_start systems/servo_drive loops/fourbar contact/two_balls robots/servo_arm thesis/array_sizes"
n=0
for name in $models; do
    [ -f "$examples/$name.jl" ] || fail "no example $name"
    for how in "" --native; do
        status 0 "$SEGUE" run $how --result-format csv -o "results$how" "$examples/$name.jl"
        lacks err E0732
    done
    for file in results/*.csv; do
        cmp "$file" "results--native/${file#results/}" || fail "$name: other bits"
        n=$((n + 1))
    done
    rm -rf results results--native
done
[ $n -ge 20 ] || fail "only $n results were compared"

# Every operator on numbers and on arrays.
cat > operators.jl <<'END'
using Modia
M = Model(n = 9, x = Var(init = [-2.5, -1.0, -0.3, 0.0, 0.2, 0.7, 1.0, 2.5, 7.0]), y = Var(init = 0.4), equations = :[
    der(x) = cos(time) .+ 0.1*x
    der(y) = sin(3*y) - 0.2*y
    p = abs.(x) .+ 0.1
    q = x ./ (1 .+ x.^2)
    f1 = sin.(x) .+ cos.(x) .* tan.(q) .- asin.(q) .+ acos.(q) .* atan.(x)
    f2 = sinh.(q) .+ cosh.(q) .- tanh.(x) .+ asinh.(x) .+ acosh.(p .+ 1) .- atanh.(q)
    f3 = exp.(q) .+ expm1.(q) .- log.(p) .+ log1p.(p) .* log2.(p) .- log10.(p) .+ sqrt.(p) .+ cbrt.(x) .+ erf.(x)
    f4 = p.^1.7 .+ atan.(x, p) .- hypot.(x, y) .+ min.(x, y) .* max.(x, 0.1) .+ copysign.(p, x)
    f5 = noEvent(sign.(x) .+ floor.(x) .- ceil.(x) .+ round.(x) .* trunc.(x) .+ mod.(x, p) .- rem.(x, p))
    f6 = noEvent([x[i] > y && !(x[i] >= 2*y) || x[i] < -1 ? x[i]*y : x[i] - y for i in 1:n])
    g = sin(y) + cos(y)*tan(y) - atan(y, 2.0) + tanh(y) + exp(y) - log(1 + y^2) + sqrt(1 + y^2) + min(y, 0.5) - abs(y)^1.3
    h = noEvent(y > 0.5 ? floor(10*y) : mod(10*y, 0.7)) + sind(10*y) + cosd(y) - tand(y) + cbrt(y) + hypot(y, 1.0)
])
m = @instantiateModel(M, unitless = true)
simulate!(m, Tsit5(), stopTime = 3.0, interval = 0.05)
END
for how in "" --native; do
    status 0 "$SEGUE" run $how --result-format csv -o "results$how" operators.jl
done
for file in results/*.csv; do
    cmp "$file" "results--native/${file#results/}" || fail "operators: other bits"
done

# Shifted, repeated, turned and patched rows, of which loops read the originals.
cat > shifts.jl <<'END'
using Modia
M = Model(n = 40, x = Var(init = [sin(i) for i in 1:40]), v = Var(init = [0.1*i for i in 1:40]), equations = :[
    l = vcat(0.3, x[1:end-1])
    ll = vcat(l[2], l[1:end-1])
    r = [i < n ? x[i+1] : sum(v[1:3]) for i in 1:n]
    t = x[end:-1:1]
    p = vcat(x[31:40], v[1:10], l[5:14], t[1:10])
    s = 2*vcat(x[1], x[1:end-1]) .+ l
    ss = vcat(s[3:end], s[1:2])
    der(x) = l .- 2*x .+ r .+ 0.1*(ll .* t) .- 0.01*p .* x
    der(v) = 0.1*ss .- v .* [i % 2 == 0 ? x[i] : l[i] for i in 1:n] .+ vcat(v[1], v[1:end-1])
])
m = @instantiateModel(M, unitless = true)
simulate!(m, Tsit5(), stopTime = 1.0, interval = 0.05)
END
for how in "" --native; do
    status 0 "$SEGUE" run $how --result-format csv -o "shifted$how" shifts.jl
    lacks err E0732
done
cmp shifted/M.csv shifted--native/M.csv || fail "shifts: other bits"

# Dynamics that are one row, from states to derivatives: derivatives that are parameters, states or time, elements of all of
# these in one array, derivatives that others read, and the same after a restart with other parameters.
cat > straight.jl <<'END'
using Modia
M = Model(k = 0.3, a = Var(init = 1.0), b = Var(init = 0.2), c = Var(init = 0.0), d = Var(init = -1.0),
    x = Var(init = [sin(i) for i in 1:40]), v = Var(init = [0.1*i for i in 1:40]), equations = :[
    der(a) = k
    der(b) = a
    der(c) = time
    der(d) = -der(b)*d + 0.1*der(a) + sin(time)
    s = [i > 1 ? x[i-1] : time for i in 1:40]
    r = [i < 40 ? v[i+1] : a for i in 1:40]
    der(x) = 0.5*s .- x .+ r
    der(v) = 0.1*der(x) .- 2*v .+ 0.1*s
    e = a + b + sum(der(v))
])
m = @instantiateModel(M, unitless = true)
for k in [0.3, -0.5]
    simulate!(m, CVODE_BDF(), stopTime = 2.0, interval = 0.1, tolerance = 1e-6, merge = Map(k = k))
    println(getLastValue(m, "a"), " ", getLastValue(m, "b"), " ", getLastValue(m, "c"), " ", getLastValue(m, "d"), " ", getLastValue(m, "e"))
    println(getLastValue(m, "x"), getLastValue(m, "v"))
end
END
for how in "" --native; do
    status 0 "$SEGUE" run $how -o "straight$how" straight.jl
    lacks err E0732
    cp out "straight$how.out"
done
[ "$(grep -c '^[0-9-]' straight.out)" = 2 ] || fail "straight: $(cat straight.out)"
cmp straight.out straight--native.out || fail "straight: other bits"

# From the cache, with other values: no compiler is needed.
libraries=$(ls cache/segue/native/*.so | wc -l)
status 0 env PATH=/nowhere CC= "$SEGUE" run --native --set y=0.3 operators.jl
lacks err E0732
[ "$(ls cache/segue/native | wc -l)" = "$libraries" ] || fail "something else is in the cache"

# Without a compiler, and with one that fails.
status 0 env PATH=/nowhere CC= XDG_CACHE_HOME="$PWD/other" "$SEGUE" run --native operators.jl
has err "warning[E0732]: --native: there is no compiler: neither cc nor gcc nor clang is found; the model runs interpreted"
status 0 env PATH=/nowhere CC=/bin/false XDG_CACHE_HOME="$PWD/other" "$SEGUE" run --native operators.jl
has err "failed; the model runs interpreted"
[ "$(ls other/segue/native | wc -l)" = 0 ] || fail "something was left in the cache"
status 5 env PATH=/nowhere CC= XDG_CACHE_HOME="$PWD/other" "$SEGUE" run --strict --native operators.jl
status 0 env -u HOME -u XDG_CACHE_HOME "$SEGUE" run --native operators.jl
has err "there is no folder of ours for compiled programs"

# A value that is not finite is told as by the interpreter.
cat > bad.jl <<'END'
using Modia
M = Model(x = Var(init = 0.4), equations = :[der(x) = -1.0 - 0.1*log(x - 0.5)*sqrt(x) + 2.0*x*x])
m = @instantiateModel(M)
simulate!(m, Tsit5(), stopTime = 2.0)
END
"$SEGUE" run -o bad bad.jl > plain.out 2> plain.err
rm -rf bad
"$SEGUE" run --native -o bad bad.jl > native.out 2> native.err
cmp plain.err native.err || fail "other words: $(cat native.err)"

# So is one that is met on the way.
cat > later.jl <<'END'
using Modia
M = Model(x = Var(init = 0.4), y = Var(init = 1.0), equations = :[
    q = 0.1*x*sqrt(y - 0.5)
    der(x) = -1.0 - q + 2.0*x*x
    der(y) = -1.0 + 0.1*x*q
])
m = @instantiateModel(M, unitless = true)
simulate!(m, CVODE_BDF(), stopTime = 2.0)
END
rm -rf bad
"$SEGUE" run -o bad later.jl > plain.out 2> plain.err
rm -rf bad
"$SEGUE" run --native -o bad later.jl > native.out 2> native.err
has plain.err "in this equation at t ="
cmp plain.err native.err || fail "other words: $(cat native.err)"
