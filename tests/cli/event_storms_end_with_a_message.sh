# Events that pile up: a warning when they may be meant, an error instead of an endless run.
cat > zeno.jl <<'END'
using Modia
Ball = Model(h = Var(init = 1.0), v = Var(init = 0.0), equations = :[
    der(h) = v
    der(v) = -9.81
    hit = negative(h)
    jump = if edge(hit); reinit(v, -0.7*v) else false end])
ball = @instantiateModel(Ball, unitless = true)
simulate!(ball, stopTime = 10.0)
END
for solver in CVODE_BDF Tsit5 IDA; do
    status 4 within 60 "$SEGUE" run --solver $solver zeno.jl
    # The bounces pile up at t1*(1 + e)/(1 - e) = 2.5586 s.
    has err "pile up near time = 2.55"
    has err "(Zeno)"
    # Bounces that cannot be resolved are an error, not a ball below the floor.
    has err "was crossed for good at time = 2.55"
    has err "fallen through"
    [ "$(grep -c 'E0707' err)" -eq 2 ] || fail "one warning, one error"
done
# The same ball with a resting state comes to rest and stays there.
sed -e 's/jump = .*/jump = if edge(hit); reinit(v, if v > -0.01; 0.0 else -0.7*v end) else false end\n    rest = pre(rest) || (edge(hit) \&\& v > -0.01)], rest = Var(start = false))/' \
    -e 's/der(h) = v/der(h) = if rest; 0.0 else v end/' -e 's/der(v) = -9.81/der(v) = if rest; 0.0 else -9.81 end/' zeno.jl > rest.jl
echo '@test abs(getLastValue(ball, "h")) < 1e-6' >> rest.jl
for solver in CVODE_BDF Tsit5 IDA; do
    status 0 within 60 "$SEGUE" run --solver $solver rest.jl
done

cat > chatter.jl <<'END'
using Modia
Slide = Model(x = Var(init = 0.5), equations = :[
    up = positive(x)
    again = if change(up); reinit(x, x) else false end
    der(x) = if up; -1.0 else 1.0 end])
slide = @instantiateModel(Slide, unitless = true)
simulate!(slide, stopTime = 10.0)
println("after")
END
for solver in CVODE_BDF Tsit5 IDA; do
    status 4 within 60 "$SEGUE" run --solver $solver chatter.jl
    has err "more than 100 events within 0.02 s"
    has err "events in a row near time = 0.5"
    has err "positive(x)"
    has err "hysteresis"
    has out after
done

# An event whose conditions feed on each other.
cat > endless.jl <<'END'
using Modia
Endless = Model(x = Var(init = 0.0), n = Var(start = 0.0), equations = :[
    der(x) = 1.0
    up = positive(x - 0.5)
    n = if up; pre(n) + 1 else pre(n) end])
endless = @instantiateModel(Endless, unitless = true)
simulate!(endless, stopTime = 1.0)
END
status 4 within 60 "$SEGUE" run endless.jl
has err "did not settle in 20 iterations"
has err "'n' changes in each of them"

status 6 "$SEGUE" run --max-events 3 zeno.jl
has err "stopped after 3 events"
