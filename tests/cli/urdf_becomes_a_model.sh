# segue convert robot.urdf robot.jl: the file runs and moves as the robot does that URDF(...) makes; options, and words for what is wrong.
cp "$SG_SOURCE_DIR/examples/robots/parts/arm.urdf" arm.urdf
status 0 "$SEGUE" convert arm.urdf arm.jl
status 0 "$SEGUE" run -q -o converted arm.jl
cat >own.jl <<'END'
using Modia3D
TheWorld = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0]))), robot = URDF("arm.urdf"))
model = @instantiateModel(TheWorld, unitless = true)
simulate!(model, stopTime = 5.0)
END
status 0 "$SEGUE" run -q -o own own.jl
status 0 "$SEGUE" compare --rtol 0 --atol 0 converted own
# Merged or kept, links behind fixed joints weigh the same; a free base falls.
status 0 "$SEGUE" convert --merge-fixed --no-stops --no-collisions arm.urdf merged.jl
grep -q 'palm_mass = Object3D(parent = :forearm' merged.jl || fail 'the palm is not on the forearm'
! grep -q 'palm = \|_stops' merged.jl || fail 'links or stops are left'
status 0 "$SEGUE" convert --free-base arm.urdf free.jl
grep -q 'base = Object3D(parent = :world, fixedToParent = false' free.jl || fail 'the base is fixed'
status 0 "$SEGUE" run -q -o free free.jl
cat >two.jl <<'END'
using Modia3D
using Test
Pair(merged) = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0]))), a = URDF("arm.urdf", stops = false, mergeFixed = merged),
    post = Object3D(parent = :world, translation = [2.0, 0.0, 0.0]), b = URDF("arm.urdf", parent = :post, stops = false, mergeFixed = merged))
function ends(merged)
    m = @instantiateModel(Pair(merged), unitless = true)
    simulate!(m, Tsit5(), stopTime = 1.0, tolerance = 1e-9, merge = Map(a = Map(shoulder = Map(phi = Var(init = 0.3))), b = Map(shoulder = Map(phi = Var(init = 0.3)))))
    return [getLastValue(m, "a.elbow.phi"), getLastValue(m, "b.elbow.phi"), getLastValue(m, "a.grip.s"), getLastValue(m, "a.grip2.s")]
end
kept, merged = ends(false), ends(true)
@test kept[1] == kept[2] && abs(kept[1]) > 0.1 && kept[3] == kept[4]
@test abs(kept[1] - merged[1]) < 1e-7
END
status 0 "$SEGUE" run -q -o two two.jl
# What is wrong has its line, on the command line and in a script.
sed 's/<mass value="2"/<mass value="two"/' arm.urdf >bad.urdf
status 2 "$SEGUE" convert bad.urdf bad.jl
grep -q 'bad.urdf:1[0-9]:[0-9]*: value="two" is no number' err || fail 'no place'
[ ! -e bad.jl ] || fail 'half a model was written'
printf 'using Modia3D\nm = URDF("bad.urdf")\n' >script.jl
status 2 "$SEGUE" run -q script.jl
grep -q 'bad.urdf:1[0-9]:[0-9]*: value="two" is no number' err || fail 'no place in a script'
printf 'using Modia3D\nm = URDF("/etc/passwd")\n' >outside.jl
status 1 "$SEGUE" run -q outside.jl
status 1 "$SEGUE" convert arm.urdf arm.csv
status 1 "$SEGUE" convert --free-base converted some.csv
status 1 "$SEGUE" convert --signals 'a*' arm.urdf arm2.jl
sed 's/izz="0.0017"/izz="0.9"/' arm.urdf >flat.urdf
status 0 "$SEGUE" convert flat.urdf flat.jl
grep -q 'two principal moments are less than the third' err || fail 'no word about the inertia'
status 0 "$SEGUE" convert --repair-inertia flat.urdf flat.jl
status 0 "$SEGUE" run -q -o flat flat.jl
