# What the keywords of a Scene promise: a file of three.js, a history for the script; and what goes wrong with either.
get() { "$SG_BINARY_DIR"/json_get "$@"; }
is() { # FILE PATH EXPECTED
    found=$(get "$1" "$2") && [ "$found" = "$3" ] || fail "$1: $2 is '$found', expected '$3'"
}

cat > swing.jl <<'EOF2'
using Modia3D
Swing = Model3D(
    world = Object3D(feature = Scene(animationFile = "pictures/swing.json", provideAnimationHistory = true)),
    arm = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0, width = 0.2, thickness = 0.1), solidMaterial = "Steel")),
    rev = Revolute(obj1 = :world, obj2 = :arm, axis = 3, phi = Var(init = 0.5), w = Var(init = 2.0)),
    tip = Object3D(parent = :arm, translation = [0.5, 0.0, 0.0], feature = Visual(shape = Sphere(diameter = 0.3)))
)
swing = @instantiateModel(Swing, unitless = true)
simulate!(swing, stopTime = 1.0, interval = 0.375, dtmax = 0.05)
history = get_animationHistory(swing, "")
println(collect(keys(history)))
println(history["time"])
r = get_result(swing, "tip.r_abs", unit = false)
rot = get_result(swing, "tip.rot123_abs", unit = false)
for i in 1:length(history["time"])
    p = history["tip"].positions[i]
    q = history["tip"].quaternions[i]
    @test p == r[i, :]
    @test isapprox(q, [0.0, 0.0, sin(rot[i, 3] / 2), cos(rot[i, 3] / 2)], atol = 1e-12)
end
EOF2
status 0 "$SEGUE" run swing.jl
has out '["time", "arm", "tip"]'
has out "[0.0, 0.375, 0.75, 1.0]"
has out "... animation of '': 2 objects x 4 frames"
swing=swing-results/pictures/swing.json
is $swing metadata '{"version":4.5,"type":"Object","generator":"Segue"}'
is $swing object.animations.0 7e7c965e-496f-5a3f-aa68-d1597c04d113
is $swing object.children.6.name arm
is $swing object.children.7.name tip
is $swing object.children.7.type Mesh
is $swing animations.0.duration 1
is $swing animations.0.tracks.# 4
is $swing animations.0.tracks.2.times '[0,0.375,0.75,1]'
is $swing animations.0.tracks.2.values.# 12

# The same run gives the same bytes; a second simulate! has its own frames in both places.
cp $swing first.json
status 0 "$SEGUE" run swing.jl
cmp -s $swing first.json || fail "another run wrote other bytes"
{ cat swing.jl; echo 'simulate!(swing, stopTime = 0.25, interval = 0.125)'
  echo 'println(get_animationHistory(swing, "world", log = false)["time"])'; } > twice.jl
status 0 "$SEGUE" run -o twice twice.jl
has out "[0.0, 0.125, 0.25]"
is twice/pictures/swing.json animations.0.duration 0.25
# --converge runs once more; the frames are those of the run that was asked for.
status 0 "$SEGUE" run --converge -o twice swing.jl
cmp -s twice/pictures/swing.json first.json || fail "--converge changed the animation"
# segue check writes nothing and knows the function.
status 0 "$SEGUE" check swing.jl

# Without the keywords there is no history, and it is said how to get one.
sed 's/Scene(.*)),$/Scene())),/; s/)),,/)),/; /^r = /,$d; /^println/d' swing.jl | sed 's/Scene()))/Scene())/' > without.jl
echo 'println(history === nothing)' >> without.jl
status 0 "$SEGUE" run -o without without.jl
has out "use Scene(provideAnimationHistory = true)"
has out true
[ -e without/pictures ] && fail "a folder was made for nothing"
sed 's/get_animationHistory(swing, "")/get_animationHistory(swing, "robot")/' swing.jl > wrong.jl
status 2 "$SEGUE" run wrong.jl
has err 'the model has no 3D part "robot"; it has ""'

# A run that fails or is stopped on the way keeps what it has.
sed 's/w = Var(init = 2.0)/&), load = WorldForce(objectApply = :arm, forceFunction = push/; /^history/,$d; s/^Swing/push(; time, objectApply, objectCoord) = time > 0.5 ? error("rope torn") : [0.0, 0.0, 0.0]\n&/' swing.jl > torn.jl
status 2 "$SEGUE" run -o torn torn.jl
has err "rope torn"
is torn/pictures/swing.json animations.0.tracks.2.times.0 0
last=$(get torn/pictures/swing.json animations.0.duration)
case $last in 0.375*|0.4*|0.5*) ;; *) fail "the animation of the failed run ends at '$last'" ;; esac

# What will be large is said before it is; this run ends early.
sed 's/time > 0.5/time > 1e-5/; s/interval = 0.375, dtmax = 0.05/interval = 1e-7, dtmax = 1e-6/' torn.jl > large.jl
status 2 "$SEGUE" run --signals time -o large large.jl
has err "large.jl:4:38: warning[E0807]: the animation will be large: 2 objects x 10000001 frames = 1.1 GB of memory and twice as much on disk"
lacks large/pictures/swing.json null

# Files that cannot be, said at the keyword and before the run.
refuse() { # STATUS NAME TEXT
    sed "s|pictures/swing.json|$2|; /^history/,\$d" swing.jl > refused.jl
    status "$1" "$SEGUE" run -o refused refused.jl
    has err "refused.jl:3:"
    has err "$3"
}
refuse 1 /etc/swing.json "leads out of it"
refuse 1 ../swing.json "leads out of it"
mkdir -p refused/taken.json
refuse 1 taken.json "taken.json"
sed 's|pictures/swing.json|Swing.json|; /^history/,$d' swing.jl > clash.jl
status 2 "$SEGUE" run --result-format csv,json clash.jl
has err "clash.jl:3:38: error[E0807]: animationFile 'Swing.json' is also the name of the result"
cat > two.jl <<'EOF2'
using Modia3D
Part = Model3D(
    world = Object3D(feature = Scene(animationFile = "part.json")),
    body = Object3D(parent = :world, feature = Visual(shape = Box()))
)
Two = Model(first = Part, second = Part)
two = @instantiateModel(Two, unitless = true)
simulate!(two, stopTime = 1.0)
EOF2
status 2 "$SEGUE" run two.jl
has err "two 3D parts of the model write the same animationFile 'part.json'"

sed 's/second = Part/second = Part | Map(world = Object3D(feature = Scene(animationFile = "other.json")))/' two.jl > parts.jl
echo 'println(get_animationHistory(two, "second")["time"][end], collect(keys(get_animationHistory(two, "second"))))' >> parts.jl
status 0 "$SEGUE" run -o parts parts.jl
has out '1.0["time", "second.body"]'
is parts/part.json object.children.6.name first.body
is parts/other.json object.children.6.name second.body

# Nothing to see is no file, and that is said.
sed 's/body = .*/body = Object3D(parent = :world)/; s/Two = .*/Two = Part/' two.jl > empty.jl
status 0 "$SEGUE" run -o empty empty.jl
has err "nothing is visible"
[ -e empty/part.json ] && fail "an empty animation was written"

# Meshes that are only seen and cannot be read are left out of the picture, not of the model.
echo "this is no mesh" > broken.stl
sed 's/shape = Box()/shape = FileMesh(filename = "broken.stl")/; s/Two = .*/Two = Part/; s/visible = 1/&/' two.jl > mesh.jl
status 0 "$SEGUE" run -o mesh mesh.jl
has err "warning[E0906]"
has err "broken.stl"
# A file of three.js beside the mesh is what is drawn.
cp "$SG_SOURCE_DIR"/tests/readers/animation/wedge.obj "$SG_SOURCE_DIR"/tests/readers/animation/drawn.json .
cp drawn.json wedge.json
sed 's/broken.stl/wedge.obj/' mesh.jl > drawn.jl
status 0 "$SEGUE" run -o mesh drawn.jl
is mesh/part.json object.children.6.name body
is mesh/part.json object.children.6.children.1.name knob
# What an action deletes is not seen from then on.
sed 's/feature = Scene(/&animationFile = "rocket.json", /' "$SG_SOURCE_DIR/examples/space/two_stage_rocket.jl" > rocket.jl
status 0 "$SEGUE" run -o rocket rocket.jl
has rocket/rocket.json '.visible","uuid":'
has rocket/rocket.json '"type":"bool","times":[0,10],"values":[true,false]}'
[ "$(grep -o '"type":"bool"' rocket/rocket.json | wc -l)" = 1 ] || fail "more than one vanishes"
# Also seen from another folder.
mkdir -p elsewhere
(cd elsewhere && "$SEGUE" run -o mesh ../drawn.jl) || fail "from another folder"
cmp -s mesh/part.json elsewhere/mesh/part.json || fail "another folder, another animation"
# One that cannot be used is named; the mesh of a Solid is known anyway, that of a Visual is left out.
echo '{"object": 3}' > wedge.json
status 0 "$SEGUE" run -o mesh drawn.jl
has err "it is not a scene or object of three.js"
has err "cannot show 'body': FileMesh has no file that can be read; it is left out"
echo '{"object": {' > wedge.json
sed 's/feature = Visual(shape = \(.*\))$/feature = Solid(massProperties = 1.0, shape = \1)/' drawn.jl > solid.jl
status 0 "$SEGUE" run -o mesh solid.jl
has err "is not JSON"
lacks err "cannot show"
is mesh/part.json geometries.0.data.index.array.# 24
