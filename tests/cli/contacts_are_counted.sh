# How many contacts there were and what it took to find them: signals, a table, the summary, a function of the script.
models=$SG_SOURCE_DIR/tests/models
cat > drop.jl <<'END2'
using Modia3D
using Test
steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
free(height, shape) = Object3D(parent = :world, fixedToParent = false, translation = [0.1, height, 0.0], rotation = [0.2, 0.3, 0.1], feature = steel(shape))
Drop = Model3D(world = Object3D(feature = Scene()),
               ground = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = steel(Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0))),
               stone = free(0.2, Ellipsoid(lengthX = 0.1, lengthY = 0.2, lengthZ = 0.3)), ball = free(0.5, Sphere(diameter = 0.1)),
               below = ContactResult(object1 = :stone, object2 = :ground), above = ContactResult(object1 = :stone, object2 = :ball),
               aside = ContactResult(object1 = :ball, object2 = :ground))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.5, tolerance = 1e-8, log = true, logContacts = true)
c = Modia3D.contactStatistics(drop)
number, begun, ended = getValues(drop, "contacts.number"), getValues(drop, "contacts.begun"), getValues(drop, "contacts.ended")
@test number == begun - ended
@test begun[end] == c[:begun] && ended[end] == c[:ended]
@test maximum(number) <= c[:most]
@test begun[1] == 0 && begun[end] > 5
# The deepest is that of the single pairs together, and what was deeper since the point before.
depths = [getValues(drop, "$k.penetration") for k in ["below", "above", "aside"]]
deepest, t = getValues(drop, "contacts.deepest"), getValues(drop, "time")
most = [maximum(d[i] for d in depths) for i in 1:length(number)]
@test all(deepest .>= most .- 1e-15)
@test all(deepest[i] == 0.0 for i in 2:length(t) if begun[i] == begun[i - 1] && number[i] == 0 && number[i - 1] == 0)
@test maximum(deepest) == maximum(Modia3D.contactTable(drop)[:depth]) > 1.01*maximum(most)
@test c[:pairs] == 3
@test c[:mpr] + c[:warm] + c[:closed] > 1000
@test c[:unproven] == 0 && c[:enlarged] == 0
println(c[:mpr], " ", c[:warm], " ", c[:tc1] + c[:tc2] + c[:tc3])
END2
status 0 "$SEGUE" run --summary drop.json drop.jl
has out "Contacts: nShapes = 3, nPairs = 3, nVisualShapes = 3, mprTolerance = 1e-20, contact_eps = 1e-13 m"
has out "distances with MPR"
has out "on average"
grep -q '"contacts":{"begun":[1-9][0-9]*,"ended":' drop.json || fail "no contacts in the summary"
# By default nearly all distances go on from the one before; plain MPR begins anew, and says how it ended.
set -- $(tail -1 out)
[ "$1" -lt 20 ] && [ "$3" -eq 0 ] || fail "$* distances by MPR, from memory, by its conditions"
sed 's/log = true, logContacts = true/interval = 0.01/' drop.jl > quiet.jl
status 0 "$SEGUE" run quiet.jl
lacks out "Contacts:"
lacks out "distances with MPR"
status 0 "$SEGUE" run --compat modia-0.12 --log contacts quiet.jl
has out "distances with MPR"
set -- $(tail -1 out)
[ "$1" -gt 1000 ] && [ "$2" -eq 0 ] && [ "$3" -eq "$1" ] || fail "$* distances by MPR, from memory, by its conditions"

# Six impacts of scenario E1. The largest numbers of iterations of phases 2 and 3 are not above those of thesis table 6.1:
# of the default mode always, of plain MPR where contacts are those of the thesis.
counted() { # counted KEY: the number in the summary of a run
    sed "s/.*\"$1\":\([0-9]*\).*/\1/" out.json
}
status 0 "$SEGUE" run -q --summary out.json "$models/e1_bouncing_sphere.jl"
[ "$(counted begun)" -eq 6 ] && [ "$(counted ended)" -eq 6 ] || fail "$(cat out.json)"
most() { # most MODE SCENARIO PHASE2 PHASE3
    "$SEGUE" run -q $1 --summary out.json "$models/$2.jl" > out 2> err
    [ "$(counted phase2Most)" -le "$3" ] && [ "$(counted phase3Most)" -le "$4" ] ||
        fail "$2 $1: phase 2 $(counted phase2Most), phase 3 $(counted phase3Most)"
    [ "$(counted enlarged)" -eq 0 ] || fail "$2 $1: $(counted enlarged) with a larger tolerance"
}
most "" e6_two_balls 4 14
most "" e3_ellipsoid 5 57
most "" e4_capsules 4 16
most "" e5_cones 5 69
most "" e7_four_balls 4 56
most "--compat modia-0.12" e3_ellipsoid 5 57
most "--compat modia-0.12" e4_capsules 5 16
most "--compat modia-0.12" e5_cones 5 69

# A body that is deleted while it lies on another, and one that lies there for good.
cat > deleted.jl <<'END2'
using Modia3D
using Test
steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
program(actions) = begin
    ActionWait(actions, 0.1)
    ActionDelete(actions, "lock")
end
lying(x) = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [x, 0.05, 0.0], feature = steel(Sphere(diameter = 0.1)))
Lying = Model3D(world = Object3D(feature = Scene()),
                ground = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = steel(Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0))),
                a = lying(-0.2), lock = Object3D(parent = :a, lockable = true), b = lying(0.2), steps = ModelActions(world = :world, actions = program))
lying = @instantiateModel(Lying | Model(equations = :[now = executeActions(steps)]), unitless = true)
simulate!(lying, stopTime = 0.2, tolerance = 1e-8)
number = getValues(lying, "contacts.number")
@test number[1] == 2 && number[end] == 1
@test getLastValue(lying, "contacts.begun") == 2 && getLastValue(lying, "contacts.ended") == 1
@test Modia3D.contactStatistics(lying)[:most] == 2
END2
status 0 "$SEGUE" run deleted.jl

# Nothing to count.
cat > none.jl <<'END2'
using Modia3D
None = Model3D(world = Object3D(feature = Scene(enableContactDetection = false)),
               a = Object3D(parent = :world, feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true)),
               b = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 1.0, 0.0],
                            feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true)))
none = @instantiateModel(None, unitless = true)
simulate!(none, stopTime = 0.1, logContacts = true)
println(hasSignal(none, "contacts.number"))
Modia3D.contactStatistics(none)
END2
status 2 "$SEGUE" run none.jl
has err "logContacts: no two solids of this model can collide"
has out "false"
has err "contactStatistics: the model was not simulated, or no two of its solids can collide"
status 0 "$SEGUE" check drop.jl
