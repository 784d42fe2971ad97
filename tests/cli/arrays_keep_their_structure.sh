# A vector by comprehension, by a loop in a function, or by slices is the same program: a Jacobian costs as many
# evaluations as it has colors, and nothing is called. A hundred times a hundred elements take no longer than slices.
get() { "$SG_BINARY_DIR"/json_get "$@"; }
write() { # NAME EQUATION
    cat > "$1.jl" <<END
using Modia
function cells(u, n, c)
    du = zeros(n)
    for i in 1:n
        left = i > 1 ? u[i-1] : 1.0
        right = i < n ? u[i+1] : 0.0
        du[i] = c*(left - 2*u[i] + right) - u[i]^3
    end
    return du
end
M = Model(n = 400, c = 100.0, u = Var(init = ones(400)), equations = :[
    $2])
m = @instantiateModel(M)
simulate!(m, CVODE_BDF(), stopTime = 2.0, interval = 1.0, tolerance = 1e-8)
println(getValues(m, "u")[end, 7], " ", getValues(m, "u")[end, 1])
END
}
write slices 'der(u) = c*(vcat(1.0, u[1:end-1]) .- 2*u .+ vcat(u[2:end], 0.0)) .- u.^3'
write comprehension 'der(u) = [c*((i > 1 ? u[i-1] : 1.0) - 2*u[i] + (i < n ? u[i+1] : 0.0)) - u[i]^3 for i in 1:n]'
write function 'der(u) = cells(u, n, c)'
for model in slices comprehension function; do
    status 0 within 20 "$SEGUE" run --summary $model.json $model.jl
    cp out $model.out
    evaluations=$(get $model.json simulations.0.nRhs)
    [ "$evaluations" -lt 1500 ] || fail "$model: $evaluations evaluations, so its pattern is lost"
    status 0 "$SEGUE" info $model.jl
    lacks out "functions that are called"
done
# To rounding: sums may be in another order.
for model in comprehension function; do
    paste -d' ' slices.out $model.out | awk '{ d = $1 - $3; e = $2 - $4
        if (d*d > 1e-16 || e*e > 1e-16) exit 1 }' || fail "$model differs: $(cat slices.out $model.out)"
done

cat > grid.jl <<'END'
using Modia
Heat = Model(n = 100, k = 0.01, T = Var(init = [sin(pi*i/101)*sin(pi*j/101) for i in 1:100, j in 1:100]), equations = :[
    c = k*(n + 1)^2
    der(T) = [c*((i > 1 ? T[i-1, j] : 0.0) + (i < n ? T[i+1, j] : 0.0) + (j > 1 ? T[i, j-1] : 0.0) +
                 (j < n ? T[i, j+1] : 0.0) - 4*T[i, j]) for i in 1:n, j in 1:n]])
heat = @instantiateModel(Heat)
simulate!(heat, CVODE_BDF(), stopTime = 1.0, interval = 1.0, tolerance = 1e-8)
exact = sin(pi/101)*sin(2*pi/101)*exp(-0.01*101^2*(4 - 4*cos(pi/101)))
println(abs(getValues(heat, "T")[end, 1, 2]/exact - 1) < 1e-5)
END
status 0 within 60 "$SEGUE" run --summary grid.json grid.jl
has out true
[ "$(get grid.json simulations.0.nRhs)" -lt 1500 ] || fail "the pattern of the grid is lost"

# What stays a call says so, with the reason.
cat > calls.jl <<'END'
using Modia
halve(x) = begin
    while x > 1.0
        x = x/2
    end
    x
end
function running(u)
    s = copy(u)
    for i in 2:length(u)
        s[i] = s[i-1] + u[i]
    end
    s
end
M = Model(x = Var(init = [1.0, 2.0]), y = Var(init = 2.0), equations = :[
    der(x) = -running(x)
    der(y) = -halve(y)])
m = @instantiateModel(M, logCode = true)
END
for command in info run; do
    status 0 "$SEGUE" $command calls.jl
    has out "running: because the rounds of a loop in it depend on each other"
    has out "halve: because it has a while loop"
done
