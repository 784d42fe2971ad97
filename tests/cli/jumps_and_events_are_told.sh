# What a run says about sliding, assert, terminate, and switches that lead nowhere.
cat > slide.jl <<'END'
using Modia
Relay = Model(x = Var(init = 1.0), equations = :[der(x) = -sign(x)])
relay = @instantiateModel(Relay, unitless = true)
simulate!(relay, stopTime = 5.0, log = true)
simulate!(relay, stopTime = 5.0, logEvents = true)
END
status 0 within 20 "$SEGUE" run slide.jl
has out "Sliding along sign(x) from time = 1 s on (more may follow; see logEvents)"
has out "Sliding along sign(x) from time = 1 s on"
lacks err "warning"
# The published program knows no events of this kind: nothing slides, and it is said that comparisons are none.
cat > compat.jl <<'END'
using Modia
Step = Model(x = Var(init = 0.0), y = Var(init = 0.0), equations = :[
    der(x) = floor(time)
    der(y) = if time > 0.5; 1.0 else 0.0 end])
step = @instantiateModel(Step, unitless = true)
simulate!(step, stopTime = 2.0, log = true)
END
status 0 "$SEGUE" run compat.jl
has out "nTimeEvents            = 3"
status 0 "$SEGUE" run --compat modia-0.12 compat.jl
has out "nTimeEvents            = 0"
has out "nStateEvents           = 0"

cat > checks.jl <<'END'
using Modia
Checked = Model(x = Var(init = 0.0), equations = :[
    der(x) = 1.0
    assert(x < 0.6, "x must stay below 0.6")])
checked = @instantiateModel(Checked, unitless = true)
simulate!(checked, stopTime = 1.0)
END
for solver in CVODE_BDF Tsit5 IDA; do
    status 4 within 20 "$SEGUE" run --solver $solver checks.jl
    has err "checks.jl:4:5: error[E0720]: assertion failed at t = 0.6 s: x must stay below 0.6"
done
sed -e 's/assert(x < 0.6/terminate(x > 0.6/' checks.jl > ends.jl
status 0 "$SEGUE" run ends.jl
has err "note: terminated at time = 0.6 s: x must stay below 0.6"
# Already at the start.
sed -e 's/x < 0.6/x > 0.6/' checks.jl > starts.jl
status 4 "$SEGUE" run starts.jl
has err "assertion failed at t = 0 s"
sed -e 's/, "x must stay below 0.6"//' checks.jl > short.jl
status 2 "$SEGUE" run short.jl
has err "assert takes a condition and a text"
sed -e 's/assert(.*)\]/y = assert(x < 1, "no")]/' checks.jl > valued.jl
status 2 "$SEGUE" run valued.jl
has err "assert has no value; write it as a line of its own among the equations"
sed -e 's/assert(.*)\]/y = noEvent(x, 1)]/' checks.jl > two.jl
status 2 "$SEGUE" run two.jl
has err "noEvent takes one expression"

# A loop hides the jump that both sides lead to. It is no event, and steps become so short that the run would not end.
cat > hidden.jl <<'END'
using Modia
function relay(x)
    y = 0.0
    while y == 0.0
        y = x > 0.0 ? 1.0 : -1.0
    end
    y
end
Hidden = Model(x = Var(init = 1.0), z = Var(init = 0.0), equations = :[der(x) = -relay(x); der(z) = x])
hidden = @instantiateModel(Hidden, unitless = true)
simulate!(hidden, stopTime = 5.0)
END
for solver in CVODE_BDF IDA Rodas4; do
    status 4 within 60 "$SEGUE" run --solver $solver hidden.jl
    has err "error[E0706]: at time = 1.00"
    has err "the derivative of 'x' jumps back and forth where 'x' ="
    has err "Write the condition in the equation or in a function without loops"
done

# Steps that went over something: pulses that nobody looks for, tops of a curve with flat parts between them, a pole of a derivative.
stepped() { # stepped STATUS EQUATION OPTIONS [START]
    cat > over.jl <<END
using Modia
Over = Model(x = Var(init = ${4:-0.0}), equations = :[$2])
over = @instantiateModel(Over, unitless = true)
simulate!(over, stopTime = 5.0, $3)
END
    status "$1" within 20 "$SEGUE" run over.jl
}
stepped 0 'der(x) = noEvent(if sin(7*time) > 0; 1.0 else 0.0 end)' 'tolerance = 1e-4'
has err "note[E0723]: a step of 1 s went over something that the method did not see: 'x' has the derivative 0 at time = 0.46 s, but its solution the slope 1"
has err "Such steps are taken again, in shorter ones"
[ "$(grep -c E0723 err)" -eq 1 ] || fail "told once"
stepped 0 'der(x) = max(abs(sin(3*time)), min(time, 0.4))' 'tolerance = 1e-9'
has err "note[E0723]"
# What is remembered of a step cannot be taken back.
stepped 4 'der(x) = noEvent(if sin(7*time) > 0; 1.0 else 0.0 end) + 1e-9*delay(x, 4.0)' 'tolerance = 1e-4'
has err "error[E0723]: a step of"
has err "look for a pole or a jump in the equations"
# Nothing goes over a pole, and nothing stays there for long.
stepped 4 'x*der(x) = -1.0' 'tolerance = 1e-6' 1.0
has err "error[E0724]: the solution ends at about time = 0.49998"
stepped 4 'x*der(x) = -1.0' 'tolerance = 1e-4' 1.0
has err "error[E0724]: the solution ends at about time = 0.499"
has err "the derivative of 'x' grows beyond all bounds there"
# Bounded steps see all of it; what is stiff, or smooth, is no reason to speak.
stepped 0 'der(x) = noEvent(if sin(7*time) > 0; 1.0 else 0.0 end)' 'dtmax = 0.05'
lacks err E0723
stepped 0 'der(x) = -1e9*(x - sin(time))' 'tolerance = 1e-4'
lacks err E0723
stepped 0 'der(x) = cos(20*time)' 'tolerance = 1e-3'
lacks err E0723

# Two switches that lead into one point: no motion along one of them exists, and events would not end.
cat > caught.jl <<'END'
using Modia
Twist = Model(x = Var(init = 1.0), v = Var(init = 0.0), equations = :[
    der(x) = v
    der(v) = -2*sign(x) - sign(v)])
twist = @instantiateModel(Twist, unitless = true)
simulate!(twist, stopTime = 20.0)
END
for solver in CVODE_BDF Tsit5 IDA; do
    status 4 within 60 "$SEGUE" run --solver $solver caught.jl
    has err "error[E0706]: sign(" # of x or v, whichever is counted up first
    has err " switched "
    has err "times before time = 4.4"
    has err "Replace the jump by a steep slope"
done

# Independent switches are no storm, however many they are.
{
    printf 'using Modia\nThermostat = Model(T = Var(init = 20.0), on = Var(start = true), tau = 1.0, equations = :[\n'
    printf '    tau*der(T) = 15.0 - T + (if on; 10.0 else 0.0 end)\n'
    printf '    on = if T > 21.0; false elseif T < 19.0; true else pre(on) end])\nHouse = Model('
    for i in $(seq 1 100); do
        printf 't%d = Thermostat | Map(tau = 0.02 + 0.0007*%d), ' $i $i
    done
    printf ')\nhouse = @instantiateModel(House, unitless = true)\nsimulate!(house, Tsit5(), stopTime = 0.5, log = true)\n'
} > house.jl
status 0 within 60 "$SEGUE" run house.jl
lacks err "warning"
has out "nStateEvents           = 5"

# A prescribed motion whose speed jumps would be an impulse on what hangs on it.
cat > stops.jl <<'END'
using Modia
Hung = Model(phi = Var(init = 0.0), w = Var(init = 0.0), equations = :[
    s = if time < 1; time else 1.0 end
    v = der(s)
    der(phi) = w
    der(w) = -9.81*sin(phi) - der(v)*cos(phi)])
hung = @instantiateModel(Hung, unitless = true)
simulate!(hung, stopTime = 2.0)
END
for solver in CVODE_BDF Tsit5 IDA; do
    status 4 "$SEGUE" run --solver $solver stops.jl
    has err "error[E0721]: 'v' jumps from 1 to 0 at time = 1 s, but its derivative 'der(v)' acts on the states"
done
# Setting the states says what the impulse does: w jumps by cos(phi).
sed -e 's/der(phi) = w/der(phi) = w\n    kick = if edge(time >= 1); reinit(w, w + cos(phi)) else false end/' -e 's/^simulate.*/simulate!(hung, stopTime = 1.0001)\n@test abs(getLastValue(hung, "w") - 1.0) < 1e-3/' stops.jl > kicked.jl
status 0 "$SEGUE" run kicked.jl
# A motion that is smooth enough, or whose derivative acts on nothing, is none of this.
sed -e 's/if time < 1; time else 1.0 end/if time < 1; time - 0.5*time^2 else 0.5 end/' stops.jl > soft.jl
status 0 "$SEGUE" run soft.jl
sed -e 's/ - der(v)\*cos(phi)//' stops.jl > idle.jl
status 0 "$SEGUE" run idle.jl
cat > cart.jl <<'END'
using Modia3D
Heavy = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))
Cart = Model3D(world = Object3D(feature = Scene()), cart = Object3D(feature = Heavy), arm = Object3D(),
    bob = Object3D(parent = :arm, translation = [0.0, -1.0, 0.0], feature = Heavy),
    slide = PrismaticWithFlange(obj1 = :world, obj2 = :cart, s = Var(), v = Var()),
    rev = Revolute(obj1 = :cart, obj2 = :arm),
    equations = :[slide.flange.s = if time < 1; time else 1.0 end])
cart = @instantiateModel(Cart, unitless = true)
simulate!(cart, stopTime = 2.0)
END
status 4 "$SEGUE" run cart.jl
has err "error[E0721]: 'slide.v' jumps from 1 to 0 at time = 1 s"
