# Mechanisms with closed loops: which start values were changed, which constraints are redundant, what cannot be closed.
cp "$SG_SOURCE_DIR/tests/models/scenes/fourbar.jl" fourbar.jl
mechanism() { # mechanism NAME LENGTHS [MORE]
    cat > "$1.jl" <<END
using Modia3D
include("fourbar.jl")
m = @instantiateModel(Fourbar($2)${3-}, unitless = true)
simulate!(m, stopTime = 0.1)
END
}
fits="(crank = 0.4, coupler = 1.0, rocker = 0.8, base = 1.2)"

# Start values that come near are changed, those of the joints declared last; each change is told.
mechanism near "$fits"
status 0 "$SEGUE" run near.jl --balance
has err "start values were changed: rev2.w from 0 to -10.9482, rev2.phi from -0.6 to -0.773182, rev3.w"
lacks err "rev1.phi from"
has err "3 of 5 constraints of the loops follow from the others and are left out"
has err "Revolute 'rev4': force along the axis, moment across the axis (1), moment across the axis (2)"
has out "the balance closes"

# So are those of the joint that is declared first where a rod closes the loop.
cat > rod.jl <<'END'
using Modia3D
bar = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [0.2, 0.0, 0.0], Ixx = 0.01, Iyy = 0.1, Izz = 0.1)))
Bars = Model3D(world = Object3D(feature = Scene()), pivot = Object3D(parent = :world, translation = [1.0, 0.0, 0.0]),
    a = bar, b = bar, aEnd = Object3D(parent = :a, translation = [0.3, 0.0, 0.0]), bEnd = Object3D(parent = :b, translation = [0.6, 0.0, 0.0]),
    rev1 = Revolute(obj1 = :world, obj2 = :a, phi = Var(init = 1.0)), rev2 = Revolute(obj1 = :pivot, obj2 = :b, phi = Var(init = 1.5)),
    rod = Rod(obj1 = :aEnd, obj2 = :bEnd, length = 1.0))
m = @instantiateModel(Bars, unitless = true)
simulate!(m, stopTime = 0.1)
END
status 0 "$SEGUE" run rod.jl
has err "start values were changed: rev2.phi from 1.5 to 1.39827"
lacks err "rev1.phi from"

# A rod too long for that: both move, from where they were meant to be, not from where the second alone got stuck.
sed 's/init = 1.0/init = 2.0/; s/init = 1.5/init = 0.6/; s/\[0.6, 0.0, 0.0\]/[0.2, 0.0, 0.0]/; s/length = 1.0/length = 1.4/' rod.jl >long.jl
status 0 "$SEGUE" run long.jl
has err "start values were changed: rev1.phi from 2 to 2.35098, rev2.phi from 0.6 to 0.418465"

# With several loops every constraint that is left out is told of its own joint.
cat > twice.jl <<'END'
using Modia3D
bar(l) = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [l/2, 0.0, 0.0], Ixx = 0.01, Iyy = 0.1, Izz = 0.1)))
Bars(y) = Model(
    base = Object3D(parent = :world, translation = [0.0, y, 0.0]), pivot = Object3D(parent = :base, translation = [1.0, 0.0, 0.0]),
    a = bar(0.4), b = bar(1.0), c = bar(0.4),
    aEnd = Object3D(parent = :a, translation = [0.4, 0.0, 0.0]), bEnd = Object3D(parent = :b, translation = [1.0, 0.0, 0.0]), cEnd = Object3D(parent = :c, translation = [0.4, 0.0, 0.0]),
    rev1 = Revolute(obj1 = :base, obj2 = :a, phi = Var(init = 1.0)), rev2 = Revolute(obj1 = :aEnd, obj2 = :b, phi = Var(init = -1.0)),
    rev3 = Revolute(obj1 = :pivot, obj2 = :c, phi = Var(init = 1.0)), rev4 = Revolute(obj1 = :bEnd, obj2 = :cEnd, phi = Var(init = 1.0)))
m = @instantiateModel(Model3D(world = Object3D(feature = Scene()), bars = [Bars(2.0*i) for i in 1:2]), unitless = true)
simulate!(m, stopTime = 0.1)
END
status 0 "$SEGUE" run twice.jl
has err "6 of 10 constraints"
has err "(Revolute 'bars_1.rev4': force along the axis, moment across the axis (1), moment across the axis (2); Revolute 'bars_2.rev4': force along the axis, moment across the axis (1), moment across the axis (2))"

# Another joint may be cut; it then has the signals of one.
mechanism other "$fits" ' | Map(rev2 = Map(cut = Par(value = true)))'
status 0 "$SEGUE" run other.jl --result-format csv
has err "Revolute 'rev2': force along the axis"

# Lengths that do not fit.
mechanism apart "(crank = 0.4, coupler = 1.0, rocker = 0.8, base = 3.0)"
status 3 "$SEGUE" run apart.jl
has err "error[E0912]: Revolute 'rev4' closes a loop that cannot be closed from the start values"
has err "check lengths and axes"
# A pivot beside the plane of the others.
mechanism tilted "$fits" ' | Map(pivot = Map(translation = [1.2, 0.0, 0.1]))'
status 3 "$SEGUE" run tilted.jl
has err "error[E0912]: Revolute 'rev4' closes a loop that cannot be closed from the start values: a gap of 0.1 m is left in the direction of the force along the axis"

# A pivot that is turned around: its axis looks the other way, which the other joints cannot follow.
mechanism around "$fits" ' | Map(pivot = Map(rotation = [pi, 0.0, 0.0]))'
status 3 "$SEGUE" run around.jl
grep -q "error.E0912.: Revolute 'rev4' closes a loop that cannot be closed from the start values: a gap of [23].[0-9]* rad is left in the direction of the moment across the axis" err || fail "a pivot that is turned around is not told"

# A parallelogram folds twice a turn; the first time is told.
mechanism folding "(crank = 1.0, coupler = 1.0, rocker = 1.0, base = 1.0), phi = pi/2" \
    ' | Map(rev2 = Map(phi = Var(init = -pi/2)), rev3 = Map(phi = Var(init = pi/2)))'
sed -i 's/stopTime = 0.1/stopTime = 2.0/' folding.jl
status 0 "$SEGUE" run folding.jl
has err "warning[E0912]: at time = "
has err "of Revolute 'rev4' has almost no effect there"
[ "$(grep -c E0912 err)" -eq 1 ] || fail "it is told more than once"

# In line from the start: told as well, and nothing is taken for redundant that is not. At rest nobody knows how it goes on.
mechanism inline "(crank = 1.0, coupler = 1.0, rocker = 1.0, base = 1.0), phi = 0.0" \
    ' | Map(rev1 = Map(w = Var(init = 1.0)), rev2 = Map(phi = Var(init = 0.0), w = Var(init = -1.0)), rev3 = Map(phi = Var(init = 0.0), w = Var(init = 1.0)))'
status 0 "$SEGUE" run inline.jl
has err "warning[E0912]: the mechanism starts in a singular position: the force across the axis"
has err "of Revolute 'rev4' has no effect there; the motion goes on as its speeds say"
has err "3 of 5 constraints"
sed -i 's/w = Var(init = -*1.0)/w = Var(init = 0.0)/g; s/stopTime = 0.1/stopTime = 0.001/' inline.jl
status 0 "$SEGUE" run inline.jl
has err "at rest, nothing decides which way it goes on"

# A joint whose motion is prescribed cannot be the one that is cut.
cat > led.jl <<'END'
using Modia3D
include("fourbar.jl")
Led = Fourbar((crank = 0.4, coupler = 1.0, rocker = 0.8, base = 1.2)) |
    Map(rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :(crank.obj1), phi = Var(init = nothing), w = Var(init = nothing), cut = true))
Drive = Model(arm = Led, equations = :[arm.rev1.flange.phi = 1.2 + time])
m = @instantiateModel(Drive, unitless = true)
simulate!(m, stopTime = 0.1)
END
"$SEGUE" run led.jl >out 2>err && fail "a prescribed joint was cut"
has err "error[E0912]: the joint 'arm.rev1' closes a loop, but its motion is prescribed"

# A law that measures accelerations, while an equation acts on a joint.
cat > asked.jl <<'END'
using Modia3D
include("fourbar.jl")
added(; time, objectApply, objectCoord) = -Modia3D.measFrameTransAcceleration(objectApply)
Asked = Fourbar((crank = 0.4, coupler = 1.0, rocker = 0.8, base = 1.2)) |
    Map(rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :(crank.obj1), phi = Var(init = 1.2), w = Var(init = 1.0)),
        law = WorldForce(objectApply = :(coupler.obj2), forceFunction = added))
Drive = Model(arm = Asked, equations = :[arm.rev1.flange.tau = 0.1])
m = @instantiateModel(Drive, unitless = true)
simulate!(m, stopTime = 0.1)
END
"$SEGUE" run asked.jl >out 2>err && fail "accelerations were measured"
has err "error[E0912]: forceFunction of WorldForce 'arm.law' asks for accelerations, which is not possible in a part with closed loops where equations act on joints"

# A rod without length, and one between what cannot move against each other.
cat > rods.jl <<'END'
using Modia3D
M(length, second) = Model3D(world = Object3D(feature = Scene()), a = Object3D(parent = :world),
    b = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    hinge = Revolute(obj1 = :world, obj2 = :b), rod = Rod(obj1 = :a, obj2 = second, length = length))
m1 = @instantiateModel(M(0.0, :b), unitless = true)
simulate!(m1, stopTime = 0.1)
m2 = @instantiateModel(M(1.0, :world), unitless = true)
simulate!(m2, stopTime = 0.1)
END
"$SEGUE" run rods.jl >out 2>err
has err "Rod 'rod': length must be positive"
has err "Rod 'rod' connects 'a' and 'world', which are rigidly connected"

# By hand nothing is solved.
cat > hand.jl <<'END'
using Modia3D
import Modia3D.Composition
world = Composition.Object3D(feature = Scene())
a = Composition.Object3D()
joint1 = Composition.Revolute(world, a)
joint2 = Composition.Revolute(world, a)
Composition.initAnalysis!(world)
END
status 2 "$SEGUE" run hand.jl
has err "closes a kinematic loop"

# Contacts and actions beside a loop: the sheets of both runs close.
mkdir scenes && cp "$SG_SOURCE_DIR"/tests/models/scenes/*fourbar.jl scenes/
cp "$SG_SOURCE_DIR/tests/models/loops_contacts.jl" .
status 0 "$SEGUE" run loops_contacts.jl --balance
[ "$(grep -c 'the balance closes' out)" -eq 2 ] || fail "not both balances close"
