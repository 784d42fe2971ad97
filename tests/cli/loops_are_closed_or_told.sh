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
has err "error[E0912]: Revolute 'rev4' closes a loop that cannot be closed from the start values: 0.1 m are left where there is the force along the axis"

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
