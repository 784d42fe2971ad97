# Jumps of what is differentiated (E0721): pieces that fit together are none, and where no state would feel the impulse the run goes on.
near() { # near NAME VALUE PART
    awk -v name="$1" -v want="$2" -v part="$3" '$1 == name { got = $3; n++ }
        END { d = got - want; exit !(n && (d < 0 ? -d : d) <= part*(want < 0 ? -want : want)) }' out ||
        fail "$1 is not $2: $(grep "^$1 = " out)"
}

# A line in pieces, over a state and over time, of several sizes and speeds. x(3): 6 (1 - 1/e)/e times the size.
for size in 1e-3 1.0 1e4; do
    for solver in CVODE_BDF Tsit5 IDA; do
        cat > pieces.jl <<END
using Modia
Pieces = Model(s = Var(init = 0.0), x = Var(init = 0.0), z = Var(init = 0.0), k = $size, equations = :[
    der(s) = 1.0
    y = if s < 1; 0.0 elseif s < 2; 2*k*(s - 1.0) else 2.0*k end
    w = if time < 1; 0.0 elseif time < 2; 2*k*(time - 1.0) else 2.0*k end
    der(x) = -x + 3*der(y)
    der(z) = -z + 3*der(w)])
pieces = @instantiateModel(Pieces, unitless = true)
simulate!(pieces, $solver(), stopTime = 3.0, tolerance = 1e-8)
println("x = ", getLastValue(pieces, "x"))
println("z = ", getLastValue(pieces, "z"))
END
        status 0 within 20 "$SEGUE" run pieces.jl
        near x "$(awk -v k=$size 'BEGIN { print 6*k*(1 - exp(-1))*exp(-1) }')" 1e-4
        near z "$(awk -v k=$size 'BEGIN { print 6*k*(1 - exp(-1))*exp(-1) }')" 1e-4
    done
done
# A piece that does not fit is a jump.
sed 's/2\*k\*(s - 1.0)/2*k*(s - 0.999)/' pieces.jl > gap.jl
status 4 "$SEGUE" run gap.jl
has err "error[E0721]: 'y' jumps from 0 to "

# A slide that is led and starts at once, with nothing on it but its drive; with a pendulum on it that feels the blow.
cat > led.jl <<'END'
using Modia3D
Heavy = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))
Led = Model3D(world = Object3D(feature = Scene()), cart = Object3D(feature = Heavy),
    slide = PrismaticWithFlange(obj1 = :world, obj2 = :cart, s = Var(), v = Var()),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 5.0, 0.0], feature = Heavy),
    equations = :[slide.flange.s = if time < 1; 0.0 else 3.0*(time - 1.0) end])
led = @instantiateModel(Led, unitless = true)
simulate!(led, stopTime = 2.0)
println("s = ", getLastValue(led, "slide.s"))
println("y = ", getLastValue(led, "ball.r_abs", unit = false)[2])
END
status 0 "$SEGUE" run led.jl
lacks err E0721
near s 3 1e-6
near y -14.62 1e-6
sed -e 's/    ball = .*/    arm = Object3D(), bob = Object3D(parent = :arm, translation = [0.0, -1.0, 0.0], feature = Heavy), rev = Revolute(obj1 = :cart, obj2 = :arm),/' -e '/^println/d' led.jl > hung.jl
status 4 "$SEGUE" run hung.jl
has err "error[E0721]: 'slide.v' jumps from 0 to 3 at time = 1 s"

table=$SG_SOURCE_DIR/../shared/cases/contacts
if [ -f "$table/abrupt_table.jl" ]; then
    cp "$table/abrupt_table.jl" "$table/common.jl" "$table/mats.txt" .
    status 0 within 20 "$SEGUE" run abrupt_table.jl
    lacks out BAD
    [ "$(grep -c "CHECK ok" out)" -eq 4 ] || fail "not all four tables were looked at"
else
    echo "skipped: abrupt_table.jl is not here"
fi
