# What delay(expression, T) refuses, each with its place.
cat > base.jl <<'END'
using Modia
Late = Model(T = 0.5, x = Var(init = 1.0), equations = :[
    der(x) = -x
    y = delay(x, T)])
late = @instantiateModel(Late, unitless = true)
simulate!(late, Tsit5(), stopTime = 2.0, interval = 0.1)
println(abs(getLastValue(late, "y") - exp(-1.5)) < 1e-5)
END
status 0 "$SEGUE" run base.jl
has out "true"
# Times that are none; they may come from the command line, too.
status 2 "$SEGUE" run --set T=0 base.jl
has err "base.jl:4:5: error[E0722]: the time of a delay must be positive, but is 0 s, in the equation y = delay(x, T)"
status 2 "$SEGUE" run --set T=-0.1 base.jl
has err "base.jl:4:5: error[E0722]: the time of a delay must be positive, but is -0.1 s"
sed -e 's/delay(x, T)/delay(x, [0.1, 0.2])/' base.jl > array.jl
status 2 "$SEGUE" run array.jl
has err "array.jl:4:5: error[E0722]: the time of a delay must be a number"
sed -e 's/delay(x, T)/delay(x, T + 0.1*x)/' base.jl > varying.jl
status 2 "$SEGUE" run varying.jl
has err "varying.jl:4:18: error[E0722]: the time of a delay must not change during a run"
sed -e 's/delay(x, T)/delay(x, 0.1*time)/' base.jl > timed.jl
status 2 "$SEGUE" run timed.jl
has err "timed.jl:4:18: error[E0722]: the time of a delay must not change during a run"
printf '%s\n' 'using Modia' 'm = @instantiateModel(Model(x = Var(init = 1.0u"m"), equations = :[der(x) = -x/u"s"; y = delay(x, 2.0u"m")]))' > unit.jl
status 2 "$SEGUE" run unit.jl
has err "unit.jl:2:99: error[E0606]: the time of a delay is no time: one is in m (length), the other in s (time)"
# Arguments.
sed -e 's/delay(x, T)/delay(x, T, 1.0)/' base.jl > three.jl
status 2 "$SEGUE" run three.jl
has err "three.jl:4:9: error[E0722]: delay takes an expression and a time"
has err "a longest time is not needed"
sed -e 's/delay(x, T)/delay(x)/' base.jl > one.jl
status 2 "$SEGUE" run one.jl
has err "one.jl:4:9: error[E0722]: delay takes an expression and a time"
sed -e 's/delay(x, T)/delay(w, T); w = [x, 2*x]/' base.jl > shape.jl
status 2 "$SEGUE" run shape.jl
has err "error[E0640]"
# Index reduction wants the second derivative of what is no state.
cat > twice.jl <<'END'
using Modia
Driven = Model(x = Var(init = 1.0), v = Var(start = 0.0), equations = :[
    der(x) = v
    der(v) = F
    x = 1 + delay(sin(time)^3, 0.5)])
driven = @instantiateModel(Driven, unitless = true)
simulate!(driven, stopTime = 2.0)
END
status 2 "$SEGUE" run twice.jl
has err "error[E0722]: the delayed 'delayed1' would have to be differentiated 2 times, once is possible"
# A value that cannot have been there before.
sed -e 's/delay(x, T)/delay(y, T) + x/' base.jl > endless.jl
status 3 "$SEGUE" run endless.jl
has err "error[E0722]: at time = 0 s 'y' has no value that it could also have had before"
# Steps of a fixed size cannot be longer than the delay.
sed -e 's/interval = 0.1/interval = 0.2, adaptive = false/' base.jl > fixed.jl
status 0 "$SEGUE" run fixed.jl
has out "true"
status 1 "$SEGUE" run --set T=0.1 fixed.jl
has err "error[E0722]: the model delays something by 0.1 s, but all steps are 0.2 s long"
# A function of that name that the script defines is meant.
sed -e 's/^using Modia/using Modia\ndelay(x, T) = exp(-1.5)/' base.jl > own.jl
status 0 "$SEGUE" run own.jl
has out "true"
