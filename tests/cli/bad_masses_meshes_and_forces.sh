# Masses, materials, meshes and forces that cannot be: one message each, at the line and column of what is wrong.
#
# Line 3 of every model holds the world, line 4 what is tried.
model() { # model TEXT LINE:COLUMN ELEMENTS
    cat > bad.jl <<EOF
using Modia3D
Bad = Model3D(
    world = Object3D(feature = Scene()),
    $3
)
bad = @instantiateModel(Bad, unitless = true)
simulate!(bad, stopTime = 0.1)
EOF
    status 2 "$SEGUE" run bad.jl
    has err "$1"
    has err "bad.jl:$2: error"
    [ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not one error: $3 $(cat err)"
}
solid='feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))'

# ---- mass ---------------------------------------------------------------------------------------
free='parent = :world, fixedToParent = false'
model "the mass is negative" 4:74 "a = Object3D($free, feature = Solid(massProperties = MassProperties(mass = -1.0)))"
model "neither it nor what is fixed to it has mass" 4:5 "a = Object3D($free)"
model "neither it nor what is fixed to it has mass" 4:5 "a = Object3D($free, feature = Solid(massProperties = MassProperties(mass = 0.0)))"
model "a principal moment of inertia is negative" 4:74 "a = Object3D($free, feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = -1.0, Iyy = 0.1, Izz = 0.1)))"
model "the mass must be at least 0" 4:89 "a = Object3D($free, feature = Solid(shape = Box(), massProperties = -2.0))"
model "there is none" 4:74 "a = Object3D($free, feature = Solid(massProperties = MassPropertiesFromShapeAndMass(mass = 1.0)))"
model "needs a solidMaterial" 4:89 "a = Object3D($free, feature = Solid(shape = Box(), massProperties = MassPropertiesFromShape()))"
model "only seen" 4:82 "a = Object3D($free, feature = Solid(shape = Grid(), massProperties = 1.0))"
model "moves nothing that has inertia" 4:5 "a = Object3D(), j = Revolute(obj1 = :world, obj2 = :a)"

# ---- materials and shapes -----------------------------------------------------------------------
model "there is no solid material 'Steal', did you mean 'Steel'?" 4:89 "a = Object3D($free, feature = Solid(shape = Box(), solidMaterial = \"Steal\"))"
model "there is no visual material 'Redd', did you mean 'Red'?" 4:52 'a = Object3D(parent = :world, feature = Visual(visualMaterial = "Redd"))'
model "the density is not known" 4:89 "a = Object3D($free, feature = Solid(shape = Box(), solidMaterial = SolidMaterial(YoungsModulus = 1e9)))"
model "needs a contactMaterial" 4:111 "a = Object3D($free, feature = Solid(shape = Box(), massProperties = 1.0, collision = true))"
model "there is no solid material 'DryWod', did you mean 'DryWood'?" 4:129 "a = Object3D($free, feature = Solid(shape = Box(), massProperties = 1.0, collision = true, contactMaterial = \"DryWod\"))"
model "innerDiameter must be less than diameter" 4:91 "a = Object3D($free, feature = Solid(shape = Cylinder(innerDiameter = 2.0), massProperties = 1.0))"
model "lengthX must be finite and not negative" 4:86 "a = Object3D($free, feature = Solid(shape = Box(lengthX = -1.0), massProperties = 1.0))"

# ---- meshes -------------------------------------------------------------------------------------
mesh() { # mesh TEXT FILE
    model "$1" 4:91 "a = Object3D($free, feature = Solid(shape = FileMesh(filename = \"$2\"), massProperties = 1.0))"
}
mesh "cannot read 'nowhere.obj'" nowhere.obj
: > empty.obj
mesh "the file is empty" empty.obj
echo 'v 0 0 0' > points.obj
mesh "the file holds no triangles" points.obj
printf 'v 0 0 0\nv 1 0 x\n' > words.obj
mesh "wrong at words.obj:2:7: a vertex needs three numbers" words.obj
corners='v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n'
printf "${corners}f 1 3 2\nf 1 2 4\nf 2 3 4\n" > open.obj
mesh "the mesh is open" open.obj
printf 'nodes\n18446744073709551615 "a" -1' > m.smd    # ends assimp 5.2 in a signal
mesh "others only with --foreign-meshes" m.smd
model "--modia3d-path" 4:91 "a = Object3D($free, feature = Solid(shape = FileMesh(filename = joinpath(Modia3D.path, \"objects/a.obj\")), massProperties = 1.0))"
printf "${corners}f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n" > good.obj
model "convexSolids_good.obj" 4:91 "a = Object3D($free, feature = Solid(shape = FileMesh(filename = \"good.obj\", convexPartition = true), massProperties = 1.0))"
has err "note: convexPartition = true needs this folder beside the mesh"

# A mesh that is inside out, or has a small crack, is a warning: its mass is that of the right one.
printf "${corners}f 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n" > turned.obj
cat > turned.jl <<EOF
using Modia3D, Test
Fall = Model3D(
    world = Object3D(feature = Scene()),
    a = Object3D($free, feature = Solid(shape = FileMesh(filename = "turned.obj"), solidMaterial = SolidMaterial(density = 6.0)))
)
fall = @instantiateModel(Fall, unitless = true)
simulate!(fall, stopTime = 0.1)
EOF
status 0 "$SEGUE" run --balance turned.jl
has err "turned.jl:4:"
has err "warning[E0906]: the mesh"
has err "is inside out"
has out "2.4525"                          # 1 kg at a quarter of the height

# ---- forces -------------------------------------------------------------------------------------
a="a = Object3D($free, $solid)"
model "obj1 and obj2 are the same object" 5:36 "$a,
    f = SpringDamperPtP(obj1 = :a, obj2 = :a)"
model "must be a number or a function of one number" 5:51 "$a,
    f = SpringDamperPtP(obj1 = :world, obj2 = :a, springForceLaw = \"stiff\")"
model "must be a vector of three" 5:43 "$a,
    f = Bushing(obj1 = :world, obj2 = :a, springForceLaw = 3.0)"
model "must return a number" 5:51 "$a,
    f = SpringDamperPtP(obj1 = :world, obj2 = :a, springForceLaw = x -> \"hard\")"
model "must return a vector of three numbers" 5:38 "$a,
    f = WorldForce(objectApply = :a, forceFunction = (; time, objectApply, objectCoord) -> 1.0)"
model "measured in N, not in kg" 5:51 "$a,
    f = SpringDamperPtP(obj1 = :world, obj2 = :a, springForceLaw = x -> 3.0u\"kg\")"
model "measured in N*m, not in N" 5:39 "$a,
    f = WorldTorque(objectApply = :a, torqueFunction = (; time, objectApply, objectCoord) -> [1.0, 2.0, 3.0]u\"N\")"
model "asks for accelerations, which follow from the forces: it leaves no inertia" 5:38 "$a,
    f = WorldForce(objectApply = :a, forceFunction = (; time, objectApply, objectCoord) -> Modia3D.measFrameTransAcceleration(objectApply))"
model "where equations act on joints, it must be linear in them" 6:38 "a = Object3D($solid),
    j = RevoluteWithFlange(obj1 = :world, obj2 = :a, w = Var(init = 1.0)), equations = :[j.flange.tau = 1.0 - tanh(der(j.w))],
    f = WorldForce(objectApply = :a, forceFunction = (; time, objectApply, objectCoord) -> Modia3D.applyFrameTorque!(objectApply, -Modia3D.measFrameRotAcceleration(objectApply).^3) === nothing ? zeros(3) : zeros(3))"

# A joint that starts nowhere is not told to have no inertia.
for start in 'phi = Var(init = NaN)' 'w = Var(init = Inf)'; do
    cat > nowhere.jl <<EOF
using Modia3D
Bad = Model3D(world = Object3D(feature = Scene()), b = Object3D($solid), j = Revolute(obj1 = :world, obj2 = :b, $start))
simulate!(@instantiateModel(Bad, unitless = true), stopTime = 1.0)
EOF
    "$SEGUE" run nowhere.jl > out 2> err
    got=$?
    [ $got -eq 2 ] || [ $got -eq 3 ] || fail "$start: status $got"
    grep -qE "error\[E0[0-9]+\]: .*(not finite|NaN|Inf)" err || fail "$start: $(cat err)"
    lacks err inertia
done

# A law without a number is an error only where the solver finds no way around it.
cat > nan.jl <<EOF
using Modia3D
Bad = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    $a,
    f = SpringDamperPtP(obj1 = :world, obj2 = :a, springForceLaw = x -> x > limit ? NaN : 0.0)
)
limit = 2.0
bad = @instantiateModel(Bad | Map(a = Map(velocity = [1.0, 0.0, 0.0])), unitless = true)
simulate!(bad, stopTime = 1.0)
EOF
status 0 "$SEGUE" run nan.jl
sed 's/limit = 2.0/limit = 0.5/' nan.jl > walks.jl
status 4 "$SEGUE" run walks.jl
has err "walks.jl:5:51: note: springForceLaw of SpringDamperPtP 'f' returned no finite number for 0.5"
sed 's/limit = 2.0/limit = -1.0/' nan.jl > starts.jl
status 3 "$SEGUE" run starts.jl
has err "starts.jl:5:51: note: springForceLaw of SpringDamperPtP 'f' returned no finite number for 0"

# ---- nothing to move at the start ---------------------------------------------------------------
cat > drive.jl <<'EOF'
using Modia3D
include("$(Modia.modelsPath)/AllModels.jl")
Bad = Model3D(
    world = Object3D(feature = Scene()),
    a = Object3D(),
    j = RevoluteWithFlange(obj1 = :world, obj2 = :a),
    motor = UnitlessTorque,
    equations = :[motor.tau = 1.0],
    connect = :[(motor.flange, j.flange)]
)
bad = @instantiateModel(Bad, unitless = true)
simulate!(bad, stopTime = 0.1)
EOF
"$SEGUE" run drive.jl > out 2> err && fail "a drive without inertia ran"
has err "drive.jl:5:5: error[E0904]: the joint that carries 'a' moves nothing that has inertia"
# A rotor without inertia does not help.
sed -e 's/motor = UnitlessTorque,/motor = UnitlessTorque, rotor = Inertia | Map(J = 0.0),/' \
    -e 's/(motor.flange, j.flange)/(motor.flange, rotor.flange_a); (rotor.flange_b, j.flange)/' drive.jl > rotor.jl
"$SEGUE" run rotor.jl > out 2> err && fail "a drive without inertia ran"
has err "rotor.jl:5:5: error[E0904]: the joint that carries 'a' moves nothing that has inertia"
has err "or inertia to its drive"
# Where equations couple joints, it is their system that is singular.
cat > coupled.jl <<'EOF'
using Modia3D
include("$(Modia.modelsPath)/AllModels.jl")
Both = Model(a = Flange, b = Flange,
             equations = :[w = der(a.phi) + der(b.phi); a.tau = 0.01*der(w); b.tau = 0.01*der(w)])
Bad = Model3D(
    world = Object3D(feature = Scene()),
    a = Object3D(), b = Object3D(),
    j = RevoluteWithFlange(obj1 = :world, obj2 = :a),
    k = RevoluteWithFlange(obj1 = :world, obj2 = :b),
    both = Both,
    connect = :[(both.a, j.flange); (both.b, k.flange)]
)
bad = @instantiateModel(Bad, unitless = true)
simulate!(bad, stopTime = 0.1)
EOF
"$SEGUE" run coupled.jl > out 2> err && fail "a coupling of joints without inertia ran"
has err "coupled.jl:8:5: note: the joint 'j' moves nothing that has inertia"

# A mesh that is only seen must be there; what is in it is for those who draw it.
echo 'no mesh at all' > drawn.xyz
printf 'using Modia3D\nSeen = Model3D(world = Object3D(feature = Scene()),\n    a = Object3D(parent = :world, feature = Visual(shape = FileMesh(filename = "drawn.xyz"))))\nseen = @instantiateModel(Seen, unitless = true)\nsimulate!(seen, stopTime = 0.0)\n' > seen.jl
status 0 "$SEGUE" run seen.jl
rm drawn.xyz
status 2 "$SEGUE" run seen.jl
has err "seen.jl:3:69: error[E0001]: cannot read 'drawn.xyz'"

# ---- functions that do what they should not, while the model runs ---------------------------------
law() { # law STATUS TEXT PLACE LINES: the law is called f
    cat > law.jl <<END
using Modia3D
$4
Bad = Model3D(
    world = Object3D(feature = Scene()),
    a = Object3D($free, $solid),
    spring = Bushing(obj1 = :world, obj2 = :a, springForceLaw = [f, f, f])
)
bad = @instantiateModel(Bad, unitless = true)
simulate!(bad, stopTime = 1.0)
END
    status "$1" "$SEGUE" run law.jl
    has err "law.jl:$3: error"
    has err "$2"
    [ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not one error: $4 $(cat err)"
}
law 2 "too low" 2:20 'f(x) = x < -0.01 ? error("too low") : x'
law 6 "calls are nested too deeply" 2:8 'f(x) = f(x + 1)'
law 2 "the model 'Bad' is running already" 2:14 'f(x) = begin simulate!(bad, stopTime = 0.1); x end'

# ---- where there is no direction down --------------------------------------------------------------
printf 'using Modia3D\nBad = Model3D(world = Object3D(feature = Scene(gravityField = PointGravityField(mue = 1.0))),\n    a = Object3D(%s, %s))\nbad = @instantiateModel(Bad, unitless = true)\nsimulate!(bad, stopTime = 1.0)\n' "$free" "$solid" > center.jl
status 3 "$SEGUE" run center.jl
has err "center.jl:3:5: note: 'a' is at the center of the gravity field"
