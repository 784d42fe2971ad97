# The mistakes that people make when they write a 3D model: each message names the line of the model, not one of the
# library, and says what to write instead.
cat > right.jl <<'EOF'
using Modia3D
include("$(Modia3D.modelsPath)/AllModels.jl")
Position = Model(flange = Flange, equations = :[flange.phi = 0.3*sin(4*time)])
Arm = Model3D(
    world = Object3D(feature = Scene()),
    bar = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0), solidMaterial = "Aluminium")),
    hinge = Object3D(parent = :bar, translation = [-0.5, 0.0, 0.0]),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :hinge, phi = Var(init = nothing), w = Var(init = nothing))
)
Robot = Model(arm = Arm, drive = Position, connect = :[(drive.flange, arm.rev.flange)])
robot = @instantiateModel(Robot, unitless = true)
simulate!(robot, stopTime = 1.0)
EOF
status 0 "$SEGUE" run right.jl
[ -s err ] && fail "the right model is not quiet: $(cat err)"

mistake() { # mistake LINE RIGHT WRONG TEXT [AT]: one in place of the other; the message is at line AT, or LINE
    RIGHT=$2 WRONG=$3 awk -v line="$1" '
        NR == line && (at = index($0, ENVIRON["RIGHT"])) {
            $0 = substr($0, 1, at - 1) ENVIRON["WRONG"] substr($0, at + length(ENVIRON["RIGHT"]))
            found = 1
        }
        { print }
        END { exit !found }' right.jl > wrong.jl || fail "not in line $1: $2"
    "$SEGUE" run wrong.jl >out 2>err </dev/null
    has err "$4"
    grep -F -- "$4" err | grep -q "^wrong.jl:${5-$1}:" || fail "not at line ${5-$1}: $(grep -F -- "$4" err)"
    lacks err 'segue://'
}

# ---- keywords -----------------------------------------------------------------------------------
mistake 7 translation translatoin "has no keyword 'translatoin'; did you mean 'translation'?"
mistake 5 'Scene()' 'Scene(gravity = 9.81)' "has no keyword 'gravity'; did you mean 'gravityField'?"
mistake 6 'Solid(' 'Visual(' "Visual has no keyword 'solidMaterial'; it takes shape, visualMaterial"
mistake 6 'solidMaterial = "Aluminium"' 'mass = 1.0' "did you mean 'massProperties'?"
mistake 8 'obj1' 'objA' "has no keyword argument 'objA', did you mean 'obj1'?"
mistake 6 'feature = ' '' 'write Object3D(feature = Solid(...))'
mistake 6 'shape = ' '' 'write Solid(shape = Beam(...))'
mistake 6 'Solid(shape = Beam(axis = 1, length = 1.0), solidMaterial = "Aluminium")' 'Beam()' 'feature must be Scene, Solid or Visual, not Beam'
mistake 5 'Scene()' 'Scene(gravityField = [0, 1, 0])' 'such as UniformGravityField(g = 9.81, n = [0, -1, 0])'

# ---- names --------------------------------------------------------------------------------------
mistake 7 ':bar' ':bra' "'bra' is not defined, did you mean 'bar'?"
mistake 7 ':bar' '"bar"' 'write :bar instead of "bar"'
mistake 7 ':bar' 'bar' "to name the component 'bar', write :bar"
mistake 8 ':hinge' ':hige' "'hige' is not defined, did you mean 'hinge'?"
mistake 8 ':hinge' ':bar.hinge' 'is written :(bar.hinge)'
mistake 1 'Modia3D' 'Modia' "'Model3D' is not defined; it comes with: using Modia3D" 4
mistake 4 'Model3D' 'Model' "Object3D 'arm.world' stands in a Model(...); 3D parts need a Model3D(...)" 5

mistake 6 'feature = ' 'parent = :bar, feature = ' "'bar' refers to itself"
mistake 7 'hinge = ' 'bar = ' "'bar' is given twice in one call"
mistake 10 'drive.flange' 'dive.flange' "'dive' is not found while following 'dive.flange'; did you mean 'drive'?"
mistake 4 'Arm = Model3D(' 'Arm = Model3D(part = Model(a = Object3D()), other = Object3D(parent = :part),' \
    'parent is a component; name one of its objects'

# ---- units, numbers, axes -----------------------------------------------------------------------
mistake 7 '0.0]' '0.0]u"kg"' 'translation is measured in m, not in kg'
mistake 7 '-0.5' '-0.5u"s"' 'translation is measured in m, not in s'
mistake 6 'length = 1.0' 'length = 1.0u"m^2"' 'length is measured in m, not in m^2'
mistake 7 'translation' 'rotation = [0, 0, 90], translation' 'rotation is in radian, and 90 of them are 14.3 turns'
mistake 8 'obj2' 'axis = 4, obj2' 'axis must be 1, 2, 3'
mistake 8 'phi = Var(init = nothing)' 'phi = 0.3' 'to give it a start value, write phi = Var(init = ...)'
mistake 8 'phi = Var(init = nothing)' 'phi = Var(init = [0.1, 0.2])' 'the start value of phi must be one number'
mistake 8 'w = Var(init = nothing)' 'w = 0.3' 'to give it a start value, write w = Var(init = ...)'
mistake 8 ', w = Var(init = nothing)' '' 'for a joint: phi = Var(init = nothing)'
mistake 6 '"Aluminium")),' '"Aluminium"))' "expected ',' or ')', found 'hinge'" 7
mistake 11 ', unitless = true' '' 'needs @instantiateModel(..., unitless = true)'

# ---- flanges ------------------------------------------------------------------------------------
mistake 10 'rev.flange' 'rev.flnge' "there is no connector 'arm.rev.flnge'; did you mean 'flange'?"
mistake 8 'RevoluteWithFlange' 'Revolute' "there is no connector 'arm.rev.flange'; a joint with one is made by 'RevoluteWithFlange'" 10
mistake 10 ', connect = :[(drive.flange, arm.rev.flange)]' '' "nothing is connected to 'arm.rev.flange': its flow is set to zero" 8

mistake 8 ', phi = Var(init = nothing), w = Var(init = nothing)' '' 'init values contradict the equations'

# ---- units that fit -----------------------------------------------------------------------------
sed 's/\[-0.5, 0.0, 0.0\]/[-500u"mm", 0.0, 0.0u"cm"], rotation = [0, 0, 0]u"°"/' right.jl > units.jl
status 0 "$SEGUE" run units.jl

# ---- functions of the library -----------------------------------------------------------------------
# What they find wrong is shown where they are called.
printf 'using Modia3D\nR = Modia3D.rot1(0.3)\nv = Modia3D.resolve2([0.1, 0.2, 0.3], [1.0, 0.0], rotationXYZ = true)\n' > call.jl
status 2 "$SEGUE" run call.jl
has err "call.jl:3:5: error"
[ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not one error: $(cat err)"
# A script may catch it, and then nothing was wrong.
printf 'using Modia3D\ntry\n    Modia3D.volume(Box(lengthX = -1.0))\ncatch e\n    println("caught")\nend\n' > caught.jl
status 0 "$SEGUE" run caught.jl
has out caught
lacks err 'error['
printf 'using Modia3D\nx = Modia3D.volume(Cylinder(axis = 7))\n' > shape.jl
status 2 "$SEGUE" run shape.jl
has err "shape.jl:2:29: error[E0907]: Cylinder: axis must be 1, 2 or 3"
