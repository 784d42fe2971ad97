# Models that are not balanced: the message names the component, the smallest set of equations as
# they were written, and what to try.
circuit() { # circuit NAME=COMPONENT-FOR-r [instantiate keywords]
    cat > bad.jl <<END
using Modia
include("\$(Modia.modelsPath)/AllModels.jl")
Half = Model(p = Pin, n = Pin, R = 1.0u"Ω", equations = :[
    v = p.v - n.v
    0 = p.i + n.i
    R*i = v
])
Pair = Model(p = Pin, n = Pin, inner = $1, other = Resistor, connect = :[
    (p, inner.p)
    (inner.n, other.p)
    (other.n, n)
])
Circuit = Model(V = ConstantVoltage | Map(V = 10.0u"V"), pair = Pair, c = Capacitor, ground = Ground,
    connect = :[
        (V.p, pair.p)
        (pair.n, c.p)
        (c.n, V.n, ground.p)
    ])
circuit = @instantiateModel(Circuit${2:+, $2})
END
    status 2 "$SEGUE" run bad.jl
    [ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not one error"
}

circuit Half
has err "model 'Circuit': 1 equation is missing"
has err "component 'pair.inner' brings 3 equations, but 4 are needed"
has err "bad.jl:4:5: note: component"
has err "pair.inner.R*pair.inner.i = pair.inner.v   (in pair.inner)"
lacks err "component 'pair' brings"
lacks err "component 'c' brings"

circuit 'Resistor | Model(equations = :[i = 1.0u"A"])'
has err "1 equation too many"
has err "component 'pair.inner' brings 5 equations, but 4 are needed"
lacks err "component 'pair' brings"

model() { # model TEXT MODEL [instantiate keywords]
    printf 'using Modia\ninclude("$(Modia.modelsPath)/AllModels.jl")\nBad = %s\nbad = @instantiateModel(Bad%s)\n' \
        "$2" "${3:+, $3}" > bad.jl
    status 2 "$SEGUE" run bad.jl
    has err "$1"
    has err "bad.jl:"
    [ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not one error"
}

# Sources in parallel: each component is right, the connections are not.
model "every component is balanced in itself" \
    'Model(V1 = ConstantVoltage, V2 = ConstantVoltage, r = Resistor, ground = Ground, connect = :[(V1.p, V2.p, r.p); (V1.n, V2.n, r.n, ground.p)])'
has err "these 2 equations are more than needed for r.v"
has err "V1.v = r.v, V2.v = r.v"

# Balanced, but wrong: the sets with too many and too few equations, as written.
model "structurally singular" 'Model(equations = :[a = 2*time; 3*a = time; b + c = 3.0])' 'unitless = true'
has err "these 2 equations are more than needed for a"
has err "3*a = time"
has err "one more equation is needed for: b, c"

# Without elimination nothing chooses the potential of a circuit that is not grounded.
printf 'using Modia\ninclude("$(Modia.modelsPath)/AllModels.jl")\nBad = Model(V = ConstantVoltage, r = Resistor, connect = :[(V.p, r.p); (V.n, r.n)])\nbad = @instantiateModel(Bad, aliasReduction = false)\nsimulate!(bad, stopTime = 1.0)\n' > loose.jl
status 3 "$SEGUE" run loose.jl
has err "have no unique solution"
has err "check whether a ground or a fixed point is missing"
# With it the model runs.
printf 'using Modia\ninclude("$(Modia.modelsPath)/AllModels.jl")\nFloat = Model(V = ConstantVoltage | Map(V = 10.0u"V"), r = Resistor | Map(R = 2.0u"Ω"), connect = :[(V.p, r.p); (V.n, r.n)])\nm = @instantiateModel(Float)\nsimulate!(m, stopTime = 1.0)\n@test isapprox(ustrip(getLastValue(m, "r.i")), 5.0)\n' > float.jl
status 0 "$SEGUE" run float.jl

# Misspelt, in a component and at the top.
model "did you mean 'height'" \
    'Model(height = Var(init = 0.0), x = Var(init = 0.0), equations = :[der(height) = 1.0; der(x) = -2*heigth])' 'unitless = true'
model "did you mean 'c.level'" \
    'Model(c = Model(level = Var(init = 0.0), x = Var(init = 0.0), equations = :[der(level) = 1.0; der(x) = -2*levle]))' 'unitless = true'
model "'c.u' is not connected" \
    'Model(c = Model(u = input, x = Var(init = 0.0), equations = :[der(x) = -x + u]))' 'unitless = true'
model "the elements of 'y' are defined one by one" \
    'Model(equations = :[y[1] = time; y[2] = 2*time])' 'unitless = true'
model "the two sides of this equation have different units" \
    'Model(m = 1.0u"kg", v = Var(init = 1.0u"m/s"), equations = :[m*der(v) = 2.0u"m"])'
model "a sum of different units" \
    'Model(m = 1.0u"kg", v = Var(init = 1.0u"m/s"), equations = :[m*der(v) = 2.0u"N" + v])'

# Units go through functions.
printf 'using Modia\nwrong(v) = v + 1.0\nBad = Model(v = Var(init = 10.0u"m/s"), equations = :[der(v) = -wrong(v)/u"s"])\nbad = @instantiateModel(Bad)\n' > units.jl
status 2 "$SEGUE" run units.jl
has err "the function 'wrong' does not fit the units of these arguments: m*s^-1"
has err "units.jl:2:12: note: here"
[ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not one error"
printf 'using Modia\nsquare(v) = v^2\nBad = Model(v = Var(init = 10.0u"m/s"), equations = :[der(v) = -square(v)])\nbad = @instantiateModel(Bad)\n' > units.jl
status 2 "$SEGUE" run units.jl
has err "one is in m*s^-2 (length/time^2), the other in m^2*s^-2"

# A number where an array is wanted is found when sizes are known.
printf 'using Modia\nBad = Model(x = Var(init = [1.0, 2.0]), equations = :[der(x) = -2.0])\nbad = @instantiateModel(Bad)\nsimulate!(bad, stopTime = 1.0)\n' > shape.jl
status 2 "$SEGUE" run shape.jl
has err "shape.jl:2:"
has err "the left side is a vector of 2, the right side is a number, in the equation der(x) = -2.0"

# Index reduction through a function that is more than numbers says what is in the way.
printf 'using Modia\nfunction f(x)\n    text = string(x)\n    return x + length(text)\nend\nBad = Model(equations = :[s = f(time); v = der(s)])\nbad = @instantiateModel(Bad, unitless = true)\n' > derivative.jl
status 2 "$SEGUE" run derivative.jl
has err "the derivative of the function 'f' is not known because it calls 'string'"

# States that should change but cannot, since one of them is set by reinit: a warning says so once.
cat > turning.jl <<'END'
using Modia
Turning = Model(
    x = Var(init = 0.0), vx = Var(init = 8.0), y = Var(start = -1.0), vy = Var(start = 0.0), F = Var(start = 0.0),
    equations = :[
        vx = der(x)
        vy = der(y)
        der(vx) = -F*x
        der(vy) = -F*y - 9.81
        x^2 + y^2 = 1
        r = if edge(positive(x - 2.0)); reinit(vx, -vx) else 0.0 end
    ])
turning = @instantiateModel(Turning, unitless = true)
simulate!(turning, stopTime = 0.19)
END
"$SEGUE" run turning.jl >out 2>err || true
has err "other states would be better"
has err "the first argument of reinit must be a state"
[ "$(grep -c 'other states would be better' err)" -eq 1 ] || fail "the warning is repeated"
