# Ctrl-C and limits end whatever goes on within half a second, with one message that names the place. What counts is the
# CPU time after the signal: on a busy machine the clock runs on.
STOP=$SG_BINARY_DIR/stop
allowed=500 # [ms]
[ "$SG_SLOWNESS" -gt 1 ] && allowed=1500

judge() { # judge WHAT STATUS MOST-MS PATTERN: the line of stop is in `figures`
    read -r got ms mib < figures
    [ "$got" -eq "$2" ] || fail "$1: status $got, not $2: $(head -n 3 err)"
    [ "$ms" -le "$3" ] || fail "$1: $ms ms of CPU time, not $3"
    [ "$(grep -c 'error\[' err)" -eq 1 ] || fail "$1: not one error: $(cat err)"
    grep -qE "^[^:]+:[0-9]+:[0-9]+: $4" err || fail "$1: no place or another message: $(cat err)"
}

# interrupted NAME [COMMAND [OPTION...]]: the script is on standard input. The signal comes after 0.2 s of CPU time.
interrupted() {
    name=$1
    shift
    cat > "$name.jl"
    "$STOP" 0.2 "$SEGUE" "${@:-run}" "$name.jl" > figures.all 2> err < /dev/null
    tail -n 1 figures.all > figures
    judge "$name" 130 $allowed 'error\[E0005\]: interrupted'
}

# Functions of the script.
echo 'A = rand(3000, 3000); B = A * A; C = A \ B' | sed 's/A \\ B/inv(B)/' | interrupted product
printf 'A = rand(2500, 2500)\nB = A \\ A\n' | interrupted solve
printf 'using LinearAlgebra\nA = rand(4000, 4000)\ndet(A)\n' | interrupted determinant
echo 's = join(1:10^8)' | interrupted join
echo 'z = zeros(9 * 10^8)' | interrupted zeros
echo 'x = rand(4 * 10^7); sort!(x); sort!(x, rev = true)' | interrupted sort
echo 'x = [rand(10^6) for i in 1:50]; s = string(x)' | interrupted text
echo 'x = rand(10^8); y = sin.(x) .+ cos.(x) .* exp.(x)' | interrupted broadcast
echo 'x = [sin(i) * cos(j) for i in 1:20000, j in 1:40000]' | interrupted comprehension
echo 'd = Dict(); i = 0; while true; global i += 1; d[string(i)] = i; end' | interrupted dictionary
echo 'f(n) = n < 2 ? 1 : f(n - 1) + f(n - 2); f(60)' | interrupted recursion check
echo 'while true; println("x"); end' | interrupted printing
echo 's = repeat("abcdefgh", 10^8); t = replace(s, "abc" => "x")' | interrupted replace
echo 'x = vcat([rand(1000) for i in 1:10^5]...)' | interrupted vcat
echo 'x = rand(10^7); y = unique(x); z = y[sortperm(y)]' | interrupted unique

# Reading.
awk 'BEGIN { for (i = 0; i < 600000; i++) printf "a%d = (%d + 1) * [1, 2, 3]\n", i, i }' | interrupted parsing check

# Models: instantiating, translating, initializing, integrating, writing.
cat > large.txt <<'END'
using Modia
N = 100000
name(i) = Symbol("x", i)
rows = [:(der($(name(i))) = -$(name(i)) + sin($(name(i == 1 ? N : i - 1)))) for i in 1:N]
M = Model(equations = :[$(rows...)])
m = @instantiateModel(M, unitless = true)
END
interrupted translating < large.txt
interrupted checking check < large.txt
interrupted instantiating <<'END'
using Modia
include("$(Modia.modelsPath)/Electric.jl")
row(n) = n == 0 ? Resistor | Map(R = 1.0u"Ω") :
    Model(a = row(n - 1), b = row(n - 1), p = Pin, n = Pin, connect = :[(p, a.p); (a.n, b.p); (b.n, n)])
M = Model(row = row(13), V = ConstantVoltage | Map(V = 1.0u"V"), g = Ground,
          connect = :[(V.p, row.p); (row.n, V.n, g.p)])
m = @instantiateModel(M)
END
interrupted initializing <<'END'
using Modia
N = 1200
M = Model(A = [sin(i*j) for i in 1:N, j in 1:N], b = ones(N), y = Var(start = zeros(N)), x = Var(init = 0.5),
          equations = :[der(x) = -x + b'*y; A*y + 0.1*sin.(y) = x*b])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)
END
interrupted dense <<'END'
using Modia
N = 1500
M = Model(A = [sin(i*j)/N for i in 1:N, j in 1:N], x = Var(init = ones(N)), equations = :[der(x) = A*x - 1000.0*x])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1000.0)
END
cat > decay.txt <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x; y = sin(1e4*time)])
m = @instantiateModel(M, unitless = true)
END
{ cat decay.txt; echo 'simulate!(m, stopTime = 1.0, interval = 1e-8)'; } | interrupted points run -q
{ cat decay.txt; echo 'simulate!(m, stopTime = 1.0, interval = 4e-6); for i in 1:100 writeSignalTable("t$i.json", m) end'; } | interrupted writing run -q
{ cat decay.txt; echo 'simulate!(m, stopTime = 1.0, interval = 4e-6); for i in 1:1000 plot(m, ("x", "y"), figure = i) end'; } |
    interrupted plotting run -q
awk 'BEGIN { n = 700; print "o m"
    for (i = 0; i < n; i++) for (j = 0; j < n; j++)
        printf "v %.6f %.6f %.6f\n", i / n, j / n, 1 + sin(i * 0.3) * cos(j * 0.2)
    for (i = 0; i < n - 1; i++) for (j = 0; j < n - 1; j++) {
        a = i * n + j + 1; printf "f %d %d %d\nf %d %d %d\n", a, a + 1, a + n, a + 1, a + n + 1, a + n } }' > mesh.obj
interrupted mesh <<'END'
using Modia3D
M = Model3D(world = Object3D(feature = Scene()),
    body = Object3D(parent = :world, fixedToParent = false,
        feature = Solid(shape = FileMesh(filename = "mesh.obj"), massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)
END

# limited NAME MS MIB PATTERN OPTION...: the same scripts under a limit, left alone.
limited() {
    name=$1 most_ms=$2 most_mib=$3 pattern=$4
    shift 4
    "$STOP" 0 "$SEGUE" "$@" "$name.jl" > figures.all 2> err < /dev/null
    tail -n 1 figures.all > figures
    judge "$name $*" 6 "$most_ms" "$pattern"
    [ "$SG_SLOWNESS" -gt 1 ] || [ "$mib" -le "$most_mib" ] || fail "$name $*: $mib MiB, not $most_mib"
}
for name in solve join broadcast translating dense mesh; do
    limited $name $((200 + allowed)) 2000 'error\[E0004\]: the limit of 0.2 s of CPU time was reached' run --max-cpu-time 0.2
done
limited recursion 1200 100 'error\[E0004\]: the limit of 0.3 s was reached' check --max-time 0.3
limited printing 5000 100 'error\[E0004\]: the limit of (1 MB of )?written bytes was reached' run --max-output 1
for name in solve join zeros broadcast comprehension dictionary parsing translating instantiating initializing dense mesh; do
    limited $name 30000 105 'error\[E000[34]\]: .*(limit of 50 MiB|no more than)' run --max-memory 50
done
limited parsing 30000 105 'error\[E000[34]\]: .*(limit of 50 MiB|no more than)' check --max-memory 50
{ cat decay.txt; echo 'for i in 1:20 simulate!(m, stopTime = 1.0) end'; } > files.jl
limited files 5000 100 'error\[E0004\]: .*the limit of 5 files was reached' run --max-files 5 -o files
[ "$(ls files | wc -l)" -eq 5 ] || fail "not five files: $(ls files)"
{ cat decay.txt; echo 'B = Model(x = Var(init = 1.0), v = Var(init = 0.0), equations = :[der(x) = v; der(v) = -1e6*x; y = if x > 0; 1.0 else 2.0 end])
b = @instantiateModel(B, unitless = true)
simulate!(b, stopTime = 1.0)'; } > events.jl
limited events 5000 100 'error\[E0004\]: stopped after 100 events' run -q --max-events 100
