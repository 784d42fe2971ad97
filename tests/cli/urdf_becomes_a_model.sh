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
# A planar joint moves in the plane across its axis, and its damping holds all three coordinates: a body that falls in it, v = m*g/d*(1 - exp(-d*t/m)), and turns, w = w0*exp(-d*t/J).
cat >plane.urdf <<'END'
<robot name="plane"><link name="base"/>
<link name="body"><inertial><mass value="2"/><inertia ixx="0.3" iyy="0.4" izz="0.5"/></inertial></link>
<joint name="slab" type="planar"><origin xyz="1 0 0"/><parent link="base"/><child link="body"/><axis xyz="0 2 0"/><dynamics damping="0.5"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>
END
cat >plane.jl <<'END'
using Modia3D
using Test
world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0])))
m = @instantiateModel(Model3D(world = world, r = URDF("plane.urdf")), unitless = true)
simulate!(m, Tsit5(), stopTime = 2.0, tolerance = 1e-9, merge = Map(r = Map(slab = Map(w = Var(init = 3.0)))))
t, d, mass = 2.0, 0.5, 2.0
p, R = forwardKinematics(m, "r.body")
@test maximum(abs.(p - [1.0, 0.0, -mass*9.81/d*(t - mass/d*(1 - exp(-d*t/mass)))])) < 1e-6
@test abs(getLastValue(m, "r.slab.w") - 3.0*exp(-d*t/0.4)) < 1e-7
angle = 3.0*0.4/d*(1 - exp(-d*t/0.4))
@test maximum(abs.(R - [cos(angle) 0.0 sin(angle); 0.0 1.0 0.0; -sin(angle) 0.0 cos(angle)])) < 1e-7
END
status 0 "$SEGUE" run -q plane.jl
status 0 "$SEGUE" convert plane.urdf slab.jl
grep -q "plane.urdf:3:[0-9]*: <limit> of the planar joint 'slab' is not used" err || fail 'no word about the limit'
sed 's/type="planar"/type="floating"/' plane.urdf >floating.urdf
cat >floating.jl <<'END'
using Modia3D
using Test
world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0])))
m = @instantiateModel(Model3D(world = world, r = URDF("floating.urdf")), unitless = true)
# Turned first: its damping is along its own axes.
simulate!(m, Tsit5(), stopTime = 2.0, tolerance = 1e-9, merge = Map(r = Map(body = Map(rotation = [pi/2, 0.0, 0.0], angularVelocity = [0.0, 0.0, 3.0]))))
@test abs(getLastValue(m, "r.body.velocity")[3] + 2.0*9.81/0.5*(1 - exp(-0.5*2.0/2.0))) < 1e-6
@test maximum(abs.(getLastValue(m, "r.body.angularVelocity") - [0.0, 0.0, 3.0*exp(-0.5*2.0/0.4)])) < 1e-6
END
status 0 "$SEGUE" run -q floating.jl
sed 's/damping="0.5"/friction="0.5"/' floating.urdf >rubbing.urdf
status 0 "$SEGUE" convert rubbing.urdf rubbing.jl
grep -q "friction of the floating joint 'slab' is not used" err || fail 'no word about friction'
# A package is found from its own folders, whatever the command calls the file; meshes are named from where the model is written.
mkdir -p bot/urdf bot/meshes elsewhere/deep
printf 'v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' >bot/meshes/wedge.obj
cat >bot/urdf/bot.urdf <<'END'
<robot name="bot"><link name="base"><visual><geometry><mesh filename="package://bot/meshes/wedge.obj" scale="1 -1 1"/></geometry></visual></link></robot>
END
status 0 "$SEGUE" convert bot/urdf/bot.urdf bot/bot.jl
status 0 "$SEGUE" run -q bot/bot.jl
(cd bot/urdf && "$SEGUE" convert bot.urdf ../own.jl) || fail 'not converted in its own folder'
cmp bot/bot.jl bot/own.jl || fail 'the folder of the command changes the model'
status 0 "$SEGUE" convert bot/urdf/bot.urdf elsewhere/deep/bot.jl
status 0 "$SEGUE" run -q --allow-read bot elsewhere/deep/bot.jl
printf 'using Modia3D\nm = URDF("arm.urdf", freeBase = 1)\n' >flag.jl
status 2 "$SEGUE" run -q flag.jl
grep -q 'freeBase must be true or false' err || fail 'a number is a flag'
