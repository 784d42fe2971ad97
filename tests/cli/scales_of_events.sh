# Thresholds of events: cases of other people, the compatible mode, actions close to each other, and the end of runs.

cases="$SG_SOURCE_DIR/../shared/cases/equations"
if [ -d "$cases" ]; then
    status 0 "$SEGUE" run "$cases/thresholds.jl"
    [ "$(grep -c 'z = 1.4999999999\|z = 1.50' out)" -eq 7 ] || fail "thresholds"
    has out "V = 1.00000000000000"
    status 0 "$SEGUE" run "$cases/pulses_1GHz.jl"
    [ "$(grep -c 'mean 0.40000000' out)" -eq 5 ] || fail "pulses"
    status 0 "$SEGUE" run "$cases/diode_pA.jl"
    has out "q = 3.18309"
    status 0 "$SEGUE" run "$cases/picoseconds.jl"
    has out "q = 9.306852"
else
    echo "SKIPPED: the cases of ../shared are not here"
fi

# The compatible mode keeps 1e-10 in any unit.
cat > cell.jl <<'END'
using Modia
Cell = Model(V = Var(init = 0.0), z = Var(init = 0.0), equations = :[
    full = positive(V - 3e-10)
    der(V) = if full; 0.0 else 1e-10 end
    der(z) = if after(0.5) && !after(0.5 + 5e-11); 2e10 else 0.0 end])
cell = @instantiateModel(Cell, unitless = true)
simulate!(cell, stopTime = 8.0, tolerance = 1e-8)
println("V = ", round(getLastValue(cell, "V")*1e10, digits = 6), ", z = ", round(getLastValue(cell, "z"), digits = 4))
END
status 0 "$SEGUE" run cell.jl
has out "V = 3.0, z = 1.0"
for mode in fixed-thresholds modia-0.12; do
    status 0 "$SEGUE" run --compat $mode cell.jl
    has out "V = 4.0, z = 0.0"
done

# Actions 1e-10 s apart are two events.
cat > actions.jl <<'END'
using Modia3D
function script(actions)
    EventAfterPeriod(actions, 0.5)
    EventAfterPeriod(actions, 1e-10)
    EventAfterPeriod(actions, 1e-10)
end
Program = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    ball = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0))),
    slide = Prismatic(obj1 = :world, obj2 = :ball, s = Var(init = 0.0), v = Var(init = 1.0)),
    modelActions = ModelActions(world = :world, actions = script),
    equations = :[actions = executeActions(modelActions)])
program = @instantiateModel(Program, unitless = true)
simulate!(program, stopTime = 1.0, log = true)
END
status 0 "$SEGUE" run actions.jl
grep -q "nTimeEvents *= 2$" out || fail "actions 1e-10 s apart are not two events"

# A run comes to its stop time under every solver, whatever its length; some have an event right before it.
cat > ends.jl <<'END'
using Modia
using Test
Ends = Model(T = 1.0, part = 0.5, v = Var(init = 0.0), q = Var(init = 0.0), equations = :[
    der(v) = 1/T
    der(q) = if v > part; 1/T else 0.0 end])
ends = @instantiateModel(Ends, unitless = true)
for T in [1e-15, 1e-12, 1e-9, 1e-3, 1.0, 1e4, 1e10], part in [1e-9, 0.5, 1.0 - 1e-12, 1.0]
    simulate!(ends, stopTime = T, merge = Map(T = T, part = part))
    @test abs(getValues(ends, "time")[end] - T) <= 1e-14*T && abs(getLastValue(ends, "v") - 1.0) < 1e-9
    @test abs(getLastValue(ends, "q") - (1.0 - part)) < 1e-9
end
END
solvers=$(sed -n 's/^SG_SOLVER(\([A-Za-z0-9_]*\), .*/\1/p' "$SG_SOURCE_DIR/src/solver/solver_names.h")
[ "$(echo $solvers | wc -w)" -gt 60 ] || fail "the list of solvers is not where it was"
for solver in $solvers; do
    status 0 "$SEGUE" run --solver $solver ends.jl
done
